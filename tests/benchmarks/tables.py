"""Milliseconds to sort, filter and grow the table of 100,000 trials, each with its repaint."""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import cycle
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from engine.history.open_project import OpenProject
from engine.records.events import TrialDone
from engine.records.snapshot import Snapshot
from engine.records.trial import Source, Trial
from tests.benchmarks.parts.report import Goal, Report, main
from tests.feeding import begin, feed
from tests.samples import squeezenet_like_snapshot

GOAL_MS, FRAME_MS = 100.0, 16.0
ROWS, QUICK_ROWS, DISTINCT, COMING = 100_000, 5_000, 2_000, 1_000
BATCH = 3
SIZE = (1000, 400)


def project(rows: int) -> tuple[Snapshot, tuple[Trial, ...]]:
    """A project with `rows` made-up trials of 27 tasks, and some more that come later.

    Each failed one says something else, as a compiler does.
    """
    base = squeezenet_like_snapshot(DISTINCT)
    made = []
    for number, trial in zip(range(1, rows + COMING + 1), cycle(base.trials), strict=False):
        text = f"{trial.error_text} at line {number}" if trial.error else ""
        source = Source.DROPLET if number % 7 == 0 else Source.SEARCH
        latencies = tuple(latency_s * (1 + number / rows / 9) for latency_s in trial.samples)
        made.append(
            replace(
                trial,
                number=number,
                error_text=text,
                source=source,
                samples=latencies,
                elapsed_s=number / 7,
                slot=number // 8,
            )
        )
    return replace(base, trials=tuple(made[:rows])), tuple(made[rows:])


class Bench:
    """A table that is filled once and in sight; each method gives milliseconds by what was done."""

    def __init__(self, rows: int) -> None:
        from app.process.main import application
        from widgets.tasks.trials_table import TrialsTable

        self._app = application()
        snapshot, self._coming = project(rows)
        self.view = TrialsTable(OpenProject())
        self.view.resize(*SIZE)
        self.view.show()
        self.open_ms = self._time(lambda: begin(self.view, snapshot))
        self.view.bar.only_selected.setChecked(False)

    def sorts(self) -> dict[str, float]:
        """By each column, in both directions."""
        from PySide6.QtCore import Qt

        times = {}
        for place, column in enumerate(self.view.model.columns):
            for order in Qt.SortOrder:
                sort = partial(self.view.table.sortByColumn, place, order)
                times[f"{column.title} {order.name[:-5].lower()}"] = self._time(sort)
        return times

    def filters(self) -> dict[str, float]:
        """By task, outcome, source and text, while they are sorted by latency."""
        from PySide6.QtCore import Qt

        view, bar = self.view, self.view.bar
        view.table.sortByColumn(2, Qt.SortOrder.AscendingOrder)
        view.select_task(3)
        wanted: dict[str, Callable[[], object]] = {
            "task": lambda: bar.only_selected.setChecked(True),
            "another task": lambda: view.select_task(4),
            "all tasks": lambda: bar.only_selected.setChecked(False),
            "failed": lambda: bar.outcome.setCurrentIndex(2),
            "any outcome": lambda: bar.outcome.setCurrentIndex(0),
            "source": lambda: bar.source.setCurrentIndex(4),
            "any source": lambda: bar.source.setCurrentIndex(0),
            "a word of the task": lambda: bar.text.setText("conv2d"),
            "two words of an error": lambda: bar.text.setText("build line 77"),
            "no text": lambda: bar.text.setText(""),
        }
        return {name: self._time(act) for name, act in wanted.items()}

    def grow(self) -> list[float]:
        """New trials, sorted by latency, in batches as the bridge gives them."""
        coming = [TrialDone(trial) for trial in self._coming]
        batches = [coming[at : at + BATCH] for at in range(0, 60 * BATCH, BATCH)]
        return [self._time(partial(feed, self.view, batch)) for batch in batches]

    def go_to(self, number: int) -> float:
        """To a trial by its number."""
        return self._time(lambda: self.view.go_to(number))

    def csv(self) -> float:
        """All rows as text."""
        from engine.storage.sheet import csv_text

        sheet = self.view.model.sheet()
        return self._time(lambda: csv_text(sheet.header, sheet.rows))

    def close(self) -> None:
        """Leave nothing behind."""
        self.view.close()
        self.view.deleteLater()
        self._app.processEvents()

    def _time(self, act: Callable[[], object]) -> float:
        self._app.processEvents()
        began = time.perf_counter()
        act()
        self._app.processEvents()
        return (time.perf_counter() - began) * 1e3


def run(quick: bool) -> Report:
    """Everything once but new rows, which come sixty times."""
    rows = QUICK_ROWS if quick else ROWS
    bench = Bench(rows)
    sorts, filters, grown = bench.sorts(), bench.filters(), bench.grow()
    slowest_sort, slowest_filter = (max(times, key=times.__getitem__) for times in (sorts, filters))
    details: dict[str, Any] = {
        "rows": rows,
        "slowest_sort": slowest_sort,
        "slowest_filter": slowest_filter,
        "median_sort_ms": statistics.median(sorts.values()),
        "median_filter_ms": statistics.median(filters.values()),
        "open_ms": bench.open_ms,
        "go_to_ms": bench.go_to(rows // 2),
        "csv_of_all_rows_ms": bench.csv(),
        "slowest_batch_ms": max(grown),
    }
    bench.close()
    return Report(
        "tables",
        (
            Goal("slowest sort (ms)", sorts[slowest_sort], GOAL_MS, "lower"),
            Goal("slowest filter (ms)", filters[slowest_filter], GOAL_MS, "lower"),
            Goal("new rows (ms a batch, median)", statistics.median(grown), FRAME_MS, "lower"),
        ),
        details,
    )


if __name__ == "__main__":
    main(run)
    sys.stdout.flush()
