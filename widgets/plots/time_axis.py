"""A widget over an axis of time: zoom, pan, bars to step through, the text beside the pointer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QWheelEvent
from PySide6.QtWidgets import QApplication, QWidget

from widgets.look.theme import TEXT_PIXELS, tabular, theme, theme_notifier
from widgets.plots.readout import Readout
from widgets.plots.ticks import time_texts, time_ticks

Keys = dict[int, Callable[[], None]]
AHEAD = 1.03
SIDE, AXIS = 12.0, 22.0  # pixels beside the bars and below them
PIXELS_A_TICK = 90


class TimeAxis(QWidget):
    """Shows all of the time until a person zooms (wheel, + and -), and again after 0.

    What a person zoomed to never moves by itself. What is drawn, and where, is its heirs': they
    say where time is (`places`), what is under a point and what a click on it does.
    """

    def __init__(self, closest_s: float, name: str, room: QWidget) -> None:
        """`room` is where the text beside the pointer has room."""
        super().__init__(room)
        self._room = room
        self._span = TimeSpan(closest_s)
        self._pressed: QPointF | None = None
        self._dragged: QPointF | None = None
        self.readout = Readout(room)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAccessibleName(name)
        self.setFont(tabular(self.font(), TEXT_PIXELS - 1))
        theme_notifier().changed.connect(self._recolor)

    @property
    def range(self) -> tuple[float, float]:
        return self._span.range

    def fit(self) -> None:
        """All of the time in sight."""
        self._span.fit()
        self.update()

    @property
    def places(self) -> TimePlaces:
        raise NotImplementedError

    def text_at(self, at: QPointF) -> str:
        """What is told of a point."""
        raise NotImplementedError

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """+ - 0 zoom; the others are the heirs'."""
        keys: Keys = {
            Qt.Key.Key_Plus: lambda: self._zoom(0.5, self._middle()),
            Qt.Key.Key_Equal: lambda: self._zoom(0.5, self._middle()),
            Qt.Key.Key_Minus: lambda: self._zoom(2.0, self._middle()),
            Qt.Key.Key_0: self.fit,
            Qt.Key.Key_Left: lambda: self._step(-1),
            Qt.Key.Key_Right: lambda: self._step(1),
            Qt.Key.Key_Home: lambda: self._go(0),
            Qt.Key.Key_End: lambda: self._go(-1),
            **self._keys(),
        }
        if event.key() in keys:
            keys[event.key()]()
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a click or a drag; the release tells which."""
        if event.button() is Qt.MouseButton.LeftButton:
            self._pressed = self._dragged = event.position()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Tell what is under the pointer; drag."""
        at = event.position()
        if self._dragged is None or not event.buttons() & Qt.MouseButton.LeftButton:
            self._say(self.text_at(at), at)
        elif self._dragged is not self._pressed or self._is_far(at):
            self._move(at.x() - self._dragged.x())
            self._dragged = at
            self._say("", at)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End a drag, or pick what was clicked."""
        clicked = event.button() is Qt.MouseButton.LeftButton and not self._is_far(event.position())
        if self._pressed is not None and clicked:
            self._click(event.position())
        self._pressed = self._dragged = None

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom at the pointer; sideways moves."""
        turned = event.angleDelta()
        if abs(turned.x()) > abs(turned.y()):
            self._move(turned.x())
        else:
            self._zoom(2.0 ** (-turned.y() / 240), self.places.seconds_at(event.position().x()))
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.fit()

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under a pointer that has left."""
        super().leaveEvent(event)
        self._say("", QPointF())

    # What heirs say

    def _keys(self) -> Keys:
        return {}

    def _click(self, at: QPointF) -> None:
        """Choose what is at a point."""

    def _count(self) -> int:
        """How many bars the keyboard can step through."""
        raise NotImplementedError

    def _place(self) -> int | None:
        """On which of them it is."""
        raise NotImplementedError

    def _go_to(self, place: int) -> None:
        raise NotImplementedError

    # What they use

    @property
    def _seen(self) -> tuple[float, float, tuple[float, float]]:
        """What places are made of."""
        return self.width(), self.height(), self.range

    def _step(self, by: int) -> None:
        """To the bar before or after."""
        place = self._place()
        if place is None:
            self._go(0 if by > 0 else -1)
        else:
            self._go(max(place + by, 0))

    def _go(self, place: int) -> None:
        """To a bar, -1 for the last."""
        if last := self._count():
            self._go_to(min(place, last - 1) if place >= 0 else last - 1)

    def _is_far(self, at: QPointF) -> bool:
        """Whether a pointer that is here drags."""
        away = at - (self._pressed or at)
        return away.manhattanLength() >= QApplication.startDragDistance()

    def _tell(self, text: str, rect: QRectF) -> None:
        """Say what the keyboard has come to."""
        self.setAccessibleDescription(text.replace("\n", ", "))
        self._say(text, rect.center())

    def _middle(self) -> float:
        """The time that stays where it is when the keyboard zooms."""
        return sum(self._span.range) / 2

    def _zoom(self, factor: float, around_s: float) -> None:
        self._span.zoom(factor, around_s)
        self.update()

    def _move(self, pixels: float) -> None:
        self._span.move(-pixels / self.places.time_width)
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


@dataclass(frozen=True, slots=True)
class TimePlaces:
    """A widget of `width` x `height` pixels that shows the seconds of `range`, between a gutter on
    the left and an edge, over an axis."""

    width: float
    height: float
    range: tuple[float, float]
    left: ClassVar[float] = SIDE

    @property
    def time_width(self) -> float:
        """The pixels that the seconds in sight take."""
        return max(1.0, self.width - self.left - SIDE)

    @property
    def right(self) -> float:
        """Where the seconds in sight end."""
        return self.left + self.time_width

    @property
    def bottom(self) -> float:
        return self.height - AXIS

    def x(self, seconds: float) -> float:
        low, high = self.range
        return self.left + (seconds - low) / (high - low) * self.time_width

    def seconds_at(self, x: float) -> float:
        """The moment at a place."""
        low, high = self.range
        return low + (x - self.left) / self.time_width * (high - low)

    def ticks(self) -> list[tuple[float, str]]:
        """Round moments in sight, with what is written there."""
        values = time_ticks(*self.range, self.room_for_ticks)
        return list(zip(values, time_texts(values), strict=True))

    @property
    def room_for_ticks(self) -> int:
        return max(2, int(self.time_width / PIXELS_A_TICK))

    def paint_axis(self, painter: QPainter, top: float) -> None:
        """Lines from `top` down, and below them what is written there."""
        colors, metrics, bottom = theme(), QFontMetricsF(painter.font()), self.bottom
        for value, text in self.ticks():
            x = self.x(value)
            painter.setPen(colors.grid)
            painter.drawLine(QPointF(x, top), QPointF(x, bottom + 3))
            painter.setPen(colors.muted)
            width = metrics.horizontalAdvance(text) + 2
            left = min(max(x - width / 2, self.left), self.right - width)
            room = QRectF(left, bottom + 4, width, AXIS - 4)
            painter.drawText(room, int(Qt.AlignmentFlag.AlignHCenter), text)
        painter.setPen(colors.border)
        painter.drawLine(QPointF(self.left, bottom), QPointF(self.right, bottom))


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
