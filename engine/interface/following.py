"""Follows an engine, or a queue, from a thread that waits: says what it says, hears signals."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, Generic, Protocol, Self, TypeVar

from engine.jobs.commands import EngineCommands
from engine.jobs.event_queue import EventQueue
from engine.records.errors import TuningError
from engine.records.events import Event, Message
from engine.records.sentences import Sentence

T = TypeVar("T")

_POLL_S = 0.1
_SHUTDOWN_S = 10.0


class Driven(Protocol):
    """An engine, or a queue of jobs."""

    @property
    def events(self) -> EventQueue:
        """What it says."""

    def start(self) -> None:
        """Begin."""

    def shutdown(self, timeout_s: float) -> None:
        """Stop what goes on, and end."""

    def wait(self) -> Future[None]:
        """Done when nothing goes on."""

    def stop(self) -> Future[None]:
        """End what goes on."""


class Shown(Protocol):
    """Where progress goes."""

    def show(self, events: Iterable[Event]) -> None:
        """Take in what was said; called often."""

    def say(self, line: str) -> None:
        """A line for a person."""


NOTHING_CHANGED = Sentence("Nothing was changed.")
D = TypeVar("D", bound=Driven)
Hear = Callable[[Event], None]


class Following(Generic[D]):
    """Owns an engine, or a queue, from enter to exit.

    A signal asks for an end; at a second one `enforce` is called, in the handler. Signals are heard
    in the main thread only, and not where the process ignores them.
    """

    def __init__(
        self,
        progress: Shown,
        engine: D,
        signals: tuple[signal.Signals, ...],
        enforce: Callable[[], None],
    ) -> None:
        self.progress = progress
        self.engine = engine
        self.stop_asked = False
        self._signals = signals
        self._enforce = enforce
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            for number in self._signals:
                before = signal.getsignal(number)
                if before is not signal.SIG_IGN:  # nohup wants a run to outlive its terminal
                    self._before[number] = before
                    signal.signal(number, self._heard)
        try:
            self.engine.start()
        except BaseException:
            self._unhear()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        try:
            with suppress(TimeoutError):
                self.engine.shutdown(_SHUTDOWN_S)
        finally:
            self._unhear()

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
            self._enforce()
        self.stop_asked = True

    def _unhear(self) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)


class Stopped(TuningError):
    """A person ended a step before it had a result."""

    def __init__(self, todo: Sentence = NOTHING_CHANGED) -> None:
        super().__init__("Stopped before the end.", todo)


class _Heard:
    """Hands events to a function of the program's own."""

    def __init__(self, hear: Hear | None) -> None:
        self._hear = hear

    def show(self, events: Iterable[Event]) -> None:
        """Each event, in its order."""
        if self._hear is not None:
            for event in events:
                self._hear(event)

    def say(self, line: str) -> None:
        """A line, as an event."""
        self.show([Message("info", Sentence.of(line))])


@contextmanager
def following(progress: Hear | None) -> Iterator[Following[EngineCommands]]:
    """An engine of this program, from here to the end of the block."""
    from engine.jobs.engine import Engine

    engine: EngineCommands = Engine()
    with Following(_Heard(progress), engine, (signal.SIGINT,), _interrupt) as follow:
        yield follow


def _interrupt() -> None:
    raise KeyboardInterrupt
