"""Asks for the input shapes that a dynamic model leaves open."""

from __future__ import annotations

import re

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from engine.errors import ShapeError, TunewrightError
from engine.models.shapes import parse_shapes

_OFFER = re.compile(r"--shape\s+(\S+?=\S*?[^\s.])(?=\.?(?:\s|$))")


def suggested_shapes(error: TunewrightError) -> list[str]:
    """The forms NAME=1x?x? that an error proposes, one for each open input."""
    return [form for form in _OFFER.findall(error.todo) if not form.startswith("NAME=")]


class ShapeSheet(QDialog):
    """One line an input; `shapes_given` carries a dict of shapes that can be read.

    Not modal: the rest of the window stays usable.
    """

    shapes_given = Signal(dict)

    def __init__(
        self, error: TunewrightError, model_name: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Input shapes")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumWidth(460)
        title = QLabel(f"Which shapes shall {model_name} have?")
        title.setProperty("role", "title")
        reason = QLabel(error.what)
        reason.setTextFormat(Qt.TextFormat.PlainText)
        reason.setWordWrap(True)
        hint = QLabel("One input a line, such as images=1x3x640x640. Replace what is not a number.")
        hint.setProperty("role", "muted")
        hint.setWordWrap(True)
        self.lines = QPlainTextEdit("\n".join(suggested_shapes(error)))
        self.lines.setAccessibleName("Input shapes, one a line")
        self.lines.setPlaceholderText("NAME=1x3x224x224")
        self.lines.setTabChangesFocus(True)
        self.lines.setFixedHeight(96)
        self.lines.textChanged.connect(self._check)
        self.problem = QLabel()
        self.problem.setProperty("role", "error")
        self.problem.setWordWrap(True)
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Open | QDialogButtonBox.StandardButton.Cancel
        )
        self.buttons.accepted.connect(self._accept)
        self.buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        for widget in (title, reason, hint, self.lines, self.problem, self.buttons):
            layout.addWidget(widget)
        self._check()

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shapes as typed; ShapeError where a line is not one."""
        texts = [line for line in self.lines.toPlainText().splitlines() if line.strip()]
        if not texts:
            raise ShapeError("No shape is given yet.")
        return parse_shapes(texts)

    def _check(self) -> None:
        try:
            self.shapes()
        except TunewrightError as error:
            self.problem.setText(error.what)
            usable = False
        else:
            self.problem.setText("")
            usable = True
        self.buttons.button(QDialogButtonBox.StandardButton.Open).setEnabled(usable)

    def _accept(self) -> None:
        self.shapes_given.emit(self.shapes())
        self.accept()
