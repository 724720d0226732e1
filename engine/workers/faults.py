"""Where a process that dies of a signal writes where it was."""

from __future__ import annotations

import ctypes
import faulthandler
from contextlib import suppress
from importlib.machinery import PathFinder
from typing import IO


def write_faults(file: IO[str]) -> None:
    """Let Python's faulthandler write every thread's stack to `file`, open as long as we live."""
    load_tvms_handler()
    faulthandler.enable(file)


def load_tvms_handler() -> None:
    """Load TVM's library of signal handlers (3 ms), after which faulthandler may be enabled.

    It takes SIGSEGV when it is loaded and never hands it on, so that one who came before is mute:
    crash logs were empty. One who comes after it hands the signal on to it.
    """
    spec = PathFinder.find_spec("tvm_ffi")
    for place in (spec.submodule_search_locations or []) if spec else []:
        with suppress(OSError):  # no TVM, or another build of it: there is no such handler
            ctypes.CDLL(f"{place}/lib/libtvm_ffi.so")
