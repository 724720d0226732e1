"""Which keys a command may have: sentences for what speaks against one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QKeyCombination, Qt
from PySide6.QtGui import QKeySequence

from widgets.look.language import QT_TR_NOOP, plain, tr

_Key = Qt.Key
_FREE = {_Key.Key_Escape, *(_Key(_Key.Key_F1.value + number) for number in range(24))}
_STRONG = (
    Qt.KeyboardModifier.ControlModifier
    | Qt.KeyboardModifier.AltModifier
    | Qt.KeyboardModifier.MetaModifier
)
_EDITING = {
    QKeySequence.StandardKey.Copy: QT_TR_NOOP("copies text"),
    QKeySequence.StandardKey.Cut: QT_TR_NOOP("cuts text"),
    QKeySequence.StandardKey.Paste: QT_TR_NOOP("pastes text"),
    QKeySequence.StandardKey.SelectAll: QT_TR_NOOP("selects all"),
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
        return Problem(tr("This key is not known here."))
    own = _types(wanted) or _edits(wanted) or _opens_menu(wanted, shortcuts)
    return Problem(own) if own else _conflict(wanted, id, shortcuts)


def _types(wanted: QKeySequence) -> str:
    first = _parts(wanted)[0]
    if first.keyboardModifiers() & _STRONG or first.key() in _FREE:
        return ""
    return tr("{keys} types, or moves in tables. Add Ctrl or Alt.", keys=_shown(wanted))


def _edits(wanted: QKeySequence) -> str:
    for standard, does in _EDITING.items():
        if any(_overlap(wanted, keys) for keys in QKeySequence.keyBindings(standard)):
            return tr(
                "{keys} {does} everywhere. Choose another key.", keys=_shown(wanted), does=tr(does)
            )
    return ""


def _opens_menu(wanted: QKeySequence, shortcuts: Iterable[Shortcut]) -> str:
    for menu in {item.menu for item in shortcuts}:
        mark = menu.find("&")
        if mark >= 0 and _overlap(wanted, QKeySequence(f"Alt+{menu[mark + 1].upper()}")):
            return tr(
                "{keys} opens the menu {menu}. Choose another key.",
                keys=_shown(wanted),
                menu=plain(menu),
            )
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
    both = tr("and")
    titles = f" {both} ".join(tr("“{text}”", text=item.title) for item in holders)
    ids, keys = tuple(item.id for item in holders), _shown(wanted)
    if sequence(first.keys) == wanted:
        return Problem(tr("{keys} is the key of {commands}.", keys=keys, commands=titles), ids)
    text = tr(
        "{keys} and {others} of {commands} begin alike.",
        keys=keys,
        others=native(first.keys),
        commands=titles,
    )
    return Problem(text, ids)


def _overlap(first: QKeySequence, second: QKeySequence) -> bool:
    """Whether one is the other, or its beginning."""
    none = QKeySequence.SequenceMatch.NoMatch
    return first.matches(second) != none or second.matches(first) != none


def _parts(keys: QKeySequence) -> list[QKeyCombination]:
    return [keys[place] for place in range(keys.count())]  # type: ignore[index]


def _shown(keys: QKeySequence) -> str:
    return keys.toString(QKeySequence.SequenceFormat.NativeText)
