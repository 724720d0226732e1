"""The most important knobs side by side: each trial is a line through its values to its latency."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QResizeEvent
from PySide6.QtWidgets import QWidget

from engine.passes.knobs import NO_STUDY, KnobColumn, KnobStudy
from widgets.knobs.series import (
    best_rows,
    describe_trial,
    heights,
    latency_heights,
    lines,
    nearest_line,
    study_sheet,
)
from widgets.look.language import QT_TR_NOOP, tr
from widgets.look.theme import Theme, blend, theme
from widgets.plots.axes import LevelAxis, latency_text, log_ticks
from widgets.plots.items import AxisPlot, BoldCurve, ThinCurve, hairline
from widgets.plots.plot_view import PlotView

MOST_AXES, PIXELS_AN_AXIS, PIXELS_A_LABEL = 8, 84, 20
BEFORE, BEHIND, ABOVE = 0.5, 0.7, 0.06  # of an axis' room, of an axis' height
PALE = 0.35
REACH = 10.0


class ParallelPlot(PlotView):
    """Draws a study. `picked` carries the number of the clicked trial.

    It has as many knobs as there is room for, and always the chosen one; the last axis is latency.
    """

    picked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("Knobs side by side"), parent)
        self.axis = LevelAxis("bottom")
        self.plot = AxisPlot(LevelAxis("left"), self.axis)
        self.plot.upwards.setWidth(8)
        self.plot.vb.setMouseEnabled(y=False)
        self.plot.vb.setYRange(-ABOVE, 1.0 + ABOVE, padding=0)
        self.study: KnobStudy = NO_STUDY
        self.knobs: tuple[KnobColumn, ...] = ()
        self._chosen: KnobColumn | None = None
        self._number: int | None = None
        self._high = np.empty((0, 1))
        self._labels: list[pg.TextItem] = []
        self._offer(QT_TR_NOOP("knobs"), lambda: study_sheet(self.study))
        self._others, self._best, self._own = ThinCurve(), ThinCurve(), BoldCurve()
        self._add_plot(self.plot)
        for item in (self._others, self._best, self._own):
            self.plot.addItem(item)
        self._recolor()

    def show_knob(self, study: KnobStudy, knob: KnobColumn | None) -> None:
        """Draw a study, in which one knob is chosen."""
        self.study, self._chosen = study, knob
        self._lay_out()

    def fit(self) -> None:
        """All of it in sight, and from now on."""
        super().fit()
        self.plot.vb.setXRange(-BEFORE, len(self.knobs) + BEHIND, padding=0)

    def choose(self, number: int | None) -> None:
        """Draw the line of a trial over all others."""
        self._number = number
        self._show_own()

    def place_of(self, number: int, axis: int) -> QPointF:
        """Where a trial's line crosses an axis, in coordinates of this widget."""
        row = int(np.flatnonzero(self.study.numbers == number)[0])
        at = self.plot.vb.mapViewToScene(QPointF(float(axis), float(self._high[row, axis])))
        return self._place_of(at.x(), at.y())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """More room has more axes."""
        super().resizeEvent(event)
        if hasattr(self, "_own"):  # Qt resizes it while it is being made
            self._lay_out()

    # Drawing

    def _lay_out(self) -> None:
        most = min(max(self.width() // PIXELS_AN_AXIS - 1, 1), MOST_AXES)
        shown = self.study.knobs[:most]
        if self._chosen is not None and self._chosen not in shown:
            shown = (*shown[:-1], self._chosen)
        if shown != self.knobs or self.follow.isChecked():
            self.knobs = shown
            self.fit()
        any_trials = bool(len(self.study.numbers))
        self._high = heights(self.study, shown) if any_trials and shown else np.empty((0, 1))
        self._draw()

    def _draw(self) -> None:
        best = best_rows(self.study)[: len(self._high)]
        among = np.zeros(len(self._high), bool)
        among[best] = True
        self._others.setData(*lines(self._high[~among]))
        self._best.setData(*lines(self._high[among]))
        self._show_own()
        self._write(theme())

    def _show_own(self) -> None:
        own = self.study.numbers[: len(self._high)] == self._number
        self._own.setData(*lines(self._high[own]))

    def _write(self, colors: Theme) -> None:
        """Names below the axes, and values beside them where they have room."""
        for label in self._labels:
            self.plot.removeItem(label)
        self._labels = []
        font = self.axis.style["tickFont"] or self.font()
        room = self.plot.vb.width() / (len(self.knobs) + BEFORE + BEHIND)
        metrics, middle = QFontMetricsF(font), Qt.TextElideMode.ElideMiddle
        names = [*(knob.name for knob in self.knobs), tr("latency")] if len(self._high) else []
        self.axis.texts = tuple(metrics.elidedText(name, middle, room - 12) for name in names)
        self.axis.picture = None
        self.axis.update()
        if not names:
            return
        most = max(2, int(self.plot.vb.height() / PIXELS_A_LABEL))
        for place, knob in enumerate(self.knobs):
            last = len(knob.texts) - 1
            every = -(-len(knob.texts) // most)
            for code in range(0, last + 1, every):
                text = metrics.elidedText(knob.texts[code], middle, room / 2)
                self._label(place, code / last, text, font, colors)
        low, high = np.log10([self.study.latency_s.min(), self.study.latency_s.max()])
        ticks = np.array(log_ticks(float(low), float(high), most) or [float(low)])
        at = latency_heights(10.0**ticks, self.study.latency_s)
        for tick, y in zip(ticks.tolist(), at.tolist(), strict=True):
            self._label(len(self.knobs), y, latency_text(10.0**tick), font, colors)

    def _label(self, x: float, y: float, text: str, font: QFont, colors: Theme) -> None:
        ground = QColor(colors.surface)
        ground.setAlphaF(0.8)
        label = pg.TextItem(text, color=colors.text, anchor=(0.0, 0.5), fill=ground)
        label.setFont(font)
        label.setPos(x, y)
        self.plot.addItem(label)
        self._labels.append(label)

    def _dress(self, colors: Theme, font: QFont) -> None:
        self._others.setPen(hairline(blend(colors.surface, colors.muted, PALE)))
        self._best.setPen(hairline(colors.accent))
        self._own.setPen(hairline(colors.text))
        self._write(colors)

    # What a person does

    def _row_at(self, scene: QPointF) -> int | None:
        if not len(self._high) or not self.plot.vb.sceneBoundingRect().contains(scene):
            return None
        at = self.plot.vb.mapSceneToView(scene)
        found = nearest_line(self._high, float(at.x()), float(at.y()))
        if found is None or found[1] > REACH * float(self.plot.vb.viewPixelSize()[1]):
            return None
        return found[0]

    def _text_at(self, scene: QPointF) -> str:
        row = self._row_at(scene)
        return "" if row is None else describe_trial(self.study, row, self.knobs)

    def _pick_at(self, scene: QPointF) -> None:
        row = self._row_at(scene)
        if row is not None:
            self.picked.emit(int(self.study.numbers[row]))
