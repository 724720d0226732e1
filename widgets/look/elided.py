"""A line of text that ends with an ellipsis where it does not fit."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget


class ElidedLabel(QLabel):
    """Never widens what it is in; `text` is all of the text."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._whole = text
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._fit()

    def text(self) -> str:
        return self._whole

    def setText(self, text: str) -> None:
        """Show as much of it as fits."""
        self._whole = text
        self._fit()

    def sizeHint(self) -> QSize:
        margins = self.contentsMargins()
        metrics = self.fontMetrics()
        return QSize(
            metrics.horizontalAdvance(self._whole) + margins.left() + margins.right(),
            metrics.height() + margins.top() + margins.bottom(),
        )

    def minimumSizeHint(self) -> QSize:
        """No wider than it has to be, and always a line high."""
        return QSize(0, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        room, metrics = self.contentsRect().width(), self.fontMetrics()
        super().setText(metrics.elidedText(self._whole, Qt.TextElideMode.ElideRight, room))
