"""How a pass goes on, and what it gave: progress, sums, table, and whether to use it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QLabel, QProgressBar, QVBoxLayout, QWidget

from engine.history.before_after import BeforeAfter
from engine.records.events import Event, RunChanged, Scores, StepStarted, TrialDone
from engine.records.settings import Budget, RunState
from widgets.look.engine_words import step_title
from widgets.look.language import QT_TR_NOOP, tr
from widgets.look.states import run_word
from widgets.look.theme import tabular
from widgets.look.units import format_duration
from widgets.parts.pieces import text_label
from widgets.passes.table import PassTable, model_text

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
        self.progress, self.state = QProgressBar(), QLabel()
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
