"""Drives one engine from a terminal: hears Ctrl+C, shows on stderr what goes on."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypeVar

from app.cli.output import say
from app.cli.status import Status
from engine.interface.following import Driven, Following
from engine.jobs.commands import EngineCommands
from engine.records.events import Event, Message, QueueChanged
from engine.records.job import JobState, QueuedJob
from engine.records.settings import RunState
from engine.records.units import format_duration, format_seconds
from engine.records.words import one_line

if TYPE_CHECKING:
    from rich.live import Live
    from rich.table import Table


LINE_EVERY_S = 5.0
_REDRAWS_A_SECOND = 4


class Progress:
    """Lines: each new step, and the figures every few seconds while a run goes on."""

    def __init__(self) -> None:
        self.status = Status()
        self._said_at = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        return None

    def show(self, events: Iterable[Event]) -> None:
        """Take in events and show what they changed; call it often."""
        for line in self.status.take(events):
            self.say(line)
        searching = self.status.search is not None and not self.status.step
        running = searching or self.status.state is RunState.RUNNING
        if running and time.monotonic() - self._said_at >= LINE_EVERY_S:
            self.say(self.status.line())

    def say(self, line: str) -> None:
        """A line of its own."""
        self._said_at = time.monotonic()
        say(line)


class LiveProgress(Progress):
    """A small table at the foot of the terminal; lines scroll by above it."""

    def __init__(self) -> None:
        super().__init__()
        from rich.console import Console
        from rich.live import Live

        self._live: Live = Live(
            console=Console(stderr=True, highlight=False),
            get_renderable=self._table,
            refresh_per_second=_REDRAWS_A_SECOND,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._live.stop()

    def show(self, events: Iterable[Event]) -> None:
        """Take in events; the table follows by itself."""
        for line in self.status.take(events):
            self.say(line)

    def say(self, line: str) -> None:
        """A line above the table."""
        self._live.console.print(one_line(line), markup=False)

    def _table(self) -> Table:
        from rich.table import Table
        from rich.text import Text

        made = Table.grid(padding=(0, 2))
        made.add_column(justify="right", style="dim", no_wrap=True)
        made.add_column(overflow="ellipsis", no_wrap=True)
        for name, value in self.status.rows():
            made.add_row(*(Text(one_line(part)) for part in (name, value)))
        return made


class QueueProgress(Progress):
    """Lines: each job that entered a state, and the figures of those that run now and then."""

    def __init__(self) -> None:
        super().__init__()
        self._states: dict[int, JobState] = {}
        self._jobs: tuple[QueuedJob, ...] = ()

    def show(self, events: Iterable[Event]) -> None:
        """Take in events and show what they changed; call it often."""
        for event in events:
            if isinstance(event, QueueChanged):
                self._take(event)
            elif isinstance(event, Message):
                self.say(event.text)
        active = [job for job in self._jobs if job.state.active]
        if active and time.monotonic() - self._said_at >= LINE_EVERY_S:
            self.say("; ".join(map(_line, active)))

    def _take(self, event: QueueChanged) -> None:
        for job in event.jobs:
            before = self._states.get(job.id)
            self._states[job.id] = job.state
            if before is not None and before is not job.state:
                self.say(f"Job {job.id} ({job.title}): {_state(job)}")
        self._jobs = event.jobs


def make_progress() -> Progress:
    """The display that suits where stderr goes."""
    live = sys.stderr.isatty() and os.environ.get("TERM", "dumb") != "dumb"
    return LiveProgress() if live else Progress()


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


def _state(job: QueuedJob) -> str:
    words = "waiting, paused" if job.paused and job.state.waits else str(job.state)
    return f"{words} ({job.message})" if job.message and job.state.over else words


def _line(job: QueuedJob) -> str:
    parts = [f"{job.id} {job.title}: {job.message or job.state}"]
    if job.progress is not None:
        parts.append(f"{job.progress:.0%}")
    if job.best_s is not None:
        parts.append(format_seconds(job.best_s))
    if job.left_s is not None:
        parts.append(f"{format_duration(job.left_s)} left")
    return ", ".join(parts)
