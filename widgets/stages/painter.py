"""How the stages' timeline is drawn."""

from __future__ import annotations

from collections.abc import Callable, Collection

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QPainter, QPen, QPolygonF

from engine.records.units import format_seconds
from widgets.look.language import tr
from widgets.look.theme import Theme, blend, text_on, theme
from widgets.plots.time_axis import AXIS
from widgets.stages.places import GUTTER, HEAD, TOP, Places
from widgets.stages.series import SEQUENTIAL_LANE, StageBar, StageColumn

ROOM_FOR_NAME, ROOM_FOR_COUNT = 44.0, 14.0
MARK = 6.0
FAINT = 0.62
HATCH = 0.35
Flag = Qt.AlignmentFlag


class StagePainter:
    """Draws the parts of one picture, in the colours in force.

    `color_of` and `name_of` are asked for operators; where some are `selected` all others are
    faint, and the `current` bar has the keyboard's ring.
    """

    def __init__(
        self,
        painter: QPainter,
        places: Places,
        color_of: Callable[[int], QColor],
        name_of: Callable[[int], str],
        selected: Collection[int],
        current: StageBar | None,
    ) -> None:
        self._painter, self._places = painter, places
        self._color_of, self._name_of = color_of, name_of
        self._selected, self._current = selected, current
        self._metrics = QFontMetricsF(painter.font())
        self._colors: Theme = theme()

    def paint(self, lane_word: str) -> None:
        painter, places = self._painter, self._places
        self._names(lane_word)
        painter.setClipRect(places.area.adjusted(0, 0, 0, AXIS))
        places.paint_axis(painter, TOP)
        columns = [c for c in places.timeline.columns if places.in_sight(c)]
        for column in columns:
            self._column(column)
        for column in columns:
            self._head(column)
        timeline = places.timeline
        bars = [bar for bar in (*timeline.sequential, *timeline.bars) if places.in_sight(bar)]
        for bar in bars:
            self._bar(bar)
        for bar in bars:
            self._rings(bar)
        self._end()
        painter.setClipping(False)

    def _names(self, lane_word: str) -> None:
        self._painter.setPen(self._colors.muted)
        names = {SEQUENTIAL_LANE: tr("Sequential")}
        for lane in range(self._places.timeline.lanes):
            names[lane] = f"{lane_word} {lane + 1}"
        for lane, name in names.items():
            room = QRectF(8, self._places.top_of(lane), GUTTER - 12, self._places.row)
            self._painter.drawText(room, int(Flag.AlignVCenter), name)
        room = QRectF(8, self._places.head, GUTTER - 12, HEAD)
        self._painter.drawText(room, int(Flag.AlignVCenter), tr("Stages"))

    def _column(self, column: StageColumn) -> None:
        """Every other stage is shaded, so that narrow ones can be told apart."""
        rect, colors = self._places.column_rect(column), self._colors
        if column.place % 2 == 0:
            self._painter.fillRect(rect, blend(colors.surface, colors.muted, 0.1))
        self._painter.setPen(colors.border)
        self._painter.drawLine(rect.topRight(), rect.bottomRight())

    def _head(self, column: StageColumn) -> None:
        """Number and latency; the latency alone, or nothing, where there is no room."""
        rect = self._places.head_rect(column).intersected(self._places.area)
        latency = format_seconds(column.latency_s)
        for text in (f"{column.place + 1}: {latency}", latency):
            if self._metrics.horizontalAdvance(text) + 6 <= rect.width():
                self._painter.setPen(self._colors.text)
                self._painter.drawText(rect, int(Flag.AlignCenter), text)
                return

    def _bar(self, bar: StageBar) -> None:
        painter, rect, color = self._painter, self._places.rect(bar), self._color(bar)
        painter.fillRect(rect, color)
        ink = text_on(color)
        if bar.merged:
            painter.fillRect(rect, QBrush(blend(color, ink, HATCH), Qt.BrushStyle.BDiagPattern))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(ink)
            corner, size = rect.topLeft(), min(MARK, rect.width())
            painter.drawPolygon(
                QPolygonF([corner, corner + QPointF(size, 0), corner + QPointF(0, size)])
            )
        if rect.width() > 4:
            painter.setPen(blend(color, self._colors.text, 0.2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(rect.adjusted(0, 0, -1, -1))
        if rect.width() > (ROOM_FOR_COUNT if bar.merged else ROOM_FOR_NAME):
            self._label(bar, rect, color)

    def _label(self, bar: StageBar, rect: QRectF, color: QColor) -> None:
        inner = rect.adjusted(MARK if bar.merged else 4, 1, -4, -1).intersected(self._places.area)
        name = self._name_of(bar.operators[0]).removeprefix("fused_")
        count = len(bar.operators)
        texts = _merged_texts(count, name) if bar.merged else ()
        fitting = (t for t in texts if self._metrics.horizontalAdvance(t) <= inner.width())
        middle = Qt.TextElideMode.ElideMiddle
        text = next(fitting, self._metrics.elidedText(name, middle, inner.width()))
        if bar.merged:  # the hatch would run through the letters
            width = self._metrics.horizontalAdvance(text)
            self._painter.fillRect(inner.adjusted(-1, 1, width + 1 - inner.width(), -1), color)
        self._painter.setPen(text_on(color))
        self._painter.drawText(inner, int(Flag.AlignVCenter), text)

    def _rings(self, bar: StageBar) -> None:
        rect = self._places.rect(bar)
        self._painter.setBrush(Qt.BrushStyle.NoBrush)
        if self._is_selected(bar):
            self._painter.setPen(QPen(self._colors.text, 2))
            self._painter.drawRect(rect.adjusted(1, 1, -1, -1))
        if bar == self._current:
            self._painter.setPen(QPen(self._colors.accent, 2, Qt.PenStyle.DashLine))
            self._painter.drawRect(rect.adjusted(-1, -1, 1, 1))

    def _end(self) -> None:
        """Where the schedule ends, with its sum where the sequential program goes on longer."""
        places, timeline = self._places, self._places.timeline
        if not timeline.columns:
            return
        x = places.x(timeline.schedule_s)
        pen = QPen(self._colors.text, 1, Qt.PenStyle.DashLine)
        self._painter.setPen(pen)
        self._painter.drawLine(QPointF(x, TOP), QPointF(x, places.bottom))
        text = tr("{time} in all", time=format_seconds(timeline.schedule_s))
        room = QRectF(x + 4, places.head, self._metrics.horizontalAdvance(text) + 2, HEAD)
        if room.right() <= places.area.right():
            self._painter.setPen(self._colors.text)
            self._painter.drawText(room, int(Flag.AlignVCenter), text)

    def _is_selected(self, bar: StageBar) -> bool:
        return any(operator in self._selected for operator in bar.operators)

    def _color(self, bar: StageBar) -> QColor:
        color = self._color_of(bar.operators[0])
        faint = bool(self._selected) and not self._is_selected(bar)
        return blend(color, self._colors.surface, FAINT) if faint else color


def _merged_texts(count: int, name: str) -> tuple[str, ...]:
    """What a merged bar says, the longest first."""
    return (
        tr("{count} merged: {name}", count=count, name=name),
        tr("{count} merged", count=count),
        f"{count}",
    )
