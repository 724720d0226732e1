"""A ring round the part that has the keyboard, where the style sheet cannot draw one."""

from __future__ import annotations

import shiboken6
from PySide6.QtCore import QEvent, QObject, QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QRegion
from PySide6.QtWidgets import QApplication, QGraphicsView, QScrollArea, QSlider, QWidget

from widgets.look.theme import theme

WIDTH = 2
RINGED = "ringed"  # the property of other widgets that want one
_KINDS = (QGraphicsView, QScrollArea, QSlider)


class FocusRing(QObject):
    """Follows the keyboard through all windows of the application."""

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self._ring: _Ring | None = None
        app.focusChanged.connect(self._follow)

    def _follow(self, _before: QWidget | None, now: QWidget | None) -> None:
        ring, self._ring = self._ring, None
        if ring is not None and shiboken6.isValid(ring):
            ring.leave()
        if now is not None and (isinstance(now, _KINDS) or now.property(RINGED)):
            self._ring = _Ring(now)


class _Ring(QWidget):
    """Lies over `held` and lets everything through but its edge."""

    def __init__(self, held: QWidget) -> None:
        super().__init__(held)
        self._held = held
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        held.installEventFilter(self)
        self._fit()
        self.show()
        self.raise_()

    def leave(self) -> None:
        self.hide()
        self.deleteLater()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay as large as what it lies on."""
        if event.type() == QEvent.Type.Resize:
            self._fit()
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The edge; the mask leaves nothing else of it."""
        QPainter(self).fillRect(self.rect(), theme().accent)

    def _fit(self) -> None:
        whole = QRect(self._held.rect())
        self.setGeometry(whole)
        inside = whole.adjusted(WIDTH, WIDTH, -WIDTH, -WIDTH)
        self.setMask(QRegion(whole) - QRegion(inside))
