"""How a pass goes on, and what it gave: progress, sums, a row a task, and whether to use it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QCheckBox, QHeaderView, QProgressBar, QVBoxLayout, QWidget

from engine.history.before_after import BeforeAfter, Row
from engine.records import words
from engine.records.events import Event, RunChanged, Scores, StepStarted, TrialDone
from engine.records.settings import Budget, RunState
from engine.records.units import format_duration, format_ratio, format_seconds
from widgets.look.engine_words import step_title
from widgets.look.language import QT_TR_NOOP, tr
from widgets.look.plain_label import PlainLabel
from widgets.look.states import run_word
from widgets.look.theme import tabular, theme
from widgets.look.units import known
from widgets.parts.column_model import Array, Column, ColumnModel, latency_column, whole
from widgets.parts.pieces import text_label
from widgets.parts.table import Table

EMPTY = QT_TR_NOOP("No trials yet: what the pass gives each task appears here.")
SURE = 0.005


def _gain_color(gain: Any) -> QColor | None:
    if math.isnan(gain) or abs(gain - 1) < SURE:
        return theme().muted
    return theme().good if gain > 1 else theme().error


COLUMNS = (
    Column("name", QT_TR_NOOP("Task"), QT_TR_NOOP("The task's name in the lowered program"), str,
           numeric=False),
    latency_column("before", QT_TR_NOOP("Before"),
                   QT_TR_NOOP("Latency of one call before the run")),
    latency_column("after", QT_TR_NOOP("After"), QT_TR_NOOP("Latency of one call after the run")),
    Column("gain", QT_TR_NOOP("Gain"), QT_TR_NOOP("Latency before / latency after"),
           known(format_ratio), color=_gain_color),
    Column("trials", QT_TR_NOOP("Trials"), QT_TR_NOOP("Candidates that the run tried"), whole),
    Column("source", QT_TR_NOOP("Source"),
           QT_TR_NOOP("What proposed the schedule that the run left"), tr,
           plain=str, numeric=False),
)  # fmt: skip
WIDTHS = (190, 76, 76, 64, 60, 92)
AS_IT_WAS = QT_TR_NOOP("as it was")


class PassTable(Table):
    """Shows one run's BeforeAfter; rows are tasks."""

    def __init__(self, parent: QObject) -> None:
        model = ColumnModel(COLUMNS, parent)
        super().__init__(model, tr("Before and after by task"), tr(EMPTY), WIDTHS)
        self.rows = model
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)

    def show_rows(self, rows: Sequence[Row]) -> None:
        """Show these; they stay as a person sorted them."""
        ids = np.array([row.task for row in rows], np.int64)
        self.rows.reset_columns(ids, _columns(rows))


def model_text(result: BeforeAfter) -> str:
    """The model's sums in a sentence, and how many tasks gained."""
    gained = sum(row.trial is not None for row in result.rows)
    trials = tr("%n trials", "", sum(row.trials for row in result.rows))
    tasks = tr(
        "{gained} of {tasks} improved in {trials}.",
        gained=f"{gained:,}",
        tasks=tr("%n tasks", "", len(result.rows)),
        trials=trials,
    )
    if result.before_s is None or not result.after_s:
        return tasks
    before, after = format_seconds(result.before_s), format_seconds(result.after_s)
    if not gained:
        return tr(
            "No improvement found in {trials}: the model stays at {time}.",
            trials=trials,
            time=after,
        )
    ratio = format_ratio(result.before_s / result.after_s)
    model = tr(
        "Model: {before} before, {after} after ({ratio}).",
        before=before,
        after=after,
        ratio=ratio,
    )
    return f"{model} {tasks}"


def _columns(rows: Sequence[Row]) -> dict[str, Array]:
    numbers = {
        "before": [row.before_s for row in rows],
        "after": [row.after_s for row in rows],
        "gain": [None if row.gain is None else 1 + row.gain for row in rows],
    }
    columns: dict[str, Array] = {
        key: np.array([math.nan if v is None else v for v in values], np.float64)
        for key, values in numbers.items()
    }
    columns["name"] = np.array([row.name for row in rows], object)
    columns["trials"] = np.array([row.trials for row in rows], np.int64)
    sources = [words.source_word(row.source) if row.source else AS_IT_WAS for row in rows]
    columns["source"] = np.array(sources, object)
    return columns


WHOLE = 1000
KEPT = QT_TR_NOOP(
    "Every trial is kept either way; a run whose results are not used is left out everywhere."
)


class PassResult(QWidget):
    """Follows one run of a pass. `use_changed` carries the run and whether it shall be used."""

    use_changed = Signal(int, bool)

    def __init__(self) -> None:
        super().__init__()
        self._run = 0
        self._budget = Budget()
        self._trials = 0
        self._start_s = self._now_s = 0.0
        self._left_s: float | None = None
        self._state, self._step = RunState.STOPPED, ""
        self.progress, self.state = QProgressBar(), PlainLabel()
        self.progress.setRange(0, WHOLE)
        self.progress.setTextVisible(False)
        self.progress.setAccessibleName(tr("Progress of the pass"))
        self.state.setFont(tabular(self.font()))
        self.state.setProperty("role", "muted")
        self.sums = text_label()
        self.sums.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.table = PassTable(self)
        self.use = QCheckBox(tr("&Use these results"))
        self.use.setToolTip(tr(KEPT))
        self.use.setChecked(True)
        self.use.toggled.connect(lambda on: self.use_changed.emit(self._run, on))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        for widget in (self.state, self.progress, self.sums, self.table, self.use):
            column.addWidget(widget, 1 if widget is self.table else 0)

    @property
    def run(self) -> int:
        """The run that is followed, 0 for none."""
        return self._run

    @property
    def active(self) -> bool:
        """Whether the run goes on."""
        return self._state.active

    def begin(self, run: int, budget: Budget, elapsed_s: float) -> None:
        """Follow a run that has just begun, at this tuning time of the project."""
        self._run, self._budget, self._trials = run, budget, 0
        self._start_s = self._now_s = elapsed_s
        self._left_s, self._step, self._state = None, "", RunState.PREPARING
        self.sums.setText("")
        self.table.show_rows(())
        self._show_progress()

    def apply(self, events: Sequence[Event]) -> None:
        """Take in what concerns the run."""
        for event in events:
            match event:
                case TrialDone(trial=trial) if trial.run == self._run:
                    self._trials += 1
                case RunChanged(run=self._run, state=state):
                    self._state = state
                case StepStarted(run=self._run, kind=kind, round=number):
                    self._step = _step_text(kind, number)
                case Scores(elapsed_s=elapsed_s, time_left_s=left_s):
                    self._now_s, self._left_s = elapsed_s, left_s
        self._show_progress()

    def show_result(self, result: BeforeAfter, used: bool, ended: bool) -> None:
        """Show what a run gave so far; it can be used or not once it has ended."""
        self._run = result.run
        self.sums.setText(model_text(result))
        self.table.show_rows(result.rows)
        self.show_used(used)
        self.use.setVisible(ended)
        self.progress.setVisible(not ended)

    def show_used(self, used: bool) -> None:
        """Tick whether the run's results are used, without saying that a person did."""
        self.use.blockSignals(True)
        self.use.setChecked(used)
        self.use.blockSignals(False)

    def _show_progress(self) -> None:
        active = self._state.active
        self.progress.setVisible(active)
        self.use.setVisible(not active)
        self.progress.setValue(round(WHOLE * self._share()))
        word = run_word(self._state)
        parts = [word]
        if self._step and active:
            parts = [tr("{state}: {step}", state=word, step=self._step)]
        parts += [tr("%n trials", "", self._trials), format_duration(self._now_s - self._start_s)]
        if active and self._left_s is not None:
            parts.append(tr("{time} left", time=format_duration(self._left_s)))
        self.state.setText(" · ".join(parts))

    def _share(self) -> float:
        """The part of the budget that is spent, by the limit that is nearest."""
        parts = [0.0]
        if self._budget.trials:
            parts.append(self._trials / self._budget.trials)
        if self._budget.seconds:
            parts.append((self._now_s - self._start_s) / self._budget.seconds)
        return min(max(parts), 1.0)


def _step_text(kind: str, number: int) -> str:
    """A step of a plan, and which round of it where there were others."""
    title = step_title(kind)
    return tr("{step}, round {number}", step=title, number=number + 1) if number else title
