"""The table beside the picture of sources: what each gave, in numbers."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QSize, Qt

from widgets.look.language import QT_TR_NOOP, tr
from widgets.look.units import format_ratio, format_seconds, format_share, known
from widgets.parts.column_model import Column, ColumnModel
from widgets.parts.table import Table
from widgets.sources.look import SOURCES, SWATCH_HEIGHT, SWATCH_WIDTH, swatch

EMPTY = QT_TR_NOOP("No trials yet: press Start to tune.")
_WIDTHS = (120, 76, 64, 68, 80, 64)
Role = Qt.ItemDataRole


def _count(value: Any) -> str:
    return f"{int(value):,}"


COLUMNS = (
    Column("source", QT_TR_NOOP("Source"), QT_TR_NOOP("What proposed the candidates"), tr,
           plain=str,
           numeric=False),
    Column("gained", QT_TR_NOOP("Gained"),
           QT_TR_NOOP("What it took off the model's latency, all its improvements"),
           known(format_seconds), exact=known(lambda s: format_seconds(s, 6))),
    Column("share", QT_TR_NOOP("Share"), QT_TR_NOOP("Part of all that was gained"),
           known(format_share), bar=True),
    Column("factor", QT_TR_NOOP("Factor"),
           QT_TR_NOOP("How many times faster it made the model; the factors multiply"),
           known(format_ratio), exact=known(lambda r: f"{r:.5f}x")),
    Column("improvements", QT_TR_NOOP("Improved"),
           QT_TR_NOOP("How often it was better than all before"), _count),
    Column("trials", QT_TR_NOOP("Trials"), QT_TR_NOOP("Candidates tried"), _count),
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
    table = Table(model, tr("Gains by source"), tr(EMPTY))
    table.setIconSize(QSize(SWATCH_WIDTH, SWATCH_HEIGHT))
    for place, pixels in enumerate(_WIDTHS):
        table.setColumnWidth(place, pixels)
    return table
