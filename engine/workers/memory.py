"""Memory of a process: who collects Python's cyclic garbage, and what goes back to the system.

A collection runs in whichever thread makes the next object, and ends objects there. Those of a
window may end in its own thread only, so a window turns automatic collections off and collects
itself. The engine, which has no window, only asks for it.
"""

from __future__ import annotations

import ctypes
import gc
from contextlib import suppress
from threading import Event

_asked = Event()


def keep_libraries() -> None:
    """Take what lives now, just loaded for the most part, out of later collections; any thread may.

    A collection before that took 0.3 s of every thread's time, and found a thousand objects.
    """
    gc.freeze()


def settle_memory() -> None:
    """Take what lives now out of later collections; any thread may ask.

    A full one takes 70 ms once all libraries are loaded, in which no thread gets on. Where
    automatic collections are off, whoever collects does it at his next turn.
    """
    if gc.isenabled():
        _settle()
    else:
        _asked.set()


def return_freed() -> None:
    """Give the system back what was freed; any thread may. 70 ms where the heap is full of holes.

    glibc keeps blocks of up to 32 MB once it has seen one freed: weights that were prepacked
    stayed with the process while others measured what they had become.
    """
    with suppress(AttributeError):  # another libc has no such word, and its own ways
        ctypes.CDLL(None).malloc_trim(0)


def collect_due() -> None:
    """What automatic collections would do by now, in this thread."""
    if _asked.is_set():
        _asked.clear()
        _settle()
        return
    limits = gc.get_threshold()
    for generation in (2, 1, 0):
        if gc.get_count()[generation] > limits[generation]:
            gc.collect(generation)
            return


def _settle() -> None:
    gc.collect()
    gc.freeze()
