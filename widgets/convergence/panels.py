"""The two plots of the convergence view: the model above, its tasks below."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF
from PySide6.QtGui import QBrush, QFont

from engine.history.history import Floats
from widgets.convergence.belief_layer import BeliefLayer
from widgets.look.language import tr
from widgets.look.theme import Theme, blend
from widgets.plots.convergence_series import Marks, Steps, nearest
from widgets.plots.dots import Dots, square
from widgets.plots.items import LatencyPlot, LevelLine, StepCurves, hairline, thin_cross
from widgets.plots.step_set import StepSet

NOTHING = np.empty(0)
NO_MARKS = Marks(NOTHING, NOTHING, np.empty(0, np.int64))
REACH = 12.0
POINT, CROSS, RING = 4, 8, 9
UNTUNED_AT = 0.7  # apart from the reference, whose line may be near


class ModelPanel:
    """The model's latency, the untuned start and the reference."""

    def __init__(self) -> None:
        self.plot = LatencyPlot(tr("model"), with_progress=False)
        self.plot.set_log(True)  # the untuned start is often a hundred times the end
        self.reference = LevelLine(self.plot, "ONNX Runtime")
        self.untuned = LevelLine(self.plot, tr("untuned"), UNTUNED_AT)
        self._curve = StepCurves(self.plot, bold=True)
        self._ring = _Ring(self.plot)

    @property
    def steps(self) -> Steps:
        return self._curve.curves.steps

    def show(self, curve: StepSet, untuned_s: float | None, reference_s: float | None) -> None:
        """Draw the curve and both lines."""
        self._curve.show_curves(curve)
        now_s = float(curve.y[-1]) if len(curve.y) else 0.0
        self.untuned.show(untuned_s, below=True)
        self.reference.show(reference_s, below=reference_s is not None and now_s > reference_s)

    def redraw(self) -> None:
        """Draw the same again, for another scale."""
        self.show(self._curve.curves, self.untuned.latency_s, self.reference.latency_s)
        self.ring(None)

    def fit(self) -> None:
        """All of it in sight, upwards."""
        lines = [self.untuned.latency_s, self.reference.latency_s]
        extra = [value for value in lines if value is not None]
        self.plot.fit_up(np.concatenate([self._curve.curves.y, extra]))

    def ring(self, at: tuple[float, float] | None) -> None:
        """Mark a place under the pointer."""
        self._ring.show(at)

    def recolor(self, colors: Theme, font: QFont) -> None:
        """Take the theme's colours; the plot has its own."""
        self._curve.set_pen(hairline(colors.text))
        self.reference.recolor(colors.categories[1], font)
        self.untuned.recolor(colors.muted, font)
        self._ring.recolor(colors)


class TasksPanel:
    """All tasks thin and faint, the selected one accented, with its trials."""

    def __init__(self) -> None:
        self.plot = LatencyPlot(tr("tasks"), with_progress=True)
        self.plot.set_log(True)
        self.trials = NO_MARKS
        self.errors = NO_MARKS
        self._others = StepCurves(self.plot)
        self._points = Dots(square(), POINT)
        self.plot.addItem(self._points)
        self._curve = StepCurves(self.plot, bold=True)
        self._crosses = Dots(thin_cross(), CROSS)
        self.plot.addItem(self._crosses)
        self.belief = BeliefLayer(self.plot)
        self._ring = _Ring(self.plot)

    @property
    def steps(self) -> Steps:
        """The curves of all tasks."""
        return self._others.curves.steps

    @property
    def chosen(self) -> Steps:
        """The curve of the selected task."""
        return self._curve.curves.steps

    def show(self, curves: StepSet) -> None:
        """Draw the curves of all tasks."""
        self._others.show_curves(curves)

    def show_curve(self, curve: StepSet) -> None:
        """Draw the selected task's curve."""
        self._curve.show_curves(curve)

    def show_chosen(self, curve: StepSet, trials: Marks, errors: Marks) -> None:
        """Draw the selected task's curve, its trials as points and its errors as crosses."""
        self.trials, self.errors = trials, errors
        self.show_curve(curve)
        self._points.show_at(trials.x, self.plot.up(trials.y))
        self._crosses.show_at(errors.x, self.plot.up(errors.y))

    def redraw(self) -> None:
        """Draw the same again, for another scale."""
        self.show(self._others.curves)
        self.show_chosen(self._curve.curves, self.trials, self.errors)
        self.belief.redraw()
        self.ring(None)

    def fit(self) -> None:
        """All curves in sight, upwards."""
        self.plot.fit_up(np.concatenate([self._others.curves.y, self.belief.latencies()]))

    def task_at(self, scene: QPointF) -> int | None:
        """The task whose curve is within reach of a place; the selected one wins a draw."""
        for curves, reach in ((self._curve, REACH / 2), (self._others, REACH)):
            steps, at = curves.drawn, (scene.x(), scene.y())
            place, distance = nearest(*self.plot.on_screen(steps.x, steps.y), at)
            if distance <= reach:
                return int(steps.owner[place])
        return None

    def mark_at(self, scene: QPointF, marks: Marks) -> int | None:
        """The place in `marks` of the one under the pointer."""
        if not len(marks.x):
            return None
        x, y = self.plot.on_screen(marks.x, marks.y)
        away: Floats = np.hypot(x - scene.x(), y - scene.y())
        place = int(np.argmin(away))
        return place if away[place] <= REACH / 2 else None

    def ring(self, at: tuple[float, float] | None) -> None:
        """Mark a place under the pointer."""
        self._ring.show(at)

    def recolor(self, colors: Theme, font: QFont) -> None:
        self._others.set_pen(hairline(blend(colors.muted, colors.surface, 0.5)))
        self._curve.set_pen(hairline(colors.accent))
        self._points.recolor(None, blend(colors.accent, colors.surface, 0.5))
        self._crosses.recolor(hairline(colors.error), None)
        self.belief.recolor(colors, font)
        self._ring.recolor(colors)


class _Ring:
    """A small circle round what the pointer is at."""

    def __init__(self, plot: LatencyPlot) -> None:
        self._plot = plot
        self._item = pg.ScatterPlotItem(pxMode=True, size=RING, symbol="o")
        plot.addItem(self._item)

    def show(self, at: tuple[float, float] | None) -> None:
        if at is None:
            self._item.clear()
        else:
            self._item.setData([at[0]], self._plot.up(np.array([at[1]])))

    def recolor(self, colors: Theme) -> None:
        self._item.setPen(hairline(colors.text))
        self._item.setBrush(QBrush())
