"""What the workspace shows before a model is open: the next step, one press away."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QVBoxLayout,
    QWidget,
)

from widgets.look.language import plain, tr
from widgets.look.plain_label import PlainLabel
from widgets.parts.pieces import scrolled, stacked, surface, text_label
from widgets.window.recent_list import LineButton, Recent, RecentList

COLUMNS = 3
WIDTH = 760


class Welcome(QWidget):
    """What can be done here, samples, and recent projects.

    `recent_wanted` and `recent_forgotten` carry a project's path.
    """

    recent_wanted = Signal(str)
    recent_forgotten = Signal(str)

    def __init__(
        self,
        actions: Sequence[QAction],
        samples: Sequence[QAction],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("welcome")
        self.setProperty("role", "surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        title = PlainLabel(tr("Open a model, press Start, watch it get faster."))
        title.setProperty("role", "title")
        hint = PlainLabel(tr("A model or a .tune file can also be dropped here."))
        hint.setProperty("role", "muted")
        self.openers = [_button(action, action.toolTip()) for action in actions]
        self.samples = [_button(action, "") for action in samples]
        self._buttons = dict(zip((*actions, *samples), (*self.openers, *self.samples), strict=True))
        self.recents = RecentList()
        self.recents.wanted.connect(self.recent_wanted)
        self.recents.forgotten.connect(self.recent_forgotten)
        self._recent_title = _heading(tr("Recent projects"))
        column = QVBoxLayout()
        column.setSpacing(6)
        column.addWidget(title)
        column.addWidget(_heading(tr("What can I do here?")))
        column.addLayout(_grid(self.openers, 2))
        column.addWidget(hint)
        column.addWidget(self._recent_title)
        column.addWidget(self.recents)
        column.addWidget(_heading(tr("Samples")))
        column.addLayout(_grid(self.samples, COLUMNS))
        self._lay_out(column)
        self.show_recents(())

    def show_recents(self, recents: Sequence[Recent]) -> None:
        self.recents.show_recents(recents)
        self._recent_title.setVisible(bool(recents))
        self.recents.setVisible(bool(recents))

    def reveal(self, button: QWidget) -> None:
        self._area.ensureWidgetVisible(button)

    def button_of(self, action: QAction) -> LineButton | None:
        """The button that does what `action` does."""
        return self._buttons.get(action)

    def _lay_out(self, column: QVBoxLayout) -> None:
        box = QWidget()
        box.setMaximumWidth(WIDTH)
        box.setLayout(column)
        across, around = QHBoxLayout(), QVBoxLayout()
        across.addStretch(1)
        across.addWidget(box, 100)
        across.addStretch(1)
        around.setContentsMargins(16, 16, 16, 16)
        around.addStretch(1)
        around.addLayout(across)
        around.addStretch(2)
        self._area = scrolled(surface(around), across=True)
        stacked(self._area, on=self, margins=0)


def _heading(text: str) -> QLabel:
    return text_label(text, "muted", wraps=False, margins=(0, 10, 0, 0))


def _grid(buttons: Sequence[QWidget], columns: int) -> QGridLayout:
    grid = QGridLayout()
    grid.setSpacing(4)
    for place, button in enumerate(buttons):
        grid.addWidget(button, *divmod(place, columns))
    for column in range(columns):
        grid.setColumnStretch(column, 1)
    return grid


def _button(action: QAction, text: str) -> LineButton:
    """A button that does what `action` does, and is enabled with it."""
    button = LineButton(plain(action.iconText()), text)
    button.setAccessibleName(plain(action.text()))
    button.setToolTip(action.toolTip())
    button.clicked.connect(action.trigger)
    button.setEnabled(action.isEnabled())
    action.enabledChanged.connect(button.setEnabled)
    return button
