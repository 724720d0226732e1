"""Parts of plots: curves that stay fast, and a plot of latencies in our look."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPainterPath, QPen, QTransform
from PySide6.QtWidgets import QGraphicsSceneWheelEvent, QStyleOptionGraphicsItem, QWidget

from engine.history.history import Floats, Ints
from engine.records.units import format_seconds
from widgets.look.theme import TEXT_PIXELS, Theme
from widgets.plots.axes import LatencyAxis, ProgressAxis
from widgets.plots.convergence_series import Steps
from widgets.plots.step_set import FEW, NO_CURVES, StepSet

AXIS_WIDTH = 64
HEADROOM = 0.06
UNDER_CURVES = -200


class ThinCurve(pg.PlotCurveItem):  # type: ignore[misc]
    """Upright and level lines, one pixel wide; antialiasing would only blur them."""

    def __init__(self) -> None:
        super().__init__(antialias=False, connect="finite")


class BoldCurve(ThinCurve):
    """Drawn twice, a pixel apart: bold, and far faster than a wide pen."""

    def paint(self, p: QPainter, opt: QStyleOptionGraphicsItem, widget: QWidget) -> None:
        """The curve, and again a pixel below and to the right."""
        paint_wide(p, 2, lambda: super(BoldCurve, self).paint(p, opt, widget))


class StepCurves(pg.GraphicsObject):  # type: ignore[misc]
    """Step curves of a LatencyPlot, of which only what a pixel can show is drawn.

    A `bold` one is drawn twice, a pixel apart.
    """

    def __init__(self, plot: LatencyPlot, bold: bool = False) -> None:
        super().__init__()
        self._plot, self._bold = plot, bold
        self.curves = NO_CURVES
        self._pen = QPen(Qt.PenStyle.NoPen)
        self._drawn: Steps | None = None
        self._path = QPainterPath()
        plot.addItem(self)

    def show_curves(self, curves: StepSet) -> None:
        """Draw these, in seconds; also after a change of scale."""
        self.curves, self._drawn = curves, None
        self.update()

    def set_pen(self, pen: QPen) -> None:
        """Take a colour of the theme."""
        self._pen = pen
        self.update()

    @property
    def drawn(self) -> Steps:
        """The vertices that tell at the present zoom."""
        if self._drawn is None:
            (left, right), (low, high) = self._plot.vb.viewRange()
            area = self._plot.vb.boundingRect()
            scale = max(area.height(), 1.0) / (high - low)

            def row_of(latency_s: Floats) -> Ints:
                rows: Ints = np.rint((self._plot.up(latency_s) - low) * scale).astype(np.int64)
                return rows

            self._drawn = self.curves.seen(left, right, max(round(area.width()), 1), row_of)
            self._path = pg.functions.arrayToQPath(
                self._drawn.x, self._plot.up(self._drawn.y), connect="finite"
            )
        return self._drawn

    def boundingRect(self) -> QRectF:
        rect: QRectF = self.viewRect()
        return rect

    def viewTransformChanged(self) -> None:
        """Another part is in sight."""
        self.prepareGeometryChange()
        if len(self.curves.x) > FEW:
            self._drawn = None
        super().viewTransformChanged()

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionGraphicsItem,
        widget: QWidget | None = None,
    ) -> None:
        if len(self.drawn.x):
            painter.setPen(self._pen)
            paint_wide(painter, 2 if self._bold else 1, lambda: painter.drawPath(self._path))


class LevelLine:
    """A named latency as a dashed line across a plot."""

    def __init__(self, plot: LatencyPlot, name: str, at: float = 0.995) -> None:
        """`at` is where its label ends, as a part of the width."""
        self._plot = plot
        self.name = name
        self._line = pg.InfiniteLine(angle=0, label="", labelOpts={"position": at})
        self.latency_s: float | None = None
        plot.addItem(self._line)

    @property
    def text(self) -> str:
        """What its label says, nothing while there is no line."""
        return "" if self.latency_s is None else f"{self.name} {format_seconds(self.latency_s)}"

    def show(self, latency_s: float | None, below: bool) -> None:
        """Put it at a latency, its label below or above it; None removes it from sight."""
        self.latency_s = latency_s
        self._line.setVisible(latency_s is not None)
        if latency_s is not None:
            self._line.setValue(float(self._plot.up(np.array([latency_s]))[0]))
            self._line.label.anchors = [(1, 0 if below else 1)] * 2
            self._line.label.setFormat(self.text)

    def recolor(self, color: QColor, font: QFont) -> None:
        """Take a colour of the theme."""
        self._line.setPen(pg.mkPen(color, width=1, dash=[4, 4]))
        self._line.label.setColor(color)
        self._line.label.setFont(font)


class _AcrossBox(pg.ViewBox):  # type: ignore[misc]
    """The wheel zooms across, and upwards over that axis alone: a curve stays in sight."""

    def wheelEvent(self, event: QGraphicsSceneWheelEvent, axis: int | None = None) -> None:
        super().wheelEvent(event, axis=0 if axis is None else axis)


class AxisPlot(pg.PlotItem):  # type: ignore[misc]
    """A plot with an axis of any kind upwards, over progress unless another axis is given; its
    range stays as it is set."""

    def __init__(self, upwards: pg.AxisItem, across: ProgressAxis | None = None) -> None:
        self.upwards, self.progress = upwards, across or ProgressAxis("bottom")
        axes = {"left": upwards, "bottom": self.progress}
        super().__init__(viewBox=_AcrossBox(), axisItems=axes)
        self.setMenuEnabled(False)
        self.hideButtons()
        self.vb.disableAutoRange()
        upwards.setWidth(AXIS_WIDTH)
        upwards.enableAutoSIPrefix(False)
        for axis in (upwards, self.progress):
            axis.setZValue(UNDER_CURVES)

    def give_menu_to(self, owner: QWidget) -> None:
        """pyqtgraph leaves the menu of each plot without a parent, and so behind."""
        self.ctrlMenu.setParent(owner, self.ctrlMenu.windowFlags())

    def recolor(self, colors: Theme, font: QFont) -> None:
        """Axes and grid in the theme's colours."""
        for axis in (self.upwards, self.progress):
            axis.setPen(colors.border)
            axis.setTextPen(colors.muted)
            axis.setTickPen(hairline(colors.grid))
            axis.setTickFont(font)
            axis.setGrid(255)

    def name_axis(self, axis: pg.AxisItem, text: str, colors: Theme) -> None:
        """Say what an axis counts."""
        axis.setLabel(text, color=colors.muted.name(), **{"font-size": f"{TEXT_PIXELS - 1}px"})


class LatencyPlot(AxisPlot):
    """A plot of latencies over progress; it is given seconds and takes logarithms itself."""

    def __init__(self, title: str, with_progress: bool, across: ProgressAxis | None = None) -> None:
        self.latency = LatencyAxis("left")
        super().__init__(self.latency, across)
        self._title = title
        self.progress.setStyle(showValues=with_progress)
        if not with_progress:
            self.progress.setHeight(4)

    @property
    def log(self) -> bool:
        """Whether the axis is logarithmic."""
        return bool(self.latency.log)

    def up(self, latency_s: Floats) -> Floats:
        """Where latencies are on the axis."""
        return np.log10(np.maximum(latency_s, 1e-12)) if self.log else latency_s

    def set_log(self, log: bool) -> None:
        """Change the scale; the range in sight stays the same latencies."""
        if log == self.log:
            return
        low, high = self.vb.viewRange()[1]
        self.latency.log = log
        if log:
            high = max(high, 1e-9)
            bounds = np.log10([max(low, high * 1e-3), high])
        else:
            bounds = np.power(10.0, [low, high])
        self.vb.setYRange(*bounds, padding=0)
        self._redraw_axis()

    def fit_up(self, latencies_s: Floats) -> None:
        """Bring all these latencies into sight; a linear axis starts at zero."""
        finite = latencies_s[np.isfinite(latencies_s)]
        if not len(finite):
            return
        low, high = (float(self.up(finite).min()), float(self.up(finite).max()))
        low = low if self.log else 0.0
        room = max((high - low) * HEADROOM, 0.02 if self.log else high * HEADROOM)
        bounds = (low - room if self.log else 0.0, high + room)
        now = self.vb.viewRange()[1]
        if max(abs(a - b) for a, b in zip(bounds, now, strict=True)) > 0.01 * (high - low + room):
            self.vb.setYRange(*bounds, padding=0)

    def on_screen(self, x: Floats, latency_s: Floats) -> tuple[Floats, Floats]:
        """Scene coordinates of places in the plot."""
        (left, right), (low, high) = self.vb.viewRange()
        area = self.vb.sceneBoundingRect()
        across = area.left() + (x - left) / (right - left) * area.width()
        return across, area.bottom() - (self.up(latency_s) - low) / (high - low) * area.height()

    def across_at(self, scene: QPointF) -> float:
        """The progress at a place in the scene."""
        return float(self.vb.mapSceneToView(scene).x())

    def recolor(self, colors: Theme, font: QFont) -> None:
        """Axes, grid and title in the theme's colours."""
        super().recolor(colors, font)
        self.name_axis(self.latency, self._title, colors)

    def _redraw_axis(self) -> None:
        self.latency.picture = None
        self.latency.update()


def paint_wide(painter: QPainter, pixels: int, paint: Callable[[], None]) -> None:
    """Paint again and again, a pixel of the device apart, until hairlines are `pixels` wide."""
    ratio = painter.device().devicePixelRatio()
    transform = painter.worldTransform()
    for shift in range(max(round(pixels * ratio), 1)):
        by = shift / ratio
        painter.setWorldTransform(transform * QTransform.fromTranslate(by, by))
        paint()
    painter.setWorldTransform(transform)


def hairline(color: QColor) -> QPen:
    """A pen of one pixel at any zoom; wider pens are ten times slower."""
    pen = QPen(color, 1)
    pen.setCosmetic(True)
    return pen


def thin_cross() -> QPainterPath:
    """A symbol of two lines; pyqtgraph's own x is a solid shape."""
    path = QPainterPath()
    for x in (-0.5, 0.5):
        path.moveTo(x, -0.5)
        path.lineTo(-x, 0.5)
    return path
