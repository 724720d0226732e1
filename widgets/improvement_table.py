"""The table beside the picture of sources: what each gave, in numbers."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QSize, Qt

from widgets.column_model import Column, ColumnModel
from widgets.improvement_look import SOURCES, SWATCH_HEIGHT, SWATCH_WIDTH, swatch
from widgets.table import Table
from widgets.units import UNKNOWN, format_ratio, format_seconds, format_share

EMPTY = "No trials yet: press Start to tune."
_WIDTHS = (120, 76, 64, 68, 80, 64)
Role = Qt.ItemDataRole


def _known(show: Callable[[float], str]) -> Callable[[Any], str]:
    return lambda value: UNKNOWN if math.isnan(value) else show(float(value))


def _count(value: Any) -> str:
    return f"{int(value):,}"


COLUMNS = (
    Column("source", "Source", "What proposed the candidates", str, numeric=False),
    Column("gained", "Gained", "What it took off the model's latency, all its improvements",
           _known(format_seconds), exact=_known(lambda s: format_seconds(s, 6))),
    Column("share", "Share", "Part of all that was gained", _known(format_share), bar=True),
    Column("factor", "Factor", "How many times faster it made the model; the factors multiply",
           _known(format_ratio), exact=_known(lambda r: f"{r:.5f}x")),
    Column("improvements", "Improved", "How often it was better than all before", _count),
    Column("trials", "Trials", "Candidates tried", _count),
)  # fmt: skip


class SourcesModel(ColumnModel):
    """Sources with a piece of their areas."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(COLUMNS, parent)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Role.DisplayRole) -> Any:
        """As of any column model; the word has a swatch."""
        if role == Role.DecorationRole and index.isValid() and index.column() == 0:
            return swatch(SOURCES[self.id_at(index.row())], 2.0)
        return super().data(index, role)


def sources_table(model: SourcesModel) -> Table:
    """The table of the sources."""
    table = Table(model, "Gains by source", EMPTY)
    table.setIconSize(QSize(SWATCH_WIDTH, SWATCH_HEIGHT))
    for place, pixels in enumerate(_WIDTHS):
        table.setColumnWidth(place, pixels)
    return table
