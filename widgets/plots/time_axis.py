"""A widget over an axis of time: zoom, pan, and the text beside the pointer."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QPainter, QWheelEvent
from PySide6.QtWidgets import QWidget

from widgets.look.theme import TEXT_PIXELS, tabular, theme, theme_notifier
from widgets.plots.readout import Readout

Keys = dict[int, Callable[[], None]]


class TimeAxis(QWidget):
    """Shows all of the time until a person zooms (wheel, + and -), and again after 0.

    What a person zoomed to never moves by itself. What is drawn, and where, is its heirs'.
    """

    def __init__(self, closest_s: float, name: str, room: QWidget) -> None:
        """`room` is where the text beside the pointer has room."""
        super().__init__(room)
        self._room = room
        self._span = TimeSpan(closest_s)
        self.readout = Readout(room)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAccessibleName(name)
        self.setFont(tabular(self.font(), TEXT_PIXELS - 1))
        theme_notifier().changed.connect(self._recolor)

    @property
    def range(self) -> tuple[float, float]:
        """The seconds in sight."""
        return self._span.range

    def fit(self) -> None:
        """All of the time in sight."""
        self._span.fit()
        self.update()

    def seconds_at(self, x: float) -> float:
        """The time at a place."""
        raise NotImplementedError

    def time_width(self) -> float:
        """The pixels that the seconds in sight take."""
        raise NotImplementedError

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom at the pointer; sideways moves."""
        turned = event.angleDelta()
        if abs(turned.x()) > abs(turned.y()):
            self._move(turned.x())
        else:
            self._zoom(2.0 ** (-turned.y() / 240), self.seconds_at(event.position().x()))
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """All of it again."""
        self.fit()

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under a pointer that has left."""
        super().leaveEvent(event)
        self._say("", QPointF())

    def _zoom_keys(self) -> Keys:
        return {
            Qt.Key.Key_Plus: lambda: self._zoom(0.5, self._middle()),
            Qt.Key.Key_Equal: lambda: self._zoom(0.5, self._middle()),
            Qt.Key.Key_Minus: lambda: self._zoom(2.0, self._middle()),
            Qt.Key.Key_0: self.fit,
        }

    def _middle(self) -> float:
        """The time that stays where it is when the keyboard zooms."""
        return sum(self._span.range) / 2

    def _zoom(self, factor: float, around_s: float) -> None:
        self._span.zoom(factor, around_s)
        self.update()

    def _move(self, pixels: float) -> None:
        self._span.move(-pixels / max(1.0, self.time_width()))
        self.update()

    def _say(self, text: str, at: QPointF) -> None:
        self.readout.raise_()
        self.readout.say(text, self.mapTo(self._room, at.toPoint()))

    def _recolor(self) -> None:
        self.readout.recolor()
        self.update()

    def _paint_focus(self, painter: QPainter) -> None:
        if self.hasFocus():
            painter.setPen(theme().accent)
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))


AHEAD = 1.03


class TimeSpan:
    """Seconds in sight, of 0 to a little more than `end_s`.

    What a person zoomed to stays whatever becomes of `end_s`; only `fit` shows all again.
    """

    def __init__(self, closest_s: float) -> None:
        """`closest_s`: it never shows fewer seconds than these."""
        self.end_s = 0.0
        self.closest_s = closest_s
        self._range: tuple[float, float] | None = None

    @property
    def range(self) -> tuple[float, float]:
        """The seconds in sight."""
        return self._range or (0.0, self._whole)

    def fit(self) -> None:
        """All of the time in sight."""
        self._range = None

    def zoom(self, factor: float, around_s: float) -> None:
        """Show `factor` times as many seconds; `around_s` stays where it is."""
        low, high = self.range
        width = min(max((high - low) * factor, self.closest_s), self._whole)
        start = around_s - (around_s - low) / (high - low) * width
        self.look_at(start, width)

    def move(self, share: float) -> None:
        """Go on by a share of what is in sight; all of it stays."""
        if self._range is not None:
            low, high = self._range
            self.look_at(low + share * (high - low), high - low)

    def look_at(self, start: float, width: float) -> None:
        """Show so many seconds from `start` on, or from as near as there are so many."""
        start = min(max(start, 0.0), max(0.0, self._whole - width))
        self._range = None if width >= self._whole * 0.999 else (start, start + width)

    def show(self, at_s: float) -> None:
        """Bring a moment into sight, in the middle where it was not."""
        low, high = self.range
        if not low <= at_s <= high:
            self.look_at(at_s - (high - low) / 2, high - low)

    @property
    def _whole(self) -> float:
        return max(self.end_s * AHEAD, self.closest_s)
