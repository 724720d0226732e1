"""Which keys a command may have: sentences for what speaks against one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QKeyCombination, Qt
from PySide6.QtGui import QKeySequence

_Key = Qt.Key
_FREE = {_Key.Key_Escape, *(_Key(_Key.Key_F1.value + number) for number in range(24))}
_STRONG = (
    Qt.KeyboardModifier.ControlModifier
    | Qt.KeyboardModifier.AltModifier
    | Qt.KeyboardModifier.MetaModifier
)
_EDITING = {
    QKeySequence.StandardKey.Copy: "copies text",
    QKeySequence.StandardKey.Cut: "cuts text",
    QKeySequence.StandardKey.Paste: "pastes text",
    QKeySequence.StandardKey.SelectAll: "selects all",
}


@dataclass(frozen=True, slots=True)
class Shortcut:
    """A command with its keys, and those it had at first; as QKeySequence.PortableText has them.

    `menu` and `title` are what a person reads; the mark of a menu's letter stays in `menu`.
    """

    id: str
    title: str
    menu: str
    keys: str
    default: str

    @property
    def is_changed(self) -> bool:
        """Whether a person gave it other keys."""
        return self.keys != self.default


@dataclass(frozen=True, slots=True)
class Problem:
    """What speaks against keys; `holders` are the commands that would have to give them up, empty
    where that would not help."""

    text: str
    holders: tuple[str, ...] = ()


def native(keys: str) -> str:
    """Keys as this system writes them."""
    return sequence(keys).toString(QKeySequence.SequenceFormat.NativeText)


def sequence(keys: str) -> QKeySequence:
    """Keys from their portable text."""
    return QKeySequence.fromString(keys, QKeySequence.SequenceFormat.PortableText)


def problem_of(keys: str, id: str, shortcuts: Sequence[Shortcut]) -> Problem | None:
    """What speaks against these keys for the command `id`; None for nothing, as for no keys."""
    wanted = sequence(keys)
    if wanted.isEmpty():
        return None
    if any(part.key() == _Key.Key_unknown for part in _parts(wanted)):
        return Problem("This key is not known here.")
    own = _types(wanted) or _edits(wanted) or _opens_menu(wanted, shortcuts)
    return Problem(own) if own else _conflict(wanted, id, shortcuts)


def conflicts(shortcuts: Sequence[Shortcut]) -> list[Problem]:
    """All pairs of commands that have keys in common: none in a good table."""
    found = (_conflict(sequence(item.keys), item.id, shortcuts) for item in shortcuts if item.keys)
    return [problem for problem in found if problem is not None]


def _types(wanted: QKeySequence) -> str:
    first = _parts(wanted)[0]
    if first.keyboardModifiers() & _STRONG or first.key() in _FREE:
        return ""
    return f"{_shown(wanted)} types, or moves in tables. Add Ctrl or Alt."


def _edits(wanted: QKeySequence) -> str:
    for standard, does in _EDITING.items():
        if any(_overlap(wanted, keys) for keys in QKeySequence.keyBindings(standard)):
            return f"{_shown(wanted)} {does} everywhere. Choose another key."
    return ""


def _opens_menu(wanted: QKeySequence, shortcuts: Iterable[Shortcut]) -> str:
    for menu in {item.menu for item in shortcuts}:
        mark = menu.find("&")
        if mark >= 0 and _overlap(wanted, QKeySequence(f"Alt+{menu[mark + 1].upper()}")):
            return f"{_shown(wanted)} opens the menu {menu.replace('&', '')}. Choose another key."
    return ""


def _conflict(wanted: QKeySequence, id: str, shortcuts: Iterable[Shortcut]) -> Problem | None:
    holders = [
        item
        for item in shortcuts
        if item.id != id and item.keys and _overlap(wanted, sequence(item.keys))
    ]
    if not holders:
        return None
    first = holders[0]
    titles = " and ".join(f"“{item.title}”" for item in holders)
    ids = tuple(item.id for item in holders)
    if sequence(first.keys) == wanted:
        return Problem(f"{_shown(wanted)} is the key of {titles}.", ids)
    return Problem(f"{_shown(wanted)} and {native(first.keys)} of {titles} begin alike.", ids)


def _overlap(first: QKeySequence, second: QKeySequence) -> bool:
    """Whether one is the other, or its beginning."""
    none = QKeySequence.SequenceMatch.NoMatch
    return first.matches(second) != none or second.matches(first) != none


def _parts(keys: QKeySequence) -> list[QKeyCombination]:
    return [keys[place] for place in range(keys.count())]  # type: ignore[index]


def _shown(keys: QKeySequence) -> str:
    return keys.toString(QKeySequence.SequenceFormat.NativeText)
