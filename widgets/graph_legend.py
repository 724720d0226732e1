"""What the colours and marks of the graph mean."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QLinearGradient, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from engine.tasks.task import TaskState
from widgets.states import state_color, state_label
from widgets.theme import TEXT_PIXELS, tabular, theme, theme_notifier
from widgets.units import format_share

RAMP_WIDTH, RAMP_HEIGHT = 120.0, 8.0
PADDING, GAP, LINE = 8.0, 12.0, 16.0
STOPS = 16
ROOM_FOR_STATES = 760
TITLE = "share of latency"


class GraphLegend(QWidget):
    """The ramp with its end, and the states where there is room for them."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._end = 1.0
        self._with_states = True
        self._font = tabular(self.font(), TEXT_PIXELS - 1)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        theme_notifier().changed.connect(self.update)
        self.hide()

    def set_end(self, share: float) -> None:
        """The share at the bright end of the ramp."""
        if share != self._end:
            self._end = share
            self.update()

    def wanted_size(self, room: QSize) -> QSize:
        """The size for a graph view of this size."""
        self._with_states = room.width() >= ROOM_FOR_STATES
        width = 2 * PADDING + self._ramp_width()
        if self._with_states:
            width += sum(GAP + self._advance(state_label(state)) for state in TaskState)
        return QSize(round(width), round(LINE + PADDING))

    def paintEvent(self, event: QPaintEvent) -> None:
        """One line: title, ramp between its ends, states."""
        painter = QPainter(self)
        colors = theme()
        painter.setFont(self._font)
        painter.setPen(colors.border)
        painter.setBrush(colors.surface)
        painter.drawRect(QRectF(self.rect()).adjusted(0, 0, -1, -1))
        x = self._paint_ramp(painter)
        if self._with_states:
            for state in TaskState:
                x += GAP
                painter.setPen(state_color(state))
                x = self._text(painter, x, state_label(state))

    def _paint_ramp(self, painter: QPainter) -> float:
        colors = theme()
        painter.setPen(colors.muted)
        x = self._text(painter, PADDING, f"{TITLE}  0 % ")
        bar = QRectF(x, (self.height() - RAMP_HEIGHT) / 2, RAMP_WIDTH, RAMP_HEIGHT)
        gradient = QLinearGradient(bar.topLeft(), QPointF(bar.right(), bar.top()))
        for stop in range(STOPS + 1):
            gradient.setColorAt(stop / STOPS, colors.ramp(stop / STOPS))
        painter.fillRect(bar, gradient)
        return self._text(painter, bar.right(), f" {format_share(self._end)}")

    def _ramp_width(self) -> float:
        texts = self._advance(f"{TITLE}  0 % ") + self._advance(f" {format_share(self._end)}")
        return texts + RAMP_WIDTH

    def _text(self, painter: QPainter, x: float, text: str) -> float:
        width = self._advance(text)
        room = QRectF(x, 0, width + 2, self.height())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, text)
        return x + width

    def _advance(self, text: str) -> float:
        return QFontMetricsF(self._font).horizontalAdvance(text)
