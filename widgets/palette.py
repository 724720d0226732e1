"""The command palette: every action by name, found by a few letters."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QHeaderView,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from widgets.theme import theme

_ACTION = Qt.ItemDataRole.UserRole
_STEPS = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: 10, Qt.Key.Key_PageUp: -10}


def match_rank(query: str, text: str) -> int | None:
    """How well `text` answers `query`: 0 begins with it, 1 has it, 2 has its letters in order."""
    wanted, offered = query.casefold().strip(), text.casefold()
    if offered.startswith(wanted):
        return 0
    if wanted in offered:
        return 1
    letters = iter(offered)
    return 2 if all(letter in letters for letter in wanted if letter != " ") else None


def plain_text(action: QAction) -> str:
    """An action's text without its mnemonic mark and dots."""
    return action.text().replace("&", "").rstrip("…")


class CommandPalette(QDialog):
    """A line to type in and the actions that match; Enter runs one, Escape leaves."""

    def __init__(self, actions: Sequence[QAction], parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self._actions = list(actions)
        self.setAccessibleName("Command palette")
        self.setMinimumSize(420, 320)
        self.query = QLineEdit()
        self.query.setPlaceholderText("Type a command")
        self.query.setAccessibleName("Command to look for")
        self.query.textChanged.connect(self._fill)
        self.query.returnPressed.connect(self.run_chosen)
        self.query.installEventFilter(self)
        self.list = self._make_list()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4, 4, 4, 4)
        layout.addWidget(self.query)
        layout.addWidget(self.list)
        self._fill("")
        self.query.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Up and Down move in the list while the person types."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            step, count = _STEPS.get(Qt.Key(event.key()), 0), self.list.topLevelItemCount()
            if step and count:
                row = self.list.currentIndex().row() + step
                self._mark(row % count if abs(step) == 1 else min(max(row, 0), count - 1))
                return True
        return super().eventFilter(watched, event)

    def offered(self) -> list[str]:
        """The commands that match, best first."""
        items = (self.list.topLevelItem(row) for row in range(self.list.topLevelItemCount()))
        return [plain_text(item.data(0, _ACTION)) for item in items if item is not None]

    def run_chosen(self) -> None:
        """Run the command that is marked, if it can be run now."""
        item = self.list.currentItem()
        action = item.data(0, _ACTION) if item is not None else None
        if isinstance(action, QAction) and action.isEnabled():
            self.accept()
            action.trigger()

    def _make_list(self) -> QTreeWidget:
        found = QTreeWidget()
        found.setAccessibleName("Matching commands")
        found.setColumnCount(2)
        found.setHeaderHidden(True)
        found.setRootIsDecorated(False)
        found.setUniformRowHeights(True)
        found.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        found.header().setStretchLastSection(False)
        found.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        found.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        found.itemClicked.connect(lambda *_: self.run_chosen())
        return found

    def _fill(self, query: str) -> None:
        ranked = [(match_rank(query, plain_text(action)), action) for action in self._actions]
        found = [(rank, action) for rank, action in ranked if rank is not None]
        found.sort(key=lambda pair: (pair[0], not pair[1].isEnabled()))
        self.list.clear()
        self.list.addTopLevelItems([_item(action) for _, action in found])
        self._mark(0)

    def _mark(self, row: int) -> None:
        item = self.list.topLevelItem(row)
        if item is not None:
            self.list.setCurrentItem(item)


def _item(action: QAction) -> QTreeWidgetItem:
    keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
    text = plain_text(action) if action.isEnabled() else f"{plain_text(action)}  (not now)"
    item = QTreeWidgetItem([text, keys])
    item.setData(0, _ACTION, action)
    item.setToolTip(0, action.toolTip())
    item.setForeground(1, theme().muted)
    if not action.isEnabled():
        item.setForeground(0, theme().muted)
    return item
