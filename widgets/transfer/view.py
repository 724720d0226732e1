"""Transfer: which other models' schedules were tried, and what each gave here."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QResizeEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QSplitter,
    QStackedWidget,
    QWidget,
)

from engine.history.open_project import OpenProject
from engine.passes.matrix import Transfer, transfer_matrix
from engine.records.trial import ErrorKind, Source
from engine.records.units import format_ratio, format_share
from widgets.look.language import QT_TR_NOOP, tr
from widgets.look.theme import theme
from widgets.look.units import known
from widgets.parts.column_model import Array, Column, ColumnModel, latency_column, whole
from widgets.parts.notice import NO_MODEL, OPEN, Notice
from widgets.parts.pieces import STRETCH, beside, divide, pages, stacked, surface, text_label
from widgets.parts.table import Table
from widgets.parts.view import FiguresView
from widgets.transfer.heat import HeatModel, HeatTable, RampLegend
from widgets.transfer.series import (
    Outcome,
    attempt_columns,
    build_heat,
    outcome_label,
    place_text,
    transfer_sentence,
)

NO_TRANSFER = QT_TR_NOOP(
    "No donors tried yet: Transfer measures the best schedules of other models on this one's "
    "tasks. Press Transfer, and choose project files or the library to take them from."
)
NOTHING = Transfer("", (), (), None)
WIDE = 760


class TransferView(FiguresView):
    """A heat map of donors above, the donors tried on the selected task below.

    All is worked out anew when a donor was measured or the model became faster. `trial_picked`
    carries the trial of the donor that a person chose.
    """

    trial_picked = Signal(object)

    def __init__(self, project: OpenProject, parent: QWidget | None = None) -> None:
        super().__init__(project, parent)
        self._task: int | None = None
        self.found = NOTHING
        self.heat_model, self.model = HeatModel(self), ColumnModel(COLUMNS, self)
        self.heat_table, self.table = HeatTable(self.heat_model), attempts_table(self.model)
        self.only_selected = QCheckBox(tr("Only the selected task"))
        self.only_selected.setChecked(True)
        self.notice = Notice()
        self.sentence = text_label(name=tr("What transfer gave"))
        self.count = text_label(role="muted", wraps=False)
        self.legend = RampLegend()
        self._pages = QStackedWidget()
        self._of: Array = np.empty(0, np.int64)
        self._arrange()

    def first_part(self) -> QWidget:
        return self.heat_table if self._pages.currentIndex() else self

    # The view protocol

    def _forget(self) -> None:
        self._state, self.found = None, NOTHING

    def select_task(self, task: int | None) -> None:
        """Mark a task's row, and show the donors tried on it where only those are wanted."""
        self._task = task
        self.heat_table.select(task)
        self._filter()

    def select_trial(self, number: int | None) -> None:
        self.table.select(number)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is little room the sentence needs it: the cells have their figures."""
        super().resizeEvent(event)
        self.legend.setVisible(self.width() >= WIDE)

    # How it is kept up

    def _refresh(self) -> None:
        if self._is_hidden():
            return
        tried = self.project.tried[Source.TRANSFERRED]
        state = tried, *self._history.steps()
        if state != self._state:
            self._state = state
            self.found = transfer_matrix(self.project.snapshot()) if tried else NOTHING
            self._show_found()

    def _show_found(self) -> None:
        known = bool(self._history.tasks)
        self.notice.offer(tr(NO_TRANSFER if known else NO_MODEL), "transfer" if known else OPEN)
        self._pages.setCurrentIndex(1 if self.found.tasks else 0)
        if not self.found.tasks:
            return
        self.sentence.setText(transfer_sentence(self.found))
        self.heat_model.show_heat(build_heat(self.found))
        self.heat_table.select(self._task)
        ids, columns = attempt_columns(self.found)
        self._of = columns.pop("of")
        chosen = self.table.selected()
        self.model.reset_columns(ids, columns)
        self._filter()
        self.table.select(chosen)

    def _filter(self) -> None:
        chosen, mask = self.table.selected(), self._mask()
        self.model.show_only(mask)
        self.table.setColumnHidden(0, mask is not None)  # it would say the same in every row
        if chosen is not None:
            self.table.select(chosen)
        total = len(self._of)
        self.count.setText(
            tr(
                "{count} of {all} schedules tried",
                count=f"{self.model.rowCount():,}",
                all=f"{total:,}",
            )
        )

    def _mask(self) -> Array | None:
        if self._task is None or not self.only_selected.isChecked():
            return None
        mask: Array = self._of == self._task
        return mask

    # What a person does

    def _pick_cell(self, identity: int, donor: str) -> None:
        self._task = identity if identity >= 0 else None
        self._filter()
        tasks = [task for task in self.found.tasks if task.task == identity]
        own = [
            (attempt.latency_s, attempt.trial)
            for task in tasks
            for attempt in task.attempts
            if attempt.model == donor and attempt.latency_s is not None
        ]
        self.table.select(min(own)[1] if own else None)
        self.task_picked.emit(self._task)

    def _arrange(self) -> None:
        self.setAccessibleName(tr("Transfer"))
        head = beside((self.sentence, 1), self.legend, margins=(12, 8, 12, 0), spacing=12)
        above = surface(stacked(head, (self.heat_table, 1), margins=(0, 0, 0, 4), spacing=4))
        row = beside(self.only_selected, STRETCH, self.count, margins=(12, 4, 12, 0))
        below = surface(stacked(row, (self.table, 1), margins=0, spacing=4))
        split = divide(QSplitter(Qt.Orientation.Vertical), above, below)
        split.setSizes([300, 300])
        pages(self._pages, self.notice, split, on=self)
        self.heat_table.cell_picked.connect(self._pick_cell)
        self.table.row_picked.connect(self.trial_picked)
        self.only_selected.toggled.connect(self._filter)


EMPTY = QT_TR_NOOP("No donors tried on this task: untick the box for those of all tasks.")
_WIDTHS = (140, 100, 140, 120, 56, 76, 76, 80, 160, 260)


def _short(name: Any) -> str:
    return str(name).removeprefix("fused_")


def _outcome(value: Any) -> str:
    return outcome_label(value) if isinstance(value, Outcome) else f"✕ {tr(str(value))}"


def _outcome_color(value: Any) -> QColor | None:
    colors = theme()
    if value in list(ErrorKind) or value is Outcome.FAILED:
        return colors.error
    return {Outcome.USED: colors.good, Outcome.FASTER: colors.accent}.get(value, colors.muted)


COLUMNS = (
    Column("task", QT_TR_NOOP("Task"),
           QT_TR_NOOP("The task of this model"),
           _short, exact=str, numeric=False),
    Column("model", QT_TR_NOOP("Donor"),
           QT_TR_NOOP("The model that the schedule was made for"),
           str, numeric=False),
    Column("donor_task", QT_TR_NOOP("Its task"),
           QT_TR_NOOP("The donor's task"),
           _short, exact=str, numeric=False),
    Column("place", QT_TR_NOOP("From"),
           QT_TR_NOOP("The file that the donor is in"),
           place_text, exact=str, numeric=False),
    Column("trial", QT_TR_NOOP("Trial"),
           QT_TR_NOOP("The trial that measured it here"),
           whole),
    latency_column("here", QT_TR_NOOP("Here"),
                   QT_TR_NOOP("Latency of the task with this schedule, measured on this device")),
    Column("untuned", QT_TR_NOOP("Speed-up"),
           QT_TR_NOOP("Untuned latency / latency here"),
           known(format_ratio),
           exact=known(lambda r: f"{r:.5f}x")),
    Column("best", QT_TR_NOOP("Of best"),
           QT_TR_NOOP("The task's latency now / latency here: a full bar is the best"),
           known(format_share), bar=True),
    Column("outcome", QT_TR_NOOP("Outcome"),
           QT_TR_NOOP("Whether the task is compiled with it"),
           _outcome, plain=str,
           numeric=False, color=_outcome_color),
    Column("donor", QT_TR_NOOP("Donor's own"),
           QT_TR_NOOP("Measured for the donor, on the device named; it says nothing about this "
                      "one"),
           str, numeric=False,
           color=lambda _: theme().muted),
)  # fmt: skip


def attempts_table(model: ColumnModel) -> Table:
    """The table of donors tried, by trial number."""
    table = Table(model, tr("Donors tried"), tr(EMPTY), _WIDTHS)
    table.horizontalHeader().setStretchLastSection(True)
    return table
