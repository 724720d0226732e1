"""The table of the comparison: a row a run or replay."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QSize, Qt
from PySide6.QtGui import QColor

from engine.replay.side_by_side import Verdict
from widgets.comparison.look import HEIGHT, WIDTH, line_pen, line_swatch
from widgets.comparison.series import compare_columns
from widgets.look.language import QT_TR_NOOP, tr
from widgets.look.units import clock, format_ratio, format_seconds, known
from widgets.parts.column_model import Column, ColumnModel
from widgets.parts.table import Table

EMPTY = QT_TR_NOOP("Nothing to compare yet: tick policies and press Replay, or tune once more.")
Role = Qt.ItemDataRole


def _reached(seconds: Any) -> str:
    return tr("not reached") if math.isnan(seconds) else clock(float(seconds))


COLUMNS = (
    Column("name", QT_TR_NOOP("Policy"),
           QT_TR_NOOP("A run that was measured, or a replay of recorded trials"), str,
           numeric=False),
    Column("reached", QT_TR_NOOP("Reached"),
           QT_TR_NOOP("Tuning time until it was at the threshold"), _reached),
    Column("saved", QT_TR_NOOP("Saved"),
           QT_TR_NOOP("Tuning time saved against the slowest that reached the threshold"), clock),
    Column("ratio", QT_TR_NOOP("Ratio"), QT_TR_NOOP("Its time over that of the fastest"),
           known(format_ratio)),
    Column("final", QT_TR_NOOP("Final"),
           QT_TR_NOOP("The model's estimated latency at its end"),
           known(lambda s: format_seconds(s, 4)), exact=known(lambda s: format_seconds(s, 6))),
    Column("lasted", QT_TR_NOOP("Lasted"), QT_TR_NOOP("Tuning time in all"), clock),
    Column("regret", QT_TR_NOOP("Regret"),
           QT_TR_NOOP("What its slots brought less than the best slots would have, over the "
                      "reduction that was possible"), known(lambda value: f"{value:.2f}")),
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
        super().__init__(model, tr("Comparison"), tr(EMPTY), WIDTHS)
        model.ratio = self.devicePixelRatioF()
        self.setIconSize(QSize(WIDTH, HEIGHT))
        self.show_regret(False)

    def show_regret(self, shown: bool) -> None:
        """Show the regret, or leave it out."""
        self.setColumnHidden(len(COLUMNS) - 1, not shown)
