"""Labels and tips show a stranger's text as it is: Qt would take one with tags for a page."""

from __future__ import annotations

import html
import re
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from engine.records.words import harmless

_TAG = re.compile(r"<[A-Za-z!?/]")  # what Qt may take for the beginning of a page


class PlainLabel(QLabel):
    """A label of plain text; one that draws a page of its own says so."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(self.text())

    def setText(self, text: str) -> None:
        """Show a text without the marks that turn the direction of writing."""
        super().setText(harmless(text))


def plain_tip(text: str) -> str:
    """A tip that shows this text, tags included."""
    text = harmless(text)
    if not _TAG.search(text):
        return text
    return f"<p>{html.escape(text)}</p>".replace("\n", "<br>")
