"""The keys of all commands, to be read, found and changed."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QKeySequenceEdit,
    QLineEdit,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from widgets.look.language import QT_TR_NOOP, plain, tr
from widgets.look.theme import theme
from widgets.parts.fuzzy import match_rank
from widgets.parts.pieces import beside, stacked, text_label
from widgets.window.shortcut_rules import Problem, Shortcut, native, problem_of, sequence

_ID = Qt.ItemDataRole.UserRole
HINT = QT_TR_NOOP("Choose a command, click into the line below, and press its new keys.")
_LONGEST = 2


class ShortcutDialog(QDialog):
    """What a person changes holds at once: `given` carries a command's id and its new keys,
    `reset` the ids that get their first keys again."""

    given = Signal(str, str)
    reset = Signal(list)

    def __init__(self, shortcuts: Sequence[Shortcut], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Keyboard shortcuts"))
        self.resize(620, 560)
        self._shortcuts: dict[str, Shortcut] = {}
        self._problem: Problem | None = None
        self.search = QLineEdit()
        self.search.setPlaceholderText(tr("Find a command or a key"))
        self.search.setAccessibleName(tr("Command or key to look for"))
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._fill)
        self.list = self._make_list()
        self.keys = QKeySequenceEdit()
        self.keys.setMaximumSequenceLength(_LONGEST)
        self.keys.setAccessibleName(tr("New keys"))
        self.keys.editingFinished.connect(self._typed)
        self.clear_button = _button(tr("No key"), tr("Take the command's keys away"), self._clear)
        self.reset_button = _button(
            tr("Reset"), tr("Give the command its first keys"), self._reset_one
        )
        self.say = text_label()
        self.take_button = _button("", tr("Give the keys to this command alone"), self._take)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        role = QDialogButtonBox.ButtonRole.ResetRole
        self.reset_all_button = self.buttons.addButton(tr("Reset all"), role)
        self.reset_all_button.clicked.connect(lambda: self.reset.emit(list(self._shortcuts)))
        self.buttons.rejected.connect(self.reject)
        for button in self.buttons.buttons():
            if isinstance(button, QPushButton):
                button.setAutoDefault(False)  # Enter in the line that finds must reset nothing
        self._lay_out()
        self.show_shortcuts(shortcuts)

    def show_shortcuts(self, shortcuts: Sequence[Shortcut]) -> None:
        """Show the keys as they are now."""
        self._shortcuts = {item.id: item for item in shortcuts}
        self.reset_all_button.setEnabled(any(item.is_changed for item in shortcuts))
        self._fill(self.search.text())

    def rows(self) -> list[tuple[str, str]]:
        """The commands on show with their keys."""
        return [(item.text(0), item.text(2)) for item in self._items()]

    def choose(self, id: str) -> None:
        for item in self._items():
            if item.data(0, _ID) == id:
                self.list.setCurrentItem(item)

    def chosen(self) -> Shortcut | None:
        """The command that is marked."""
        item = self.list.currentItem()
        return self._shortcuts.get(item.data(0, _ID)) if item is not None else None

    # What a person does

    def _typed(self) -> None:
        shortcut, keys = self.chosen(), _portable(self.keys.keySequence())
        if shortcut is None or not keys or keys == shortcut.keys:
            return
        self._problem = problem_of(keys, shortcut.id, tuple(self._shortcuts.values()))
        if self._problem is None:
            self._give(shortcut, keys)
        else:
            self._show_problem(shortcut)

    def _take(self) -> None:
        """Give the keys to this command, and take them from those that have them."""
        shortcut, keys = self.chosen(), _portable(self.keys.keySequence())
        if shortcut is not None and self._problem is not None:
            for id in self._problem.holders:
                self.given.emit(id, "")
            self._give(shortcut, keys)

    def _clear(self) -> None:
        shortcut = self.chosen()
        if shortcut is not None:
            self._give(shortcut, "")

    def _give(self, shortcut: Shortcut, keys: str) -> None:
        self.given.emit(shortcut.id, keys)
        name = shortcut.title
        if keys:
            self._say(tr("“{command}” has the keys {keys} now.", command=name, keys=native(keys)))
        else:
            self._say(tr("“{command}” has no keys now.", command=name))

    def _reset_one(self) -> None:
        """The first keys again; where another command has them by now, it has to give them up."""
        shortcut = self.chosen()
        if shortcut is None:
            return
        self._problem = problem_of(shortcut.default, shortcut.id, tuple(self._shortcuts.values()))
        if self._problem is not None and self._problem.holders:
            self.keys.setKeySequence(sequence(shortcut.default))
            self._show_problem(shortcut)
        else:
            self.reset.emit([shortcut.id])
            self._say(tr("“{command}” has its first keys again.", command=shortcut.title))

    # What is shown

    def _show_problem(self, shortcut: Shortcut) -> None:
        problem = self._problem
        if problem is None:
            return
        self._say(problem.text, wrong=True)
        self.take_button.setText(tr("Use it for “{command}”", command=shortcut.title))
        self.take_button.setVisible(bool(problem.holders))

    def _say(self, text: str, wrong: bool = False) -> None:
        self.say.setText(text)
        self.say.setProperty("role", "error" if wrong else "muted")
        self.say.style().polish(self.say)
        self.take_button.hide()

    def _choose(self) -> None:
        shortcut = self.chosen()
        self._problem = None
        for part in (self.keys, self.clear_button, self.reset_button):
            part.setEnabled(shortcut is not None)
        if shortcut is not None:
            self.keys.setKeySequence(sequence(shortcut.keys))
            self.clear_button.setEnabled(bool(shortcut.keys))
            self.reset_button.setEnabled(shortcut.is_changed)
        self._say(tr(HINT))

    def _fill(self, query: str) -> None:
        before = self.chosen()
        said = self.say.text()
        self.list.clear()
        for item in self._shortcuts.values():
            if _matches(query, item):
                self.list.addTopLevelItem(_row(item))
        self.choose(before.id if before else "")
        first = self.list.topLevelItem(0)
        if first is not None and self.list.currentItem() is None:
            self.list.setCurrentItem(first)
        self._choose()
        if before is not None and said and before == self._shortcuts.get(before.id):
            self._say(said)

    def _items(self) -> list[QTreeWidgetItem]:
        items = (self.list.topLevelItem(row) for row in range(self.list.topLevelItemCount()))
        return [item for item in items if item is not None]

    def _make_list(self) -> QTreeWidget:
        made = QTreeWidget()
        made.setAccessibleName(tr("Commands and their keys"))
        made.setHeaderLabels([tr("Command"), tr("Menu"), tr("Keys")])
        made.setRootIsDecorated(False)
        made.setUniformRowHeights(True)
        made.setAllColumnsShowFocus(True)
        made.header().setStretchLastSection(False)
        made.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column in (1, 2):
            made.header().setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        made.currentItemChanged.connect(lambda *_: self._choose())
        return made

    def _lay_out(self) -> None:
        line = beside((self.keys, 1), self.clear_button, self.reset_button)
        said = beside((self.say, 1), self.take_button)
        stacked(self.search, (self.list, 1), line, said, self.buttons, on=self)


def _matches(query: str, shortcut: Shortcut) -> bool:
    wanted = query.strip().casefold()
    return (
        not wanted
        or wanted in native(shortcut.keys).casefold()
        or match_rank(wanted, shortcut.title) is not None
    )


def _row(shortcut: Shortcut) -> QTreeWidgetItem:
    keys = native(shortcut.keys)
    if shortcut.is_changed:
        none = tr("none")
        before = native(shortcut.default) or none
        keys = tr("{keys}  (was {before})", keys=keys or none, before=before)
    item = QTreeWidgetItem([shortcut.title, plain(shortcut.menu), keys])
    item.setData(0, _ID, shortcut.id)
    item.setForeground(1, theme().muted)
    if shortcut.is_changed:
        font = item.font(2)
        font.setBold(True)
        item.setFont(2, font)
    return item


def _portable(keys: QKeySequence) -> str:
    return keys.toString(QKeySequence.SequenceFormat.PortableText)


def _button(text: str, tip: str, press: object) -> QPushButton:
    made = QPushButton(text)
    made.setToolTip(tip)
    made.setAutoDefault(False)
    made.clicked.connect(press)
    return made
