"""What stands where the clusters will be: a sentence, and the button for the next step."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

NO_MODEL = "No model yet: open one, or try a sample."
NO_SPACES = "No clusters yet: Find clusters groups the tasks that can use one schedule."
FINDING = "Looking at the design spaces of {count:,} tasks …"
COMPARING = "Comparing the design spaces of {count:,} tasks …"


class ClusterNotice(QWidget):
    """Says what is missing; `find_wanted` asks for the design spaces."""

    find_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.label = QLabel(NO_MODEL, alignment=Qt.AlignmentFlag.AlignCenter)
        self.label.setProperty("role", "muted")
        self.label.setWordWrap(True)
        self.button = QPushButton("&Find clusters")
        self.button.clicked.connect(self.find_wanted)
        self.setProperty("role", "surface")
        column = QVBoxLayout(self)
        column.addStretch()
        column.addWidget(self.label)
        column.addWidget(self.button, alignment=Qt.AlignmentFlag.AlignCenter)
        column.addStretch()

    def say(self, tasks: int, finding: bool, comparing: bool) -> None:
        """How far a project of so many tasks is."""
        text = NO_SPACES if tasks else NO_MODEL
        if comparing:
            text = COMPARING.format(count=tasks)
        elif finding:
            text = FINDING.format(count=tasks)
        self.label.setText(text)
        self.button.setVisible(bool(tasks) and not finding and not comparing)

    def say_problem(self, text: str) -> None:
        """Something went wrong; the button tries again."""
        self.label.setText(text)
        self.button.show()
