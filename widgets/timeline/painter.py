"""How the timeline of an inference is drawn."""

from __future__ import annotations

from collections.abc import Callable, Collection

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QPainter, QPen

from engine.history.inference import Bound, KernelRun
from engine.records.units import format_seconds
from widgets.look.language import tr
from widgets.look.theme import Theme, blend, text_on, theme
from widgets.plots.time_axis import AXIS
from widgets.timeline.places import GUTTER, TOP, WHOLE, Places

ROOM_FOR_NAME = 28.0
FAINT, PALE, HATCH = 0.62, 0.75, 0.45
Flag = Qt.AlignmentFlag


class InferencePainter:
    """Draws one picture in the colours in force.

    `color_of` gives a task's colour; where operators are `selected` all others are faint, and the
    `current` one has the keyboard's ring.
    """

    def __init__(
        self,
        painter: QPainter,
        places: Places,
        color_of: Callable[[int], QColor],
        selected: Collection[int],
        current: int | None,
    ) -> None:
        self._painter, self._places, self._color_of = painter, places, color_of
        self._selected, self._current = selected, current
        self._metrics = QFontMetricsF(painter.font())
        self._colors: Theme = theme()

    def paint(self) -> None:
        painter, places = self._painter, self._places
        self._names()
        painter.setClipRect(places.area.adjusted(0, 0, 0, AXIS))
        places.paint_axis(painter, TOP)
        self._whole()
        runs = [run for run in places.found.kernels if places.in_sight(run)]
        for run in runs:
            self._bar(run)
            self._share(run)
        self._gap()
        self._peak(any(run.share is not None for run in places.found.kernels))
        for run in runs:
            self._ring(run)
        painter.setClipping(False)

    def _names(self) -> None:
        places = self._places
        self._painter.setPen(self._colors.muted)
        for name, top, high in (
            (tr("Whole"), TOP, WHOLE),
            (tr("Kernels"), places.kernels_top, places.kernels_height),
            (tr("Of the peak"), places.peaks_top, places.peaks_height),
        ):
            room = QRectF(8, top, GUTTER - 12, high)
            self._painter.drawText(room, int(Flag.AlignVCenter), name)

    def _whole(self) -> None:
        rect = self._places.whole_rect()
        color = blend(self._colors.surface, self._colors.muted, 0.35)
        self._painter.fillRect(rect, color)
        text = format_seconds(self._places.found.measured.latency_s)
        inner = rect.adjusted(4, 0, -4, 0).intersected(self._places.area)
        if self._metrics.horizontalAdvance(text) <= inner.width():
            self._painter.setPen(self._colors.text)
            self._painter.drawText(inner, int(Flag.AlignVCenter), text)

    def _bar(self, run: KernelRun) -> None:
        rect, color = self._places.rect(run), self._color(run)
        self._painter.fillRect(rect, color)
        if rect.width() > 4:
            self._painter.setPen(blend(color, self._colors.text, 0.2))
            self._painter.drawRect(rect.adjusted(0, 0, -1, -1))
        inner = rect.adjusted(4, 1, -4, -1).intersected(self._places.area)
        if inner.width() > ROOM_FOR_NAME:
            name = run.name.removeprefix("fused_")
            text = self._metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, inner.width())
            self._painter.setPen(text_on(color))
            self._painter.drawText(inner, int(Flag.AlignVCenter), text)

    def _share(self, run: KernelRun) -> None:
        """Filled where arithmetic would be at its peak first, hatched where memory would."""
        rect, colors = self._places.share_rect(run), self._colors
        if rect.isEmpty():
            return
        color = colors.accent
        if self._is_faint(run):
            color = blend(color, colors.surface, FAINT)
        if run.bound is Bound.MEMORY:
            self._painter.fillRect(rect, blend(color, colors.surface, PALE))
            self._painter.fillRect(rect, QBrush(color, Qt.BrushStyle.BDiagPattern))
        else:
            self._painter.fillRect(rect, color)
        self._painter.setPen(color)
        self._painter.drawLine(rect.topLeft(), rect.topRight())

    def _gap(self) -> None:
        """What no kernel takes, hatched; a line at the whole's end where that is earlier."""
        places, colors, found = self._places, self._colors, self._places.found
        rect = places.gap_rect()
        if not rect.isEmpty():
            grey = blend(colors.surface, colors.muted, HATCH)
            self._painter.fillRect(rect, QBrush(grey, Qt.BrushStyle.BDiagPattern))
            self._painter.setPen(grey)
            self._painter.drawRect(rect.adjusted(0, 0, -1, -1))
            return
        x = places.x(found.measured.latency_s)
        self._painter.setPen(QPen(colors.text, 1, Qt.PenStyle.DashLine))
        self._painter.drawLine(QPointF(x, TOP), QPointF(x, places.bottom))

    def _peak(self, known: bool) -> None:
        places, colors = self._places, self._colors
        row = QRectF(places.left, places.peaks_top, places.time_width, places.peaks_height)
        if not known:
            self._painter.setPen(colors.muted)
            text = tr("The peaks of this device are not known here: measure again.")
            self._painter.drawText(row, int(Flag.AlignCenter | Qt.TextFlag.TextWordWrap), text)
            return
        self._painter.setPen(QPen(colors.warning, 1, Qt.PenStyle.DashLine))
        self._painter.drawLine(row.topLeft(), row.topRight())

    def _ring(self, run: KernelRun) -> None:
        rect = self._places.rect(run)
        self._painter.setBrush(Qt.BrushStyle.NoBrush)
        if run.operator in self._selected:
            self._painter.setPen(QPen(self._colors.text, 2))
            self._painter.drawRect(rect.adjusted(1, 1, -1, -1))
        if run.operator == self._current:
            self._painter.setPen(QPen(self._colors.accent, 2, Qt.PenStyle.DashLine))
            self._painter.drawRect(rect.adjusted(-1, -1, 1, 1))

    def _is_faint(self, run: KernelRun) -> bool:
        return bool(self._selected) and run.operator not in self._selected

    def _color(self, run: KernelRun) -> QColor:
        color = self._colors.muted if run.task is None else self._color_of(run.task)
        return blend(color, self._colors.surface, FAINT) if self._is_faint(run) else color
