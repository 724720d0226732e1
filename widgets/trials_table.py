"""Every trial as a row: what came out, where it failed, what it cost."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from engine.events import Event, ProjectOpened, TrialConfirmed, TrialDone
from engine.project.snapshot import Snapshot
from widgets.column_model import Array, Column, ColumnModel
from widgets.source_words import source_word
from widgets.table import Table
from widgets.theme import theme, theme_notifier
from widgets.trial_columns import ERRORS, SOURCES, TrialColumns
from widgets.units import UNKNOWN, format_duration, format_seconds
from widgets.view import View


def _known(show: Callable[[float], str]) -> Callable[[Any], str]:
    return lambda value: UNKNOWN if math.isnan(value) else show(float(value))


def _error_text(code: Any) -> str:
    return f"✕ {ERRORS[int(code) - 1].value}" if code else ""


def _error_color(code: Any) -> QColor | None:
    return theme().error if code else None


class TrialsTable(View):
    """One row a trial, of all tasks or of the selected one; sorts 100,000 rows at once.

    `trial_picked` carries the number of the trial that a person chose.
    """

    trial_picked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._names: dict[int, str] = {}
        self._trials = TrialColumns()
        self._task: int | None = None
        self.model = ColumnModel(self._columns(), self)
        self.table = Table(self.model, "Trials", "No trials yet: press Start to tune.")
        self.table.sortByColumn(0, Qt.SortOrder.DescendingOrder)
        self.table.row_picked.connect(self.trial_picked)
        self.only_selected = QCheckBox("Only the selected task")
        self.only_selected.setChecked(True)
        self.only_selected.toggled.connect(self._filter)
        self.count = QLabel()
        self.count.setProperty("role", "muted")
        row = QHBoxLayout()
        row.setContentsMargins(8, 4, 8, 0)
        row.addWidget(self.only_selected)
        row.addStretch()
        row.addWidget(self.count)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addLayout(row)
        layout.addWidget(self.table)
        for column, pixels in enumerate((64, 200, 80, 116, 84, 72, 72, 56, 72)):
            self.table.setColumnWidth(column, pixels)
        theme_notifier().changed.connect(self.table.viewport().update)
        self._show_count()

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show this project's trials."""
        self._names = {task.index: task.name for task in snapshot.tasks}
        self._trials = TrialColumns()
        self._trials.add(snapshot.trials)
        self.model.reset_columns(self._trials.ids(), self._trials.values())
        self._filter()

    def apply(self, events: Sequence[Event]) -> None:
        """Add the trials of a batch."""
        for event in events:
            if isinstance(event, ProjectOpened):
                self.show_snapshot(event.snapshot)
        trials = [event.trial for event in events if isinstance(event, TrialDone | TrialConfirmed)]
        if trials:
            self._trials.add(trials)
            self.model.grow_columns(self._trials.ids(), self._trials.values(), self._mask())
            self._show_count()

    def select_task(self, task: int | None) -> None:
        """Show this task's trials, where only those are wanted."""
        if task != self._task:
            self._task = task
            if self.only_selected.isChecked():
                self._filter()

    def select_trial(self, number: int | None) -> None:
        """Mark a trial's row."""
        self.table.select(number)

    def _mask(self) -> Array | None:
        if self._task is None or not self.only_selected.isChecked():
            return None
        return self._trials.of_task(self._task)

    def _filter(self) -> None:
        selected = self.table.selected()
        self.model.show_only(self._mask())
        if selected is not None:
            self.table.select(selected)
        self._show_count()

    def _show_count(self) -> None:
        shown, total = self.model.rowCount(), len(self._trials)
        self.count.setText(f"{shown:,} of {total:,} trials")
        if self._mask() is not None:
            self.table.empty = "No trials of this task yet."
        else:
            self.table.empty = "No trials yet: press Start to tune."

    def _columns(self) -> tuple[Column, ...]:
        def task_name(index: Any) -> str:
            return self._names.get(int(index), f"task {int(index)}")

        whole = "{:,.0f}".format
        seconds = _known(format_seconds)
        return (
            Column("number", "#", "The trial's number in the project", whole),
            Column("task", "Task", "The task it is a candidate of", task_name, numeric=False),
            Column("latency", "Latency", "Mean latency of one call", seconds,
                   exact=_known(lambda s: format_seconds(s, 5))),
            Column("error", "Error", "Where and how it failed", _error_text,
                   numeric=False, color=_error_color),
            Column("source", "Source", "What proposed it",
                   lambda code: source_word(SOURCES[int(code)]), numeric=False),
            Column("build", "Build", "Time to compile it", seconds),
            Column("run", "Run", "Time to measure it", seconds),
            Column("slot", "Slot", "The slot it was tried in", whole),
            Column("elapsed", "At", "Tuning time when the result came", format_duration),
        )  # fmt: skip
