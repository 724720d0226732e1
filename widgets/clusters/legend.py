"""What the discs and lines of the clusters mean."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from widgets.clusters.items import SMALLEST, DotLook, Role, paint_dot
from widgets.look.language import QT_TR_NOOP, tr
from widgets.look.theme import TEXT_PIXELS, tabular, theme, theme_notifier

PADDING, GAP, LINE, SWATCH = 8.0, 12.0, 20.0, 18.0
ROOM_FOR_SIZES = 640
ENTRIES = (
    (Role.REPRESENTATIVE, QT_TR_NOOP("representative: tuned")),
    (Role.DEPENDANT, QT_TR_NOOP("dependant: takes its schedules")),
    (Role.ALONE, QT_TR_NOOP("on its own: tuned")),
)
SIZES = QT_TR_NOOP("area: share of latency")


class ClusterLegend(QWidget):
    """One line: a swatch and a word for each role; the sizes where there is room."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._with_sizes = True
        self._entries = tuple((role, tr(text)) for role, text in ENTRIES)
        self._sizes = tr(SIZES)
        self._font = tabular(self.font(), TEXT_PIXELS - 1)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        theme_notifier().changed.connect(self.update)

    def wanted_size(self, room: QSize) -> QSize:
        """The size for a view of this size."""
        self._with_sizes = room.width() >= ROOM_FOR_SIZES
        width = PADDING + sum(SWATCH + self._advance(text) + GAP for _, text in self._entries)
        width += self._advance(self._sizes) + PADDING if self._with_sizes else 0.0
        return QSize(min(round(width), room.width() - 16), round(LINE + PADDING))

    def paintEvent(self, event: QPaintEvent) -> None:
        """The discs at half their size."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(theme().border)
        painter.setBrush(theme().surface)
        painter.drawRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5))
        x, middle = PADDING, self.height() / 2
        for role, text in self._entries:
            painter.save()
            painter.translate(x + SMALLEST / 4 + 2, middle)
            painter.scale(0.5, 0.5)
            number = 0 if role is Role.ALONE else 1
            paint_dot(painter, QPointF(0, 0), DotLook(role, number), None)
            painter.restore()
            x = self._text(painter, x + SWATCH, text) + GAP
        if self._with_sizes:
            self._text(painter, x, self._sizes)

    def _text(self, painter: QPainter, x: float, text: str) -> float:
        width = self._advance(text)
        painter.setFont(self._font)
        painter.setPen(theme().muted)
        room = QRectF(x, 0, width + 2, self.height())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, text)
        return x + width

    def _advance(self, text: str) -> float:
        return QFontMetricsF(self._font).horizontalAdvance(text)
