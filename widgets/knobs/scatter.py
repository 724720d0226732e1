"""One knob against latency: a dot a trial over the knob's values, and the median of each."""

from __future__ import annotations

from html import escape

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, Signal
from PySide6.QtGui import QBrush, QFont
from PySide6.QtWidgets import QWidget

from engine.passes.knobs import NO_STUDY, KnobColumn, KnobStudy
from engine.records.words import harmless
from widgets.knobs.series import (
    best_rows,
    describe_trial,
    median_lines,
    scatter_x,
    study_sheet,
)
from widgets.look.language import QT_TR_NOOP, tr
from widgets.look.theme import Theme, theme
from widgets.plots.axes import LevelAxis
from widgets.plots.dots import Dots, square
from widgets.plots.items import BoldCurve, LatencyPlot, hairline
from widgets.plots.plot_view import PlotView
from widgets.plots.tools import log_action

DOT, BEST_DOT, RING = 4.0, 6.0, 13
REACH = 12.0


class ScatterPlot(PlotView):
    """Draws one knob of a study. `picked` carries the number of the clicked trial."""

    picked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("A knob against latency"), parent)
        self.axis = LevelAxis("bottom")
        self.plot = LatencyPlot(tr("latency"), True, self.axis)
        self.plot.set_log(True)
        self.plot.vb.setMouseEnabled(y=False)
        self.study: KnobStudy = NO_STUDY
        self.knob: KnobColumn | None = None
        self._x = np.empty(0)
        self._number: int | None = None
        self.log = log_action(self, True, self._set_log)
        self._offer(QT_TR_NOOP("knob"), lambda: study_sheet(self.study), self.log)
        self._dots, self._best = Dots(square(), DOT), Dots(square(), BEST_DOT)
        self._medians = BoldCurve()
        self._ring = pg.ScatterPlotItem(pxMode=True, size=RING, symbol="o")
        self._add_plot(self.plot)
        for item in (self._dots, self._best, self._medians, self._ring):
            self.plot.addItem(item)
        self._recolor()

    def show_knob(self, study: KnobStudy, knob: KnobColumn | None) -> None:
        """Draw a knob of a study; all of another one is in sight."""
        other = knob is None or self.knob is None or knob.name != self.knob.name
        self.study, self.knob = study, knob
        self._x = scatter_x(study, knob) if knob else np.full(len(study.numbers), np.nan)
        self.axis.texts = knob.texts if knob else ()
        self.axis.picture = None
        if other or self.follow.isChecked():
            self.fit()
        self._name_axis()
        self._draw()

    def fit(self) -> None:
        """All of it in sight, and from now on."""
        super().fit()
        self.plot.vb.setXRange(-0.6, max(len(self.axis.texts), 1) - 0.4, padding=0)
        self.plot.fit_up(self.study.latency_s)

    def choose(self, number: int | None) -> None:
        """Ring a trial."""
        self._number = number
        self._show_ring()

    def place_of(self, number: int) -> QPointF:
        """Where a trial is, in coordinates of this widget."""
        x, y = self.plot.on_screen(self._x, self.study.latency_s)
        row = int(np.flatnonzero(self.study.numbers == number)[0])
        return self._place_of(float(x[row]), float(y[row]))

    # Drawing

    def _draw(self) -> None:
        study, knob = self.study, self.knob
        medians = median_lines(study, knob) if knob else (np.empty(0), np.empty(0))
        self._medians.setData(medians[0], self.plot.up(medians[1]))
        latency = self.plot.up(study.latency_s)
        among = np.zeros(len(latency), bool)
        among[best_rows(study)] = True
        known = np.isfinite(self._x)
        for dots, rows in ((self._dots, known & ~among), (self._best, known & among)):
            dots.show_at(self._x[rows], latency[rows])
        self._show_ring()

    def _show_ring(self) -> None:
        own = np.flatnonzero(self.study.numbers == self._number)
        own = own[np.isfinite(self._x[own])]
        self._ring.setData(self._x[own], self.plot.up(self.study.latency_s[own]))

    def _name_axis(self) -> None:
        name = self.knob.name if self.knob else ""
        self.plot.name_axis(self.axis, escape(harmless(name)), theme())  # which takes HTML

    def _dress(self, colors: Theme, font: QFont) -> None:
        self._dots.recolor(None, colors.muted)
        self._best.recolor(None, colors.accent)
        self._medians.setPen(hairline(colors.text))
        self._ring.setPen(pg.mkPen(colors.text, width=2))
        self._ring.setBrush(QBrush())
        self._name_axis()

    # What a person does

    def _set_log(self, log: bool) -> None:
        self.plot.set_log(log)
        if self.follow.isChecked():
            self.fit()
        self._draw()

    def _row_at(self, scene: QPointF) -> int | None:
        if self.knob is None or not self.plot.vb.sceneBoundingRect().contains(scene):
            return None
        x, y = self.plot.on_screen(self._x, self.study.latency_s)
        away = np.hypot(x - scene.x(), y - scene.y())
        away = np.where(np.isnan(away), np.inf, away)
        row = int(np.argmin(away))
        return row if away[row] <= REACH else None

    def _text_at(self, scene: QPointF) -> str:
        row = self._row_at(scene)
        if row is None or self.knob is None:
            return ""
        return describe_trial(self.study, row, [self.knob])

    def _pick_at(self, scene: QPointF) -> None:
        row = self._row_at(scene)
        if row is not None:
            self.picked.emit(int(self.study.numbers[row]))
