"""Drives one engine from a terminal: waits, shows progress, hears Ctrl+C."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TypeVar

from app.cli.progress import Progress
from engine.interface.following import Driven, Following
from engine.jobs.commands import EngineCommands

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
EXIT_AT_ONCE = 130

D = TypeVar("D", bound=Driven)


class DriverOf(Following[D]):
    """Owns an engine, or a queue, from enter to exit. A signal asks for an end, a second one
    ends the process."""

    def __init__(self, progress: Progress, engine: D) -> None:
        super().__init__(progress, engine, _SIGNALS, _exit_at_once)


class Driver(DriverOf[EngineCommands]):
    """Drives one engine."""

    def __init__(self, progress: Progress) -> None:
        from engine.jobs.engine import Engine

        super().__init__(progress, Engine())


@contextmanager
def driving(progress: Progress) -> Iterator[Driver]:
    """A driver with its display."""
    with progress, Driver(progress) as driver:
        yield driver


def _exit_at_once() -> None:
    with suppress(OSError):
        if sys.stderr.isatty():
            os.write(2, b"\x1b[?25h\n")  # the display hides the cursor
    os._exit(EXIT_AT_ONCE)
