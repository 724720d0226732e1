"""Drives one engine from a terminal: waits, shows progress, hears Ctrl+C."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager, suppress
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

from app.cli_progress import Progress
from engine.errors import TuningError

if TYPE_CHECKING:
    from engine.jobs.engine import Engine

T = TypeVar("T")

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_POLL_S = 0.1
_SHUTDOWN_S = 10.0
EXIT_AT_ONCE = 130


class Driver:
    """Owns the engine from enter to exit. A signal asks for an end, a second one enforces it."""

    def __init__(self, progress: Progress) -> None:
        from engine.jobs.engine import Engine

        self.progress = progress
        self.engine: Engine = Engine()
        self.stop_asked = False
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Self:
        for number in _SIGNALS:
            before = signal.getsignal(number)
            if before is not signal.SIG_IGN:  # nohup wants a run to outlive its terminal
                self._before[number] = before
                signal.signal(number, self._heard)
        self.engine.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            with suppress(TimeoutError):
                self.engine.shutdown(_SHUTDOWN_S)
        finally:
            for number, handler in self._before.items():
                signal.signal(number, handler)

    def result(self, future: Future[T]) -> T:
        """The future's result, with progress meanwhile; Stopped where that was asked for."""
        for _ in self._until(future):
            if self.stop_asked:
                raise Stopped
        return future.result()

    def whole_result(self, future: Future[T]) -> T:
        """The same for a step that must not be left half done: a first signal only says so."""
        said = False
        for _ in self._until(future):
            if self.stop_asked and not said:
                said = True
                self.progress.say("This step ends first. Ctrl+C again ends at once.")
        return future.result()

    def finish_run(self) -> None:
        """Wait until the run that was launched is over; asked to stop, stop it."""
        self.finish(self.engine.wait())

    def finish(self, future: Future[T]) -> T:
        """The result of what can be stopped, so far where that was asked for."""
        stopping = False
        for _ in self._until(future):
            if self.stop_asked and not stopping:
                stopping = True
                self.progress.say("Every result is kept. Ctrl+C again ends at once.")
                self.engine.stop()
        return future.result()

    def _until(self, future: Future[Any]) -> Iterator[None]:
        while not future.done():
            wait([future], timeout=_POLL_S)
            self.progress.show(self.engine.events.drain())
            yield
        self.progress.show(self.engine.events.drain())

    def _heard(self, number: int, frame: FrameType | None) -> None:
        if self.stop_asked:
            with suppress(OSError):
                if sys.stderr.isatty():
                    os.write(2, b"\x1b[?25h\n")  # the display hides the cursor
            os._exit(EXIT_AT_ONCE)
        self.stop_asked = True


class Stopped(TuningError):
    """A person ended a step before it had a result."""

    def __init__(self, todo: str = "Nothing was changed.") -> None:
        super().__init__("Stopped before the end.", todo)


@contextmanager
def driving(progress: Progress) -> Iterator[Driver]:
    """A driver with its display."""
    with progress, Driver(progress) as driver:
        yield driver
