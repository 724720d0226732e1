"""A language that nobody speaks: accented, longer than English, in brackets.

Whatever a window shows without brackets was never asked of a translation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QTranslator
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QDockWidget,
    QFileDialog,
    QHeaderView,
    QLabel,
    QLineEdit,
    QTabBar,
    QTreeWidget,
    QWidget,
)

from tests.clipping import parts_in_sight
from widgets.look.language import use

OPEN, CLOSE = "«", "»"
LONGER = 0.4
_ACCENTED = str.maketrans("aceinouyAEINOU", "áçéíñöüýÁÉÍÑÖÜ")
_KEPT = re.compile(r"\{[^}]*\}|%n|&")
_INNERMOST = re.compile(f"{OPEN}[^{OPEN}{CLOSE}]*{CLOSE}")
_WORD = re.compile(r"[^\W\d_]{3,}")


class Pseudo(QTranslator):
    """Translates every text, and keeps its fields, "%n" and mnemonic."""

    def translate(
        self, context: str, text: str, note: str | None = None, n: int = -1
    ) -> str:  # what Qt's own does for a text
        """The text as nobody says it."""
        return pseudo(text)


def pseudo(text: str) -> str:
    """A text in this language."""
    end = 0
    parts = []
    for kept in _KEPT.finditer(text):
        parts += [text[end : kept.start()].translate(_ACCENTED), kept.group()]
        end = kept.end()
    parts.append(text[end:].translate(_ACCENTED))
    padding = "é" * round(LONGER * len(_KEPT.sub("", text)))
    return f"{OPEN}{''.join(parts)}{padding}{CLOSE}"


@contextmanager
def spoken(*translators: QTranslator) -> Iterator[None]:
    """Speak so in what is made meanwhile."""
    use(translators)
    try:
        yield
    finally:
        use(())


def outside(text: str) -> str:
    """What of a text is in no brackets."""
    before = ""
    while before != text:
        before, text = text, _INNERMOST.sub(" ", text)
    return text


def words(text: str) -> list[str]:
    """The words of a text, of three letters or more."""
    return _WORD.findall(text)


def shown_texts(root: QWidget) -> Iterator[tuple[str, str]]:
    """What a window shows and says, with the kind of its part: texts, tips, hints, names."""
    yield type(root).__name__, root.windowTitle()
    for part in parts_in_sight(root):
        if _is_qts(part):
            continue
        kind = type(part).__name__
        for text in (part.toolTip(), part.accessibleName(), *_texts(part)):
            if text:
                yield kind, text


def _is_qts(part: QWidget) -> bool:
    """Whether it is Qt's own in its question for a file, which gives its parts names."""
    while (parent := part.parentWidget()) is not None:
        if isinstance(parent, QFileDialog):
            return bool(part.objectName())
        part = parent
    return False


def _texts(part: QWidget) -> Iterator[str]:
    if isinstance(part, QLabel | QAbstractButton):
        yield part.text()
    elif isinstance(part, QLineEdit):
        yield part.placeholderText()
    elif isinstance(part, QComboBox):
        yield from (part.itemText(row) for row in range(part.count()))
    elif isinstance(part, QTabBar):
        yield from (part.tabText(place) for place in range(part.count()))
    elif isinstance(part, QDockWidget):
        yield part.windowTitle()
    elif isinstance(part, QHeaderView) and part.model() is not None:
        model, way = part.model(), part.orientation()
        yield from (str(model.headerData(place, way) or "") for place in range(part.count()))
    elif isinstance(part, QTreeWidget):
        items = (part.topLevelItem(row) for row in range(part.topLevelItemCount()))
        yield from (item.text(0) for item in items if item is not None)
