"""Model latency over tuning time, a curve each, with the time saved at a threshold."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QColor, QFont, QPen
from PySide6.QtWidgets import QWidget

from engine.replay.side_by_side import Contender, Verdict
from widgets.comparison.look import line_pen
from widgets.comparison.series import comparison_sheet, describe_contender, threshold_name
from widgets.look.language import QT_TR_NOOP, tr
from widgets.look.theme import Theme
from widgets.plots.convergence_series import Steps, level_steps, nearest
from widgets.plots.items import BoldCurve, LatencyPlot, LevelLine, ThinCurve, hairline
from widgets.plots.plot_view import PlotView
from widgets.plots.tools import log_action

REACH = 12.0
DOT = 9
AHEAD = 1.03


class ComparePlot(PlotView):
    """Draws contenders. `picked` carries the place of the clicked one."""

    picked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("Model latency over tuning time"), parent)
        self.plot = LatencyPlot(tr("model"), with_progress=True)
        self.plot.set_log(True)
        self._add_plot(self.plot)
        self.threshold = LevelLine(self.plot, "")
        self._contenders: Sequence[Contender] = ()
        self._verdict = Verdict(None, ())
        self._steps: list[Steps] = []
        self._colors: Sequence[QColor] = ()
        self._curves: list[ThinCurve] = []
        self._chosen: int | None = None
        self._bold = BoldCurve()
        self._saved = pg.PlotCurveItem()
        self._dots = pg.ScatterPlotItem(pxMode=True, size=DOT)
        for item in (self._saved, self._bold, self._dots):
            self.plot.addItem(item)
        self.log = log_action(self, True, self._set_log)
        self._offer(QT_TR_NOOP("comparison"), lambda: comparison_sheet(self._contenders), self.log)
        self._recolor()

    def show_verdict(self, verdict: Verdict, within: float, colors: Sequence[QColor]) -> None:
        """Draw all contenders and the threshold."""
        self._verdict = verdict
        self._contenders = [row.contender for row in verdict.rows]
        self._colors = colors
        self._steps = [level_steps(c.seconds, c.latency_s, c.end_s) for c in self._contenders]
        while len(self._curves) < len(self._steps):
            self._curves.append(ThinCurve())
            self.plot.addItem(self._curves[-1])
        self.threshold.name = threshold_name(verdict, within)
        self.threshold.show(verdict.threshold_s, below=False)
        if self.follow.isChecked():
            self.fit()
        self._draw()
        self._show_saved(verdict)

    def fit(self) -> None:
        """All of it in sight, and from now on."""
        super().fit()
        end_s = max((c.end_s for c in self._contenders), default=1.0)
        self.plot.vb.setXRange(0.0, max(end_s * AHEAD, 1.0), padding=0)
        if self._steps:
            self.plot.fit_up(np.concatenate([steps.y for steps in self._steps]))

    def choose(self, place: int | None) -> None:
        """Draw one of them bold."""
        self._chosen = place
        self._draw()

    def _draw(self) -> None:
        for place, curve in enumerate(self._curves):
            known = place < len(self._steps)
            curve.setVisible(known)
            if known:
                steps = self._steps[place]
                curve.setData(steps.x, self.plot.up(steps.y))
                curve.setPen(self._pen(place))
        chosen = self._chosen if self._chosen in range(len(self._steps)) else None
        self._bold.setVisible(chosen is not None)
        if chosen is not None:
            steps = self._steps[chosen]
            self._bold.setData(steps.x, self.plot.up(steps.y))
            self._bold.setPen(hairline(self._colors[chosen]))

    def _set_log(self, log: bool) -> None:
        self.plot.set_log(log)
        if self.follow.isChecked():
            self.fit()
        self._draw()
        self.threshold.show(self._verdict.threshold_s, below=False)
        self._show_saved(self._verdict)

    def _pen(self, place: int) -> QPen:
        return line_pen(self._colors[place], place, self._contenders[place].replayed)

    def _show_saved(self, verdict: Verdict) -> None:
        first, last = verdict.fastest, verdict.slowest
        saved = first is not None and last is not None and first is not last
        self._saved.setVisible(saved)
        there = [(place, row.reached_s) for place, row in enumerate(verdict.rows)
                 if np.isfinite(row.reached_s)]  # fmt: skip
        level = float(self.plot.up(np.array([verdict.threshold_s or 1.0]))[0])
        self._dots.setData(
            [time for _, time in there],
            [level] * len(there),
            brush=[self._colors[place] for place, _ in there],
            pen=QPen(Qt.PenStyle.NoPen),
        )
        if first is not None and last is not None and saved:
            self._saved.setData([first.reached_s, last.reached_s], [level, level])

    def _dress(self, colors: Theme, font: QFont) -> None:
        self.threshold.recolor(colors.text, font)
        self._saved.setPen(pg.mkPen(colors.text, width=3))

    def _at(self, scene: QPointF) -> int | None:
        if not self.plot.vb.sceneBoundingRect().contains(scene):
            return None
        away = [
            nearest(*self.plot.on_screen(steps.x, steps.y), (scene.x(), scene.y()))[1]
            for steps in self._steps
        ]
        place = int(np.argmin(away)) if away else 0
        return place if away and away[place] <= REACH else None

    def _text_at(self, scene: QPointF) -> str:
        place = self._at(scene)
        if place is None:
            return ""
        return describe_contender(self._contenders[place], self.plot.across_at(scene))

    def _pick_at(self, scene: QPointF) -> None:
        place = self._at(scene)
        if place is not None:
            self.picked.emit(place)
