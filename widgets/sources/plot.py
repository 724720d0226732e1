"""Gains by source as step areas, one on another, over tuning time or trials."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QBrush, QFont, QPainter, QPolygonF, QTransform
from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget

from engine.history.history import Floats
from engine.history.improvements import Improvements
from engine.records.trial import Source
from widgets.look.language import QT_TR_NOOP, tr
from widgets.look.theme import Theme, theme
from widgets.plots.axes import LatencyAxis
from widgets.plots.convergence_series import Across, level_steps
from widgets.plots.items import AxisPlot, hairline
from widgets.plots.plot_view import PlotView
from widgets.sources.look import source_brushes, source_color
from widgets.sources.series import (
    NOTHING,
    Stack,
    build_stack,
    describe_place,
    improvements_sheet,
    place_at,
)

AHEAD, HEADROOM = 1.04, 1.06
REACH = 12.0
DOT = 8


class GainAxis(LatencyAxis):
    """Seconds gained; where `log` is set, factors by their decimal logarithms."""

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        """Seconds with their unit, or factors."""
        if self.log:
            return [f"{10.0**value:.4g}x" for value in values]
        return super().tickStrings(values, scale, spacing)


class Band(pg.GraphicsObject):  # type: ignore[misc]
    """The area of one source. Its hatching keeps to the screen, whatever the zoom."""

    def __init__(self, source: Source) -> None:
        super().__init__()
        self.source = source
        self._area, self._edge = QPolygonF(), QPolygonF()

    def show_between(self, x: Floats, low: Floats, high: Floats, end: float) -> None:
        """Fill between two step curves over the same places."""
        above, below = level_steps(x, high, end), level_steps(x, low, end)
        self.prepareGeometryChange()
        self._edge = _polygon(above.x, above.y)
        self._area = _polygon(
            np.concatenate([above.x, below.x[::-1]]), np.concatenate([above.y, below.y[::-1]])
        )
        self.update()

    def boundingRect(self) -> QRectF:
        return self._area.boundingRect()

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionGraphicsItem,
        widget: QWidget | None = None,
    ) -> None:
        """Ground, hatching, and the upper edge as a line."""
        to_screen = painter.worldTransform()
        painter.save()
        painter.setWorldTransform(QTransform())
        painter.setPen(Qt.PenStyle.NoPen)
        for brush in source_brushes(self.source):
            painter.setBrush(brush)
            painter.drawPolygon(to_screen.map(self._area))
        painter.setPen(hairline(source_color(self.source)))
        painter.drawPolyline(to_screen.map(self._edge))
        painter.restore()


class ImprovementPlot(PlotView):
    """Draws Improvements. `picked` carries the trial of the clicked one."""

    picked = Signal(object)

    def __init__(self, name: Callable[[int], str], parent: QWidget | None = None) -> None:
        """`name` gives a task's name by its index."""
        super().__init__(tr("Gains by source"), parent)
        self._name = name
        self.axis = GainAxis("left")
        self.plot = AxisPlot(self.axis)
        self.found = NOTHING
        self.stack: Stack = build_stack(NOTHING, Across.SECONDS, False, 0.0)
        self._across = Across.SECONDS
        self._task: int | None = None
        self._offer(QT_TR_NOOP("sources"), lambda: improvements_sheet(self.found, self._name))
        self.bands = {source: Band(source) for source in Source}
        self._dots = pg.ScatterPlotItem(pxMode=True, size=DOT)
        self._pointer = pg.InfiniteLine(angle=90)
        self._arrange()
        self._recolor()

    def show_found(self, found: Improvements, across: Across, ratio: bool, end: float) -> None:
        """Draw these up to `end`; all in sight, unless a person has zoomed."""
        if (across, ratio) != (self._across, self.axis.log) or found.start_s is None:
            self.follow.setChecked(True)
        self.found, self._across, self.axis.log = found, across, ratio
        self.plot.progress.trials = across is Across.TRIALS
        self.axis.picture = self.plot.progress.picture = None
        self.stack = stack = build_stack(found, across, ratio, end)
        for source, band in self.bands.items():
            band.setVisible(source in stack.sources)
        for row, source in enumerate(stack.sources):
            low, high = stack.edges[row], stack.edges[row + 1]
            self.bands[source].show_between(stack.x, low, high, stack.end)
        if self.follow.isChecked():
            self.fit()
        self._name_axis()
        self._show_dots()

    def fit(self) -> None:
        """All of it in sight, and from now on."""
        super().fit()
        highest = float(self.stack.top.max()) if len(self.stack.x) else 0.0
        self.plot.vb.setXRange(0.0, max(self.stack.end * AHEAD, 1.0), padding=0)
        self.plot.vb.setYRange(0.0, highest * HEADROOM or 1e-3, padding=0)

    def select(self, task: int | None) -> None:
        self._task = task
        self._show_dots()

    def marked(self) -> list[int]:
        """The trials of the marked improvements."""
        return [item.trial for item in self.found.items if item.task == self._task]

    def place_of(self, number: int) -> QPointF:
        """Where an improvement, counted from 1, begins: in coordinates of this widget."""
        at = QPointF(float(self.stack.x[number]), float(self.stack.top[number]))
        return QPointF(self.mapFromScene(self.plot.vb.mapViewToScene(at)))

    def _arrange(self) -> None:
        self._add_plot(self.plot)
        for place, band in enumerate(self.bands.values()):
            band.setZValue(-place)  # an area of no height must not outline the one below it
        for item in (*self.bands.values(), self._pointer, self._dots):
            self.plot.addItem(item)
        self._pointer.hide()

    def _show_dots(self) -> None:
        own = [place for place, item in enumerate(self.found.items, 1) if item.task == self._task]
        self._dots.setData(self.stack.x[own], self.stack.top[own])

    def _name_axis(self) -> None:
        self.plot.name_axis(self.axis, tr("speed-up") if self.axis.log else tr("gained"), theme())

    def _dress(self, colors: Theme, font: QFont) -> None:
        self._name_axis()
        self._dots.setPen(hairline(colors.text))
        self._dots.setBrush(QBrush(colors.surface))
        self._pointer.setPen(pg.mkPen(colors.muted, width=1, dash=[2, 2]))
        for band in self.bands.values():
            band.update()

    def _text_at(self, scene: QPointF) -> str:
        place = self._place_at(scene)
        self._pointer.setVisible(place is not None)
        if place is None:
            return ""
        self._pointer.setValue(float(self.stack.x[place]))
        return describe_place(self.found, place, self._name)

    def _place_at(self, scene: QPointF) -> int | None:
        """The point that holds under the pointer, or begins just right of it."""
        if not len(self.stack.x) or not self.plot.vb.sceneBoundingRect().contains(scene):
            return None
        x = float(self.plot.vb.mapSceneToView(scene).x())
        pixel = float(self.plot.vb.viewPixelSize()[0])
        place = place_at(self.found, self._across, x + REACH / 2 * pixel)
        return place if place >= 0 and x <= self.stack.end + REACH * pixel else None

    def _pick_at(self, scene: QPointF) -> None:
        place = self._place_at(scene)
        if place:
            self.picked.emit(self.found.items[place - 1].trial)


def _polygon(x: Floats, y: Floats) -> QPolygonF:
    return QPolygonF([QPointF(a, b) for a, b in zip(x.tolist(), y.tolist(), strict=True)])
