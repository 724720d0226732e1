"""Progress on stderr: a display that is redrawn in place on a terminal, lines elsewhere."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable
from types import TracebackType
from typing import TYPE_CHECKING, Self

from app.cli.output import say
from app.cli.status import Status
from engine.records.events import Event
from engine.records.settings import RunState

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
        self._live.console.print(line, markup=False)

    def _table(self) -> Table:
        from rich.table import Table

        made = Table.grid(padding=(0, 2))
        made.add_column(justify="right", style="dim", no_wrap=True)
        made.add_column(overflow="ellipsis", no_wrap=True)
        for name, value in self.status.rows():
            made.add_row(name, value)
        return made


def make_progress() -> Progress:
    """The display that suits where stderr goes."""
    live = sys.stderr.isatty() and os.environ.get("TERM", "dumb") != "dumb"
    return LiveProgress() if live else Progress()
