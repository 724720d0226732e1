"""A button of two lines: what it does, and a few words about it."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QStyle, QStyleOption, QVBoxLayout

from widgets.look.elided import ElidedLabel


class LineButton(QAbstractButton):
    """The title is read out as the button's name, the rest as its description."""

    def __init__(self, title: str, text: str = "") -> None:
        super().__init__()
        self.setProperty("role", "card")
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.title, self.text_label = ElidedLabel(title), ElidedLabel(text)
        self.title.setProperty("role", "title")
        self.text_label.setProperty("role", "muted")
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 5, 10, 5)
        column.setSpacing(1)
        for label in (self.title, self.text_label):
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            column.addWidget(label)
        self.say(title, text)

    def say(self, title: str, text: str) -> None:
        """Show other words."""
        self.title.setText(title)
        self.text_label.setText(text)
        self.text_label.setVisible(bool(text))
        self.setAccessibleName(title)
        self.setAccessibleDescription(text)

    def sizeHint(self) -> QSize:
        """As high as its lines."""
        layout = self.layout()
        return layout.sizeHint() if layout is not None else super().sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The ground, by the style sheet; the labels draw themselves."""
        option = QStyleOption()
        option.initFrom(self)
        painter = QPainter(self)
        self.style().drawPrimitive(QStyle.PrimitiveElement.PE_Widget, option, painter, self)

    def minimumSizeHint(self) -> QSize:
        """As high as its lines, and as narrow as it has to be."""
        return QSize(120, self.sizeHint().height())
