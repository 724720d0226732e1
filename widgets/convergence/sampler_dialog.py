"""How the sampler behind a belief went: where its walkers were at each step."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QVBoxLayout, QWidget

from engine.allocation.belief_series import BeliefQuestion, ChainSeries
from widgets.convergence.belief_job import ChainJob
from widgets.look.language import QT_TR_NOOP, tr
from widgets.look.theme import TEXT_PIXELS, blend, tabular, theme, theme_notifier
from widgets.parts.pieces import text_label
from widgets.plots.items import ThinCurve, hairline

WORKING = QT_TR_NOOP("Sampling …")
NO_CHAIN = QT_TR_NOOP(
    "There is no chain: the task has too few trials since its last jump, or no curve fits."
)
NO_SAMPLER = QT_TR_NOOP(
    "This belief is a formula and needs no sampler. The policy DynaTune (paper) draws curves: "
    "after a run of it the walkers of its sampler are here."
)
PAPERS_ACCEPTANCE = 0.54
PAPERS_STEPS = 100
AXIS_WIDTH = 56


def chain_text(series: ChainSeries) -> str:
    """Acceptance and convergence in a few words, with what the paper's appendix B has."""
    steps = ", ".join(
        f"{name} {count:.0f}"
        for name, count in zip(series.parameters, series.autocorrelation, strict=True)
    )
    _, walkers, count = series.values.shape
    return tr(
        "{family}, {walkers} walkers, {count} steps. Mean acceptance {acceptance} (the paper: "
        "{papers}). The first {skipped} steps are left out (the paper: converged after about "
        "{papers_steps}). Autocorrelation in steps: {steps}.",
        family=series.family,
        walkers=walkers,
        count=count,
        acceptance=f"{series.acceptance:.2f}",
        papers=f"{PAPERS_ACCEPTANCE:.2f}",
        skipped=series.burn_in,
        papers_steps=PAPERS_STEPS,
        steps=steps,
    )


def trace_of(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Walkers (walkers, steps) as one line with a gap after each walker: x, y."""
    walkers, steps = values.shape
    gap = np.full((walkers, 1), np.nan)
    y = np.concatenate([values, gap], axis=1).ravel()
    return np.tile(np.arange(steps + 1.0), walkers), y


class SamplerDialog(QDialog):
    """Draws the chain of one belief, a plot a parameter, once it was made again."""

    def __init__(self, question: BeliefQuestion, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._task = -1
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.series: ChainSeries | None = None
        self.text = text_label(tr(WORKING))
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.plots = pg.GraphicsLayoutWidget()
        self.plots.setAccessibleName(tr("Traces of the walkers"))
        self._traces: list[tuple[pg.PlotItem, ThinCurve, pg.InfiniteLine, str]] = []
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.close)
        layout = QVBoxLayout(self)
        for widget, stretch in ((self.text, 0), (self.plots, 1), (buttons, 0)):
            layout.addWidget(widget, stretch)
        self._job = ChainJob(self)
        self._job.ready.connect(self._show)
        self._job.failed.connect(lambda what, todo: self.text.setText(f"{what} {todo}"))
        theme_notifier().changed.connect(self._recolor)
        self._recolor()
        self.ask(question, name)

    def ask(self, question: BeliefQuestion, name: str) -> None:
        """Draw the chain of this task, called `name`; nothing where that is drawn already."""
        if question.task == self._task:
            return
        self._task = question.task
        self.setWindowTitle(tr("Sampler: {task}", task=name))
        self.series = None
        self._traces.clear()
        self.plots.clear()
        self.plots.setVisible(question.curves is not None)
        self.resize(640, 520 if question.curves else 120)
        self.text.setText(tr(WORKING if question.curves else NO_SAMPLER))
        if question.curves:
            self._job.ask(question)

    def reject(self) -> None:
        """Leave no thread behind; Qt calls this for Escape and for a close, too."""
        self._job.close()
        super().reject()

    def _show(self, series: ChainSeries | None) -> None:
        self.series = series
        self._traces.clear()
        self.plots.clear()
        if series is None:
            self.text.setText(tr(NO_CHAIN))
            return
        self.text.setText(chain_text(series))
        first: pg.PlotItem | None = None
        for row, (name, values) in enumerate(zip(series.parameters, series.values, strict=True)):
            plot = self._plot(row, name, values, series.burn_in)
            if first is not None:
                plot.setXLink(first)
            first = first or plot
        self._recolor()

    def _plot(self, row: int, name: str, values: np.ndarray, burn_in: int) -> pg.PlotItem:
        plot = self.plots.addPlot(row=row, col=0)
        plot.setMenuEnabled(False)
        plot.hideButtons()
        plot.ctrlMenu.setParent(self.plots, plot.ctrlMenu.windowFlags())
        plot.getAxis("left").setWidth(AXIS_WIDTH)
        plot.getAxis("left").enableAutoSIPrefix(False)
        curve, edge = ThinCurve(), pg.InfiniteLine(burn_in, angle=90)
        curve.setData(*trace_of(values))
        plot.addItem(curve)
        plot.addItem(edge)
        self._traces.append((plot, curve, edge, name))
        return plot

    def _recolor(self) -> None:
        colors, font = theme(), tabular(self.font(), TEXT_PIXELS - 1)
        self.plots.setBackground(colors.surface)
        for row, (plot, curve, edge, name) in enumerate(self._traces):
            curve.setPen(hairline(blend(colors.accent, colors.surface, 0.45)))
            edge.setPen(pg.mkPen(colors.text, width=1, dash=[4, 4]))
            for side in ("left", "bottom"):
                axis = plot.getAxis(side)
                axis.setPen(colors.border)
                axis.setTextPen(colors.muted)
                axis.setTickFont(font)
            style = {"color": colors.muted.name(), "font-size": f"{TEXT_PIXELS - 1}px"}
            plot.setLabel("left", name, **style)
            if row == len(self._traces) - 1:
                plot.setLabel("bottom", tr("step"), **style)
