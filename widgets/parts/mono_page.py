"""A page of program text: read only, one width for every letter, never wrapped."""

from __future__ import annotations

from PySide6.QtGui import QFont, QFontDatabase
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from widgets.look.theme import TEXT_PIXELS


def mono_font() -> QFont:
    """The system's font for program text, in our size."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setPixelSize(TEXT_PIXELS - 1)
    return font


class MonoPage(QPlainTextEdit):
    """Text to read, to search by eye and to copy."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        self.setAccessibleName(name)
        self.setFont(mono_font())
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setTabChangesFocus(True)
