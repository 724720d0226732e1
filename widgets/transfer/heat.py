"""The transfer matrix as a heat map: models and tasks down, donors across."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from widgets.look.language import QT_TR_NOOP, tr
from widgets.look.ramp import RAMP_WIDTH, paint_ramp
from widgets.look.theme import TEXT_PIXELS, tabular, text_on, theme, theme_notifier
from widgets.parts.column_model import Column, ColumnModel
from widgets.parts.table import Table
from widgets.transfer.series import FAILED, Heat, cell_text, describe_cell

NAME_WIDTH, CELL_WIDTH = 220, 104
EMPTY = QT_TR_NOOP("No donors tried yet: press Transfer.")
Role = Qt.ItemDataRole


class HeatModel(ColumnModel):
    """A Heat as a table: a column of names, and one for each donor."""

    def __init__(self, room: QWidget) -> None:
        """`room` is the widget that it is shown in."""
        super().__init__(_columns(()), room)
        self._room = room
        self.heat = Heat(np.empty(0, np.int64), (), (), np.empty((0, 0)))

    def show_heat(self, heat: Heat) -> None:
        same = heat.donors == self.heat.donors and np.array_equal(heat.ids, self.ids)
        self.heat = heat
        values = {f"donor {i}": heat.shares[:, i] for i in range(len(heat.donors))}
        values |= {"name": np.array(heat.names, object)}
        if same:
            self.update_columns(values)
            return
        if self.columnCount() != len(heat.donors) + 1:
            self.sort(-1)
        self.beginResetModel()
        self.columns = _columns(heat.donors)
        self.endResetModel()
        self.reset_columns(heat.ids, values)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Role.DisplayRole) -> Any:
        """As of any column model; cells say what they mean, models' names are bold."""
        if not index.isValid():
            return None
        identity, donor = self.id_at(index.row()), index.column() - 1
        if role in (Role.ToolTipRole, Role.AccessibleTextRole) and donor >= 0:
            row = int(np.flatnonzero(self.heat.ids == identity)[0])
            return describe_cell(self.heat, row, donor)
        if role == Role.FontRole and identity < 0:
            return tabular(self._room.font(), TEXT_PIXELS, bold=True)
        return super().data(index, role)


class HeatDelegate(QStyledItemDelegate):
    """Fills a cell with the ramp's colour at its value; the chosen cell has a frame."""

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        value = index.data(Role.UserRole)
        area = QRectF(option.rect).adjusted(1, 1, -1, -1)
        colors = theme()
        painter.save()
        painter.setFont(index.data(Role.FontRole) or option.font)
        painter.setPen(colors.muted)
        if value == FAILED:
            painter.setPen(colors.error)
        elif not math.isnan(value):
            ground = colors.ramp(value)
            painter.fillRect(area, ground)
            painter.setPen(text_on(ground))
        painter.drawText(area, int(Qt.AlignmentFlag.AlignCenter), cell_text(float(value)))
        if option.state & QStyle.StateFlag.State_Selected:
            painter.setPen(QPen(colors.text, 2))
            painter.drawRect(area.adjusted(1, 1, -1, -1))
        painter.restore()


class HeatTable(Table):
    """Shows a HeatModel. `cell_picked` carries the identity of the row and the donor's name."""

    cell_picked = Signal(object, str)

    def __init__(self, model: HeatModel) -> None:
        super().__init__(model, tr("Transfer matrix"), tr(EMPTY))
        self._heat = model
        self._delegate = HeatDelegate(self)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectItems)
        self.selectionModel().currentChanged.connect(self._tell)
        model.modelReset.connect(self._lay_out)

    def _lay_out(self) -> None:
        for place in range(self._heat.columnCount()):
            self.setColumnWidth(place, CELL_WIDTH if place else NAME_WIDTH)
            self.setItemDelegateForColumn(place, self._delegate if place else self.itemDelegate())

    def _tell(self, current: QModelIndex, before: QModelIndex) -> None:
        if current.isValid() and not self._quiet:
            donors = self._heat.heat.donors
            donor = donors[current.column() - 1] if current.column() else ""
            self.cell_picked.emit(self._heat.id_at(current.row()), donor)


class RampLegend(QWidget):
    """What the colours of the heat map mean."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFont(tabular(self.font(), TEXT_PIXELS - 1))
        self.setAccessibleName(tr("Share of the gain so far, from 0 to 100 percent"))
        theme_notifier().changed.connect(self.update)

    def sizeHint(self) -> QSize:
        texts = sum(map(self.fontMetrics().horizontalAdvance, self._texts()))
        return QSize(round(texts + RAMP_WIDTH), self.fontMetrics().height() + 4)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        before, after = self._texts()
        painter.setPen(theme().muted)
        x = self.fontMetrics().horizontalAdvance(before)
        flags = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(QRectF(0, 0, x + 2, self.height()), flags, before)
        end = paint_ramp(painter, x, self.height())
        painter.drawText(QRectF(end, 0, self.width(), self.height()), flags, after)

    def _texts(self) -> tuple[str, str]:
        before, after = tr("share of the gain so far"), tr("not tried")
        return f"{before}   0 % ", f" 100 %   · {after}"


def _columns(donors: tuple[str, ...]) -> tuple[Column, ...]:
    first = Column("name", QT_TR_NOOP("Model or task"),
                   QT_TR_NOOP("Who the schedules were tried on"),
                   lambda name: name.removeprefix("fused_"), exact=str, numeric=False)  # fmt: skip
    return (
        first,
        *(
            Column(
                f"donor {place}",
                donor,
                tr("Schedules of {donor}", donor=donor),
                lambda v: cell_text(float(v)),
            )
            for place, donor in enumerate(donors)
        ),
    )
