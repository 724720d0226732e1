"""A table of shapes: a row each, a column for each input and one for how often it occurs."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from engine.models.shapes import parse_shape
from engine.records.errors import ShapeError
from engine.records.source import MOST_SHAPES, InputShapes
from widgets.look.language import tr
from widgets.look.plain_label import PlainLabel

_ROWS_SHOWN = 5


class ShapeTable(QWidget):
    """The shapes of a set, where there are several: it begins without any.

    `add_wanted` asks for another, `changed` tells that something was typed, added or removed.
    """

    add_wanted = Signal()
    changed = Signal()

    def __init__(self, names: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._names = tuple(names)
        self.table = QTableWidget(0, len(names) + 1)
        self.table.setHorizontalHeaderLabels([*names, tr("Frequency")])
        self.table.setAccessibleName(tr("Several shapes"))
        self.table.setTabKeyNavigation(False)
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.table.itemChanged.connect(lambda item: self.changed.emit())
        self.table.itemSelectionChanged.connect(self._allow)
        self.hint = PlainLabel(
            tr(
                "All are tuned together. The frequency says how often a shape occurs beside the "
                "others, in whole numbers."
            )
        )
        self.hint.setProperty("role", "muted")
        self.hint.setWordWrap(True)
        self.add_button = QPushButton(tr("Add a shape"))
        self.add_button.setToolTip(
            tr("Tune the model in several shapes, of which an export has the kernels of each.")
        )
        self.remove_button = QPushButton(tr("Remove"))
        self.add_button.clicked.connect(self._ask)
        self.remove_button.clicked.connect(self._remove)
        buttons = QHBoxLayout()
        buttons.addWidget(self.add_button)
        buttons.addWidget(self.remove_button)
        buttons.addStretch()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        for part in (self.table, self.hint):
            layout.addWidget(part)
        layout.addLayout(buttons)
        self._show()

    @property
    def is_used(self) -> bool:
        """Whether there are several shapes."""
        return self.table.rowCount() > 0

    def add(self, texts: Sequence[str]) -> None:
        """Another shape, which begins as these texts. Of none it makes two, for the one that was
        given so far is one of several then."""
        for _ in range(1 if self.is_used else 2):
            row = self.table.rowCount()
            self.table.insertRow(row)
            for column, text in enumerate([*texts, "1"]):
                self.table.setItem(row, column, QTableWidgetItem(text))
        self.table.setCurrentCell(self.table.rowCount() - 1, 0)
        self._show()
        self.changed.emit()

    def shapes(self) -> tuple[InputShapes, ...]:
        """All shapes as typed; ShapeError where one is none."""
        return tuple(self._shape(row) for row in range(self.table.rowCount()))

    def _shape(self, row: int) -> InputShapes:
        texts = [self._text(row, column) for column in range(len(self._names) + 1)]
        shapes = dict(
            parse_shape(f"{name}={text}".replace("*", "x"))
            for name, text in zip(self._names, texts, strict=False)
        )
        often = texts[-1].strip()
        if not often.isdecimal() or not 1 <= int(often[:10]) < 2**31:
            raise ShapeError(
                tr("The frequency of shape {n} is no whole number of 1 or more.", n=row + 1)
            )
        return InputShapes(shapes, int(often))

    def _text(self, row: int, column: int) -> str:
        item = self.table.item(row, column)
        return item.text() if item else ""

    def _ask(self) -> None:
        self.add_wanted.emit()

    def _remove(self) -> None:
        rows = sorted({index.row() for index in self.table.selectedIndexes()}, reverse=True)
        for row in rows:
            self.table.removeRow(row)
        if self.table.rowCount() < 2:
            self.table.setRowCount(0)
        self._show()
        self.changed.emit()

    def _show(self) -> None:
        for part in (self.table, self.hint, self.remove_button):
            part.setVisible(self.is_used)
        rows = min(self.table.rowCount(), _ROWS_SHOWN)
        self.table.setFixedHeight(self.table.horizontalHeader().height() + rows * 32 + 4)
        self.add_button.setEnabled(self.table.rowCount() < MOST_SHAPES)
        self._allow()

    def _allow(self) -> None:
        self.remove_button.setEnabled(bool(self.table.selectedIndexes()))
