"""A page of program text: coloured by its syntax as far as it is in sight, and searched."""

from __future__ import annotations

import re

from PySide6.QtCore import Signal
from PySide6.QtGui import (
    QColor,
    QResizeEvent,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
    QTextLayout,
)
from PySide6.QtWidgets import QTextEdit, QWidget

from widgets.look.theme import blend, theme, theme_notifier
from widgets.parts.pieces import MonoPage

_STRING = r"(?P<string>\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*')"
_NUMBER = r"(?P<number>\b0[xX][0-9a-fA-F]+\b|\b\d+(?:\.\d*)?(?:[eE][+-]?\d+)?[fFuUlL]*\b)"
SYNTAX: dict[str, re.Pattern[str]] = {
    "python": re.compile(
        r"(?P<comment>#.*)|" + _STRING + r"|(?P<word>\b(?:as|assert|class|def|else|False|for|from|"
        r"if|import|in|lambda|None|not|or|and|pass|return|True|while|with)\b)|"
        r"(?P<name>@[\w.]+|\b(?:T|I|R|sch)\.[\w.]+)|" + _NUMBER
    ),
    "asm": re.compile(
        r"(?P<comment>\s#.*|//.*|^\s*[#;].*)|" + _STRING + r"|(?P<label>^[\w.$]+:)|"
        r"(?P<name>%\w+|^\s+\.[\w.]+)|(?P<word>^\s+[a-zA-Z][\w.]*)|" + _NUMBER
    ),
    "cuda": re.compile(
        r"(?P<comment>//.*|/\*.*?\*/)|" + _STRING + r"|(?P<name>^\s*#\s*\w+|\b__\w+__\b|"
        r"\b(?:threadIdx|blockIdx|blockDim|gridDim)\b(?:\.[xyz])?)|"
        r"(?P<word>\b(?:auto|bool|break|case|char|class|const|continue|default|do|double|else|enum|"
        r"extern|float[1-4]?|for|half2?|if|inline|int[1-4]?|long|namespace|return|short|signed|"
        r"sizeof|static|struct|switch|template|typedef|typename|u?int(?:8|16|32|64)_t|uint[1-4]?|"
        r"union|unsigned|using|void|volatile|while)\b)|" + _NUMBER
    ),
}
"""What the parts of a line are, by language; a part is in one line."""
LONGEST = 2000  # characters of a line that are coloured
MARKS = 500  # places that are marked at once
_TINT = 0.35


def kinds(line: str, language: str) -> list[tuple[int, int, str]]:
    """The parts of a line that have a colour: start, length, kind."""
    return [
        (match.start(), match.end() - match.start(), str(match.lastgroup))
        for match in SYNTAX[language].finditer(line[:LONGEST])
    ]


def places(text: str, wanted: str) -> list[int]:
    """Where a text has the words, whatever the case; [] for none."""
    if not wanted:
        return []
    return [match.start() for match in re.finditer(re.escape(wanted), text, re.IGNORECASE)]


class CodePage(MonoPage):
    """Colours only what is in sight, as it comes there, so that no length of text holds up the
    window. `found` tells that what is searched, or where, is another now."""

    found = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self._language, self._wanted = "python", ""
        self._places: list[int] = []
        self.verticalScrollBar().valueChanged.connect(self._dress)
        self.cursorPositionChanged.connect(self.found)
        theme_notifier().changed.connect(self._dress_anew)

    def show_code(self, text: str, language: str) -> None:
        """Show another text from its beginning; what is searched stays."""
        self._language = language
        self.setPlainText(text)
        self.search(self._wanted)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._dress()

    # Searching

    @property
    def count(self) -> int:
        """How often the text has what is searched."""
        return len(self._places)

    @property
    def at(self) -> int:
        """Which of these is selected, from 1 on; 0 for none."""
        cursor = self.textCursor()
        start = cursor.selectionStart()
        if len(cursor.selectedText()) != len(self._wanted) or start not in self._places:
            return 0
        return self._places.index(start) + 1

    def search(self, wanted: str) -> None:
        """Mark all places of some words, and go to the first from here on."""
        self._wanted, self._places = wanted, places(self.toPlainText(), wanted)
        here = self.textCursor().selectionStart()
        if self._places:
            self._select(next((place for place in self._places if place >= here), self._places[0]))
        self._dress()
        self.found.emit()

    def step(self, by: int) -> None:
        """To the next (1) or the previous (-1) place; after the last comes the first."""
        if not self._places:
            return
        here = self.textCursor().selectionStart()
        if by > 0:
            ahead = [place for place in self._places if place > here]
            self._select(ahead[0] if ahead else self._places[0])
        else:
            ahead = [place for place in self._places if place < here]
            self._select(ahead[-1] if ahead else self._places[-1])

    def _select(self, place: int) -> None:
        cursor = self.textCursor()
        cursor.setPosition(place)
        cursor.setPosition(place + len(self._wanted), QTextCursor.MoveMode.KeepAnchor)
        self.setTextCursor(cursor)
        self._dress()

    # Colours

    def _dress_anew(self) -> None:
        block = self.document().begin()
        while block.isValid():
            block.setUserState(-1)
            block = block.next()
        self._dress()

    def _dress(self) -> None:
        """Colour the lines in sight that are not yet, and mark what is searched in them."""
        blocks = self._in_sight()
        for block in blocks:
            if block.userState() < 0:
                block.setUserState(1)
                block.layout().setFormats(_formats(block.text(), self._language))
        self.setExtraSelections(self._marks(blocks))
        self.viewport().update()

    def _in_sight(self) -> list[QTextBlock]:
        found = []
        block, low = self.firstVisibleBlock(), self.viewport().height()
        top = self.blockBoundingGeometry(block).translated(self.contentOffset()).top()
        while block.isValid() and top <= low:
            found.append(block)
            top += self.blockBoundingRect(block).height()
            block = block.next()
        return found

    def _marks(self, blocks: list[QTextBlock]) -> list[QTextEdit.ExtraSelection]:
        if not blocks or not self._places:
            return []
        first, last = blocks[0].position(), blocks[-1].position() + blocks[-1].length()
        colors = theme()
        marks = []
        for place in [each for each in self._places if first <= each < last][:MARKS]:
            mark = QTextEdit.ExtraSelection()
            cursor = QTextCursor(self.document())
            cursor.setPosition(place)
            cursor.setPosition(place + len(self._wanted), QTextCursor.MoveMode.KeepAnchor)
            mark.cursor = cursor
            form = QTextCharFormat()
            form.setBackground(blend(colors.surface, colors.warning, _TINT))
            form.setForeground(colors.text)
            mark.format = form
            marks.append(mark)
        return marks


def _formats(line: str, language: str) -> list[QTextLayout.FormatRange]:
    found = []
    for start, length, kind in kinds(line, language):
        part = QTextLayout.FormatRange()
        form = QTextCharFormat()
        form.setForeground(color_of(kind))
        part.start, part.length, part.format = start, length, form
        found.append(part)
    return found


def color_of(kind: str) -> QColor:
    """The colour of a kind of parts."""
    colors = theme()
    return {
        "comment": colors.muted,
        "string": colors.good,
        "number": colors.warning,
        "word": colors.accent,
        "name": blend(colors.text, colors.accent, 0.5),
        "label": colors.error,
    }[kind]
