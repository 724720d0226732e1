"""The look and the habits that our tables share."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import partial
from pathlib import Path

from PySide6.QtCore import (
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QContextMenuEvent,
    QFontMetrics,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFileDialog,
    QHeaderView,
    QMenu,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from widgets.look.language import QT_TR_NOOP, tr
from widgets.look.theme import blend, tabular, theme, theme_notifier
from widgets.parts.column_model import SHARE_ROLE, ColumnModel
from widgets.parts.exporting import ask_path, copy_csv, save_sheet

ROW_PIXELS = 22
HEAD_PADDING = 8  # of the style sheet
_VALUES = QT_TR_NOOP("Values")


class ShareDelegate(QStyledItemDelegate):
    """Draws a value in [0, 1] as a bar behind its text."""

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        share = index.data(SHARE_ROLE)
        if share is not None and not math.isnan(share):
            cell: QRect = option.rect
            bar = cell.adjusted(2, 3, -2, -3)
            bar.setWidth(round(bar.width() * min(max(share, 0.0), 1.0)))
            painter.fillRect(bar, blend(theme().surface, theme().accent, 0.28))
        super().paint(painter, option, index)


class Table(QTableView):
    """A dense, sortable, whole-row table over a ColumnModel; says `empty` where it has no row.

    `row_picked` carries the identity of the row that a person chose, by mouse or by keys. Its menu
    copies rows and saves all rows on show; `menu_made` carries it, so that more can be added.
    `widths` are those of the first columns, in pixels.
    """

    row_picked = Signal(object)
    menu_made = Signal(object)

    def __init__(
        self,
        model: ColumnModel,
        name: str,
        empty: str,
        widths: Iterable[int] = (),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._rows = model
        self.empty = empty
        self._quiet = False
        self.setModel(model)
        self.setAccessibleName(name)
        self.setFont(tabular(self.font()))
        self.setItemDelegate(ShareDelegate(self))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setAlternatingRowColors(True)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        rows = self.verticalHeader()
        rows.hide()
        rows.setDefaultSectionSize(ROW_PIXELS)
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        head = self.horizontalHeader()
        head.setHighlightSections(False)
        head.setSectionsMovable(True)
        head.setMinimumSectionSize(36)
        self.setSortingEnabled(False)
        head.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.setSortingEnabled(True)
        self.selectionModel().currentRowChanged.connect(self._current_changed)
        for column, width in enumerate(widths):
            self.setColumnWidth(column, width)
        theme_notifier().changed.connect(self.viewport().update)

    def setColumnWidth(self, column: int, width: int) -> None:
        """As wide as asked for, and as the column's title needs in the language in use."""
        head = self.horizontalHeader()
        head.ensurePolished()
        font = head.font()
        font.setBold(True)
        title = str(self._rows.headerData(column, Qt.Orientation.Horizontal) or "")
        needed = QFontMetrics(font).horizontalAdvance(title) + HEAD_PADDING
        super().setColumnWidth(column, max(width, needed))

    def select(self, identity: int | None) -> None:
        """Mark a row, without saying that a person picked it."""
        row = None if identity is None else self._rows.row_of(identity)
        self._quiet = True
        try:
            if row is None:
                self.clearSelection()
                self.setCurrentIndex(QModelIndex())
            elif row != self.currentIndex().row() or not self.selectionModel().hasSelection():
                column = max(0, self.currentIndex().column())
                self.setCurrentIndex(self._rows.index(row, column))
                self.scrollTo(self.currentIndex())
        finally:
            self._quiet = False

    def selected(self) -> int | None:
        """The identity of the marked row."""
        rows = self.selectionModel().selectedRows()
        return self._rows.id_at(rows[0].row()) if rows else None

    def allow_many(self) -> None:
        """Let a person mark several rows, to copy or to compare them."""
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)

    def selected_ids(self) -> list[int]:
        """The identities of all marked rows, in their order on show."""
        rows = sorted(index.row() for index in self.selectionModel().selectedRows())
        return [self._rows.id_at(row) for row in rows]

    def mark(self, identities: Iterable[int]) -> None:
        """Mark several rows, those that are on show, without saying that a person picked them."""
        rows = [row for each in identities if (row := self._rows.row_of(each)) is not None]
        chosen = QItemSelection()
        for row in rows:
            chosen.select(self._rows.index(row, 0), self._rows.index(row, 0))
        flags = QItemSelectionModel.SelectionFlag
        self._quiet = True
        try:
            if rows:
                current = self._rows.index(rows[-1], 0)
                self.selectionModel().setCurrentIndex(current, flags.NoUpdate)
            self.selectionModel().select(chosen, flags.ClearAndSelect | flags.Rows)
        finally:
            self._quiet = False

    # Copy and save

    def copy(self) -> None:
        """Put the marked rows on the clipboard, all on show where none is marked."""
        rows = sorted(index.row() for index in self.selectionModel().selectedRows())
        copy_csv(self._rows.sheet(rows or None))

    def ask(self) -> QFileDialog:
        name = self.accessibleName().lower().replace(" ", "-") or "table"
        return ask_path(self, name, [(tr(_VALUES), ".csv")], self.save)

    def save(self, path: Path) -> None:
        """Save all rows on show, in their order."""
        save_sheet(path, self._rows.sheet())

    def add_exports(self, menu: QMenu) -> None:
        """Add what can be done with rows to a menu."""
        marked = len(self.selectionModel().selectedRows())
        text = tr("&Copy %n rows", "", marked) if marked else tr("&Copy all rows")
        menu.addAction(text, self.copy).setEnabled(self._rows.rowCount() > 0)
        menu.addAction(tr("Save as CS&V…"), self.ask).setEnabled(self._rows.rowCount() > 0)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.menu_made.emit(menu)
        self._add_sorting(menu.addMenu(tr("So&rt by")))
        self.add_exports(menu)
        menu.popup(event.globalPos())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy rows, not only the text of one cell."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        else:
            super().keyPressEvent(event)

    def id_at(self, index: QModelIndex) -> int:
        """The identity of the row of a valid index."""
        return self._rows.id_at(index.row())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Rows, or the sentence that says the next step."""
        super().paintEvent(event)
        if self._rows.rowCount() == 0:
            painter = QPainter(self.viewport())
            painter.setPen(theme().muted)
            flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(self.viewport().rect().adjusted(16, 8, -16, -8), flags, self.empty)

    def _add_sorting(self, menu: QMenu) -> None:
        """What a click on a column's head does, for the keyboard."""
        head, across = self.horizontalHeader(), Qt.Orientation.Horizontal
        down, up = Qt.SortOrder.DescendingOrder, Qt.SortOrder.AscendingOrder
        for column in range(head.count()):
            if head.isSectionHidden(column):
                continue
            here = head.sortIndicatorSection() == column
            order = down if here and head.sortIndicatorOrder() == up else up
            action = menu.addAction(str(self._rows.headerData(column, across)))
            action.setCheckable(True)
            action.setChecked(here)
            sort = partial(self.sortByColumn, column, order)
            action.triggered.connect(lambda _=False, sort=sort: sort())

    def _current_changed(self, current: QModelIndex, before: QModelIndex) -> None:
        if current.isValid() and not self._quiet:
            self.row_picked.emit(self._rows.id_at(current.row()))
