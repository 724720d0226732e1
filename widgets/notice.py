"""What stands where a picture will be: a sentence, and the button for the next step."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

NO_MODEL = "No model yet: open one, or try a sample."


class Notice(QWidget):
    """Says what is missing; `find_wanted` asks for the next step."""

    find_wanted = Signal()

    def __init__(self, button: str) -> None:
        super().__init__()
        self.label = QLabel(NO_MODEL, alignment=Qt.AlignmentFlag.AlignCenter)
        self.label.setProperty("role", "muted")
        self.label.setWordWrap(True)
        self.label.setContentsMargins(24, 0, 24, 0)
        self.button = QPushButton(button)
        self.button.clicked.connect(self.find_wanted)
        self.setProperty("role", "surface")
        column = QVBoxLayout(self)
        column.addStretch()
        column.addWidget(self.label)
        column.addWidget(self.button, alignment=Qt.AlignmentFlag.AlignCenter)
        column.addStretch()

    def put(self, text: str, with_button: bool, allowed: bool = True) -> None:
        """Show a sentence; the button, and whether it can be pressed now."""
        self.label.setText(text)
        self.button.setVisible(with_button)
        self.button.setEnabled(allowed)
