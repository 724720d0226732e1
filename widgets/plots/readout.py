"""The text that follows the pointer over a plot."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QWidget

from widgets.look.plain_label import PlainLabel
from widgets.look.theme import tabular, theme

INSET = 12


class Readout(PlainLabel):
    """Exact values beside the pointer; never in its way."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._room = parent
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFont(tabular(self.font()))
        self.setMargin(4)
        self.setAutoFillBackground(True)
        self.recolor()
        self.hide()

    def recolor(self) -> None:
        colors = theme()
        self.setStyleSheet(
            f"background: {colors.raised.name()}; color: {colors.text.name()};"
            f"border: 1px solid {colors.border.name()};"
        )

    def say(self, text: str, at: QPoint) -> None:
        """Show a text near a point of the parent; no text hides it."""
        self.setText(text)
        self.setVisible(bool(text))
        self.adjustSize()
        left = at.x() + INSET
        if left + self.width() > self._room.width():
            left = max(0, at.x() - INSET - self.width())
        top = at.y() - INSET - self.height()
        self.move(left, top if top >= 0 else at.y() + INSET)
