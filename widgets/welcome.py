"""What the workspace shows before a model is open: the next step, one press away."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QVBoxLayout, QWidget

COLUMNS = 3
WIDTH = 520


class Welcome(QWidget):
    """Buttons for opening files, samples and recent projects."""

    recent_wanted = Signal(str)

    def __init__(
        self,
        openers: Sequence[QAction],
        samples: Sequence[QAction],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setProperty("role", "surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        title = QLabel("Open a model, press Start, watch it get faster.")
        title.setProperty("role", "title")
        hint = QLabel("An .onnx or .tune file can also be dropped here.")
        hint.setProperty("role", "muted")
        self.openers = [_button(action) for action in openers]
        self.samples = [_button(action) for action in samples]
        self._recent_title = _heading("Recent projects")
        self._recent = QVBoxLayout()
        self._recent.setSpacing(4)
        box = QWidget()
        box.setMaximumWidth(WIDTH)
        column = QVBoxLayout(box)
        column.setSpacing(8)
        column.addWidget(title)
        column.addLayout(_grid(self.openers))
        column.addWidget(hint)
        column.addWidget(_heading("Samples"))
        column.addLayout(_grid(self.samples))
        column.addWidget(self._recent_title)
        column.addLayout(self._recent)
        outer = QVBoxLayout(self)
        outer.addStretch()
        outer.addWidget(box, alignment=Qt.AlignmentFlag.AlignHCenter)
        outer.addStretch(2)
        self.show_recent(())

    def show_recent(self, paths: Iterable[str]) -> None:
        """Offer these project files."""
        while (item := self._recent.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()
        for path in paths:
            button = QPushButton(f"{Path(path).name}    {Path(path).parent}")
            button.setToolTip(path)
            button.setAccessibleName(f"Open {path}")
            button.setProperty("role", "line")
            button.clicked.connect(lambda _=False, path=path: self.recent_wanted.emit(path))
            self._recent.addWidget(button)
        self._recent_title.setVisible(self._recent.count() > 0)


def _heading(text: str) -> QLabel:
    label = QLabel(text)
    label.setProperty("role", "muted")
    label.setContentsMargins(0, 8, 0, 0)
    return label


def _grid(buttons: Sequence[QPushButton]) -> QGridLayout:
    grid = QGridLayout()
    grid.setSpacing(4)
    for place, button in enumerate(buttons):
        grid.addWidget(button, *divmod(place, COLUMNS))
    return grid


def _button(action: QAction) -> QPushButton:
    """A button that does what `action` does, and is enabled with it."""
    text = action.text().removeprefix("Open sample: ").replace("&", "")
    button = QPushButton(text)
    button.setToolTip(action.toolTip())
    button.setAccessibleName(action.text().replace("&", ""))
    button.clicked.connect(action.trigger)
    button.setEnabled(action.isEnabled())
    action.changed.connect(lambda: button.setEnabled(action.isEnabled()))
    return button
