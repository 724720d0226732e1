"""A command of ours on fewer cores: in a process of its own, which has them from its beginning."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from engine.records.errors import UsageError
from engine.records.machine import THREADS, usable_cores
from engine.records.sentences import Sentence

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


def require_cores(wanted: int) -> None:
    """UsageError where this process may not use as many cores."""
    if wanted > (usable := usable_cores()):
        raise UsageError(
            Sentence(
                "{wanted} cores are wanted, and {usable} are here.", wanted=wanted, usable=usable
            ),
            "Take that line out, or use a larger machine.",
        )


def on_cores(arguments: Sequence[str], cores: int) -> bool:
    """Run a command of ours on so many of this process's cores, to its end; whether it was asked to
    end before. Its progress goes where ours does, its answer nowhere; signals are passed on."""
    environment = {name: value for name, value in os.environ.items() if name != THREADS}
    with _cores(cores):
        process = subprocess.Popen(
            [sys.executable, "-m", "app", *arguments],
            env=environment,
            stdout=subprocess.DEVNULL,
            start_new_session=True,  # or a terminal's Ctrl+C would come twice
        )
    asked = False

    def pass_on(number: int, _: object) -> None:
        nonlocal asked
        asked = True
        process.send_signal(number)

    before = {number: signal.signal(number, pass_on) for number in _SIGNALS}
    try:
        process.wait()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        if process.poll() is None:
            process.terminate()
            process.wait()
    return asked


@contextmanager
def _cores(count: int) -> Iterator[None]:
    """Have this thread, and what it starts, use the first so many of its cores."""
    ours = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(ours)[:count])
    try:
        yield
    finally:
        os.sched_setaffinity(0, ours)
