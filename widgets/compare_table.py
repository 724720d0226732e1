"""The table of the comparison: a row a run or replay."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QSize, Qt
from PySide6.QtGui import QColor

from engine.allocation.side_by_side import Verdict
from widgets.column_model import Column, ColumnModel
from widgets.compare_look import HEIGHT, WIDTH, line_pen, line_swatch
from widgets.compare_series import clock, compare_columns
from widgets.table import Table
from widgets.units import UNKNOWN, format_ratio, format_seconds

EMPTY = "Nothing to compare yet: tick policies and press Replay, or tune once more."
Role = Qt.ItemDataRole


def _known(show: Callable[[float], str], unknown: str = UNKNOWN) -> Callable[[Any], str]:
    return lambda value: unknown if math.isnan(value) else show(float(value))


COLUMNS = (
    Column("name", "Policy", "A run that was measured, or a replay of recorded trials", str,
           numeric=False),
    Column("reached", "Reached", "Tuning time until it was at the threshold",
           _known(clock, "not reached")),
    Column("saved", "Saved", "Tuning time saved against the slowest that reached the threshold",
           _known(clock)),
    Column("ratio", "Ratio", "Its time over that of the fastest", _known(format_ratio)),
    Column("final", "Final", "The model's estimated latency at its end",
           _known(lambda s: format_seconds(s, 4)), exact=_known(lambda s: format_seconds(s, 6))),
    Column("lasted", "Lasted", "Tuning time in all", _known(clock)),
    Column("regret", "Regret", "What its slots brought less than the best slots would have, "
           "over the reduction that was possible", _known(lambda value: f"{value:.2f}")),
)  # fmt: skip
WIDTHS = (250, 92, 64, 64, 80, 64, 64)


class CompareModel(ColumnModel):
    """Contenders with the strokes and the colours of their curves."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(COLUMNS, parent)
        self.ratio = 1.0  # device pixels to a pixel, where it is shown
        self._colors: Sequence[QColor] = ()
        self._replayed: Sequence[bool] = ()

    def show_verdict(self, verdict: Verdict, colors: Sequence[QColor]) -> None:
        """Show these; the identity of a row is its place in the verdict."""
        self._colors = colors
        self._replayed = [row.contender.replayed for row in verdict.rows]
        self.reset_columns(np.arange(len(verdict.rows)), compare_columns(verdict))

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Role.DisplayRole) -> Any:
        """As of any column model; the name has a swatch."""
        if role == Role.DecorationRole and index.isValid() and index.column() == 0:
            place = self.id_at(index.row())
            pen = line_pen(self._colors[place], place, self._replayed[place])
            return line_swatch(pen, self.ratio)
        return super().data(index, role)


class CompareTable(Table):
    """Shows a CompareModel; regret only where the oracle is among the contenders."""

    def __init__(self, model: CompareModel) -> None:
        super().__init__(model, "Comparison", EMPTY)
        model.ratio = self.devicePixelRatioF()
        self.setIconSize(QSize(WIDTH, HEIGHT))
        for place, pixels in enumerate(WIDTHS):
            self.setColumnWidth(place, pixels)
        self.show_regret(False)

    def show_regret(self, shown: bool) -> None:
        """Show the regret, or leave it out."""
        self.setColumnHidden(len(COLUMNS) - 1, not shown)
