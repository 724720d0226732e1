"""Two trials beside each other: their figures, and what differs in trace, TensorIR and source."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent, QColor, QKeyEvent
from PySide6.QtWidgets import (
    QDialog,
    QTabWidget,
    QWidget,
)

from engine.records.task import Task
from engine.records.trial import Trial
from widgets.look.language import QT_TR_NOOP, tr
from widgets.look.theme import theme
from widgets.parts.column_model import Column, ColumnModel
from widgets.parts.facts import Fact
from widgets.parts.pieces import STRETCH, beside, stacked, switch, text_label, tool_button
from widgets.parts.table import Table
from widgets.tasks.diff_view import DiffView
from widgets.tasks.task_facts import trial_facts
from widgets.tasks.trial_texts import (
    TEXTS,
    error_text,
    protocol_facts,
    recorded_trace,
    text_title,
)

SIZE = (900, 600)
WAITING = QT_TR_NOOP("Applying the traces and compiling …")
NO_ERROR = QT_TR_NOOP("Neither trial failed.")
WIDTHS = (28, 150, 300, 300)


class TrialCompare(QDialog):
    """Asks for what has to be compiled with `detail_wanted(number)`; blocks nothing.

    Keys: F7 and Shift+F7 go to the next and the previous place that differs.
    """

    detail_wanted = Signal(int)

    def __init__(
        self, first: Trial, second: Trial, tasks: Mapping[int, Task], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(
            tr(
                "Trials {first} and {second}",
                first=f"#{first.number:,}",
                second=f"#{second.number:,}",
            )
        )
        self.resize(*SIZE)
        self._pair = (first, second)
        self._texts: dict[int, Mapping[str, str]] = {}
        self.facts = _facts_table(first, second, tasks, self)
        self.views = {key: DiffView(text_title(key)) for key in (*TEXTS, "error")}
        self.tabs = QTabWidget()
        self.columns = switch(
            tr("Side by side"), tr("The texts beside each other, or in one column"), True
        )
        self.folds = switch(tr("Only changes"), tr("Leave out lines that are equal"), True)
        self.before = tool_button(
            tr("Previous", "difference"), tr("The previous place that differs (Shift+F7)")
        )
        self.after = tool_button(tr("Next", "difference"), tr("The next place that differs (F7)"))
        self.summary = text_label(role="muted", wraps=False)
        self._arrange()
        self._show_known()

    def ask(self) -> None:
        """Ask for the details of both."""
        for trial in self._pair:
            self.detail_wanted.emit(trial.number)

    def show_detail(self, number: int, texts: Mapping[str, str]) -> None:
        """Take a trial's texts; both together are compared."""
        if number in (trial.number for trial in self._pair):
            self._texts[number] = texts
            self._show_compiled()

    def show_problem(self, number: int, text: str) -> None:
        """Say why a trial has no texts but the recorded ones."""
        if number in (trial.number for trial in self._pair):
            for key in ("tir", "source"):
                self.views[key].show_notice(f"#{number:,}: {text}")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """F7 goes on, with Shift back."""
        if event.key() == Qt.Key.Key_F7:
            back = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            self._step(-1 if back else 1)
        else:
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Leave no thread behind."""
        self._end()
        super().closeEvent(event)

    def done(self, result: int) -> None:
        """Escape closes it as the window's button does."""
        self._end()
        super().done(result)

    def _end(self) -> None:
        for view in self.views.values():
            view.close_job()

    # What is shown

    def _show_known(self) -> None:
        first, second = self._pair
        self.views["trace"].show_texts(recorded_trace(first), recorded_trace(second))
        for key in ("tir", "source"):
            self.views[key].show_notice(tr(WAITING))
        errors = error_text(first), error_text(second)
        if any(errors):
            self.views["error"].show_texts(*errors)
        else:
            self.views["error"].show_notice(tr(NO_ERROR))

    def _show_compiled(self) -> None:
        if len(self._texts) < len({trial.number for trial in self._pair}):
            return
        first, second = (self._texts[trial.number] for trial in self._pair)
        for key in TEXTS:
            self.views[key].show_texts(first.get(key, ""), second.get(key, ""))

    def _show_summary(self) -> None:
        view = self.tabs.currentWidget()
        differs = isinstance(view, DiffView)
        self.summary.setText(view.summary if isinstance(view, DiffView) else "")
        for button in (self.columns, self.folds, self.before, self.after):
            button.setEnabled(differs)

    def _arrange_views(self) -> None:
        for view in self.views.values():
            view.arrange_as(self.columns.isChecked(), self.folds.isChecked())

    def _step(self, by: int) -> None:
        view = self.tabs.currentWidget()
        if isinstance(view, DiffView):
            view.step(by)

    def _arrange(self) -> None:
        self.tabs.addTab(self.facts, tr("Figures"))
        for key, view in self.views.items():
            self.tabs.addTab(view, text_title(key))
            view.compared.connect(self._show_summary)
        self.tabs.setAccessibleName(tr("What differs"))
        self.tabs.currentChanged.connect(self._show_summary)
        for button in (self.columns, self.folds):
            button.toggled.connect(self._arrange_views)
        self.before.clicked.connect(lambda: self._step(-1))
        self.after.clicked.connect(lambda: self._step(1))
        row = beside(self.columns, self.folds, self.before, self.after, STRETCH, self.summary)
        stacked(row, (self.tabs, 1), on=self)
        self._show_summary()


def figures(first: Trial, second: Trial, tasks: Mapping[int, Task]) -> list[tuple[str, str, str]]:
    """Names and both values, of all that is known of either."""
    left, right = (dict(_all_facts(trial, tasks)) for trial in (first, second))
    names = [*left, *(name for name in right if name not in left)]
    return [(name, left.get(name, ""), right.get(name, "")) for name in names]


def _all_facts(trial: Trial, tasks: Mapping[int, Task]) -> list[Fact]:
    return [*trial_facts(trial, tasks), *protocol_facts(trial.protocol)]


def _facts_table(first: Trial, second: Trial, tasks: Mapping[int, Task], parent: QWidget) -> Table:
    def color(sign: str) -> QColor | None:
        return theme().accent if sign else None

    heads = (f"#{first.number:,}", f"#{second.number:,}")
    columns = (
        Column(
            "differs", "", QT_TR_NOOP("≠ where the two differ"), str, numeric=False, color=color
        ),
        Column(
            "figure", QT_TR_NOOP("Figure"), QT_TR_NOOP("What is known of both"), str, numeric=False
        ),
        Column("first", heads[0], QT_TR_NOOP("The earlier trial"), str, numeric=False),
        Column("second", heads[1], QT_TR_NOOP("The later trial"), str, numeric=False),
    )
    rows = figures(first, second, tasks)
    values = {
        "differs": [("" if a == b else "≠") for _, a, b in rows],
        "figure": [name for name, _, _ in rows],
        "first": [a for _, a, _ in rows],
        "second": [b for _, _, b in rows],
    }
    model = ColumnModel(columns, parent)
    model.reset_columns(
        np.arange(len(rows)), {key: np.array(texts, object) for key, texts in values.items()}
    )
    table = Table(model, tr("Figures of both trials"), "", WIDTHS)
    table.horizontalHeader().setStretchLastSection(True)
    return table
