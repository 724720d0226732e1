"""The table of the allocation view: a row a task, with the terms that its policy has."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, Qt

from widgets.allocation.series import TERM_KEYS
from widgets.look.language import QT_TR_NOOP, tr
from widgets.look.task_colors import TaskColors
from widgets.look.units import format_duration, format_seconds, format_share, known
from widgets.parts.column_model import Column, ColumnModel
from widgets.parts.table import Table

Role = Qt.ItemDataRole


def _number(value: float) -> str:
    return f"{value:.3g}"


def _time(key: str, title: str, tip: str) -> Column:
    exact = known(lambda s: format_seconds(s, 5))
    return Column(key, title, tip, known(format_seconds), exact=exact)


COLUMNS = (
    Column("name", QT_TR_NOOP("Task"), QT_TR_NOOP("The task, in the colour of its slots"), str,
           numeric=False),
    Column("condition", QT_TR_NOOP("Condition"),
           QT_TR_NOOP("Whether the task may get a slot, and if not why"), str, numeric=False),
    Column("slots", QT_TR_NOOP("Slots"), QT_TR_NOOP("Slots so far"), lambda n: f"{int(n):,}"),
    Column("trials", QT_TR_NOOP("Trials"), QT_TR_NOOP("Candidates tried"),
           lambda n: f"{int(n):,}"),
    _time("gain_s", QT_TR_NOOP("Predicted gain"),
          QT_TR_NOOP("What one more slot is expected to take off the model's latency")),
    _time("spread_s", QT_TR_NOOP("Give or take"),
          QT_TR_NOOP("Standard deviation of the predicted gain")),
    Column("bonus", QT_TR_NOOP("Bonus"),
           QT_TR_NOOP("What being unsure adds: the second term of the bound"), known(_number)),
    Column("ucb", QT_TR_NOOP("UCB"),
           QT_TR_NOOP("Upper confidence bound, the largest gets the slot: gain and bonus"),
           known(_number)),
    Column("probability", QT_TR_NOOP("Probability"),
           QT_TR_NOOP("How likely the task was to be drawn"), known(format_share)),
    _time("gradient_s", QT_TR_NOOP("Gradient"),
          QT_TR_NOOP("What the rule expects a slot to take off; the largest gets it")),
    Column("slot_s", QT_TR_NOOP("Slot takes"), QT_TR_NOOP("Mean seconds of a slot of this task"),
           known(lambda s: f"{s:.1f} s")),
    Column("seconds", QT_TR_NOOP("Time"), QT_TR_NOOP("Tuning time of all its slots"),
           known(format_duration)),
    _time("gained", QT_TR_NOOP("Gained"),
          QT_TR_NOOP("What its slots took off the model's latency so far")),
)  # fmt: skip
WIDTHS = (190, 110, 48, 56, 112, 96, 80, 80, 88, 80, 80, 64, 80)


class AllocationTable(Table):
    """Shows the columns that `show_terms` names beside those that every policy has."""

    def __init__(self, model: AllocationModel, empty: str) -> None:
        super().__init__(model, tr("Allocation by task"), empty)
        for place, pixels in enumerate(WIDTHS):
            self.setColumnWidth(place, pixels)
        self.show_terms(frozenset())

    def show_terms(self, known: frozenset[str]) -> None:
        """Leave out what the policy does not have."""
        for place, column in enumerate(COLUMNS):
            lacking = column.key in TERM_KEYS and column.key not in known
            if self.isColumnHidden(place) != lacking:
                self.setColumnHidden(place, lacking)


class AllocationModel(ColumnModel):
    """Rows of tasks with the colours of their slots."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(COLUMNS, parent)
        self.colors = TaskColors()

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Role.DisplayRole) -> Any:
        """As of any column model; the name has a swatch."""
        if role == Role.DecorationRole and index.isValid() and index.column() == 0:
            return self.colors.of(self.id_at(index.row()))
        return super().data(index, role)
