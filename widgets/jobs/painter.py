"""How the queue's timeline is drawn."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QPainter, QPen

from engine.records.outstanding import StageKind
from engine.records.stage import StageSpan
from widgets.jobs.places import GUTTER, NARROWEST, ROOM_BETWEEN, TOP, JobPlaces
from widgets.jobs.spans import Bars, SpanColumns
from widgets.jobs.words import brief_word, kind_pattern, lane_name
from widgets.look.theme import Theme, blend, text_on, theme

ROOM_FOR_WORD, ROOM_FOR_PATTERN, NAMED_HEIGHT = 24.0, 5.0, 11.0
FAINT, HATCH = 0.62, 0.4
RUNNING_EDGE = 3.0
Flag = Qt.AlignmentFlag


class JobPainter:
    """Draws the parts of one picture. Where a job is `selected` all others are faint."""

    def __init__(
        self,
        painter: QPainter,
        places: JobPlaces,
        spans: SpanColumns,
        color_of: Callable[[int | str], QColor],
        now_s: float,
        selected: int | str | None,
    ) -> None:
        self._painter, self._places, self._spans = painter, places, spans
        self._color_of, self._now_s, self._selected = color_of, now_s, selected
        self._metrics = QFontMetricsF(painter.font())
        self._colors: Theme = theme()
        self._known: dict[int | str, QColor] = {}
        self._words: dict[StageKind, tuple[str, float]] = {}

    def paint(self) -> None:
        painter, places = self._painter, self._places
        for place in range(len(places.lanes)):
            self._lane(place)
        places.paint_axis(painter, TOP)
        area = QRectF(places.left, 0, places.time_width, places.bottom)
        painter.setClipRect(area)
        for place, lane in enumerate(places.lanes):
            self._bars(place, lane.cut(*places.range, places.time_width))
        painter.setClipping(False)

    def ring(self, rect: QRectF) -> None:
        """Mark the bar that the keyboard is on."""
        self._painter.setBrush(Qt.BrushStyle.NoBrush)
        self._painter.setPen(QPen(self._colors.text, 2))
        self._painter.drawRect(rect.adjusted(-1, -1, 1, 1))

    def _lane(self, place: int) -> None:
        band, lane = self._places.lane_rect(place), self._places.lanes[place]
        painter, colors = self._painter, self._colors
        painter.fillRect(band, blend(colors.surface, colors.muted, 0.08))
        painter.setPen(colors.muted)
        room = QRectF(8, band.top(), GUTTER - 14, band.height())
        name = self._metrics.elidedText(
            lane_name(lane.name, lane.cores), Qt.TextElideMode.ElideMiddle, room.width()
        )
        painter.drawText(room, int(Flag.AlignVCenter), name)

    def _bars(self, place: int, bars: Bars) -> None:
        places, lane = self._places, self._places.lanes[place]
        band = places.lane_rect(place)
        core = band.height() / lane.cores
        low, high = places.range
        scale = places.time_width / (high - low)
        ends = np.minimum(bars["end_s"], self._now_s)
        lefts = places.left + (bars["start_s"] - low) * scale
        widths = np.maximum((ends - bars["start_s"]) * scale, NARROWEST)
        tops = band.top() + bars["top"] * core
        highs = np.maximum(bars["high"] * core - (core > ROOM_BETWEEN), 1.0)
        parts = (lefts, tops, widths, highs, bars["span"], np.isinf(bars["end_s"]))
        thin: dict[int | str, list[QRectF]] = {}
        wide: list[tuple[QRectF, StageSpan, bool]] = []
        for x, y, width, height, number, goes_on in zip(*(p.tolist() for p in parts), strict=True):
            if width < ROOM_FOR_PATTERN and not goes_on:
                thin.setdefault(self._spans.job(number), []).append(QRectF(x, y, width, height))
            else:
                wide.append((QRectF(x, y, width, height), self._spans[number], goes_on))
        self._painter.setPen(Qt.PenStyle.NoPen)
        for job, rects in thin.items():
            self._painter.setBrush(self._color(job))
            self._painter.drawRects(rects)
        for rect, span, goes_on in wide:
            self._wide_bar(rect, span, goes_on)

    def _wide_bar(self, rect: QRectF, span: StageSpan, goes_on: bool) -> None:
        color = self._color(span.job)
        self._painter.fillRect(rect, color)
        if rect.width() >= ROOM_FOR_PATTERN:
            self._inside(rect, color, span)
        if goes_on:
            edge = QRectF(rect.right() - RUNNING_EDGE, rect.top(), RUNNING_EDGE, rect.height())
            self._painter.fillRect(edge, self._colors.text)

    def _inside(self, rect: QRectF, color: QColor, span: StageSpan) -> None:
        """The kind of stage: its word with the task where there is room, its word, or its hatch."""
        painter = self._painter
        seen = rect.intersected(QRectF(self._places.left, 0, self._places.time_width, 1e6))
        word, width = self._word(span.kind)
        if seen.width() >= max(width + 6, ROOM_FOR_WORD) and rect.height() >= NAMED_HEIGHT:
            inner = seen.adjusted(3, 0, -3, 0)
            whole = f"{word} {span.task.removeprefix('fused_')}" if span.task else word
            text = self._metrics.elidedText(whole, Qt.TextElideMode.ElideRight, inner.width())
            painter.setPen(text_on(color))
            painter.drawText(inner, int(Flag.AlignVCenter), text)
        else:
            pattern = kind_pattern(span.kind)
            if pattern is not Qt.BrushStyle.NoBrush:
                painter.fillRect(rect, QBrush(blend(color, text_on(color), HATCH), pattern))
        painter.setPen(blend(color, self._colors.text, 0.2))
        painter.drawLine(rect.topLeft(), rect.bottomLeft())

    def _word(self, kind: StageKind) -> tuple[str, float]:
        known = self._words.get(kind)
        if known is None:
            word = brief_word(kind)
            known = self._words[kind] = (word, self._metrics.horizontalAdvance(word))
        return known

    def _color(self, job: int | str) -> QColor:
        known = self._known.get(job)
        if known is None:
            faint = self._selected is not None and job != self._selected
            color = self._color_of(job)
            known = blend(color, self._colors.surface, FAINT) if faint else color
            self._known[job] = known
        return known
