"""Latency against the limits of a search: a curve over r for each s."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, pairwise

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QBrush, QFont, QKeyEvent
from PySide6.QtWidgets import QWidget

from engine.records.schedule import IosOptions, TradeOff
from widgets.look.language import tr
from widgets.look.theme import TEXT_PIXELS, Theme, tabular, theme
from widgets.plots.items import LatencyPlot, hairline
from widgets.plots.plot_view import PlotView
from widgets.stages.words import describe_tradeoff

SYMBOLS = ("o", "s", "t1", "d", "t", "star", "p", "h")
POINT, RING = 9, 18
REACH = 14.0
SIDE, LABEL_PIXELS = 0.35, 64
CLOSE = 0.02  # of a latency: a flat picture of equal ones is not blown up


class TradeOffPlot(PlotView):
    """Draws what searches within smaller and larger limits find; the text of a point has the
    stages that each would measure."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("Latency by the limits r and s"), parent)
        self.plot = LatencyPlot(tr("latency"), with_progress=True)
        self.plot.progress.trials = True
        self.plot.vb.setMouseEnabled(x=False, y=False)
        self._add_plot(self.plot)
        self.points: tuple[TradeOff, ...] = ()
        self._options = IosOptions()
        self._chosen: int | None = None
        self._curves: list[pg.PlotDataItem] = []
        self._labels: list[pg.TextItem] = []
        self._ring = pg.ScatterPlotItem(pxMode=True, size=RING, symbol="o")
        self.plot.addItem(self._ring)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.plot.vb.sigResized.connect(self._fit)
        self._recolor()

    def show_points(self, points: Sequence[TradeOff], options: IosOptions) -> None:
        """Draw these; the one that was searched has a ring."""
        self.points = tuple(sorted(points, key=lambda point: (point.s, point.r)))
        self._options, self._chosen = options, None
        self._draw()

    def place_of(self, place: int) -> QPointF:
        """Where a point is, in coordinates of this widget."""
        x, y = self._on_screen()
        return self._place_of(float(x[place]), float(y[place]))

    def is_searched(self, place: int) -> bool:
        """Whether a point has the limits of the search."""
        point, options = self.points[place], self._options
        return (point.r, point.s) == (options.r, options.s)

    def labels(self) -> list[str]:
        """The names beside the curves."""
        return [label.toPlainText() for label in self._labels]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and right go from point to point, and tell of each."""
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        by = steps.get(Qt.Key(event.key()))
        if by is None or not self.points:
            super().keyPressEvent(event)
            return
        first = 0 if by > 0 else len(self.points) - 1
        place = first if self._chosen is None else self._chosen + by
        self._chosen = min(max(place, 0), len(self.points) - 1)
        text = self._describe(self._chosen)
        self.setAccessibleDescription(text.replace("\n", ", "))
        self.readout.say(text, self.place_of(self._chosen).toPoint())

    def _draw(self) -> None:
        for item in (*self._curves, *self._labels):
            self.plot.removeItem(item)
        self._curves, self._labels = [], []
        self._fit()
        groups = groupby(self.points, key=lambda point: point.s)
        curves = {s: list(group) for s, group in groups}
        for number, points in enumerate(curves.values()):
            self._draw_curve(number, len(curves) - 1 - number, points)
        for points in _together([points[-1] for points in curves.values()]):
            self._draw_label(points)
        searched = [point for place, point in enumerate(self.points) if self.is_searched(place)]
        self._ring.setData([p.r for p in searched], [p.latency_s for p in searched])

    def _draw_curve(self, number: int, over: int, points: list[TradeOff]) -> None:
        """A curve; of equal ones each leaves the `over` that are drawn over it room inside."""
        color = theme().category(number)
        curve = pg.PlotDataItem(
            [point.r for point in points],
            [point.latency_s for point in points],
            pen=hairline(color),
            symbol=SYMBOLS[number % len(SYMBOLS)],
            symbolSize=POINT + 3 * over,
            symbolPen=hairline(color),
            symbolBrush=QBrush(color),
        )
        self.plot.addItem(curve)
        self._curves.append(curve)

    def _draw_label(self, points: list[TradeOff]) -> None:
        """The name of one curve, or of several that end at one place."""
        first, last = points[0].s, points[-1].s
        names = tr("{first} to {last}", first=first, last=last) if len(points) > 1 else f"{first}"
        label = pg.TextItem(f"s = {names}", color=theme().text, anchor=(0, 0.5))
        label.setFont(tabular(self.font(), TEXT_PIXELS - 1))
        middle = sum(point.latency_s for point in points) / len(points)
        label.setPos(max(point.r for point in points) + 0.15, middle)
        self.plot.addItem(label)
        self._labels.append(label)

    def _fit(self, *_: object) -> None:
        """All in sight, with the names; latencies that hardly differ look as if they hardly did."""
        if not self.points:
            return
        latencies = [point.latency_s for point in self.points]
        limits = [point.r for point in self.points]
        middle = (min(latencies) + max(latencies)) / 2
        half = max((max(latencies) - min(latencies)) * 0.62, CLOSE * middle)
        first, last = min(limits) - SIDE, max(limits) + SIDE / 2
        width = max(self.plot.vb.width(), 3 * LABEL_PIXELS)
        last += LABEL_PIXELS * (last - first) / (width - LABEL_PIXELS)
        self.plot.vb.setXRange(first, last, padding=0)
        self.plot.progress.setTicks([[(float(r), str(r)) for r in sorted(set(limits))]])
        self.plot.vb.setYRange(middle - half, middle + half, padding=0)

    def _dress(self, colors: Theme, font: QFont) -> None:
        self.plot.name_axis(self.plot.progress, tr("r: operators a group, at most"), colors)
        self._ring.setPen(pg.mkPen(colors.text, width=2))
        self._ring.setBrush(QBrush())
        self._draw()

    def _describe(self, place: int) -> str:
        return describe_tradeoff(self.points[place], self.is_searched(place))

    def _on_screen(self) -> tuple[np.ndarray, np.ndarray]:
        r = np.array([point.r for point in self.points], np.float64)
        latency_s = np.array([point.latency_s for point in self.points], np.float64)
        x, y = self.plot.on_screen(r, latency_s)
        return x, y

    def _text_at(self, scene: QPointF) -> str:
        if not self.points or not self.plot.vb.sceneBoundingRect().contains(scene):
            return ""
        x, y = self._on_screen()
        away = np.hypot(x - scene.x(), y - scene.y())
        if away.min() > REACH:
            return ""
        near = [place for place in np.flatnonzero(away <= REACH) if away[place] - away.min() < 2.0]
        return "\n\n".join(self._describe(int(place)) for place in near)


def _together(ends: list[TradeOff]) -> list[list[TradeOff]]:
    """The ends of curves, those together that are so near that their names would overlap."""
    ordered = sorted(ends, key=lambda point: (point.latency_s, point.s))
    if not ordered:
        return []
    near = max(ordered[-1].latency_s - ordered[0].latency_s, CLOSE * ordered[0].latency_s) * 0.12
    groups = [[ordered[0]]]
    for before, point in pairwise(ordered):
        if point.latency_s - before.latency_s > near:
            groups.append([])
        groups[-1].append(point)
    return [sorted(group, key=lambda point: point.s) for group in groups]
