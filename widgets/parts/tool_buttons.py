"""The small buttons of the rows above tables and pictures."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolButton


def tool_button(text: str, tip: str) -> QToolButton:
    """A button; one without a text of its own is read out as its tip."""
    button = QToolButton()
    button.setText(text)
    button.setToolTip(tip)
    if not text:
        button.setAccessibleName(tip)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button


def switch(text: str, tip: str, on: bool = False) -> QToolButton:
    """A button that stays pressed."""
    button = tool_button(text, tip)
    button.setCheckable(True)
    button.setChecked(on)
    return button
