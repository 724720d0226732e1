"""The belief of the selected task over the plot of the tasks."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QPen

from engine.history.history import Floats
from widgets.convergence.belief_job import PlacedBelief
from widgets.look.theme import Theme
from widgets.plots.items import LatencyPlot, ThinCurve, hairline

BAND_ALPHA = 60
CATEGORY = 2
NOTHING = np.empty(0)
UNDER = -10
NOTE_SHARE = 0.5


class BeliefLayer:
    """Fitted curve, segment boundaries and band of one belief; a line of text in the corner."""

    def __init__(self, plot: LatencyPlot) -> None:
        self._plot = plot
        self._colors: Theme | None = None
        self.placed: PlacedBelief | None = None
        self._fit, self._mean = ThinCurve(), ThinCurve()
        self._fast, self._slow = ThinCurve(), ThinCurve()
        self._band = pg.FillBetweenItem(self._fast, self._slow)
        self._band.setZValue(UNDER)
        self._starts: list[pg.InfiniteLine] = []
        self._note = pg.TextItem(anchor=(1, 0))
        self._note.setParentItem(plot.vb)
        self.text = ""
        for item in (self._band, self._fast, self._slow, self._fit, self._mean):
            plot.addItem(item)
        plot.vb.sigResized.connect(self._place_note)

    def show(self, placed: PlacedBelief | None, text: str) -> None:
        """Draw a belief, or none; `text` says what it comes to."""
        self.placed, self.text = placed, text
        self._note.setVisible(bool(text))
        self._place_note()
        self.redraw()

    def redraw(self) -> None:
        """Draw the same again, for another scale."""
        placed = self.placed
        shown = placed is not None
        for item in (self._band, self._fast, self._slow, self._fit, self._mean):
            item.setVisible(shown)
        self._show_starts(placed.starts_x[1:] if placed else NOTHING)
        if placed is None:
            return
        up = self._plot.up
        self._fit.setData(placed.fit_x, up(placed.fit_y))
        self._mean.setData(placed.ahead_x, up(placed.mean_y))
        self._fast.setData(placed.ahead_x, up(placed.fast_y))
        self._slow.setData(placed.ahead_x, up(placed.slow_y))

    def latencies(self) -> Floats:
        """What should be in sight, in seconds."""
        placed = self.placed
        return NOTHING if placed is None else np.concatenate([placed.fit_y, placed.fast_y])

    def end(self) -> float:
        """How far the band goes along the axis."""
        return 0.0 if self.placed is None else float(self.placed.ahead_x[-1])

    def recolor(self, colors: Theme, font: QFont) -> None:
        self._colors = colors
        color = colors.categories[CATEGORY]
        soft = QColor(color)
        soft.setAlpha(BAND_ALPHA)
        self._band.setBrush(soft)
        self._fit.setPen(hairline(color))
        dashed = QPen(color, 1, Qt.PenStyle.DashLine)
        dashed.setCosmetic(True)
        self._mean.setPen(dashed)
        for edge in (self._fast, self._slow):
            edge.setPen(hairline(soft))
        self._note.setColor(colors.text)
        self._note.setFont(font)
        self._note.fill = pg.mkBrush(colors.surface)
        for line in self._starts:
            self._color_start(line)

    def _show_starts(self, places: Floats) -> None:
        while len(self._starts) < len(places):
            line = pg.InfiniteLine(angle=90)
            self._plot.addItem(line)
            self._color_start(line)
            self._starts.append(line)
        for row, line in enumerate(self._starts):
            line.setVisible(row < len(places))
            if row < len(places):
                line.setValue(float(places[row]))

    def _color_start(self, line: pg.InfiniteLine) -> None:
        if self._colors is not None:
            line.setPen(pg.mkPen(self._colors.categories[CATEGORY], width=1, dash=[2, 4]))

    def _place_note(self, *_: object) -> None:
        area = self._plot.vb.rect()
        self._note.setText(self.text)
        if self._note.boundingRect().width() > NOTE_SHARE * area.width():
            self._note.setText(self.text.partition(" (")[0])
        self._note.setPos(area.right() - 4, area.top() + 2)
