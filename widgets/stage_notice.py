"""What stands where the schedule will be: a sentence, and the button for the next step."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

NO_MODEL = "No model yet: open one, or try a sample."
NO_SCHEDULE = (
    "No stages yet: Find stages runs operators that do not wait for each other side by side, "
    "where that is faster."
)
UNTUNED = " It measures the kernels as they are: press Start to tune them first."
SEARCHING = "The schedule will be here when the search has ended."
REPLAYED = "A replay has no kernels to put into stages. Open the model or its project for that."
ONE_PATH = "All operators of this model wait for each other: there is nothing to run side by side."


class StageNotice(QWidget):
    """Says what is missing; `find_wanted` asks for a search."""

    find_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.label = QLabel(NO_MODEL, alignment=Qt.AlignmentFlag.AlignCenter)
        self.label.setProperty("role", "muted")
        self.label.setWordWrap(True)
        self.label.setContentsMargins(24, 0, 24, 0)
        self.button = QPushButton("Find s&tages…")
        self.button.clicked.connect(self.find_wanted)
        self.setProperty("role", "surface")
        column = QVBoxLayout(self)
        column.addStretch()
        column.addWidget(self.label)
        column.addWidget(self.button, alignment=Qt.AlignmentFlag.AlignCenter)
        column.addStretch()

    def say(self, text: str, with_button: bool, allowed: bool) -> None:
        """Show a sentence; the button, and whether it can be pressed now."""
        self.label.setText(text)
        self.button.setVisible(with_button)
        self.button.setEnabled(allowed)
