"""Droplet's path: latency over steps with the neighbours of each point, p-values below."""

from __future__ import annotations

import math

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, Signal
from PySide6.QtGui import QBrush, QColor, QFont, QPainterPath
from PySide6.QtWidgets import QWidget

from engine.history.history import Floats
from widgets.droplet.neighbours import LEVEL, OUTCOMES, Outcome
from widgets.droplet.series import Path, build_path, describe_tried, droplet_sheet
from widgets.droplet.tables import outcome_color
from widgets.look.language import QT_TR_NOOP, tr
from widgets.look.theme import Theme, theme
from widgets.parts.column_model import Array
from widgets.plots.items import AxisPlot, BoldCurve, LatencyPlot, hairline
from widgets.plots.plot_view import PlotView
from widgets.plots.tools import log_action

SURE = 1e-4
STEPS_HEIGHT = 36
_NEAR = 0.3  # decades: ticks that are nearer to the level than this would hide it
_PIXELS_A_TICK = 14


class PValueAxis(pg.AxisItem):  # type: ignore[misc]
    """p-values by their logarithms; surer ones are further down."""

    level = LEVEL

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        """The level, and round values apart from it."""
        shown = [math.log10(self.level)]
        near = max(_NEAR, abs(high - low) * _PIXELS_A_TICK / max(size, 1.0))
        for value in (0.0, math.log10(SURE), math.log10(0.01)):
            if all(abs(value - other) > near for other in shown):
                shown.append(value)
        return [(1.0, shown)]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        """Each as a plain number."""
        return [f"{10.0**value:.4g}" for value in values]


class PValuePlot(AxisPlot):
    """p-values over steps, with the level that counts as significant as a line."""

    def __init__(self) -> None:
        super().__init__(PValueAxis("left"))
        self.progress.trials = True
        self.progress.setHeight(STEPS_HEIGHT)
        self.vb.setMouseEnabled(y=False)
        self.vb.setYRange(math.log10(SURE) - 0.4, 0.4, padding=0)
        self._level = pg.InfiniteLine(math.log10(LEVEL), angle=0)
        self.addItem(self._level)

    def show_level(self, level: float) -> None:
        """Up to which p-value a gain is significant."""
        self.upwards.level = max(level, SURE)
        self.upwards.picture = None
        self._level.setValue(math.log10(self.upwards.level))

    def up(self, p_values: Floats) -> Floats:
        """Where p-values are on the axis; the surest are on its last tick."""
        return np.log10(np.maximum(p_values, SURE))

    def recolor(self, colors: Theme, font: QFont) -> None:
        """Axes, grid and the level in the theme's colours."""
        super().recolor(colors, font)
        self.name_axis(self.upwards, tr("p-value"), colors)
        self.name_axis(self.progress, tr("step"), colors)
        self._level.setPen(pg.mkPen(colors.warning, width=1, dash=[4, 4]))


NOTHING = build_path((), lambda _: math.nan)
SYMBOLS = {
    Outcome.ACCEPTED: "o",
    Outcome.PASSED_OVER: "t1",
    Outcome.UNSURE: "d",
    Outcome.SLOWER: "o",
    Outcome.OPEN: "s",
    Outcome.FAILED: "x",
}
POINT, BIG, ARROW, RING = 8, 10, 13, 17
REACH = 12.0
LEAST_ROOM, ROOM_BY_GAIN = 1.15, 2.0


def thin_arrow() -> QPainterPath:
    """A symbol that points up, of three lines; pyqtgraph's own is a pixel wide at this size."""
    path = QPainterPath()
    path.moveTo(0.0, 0.5)
    path.lineTo(0.0, -0.5)
    path.moveTo(-0.3, -0.15)
    path.lineTo(0.0, -0.5)
    path.lineTo(0.3, -0.15)
    return path


class DropletPlot(PlotView):
    """Draws a Path. `picked` carries the row of the clicked neighbour.

    Neighbours far slower than the path are drawn as arrows at the upper edge: in sight at their
    latency, they would leave no room for the path. Failed ones, which have none, are crosses there.
    """

    picked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("Droplet's path"), parent)
        self.plot = LatencyPlot(tr("latency"), with_progress=False)
        self.plot.set_log(True)
        self.plot.vb.setMouseEnabled(y=False)
        self.certainty = PValuePlot()
        self.path = NOTHING
        self._chosen: int | None = None
        self.log = log_action(self, True, self._set_log)
        self._offer(QT_TR_NOOP("droplet"), lambda: droplet_sheet(self.path), self.log)
        self._line = BoldCurve()
        self._begins = pg.ScatterPlotItem(pxMode=True, size=BIG, symbol="s")
        self._points = pg.ScatterPlotItem(pxMode=True)
        self._ps = pg.ScatterPlotItem(pxMode=True)
        self._rings = [pg.ScatterPlotItem(pxMode=True, size=RING, symbol="o") for _ in range(2)]
        self._arrange()
        self._recolor()

    def show_path(self, path: Path, anew: bool, level: float = LEVEL) -> None:
        """Draw a path; `anew`: all of it in sight, whatever a person looked at before."""
        self.path = path
        self.certainty.show_level(level)
        if anew:
            self._chosen = None
        if anew or self.follow.isChecked():
            self.fit()
        self._draw()

    def fit(self) -> None:
        """All of it in sight, and from now on."""
        super().fit()
        last = int(self.path.steps[-1]) if len(self.path.steps) else 1
        self.plot.vb.setXRange(-0.15, last + 0.3, padding=0)
        self.plot.fit_up(self._drawn_s())

    def choose(self, row: int | None) -> None:
        """Ring one of the neighbours."""
        self._chosen = row
        self._show_rings()

    def place_of(self, row: int) -> QPointF:
        """Where a neighbour is, in coordinates of this widget."""
        x, y = self._on_screen()
        return self._place_of(float(x[row]), float(y[row]))

    def beyond(self) -> Array:
        """A mask of those that are drawn at the upper edge."""
        mask: Array = self.path.latency_s > self._cap_s()
        return mask

    def _arrange(self) -> None:
        self._add_plot(self.plot, 5)
        self._add_plot(self.certainty, 3)
        self.certainty.setXLink(self.plot)
        for item in (self._line, self._begins, self._points, self._rings[0]):
            self.plot.addItem(item)
        for item in (self._ps, self._rings[1]):
            self.certainty.addItem(item)

    # Where things are

    def _cap_s(self) -> float:
        line = self.path.line_s[np.isfinite(self.path.line_s)]
        if not len(line):
            return math.inf
        room = max(LEAST_ROOM, 1.0 + ROOM_BY_GAIN * float(line.max() / line.min() - 1.0))
        return float(line.max()) * room

    def _drawn_s(self) -> Floats:
        line = self.path.line_s[np.isfinite(self.path.line_s)]
        return np.concatenate([line, self._seen_s()])

    def failed(self) -> Array:
        """A mask of those that failed."""
        mask: Array = self.path.codes == OUTCOMES.index(Outcome.FAILED)
        return mask

    def _seen_s(self) -> Floats:
        cap_s = self._cap_s()
        upper = cap_s if math.isfinite(cap_s) else math.nan
        return np.where(self.failed(), upper, np.minimum(self.path.latency_s, cap_s))

    def _on_screen(self) -> tuple[Floats, Floats]:
        x, y = self.plot.on_screen(self.path.places, self._seen_s())
        return x, y

    # Drawing

    def _draw(self) -> None:
        path = self.path
        line_s = path.line_s if np.isfinite(path.line_s).any() else NOTHING.line_s
        self._line.setData(path.line_x[: len(line_s)], self.plot.up(line_s))
        _put(self._begins, path.begin_x, self.plot.up(path.begin_s))
        known = np.isfinite(self._seen_s())
        p_values = path.p_values
        self._scatter(self._points, self.plot.up(self._seen_s()), known, self.beyond())
        nowhere = np.zeros(len(known), bool)
        self._scatter(self._ps, self.certainty.up(p_values), np.isfinite(p_values), nowhere)
        self._show_rings()

    def _scatter(self, item: pg.ScatterPlotItem, y: Floats, shown: Array, over: Array) -> None:
        rows = np.flatnonzero(shown)
        kinds = [OUTCOMES[self.path.codes[row]] for row in rows]
        colors = [outcome_color(kind) for kind in kinds]
        beyond = thin_arrow()
        item.setData(
            self.path.places[rows],
            y[rows],
            symbol=[
                beyond if over[row] else SYMBOLS[kind]
                for row, kind in zip(rows, kinds, strict=True)
            ],
            size=[
                ARROW if over[row] else _size(kind) for row, kind in zip(rows, kinds, strict=True)
            ],
            pen=[hairline(color) for color in colors],
            brush=[_brush(kind, color) for kind, color in zip(kinds, colors, strict=True)],
        )

    def _show_rings(self) -> None:
        row, path = self._chosen, self.path
        if row is None or not row < len(path.tried):
            for ring in self._rings:
                ring.clear()
            return
        own = slice(row, row + 1)
        _put(self._rings[0], path.places[own], self.plot.up(self._seen_s()[own]))
        _put(self._rings[1], path.places[own], self.certainty.up(path.p_values[own]))

    def _dress(self, colors: Theme, font: QFont) -> None:
        self._line.setPen(hairline(colors.text))
        self._begins.setPen(hairline(colors.text))
        self._begins.setBrush(colors.text)
        for ring in self._rings:
            ring.setPen(pg.mkPen(colors.accent, width=2))
            ring.setBrush(QBrush())
        self._draw()

    # What a person does

    def _set_log(self, log: bool) -> None:
        self.plot.set_log(log)
        if self.follow.isChecked():
            self.fit()
        self._draw()

    def _row_at(self, scene: QPointF) -> int | None:
        if not len(self.path.tried):
            return None
        if self.plot.vb.sceneBoundingRect().contains(scene):
            x, y = self._on_screen()
            away = np.hypot(x - scene.x(), y - scene.y())
        elif self.certainty.vb.sceneBoundingRect().contains(scene):
            x, _ = self._on_screen()
            away = np.abs(x - scene.x())
        else:
            return None
        away = np.where(np.isnan(away), np.inf, away)
        row = int(np.argmin(away))
        return row if away[row] <= REACH else None

    def _text_at(self, scene: QPointF) -> str:
        row = self._row_at(scene)
        return "" if row is None else describe_tried(self.path, row)

    def _pick_at(self, scene: QPointF) -> None:
        row = self._row_at(scene)
        if row is not None:
            self.picked.emit(row)


def _put(item: pg.ScatterPlotItem, x: Floats, y: Floats) -> None:
    """Only points that are somewhere: pyqtgraph warns of bounds that are none."""
    known = np.isfinite(y)
    item.setData(x[known], y[known])


def _size(outcome: Outcome) -> int:
    return BIG if outcome is Outcome.ACCEPTED else POINT


def _brush(outcome: Outcome, color: QColor) -> QBrush:
    filled = outcome is Outcome.ACCEPTED
    return QBrush(color) if filled else QBrush(theme().surface)
