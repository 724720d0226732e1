"""What stands where a picture will be: a sentence, and the button for the next step."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from widgets.look.language import QT_TR_NOOP, tr
from widgets.look.plain_label import PlainLabel
from widgets.parts.pieces import STRETCH, stacked

NO_MODEL = QT_TR_NOOP("No model yet: open one, or try a sample.")
OPEN, MEASURE = "open-model", "measure-again"
NEXT = {
    OPEN: QT_TR_NOOP("Open model…"),
    "start": QT_TR_NOOP("Start"),
    MEASURE: QT_TR_NOOP("Measure again"),
    "transfer": QT_TR_NOOP("Transfer…"),
    "droplet": QT_TR_NOOP("Droplet…"),
}


class Notice(QWidget):
    """Says what is missing; `find_wanted` asks for the next step.

    A notice without a button of its own says the window's action that is the next step:
    `action_wanted` carries it, and `said` tells that another one may be shown.
    """

    find_wanted = Signal()
    action_wanted = Signal(str)
    said = Signal()

    def __init__(self, button: str = "") -> None:
        super().__init__()
        self.action = ""
        self.label = PlainLabel(tr(NO_MODEL), alignment=Qt.AlignmentFlag.AlignCenter)
        self.label.setProperty("role", "muted")
        self.label.setWordWrap(True)
        self.label.setContentsMargins(24, 0, 24, 0)
        self.button = QPushButton(button or tr(NEXT[OPEN]))
        self.button.clicked.connect(self._press)
        self.setProperty("role", "surface")
        column = stacked(STRETCH, self.label, on=self)
        column.addWidget(self.button, alignment=Qt.AlignmentFlag.AlignCenter)
        column.addStretch()
        if not button:
            self.offer(tr(NO_MODEL), OPEN)

    def put(self, text: str, with_button: bool, allowed: bool = True) -> None:
        """Show a sentence; the button, and whether it can be pressed now."""
        self.label.setText(text)
        self.button.setVisible(with_button)
        self.button.setEnabled(allowed)

    def offer(self, text: str, action: str) -> None:
        """Show a sentence, and a button for the window's action that is the next step."""
        self.label.setText(text)
        if action != self.action:
            self.action = action
            self.button.setText(tr(NEXT[action]))
            self.said.emit()

    def text(self) -> str:
        return self.label.text()

    def _press(self) -> None:
        if self.action:
            self.action_wanted.emit(self.action)
        else:
            self.find_wanted.emit()
