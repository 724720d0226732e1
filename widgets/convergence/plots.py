"""The plots of the convergence view and what the pointer does in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QAction, QFont
from PySide6.QtWidgets import QWidget

from engine.allocation.belief_series import BeliefSeries
from engine.history.history import Floats, History
from engine.history.slot_log import SlotSpan
from widgets.convergence.belief_job import pace_of, place_belief
from widgets.convergence.hover import (
    convergence_sheet,
    describe_model,
    describe_task,
    describe_trial,
)
from widgets.convergence.panels import NO_MARKS, ModelPanel, TasksPanel
from widgets.look.language import QT_TR_NOOP
from widgets.look.theme import Theme
from widgets.plots.convergence_series import (
    Across,
    build_error_marks,
    build_trial_marks,
    changes,
    model_changes,
    progress_end,
)
from widgets.plots.plot_view import PlotView
from widgets.plots.step_set import NO_CURVES, StepSet
from widgets.plots.tools import PlotTools, fit_action

AHEAD, SLIGHTLY = 1.15, 1.02
MODEL = -1


class ConvergencePlots(PlotView):
    """Draws a history. `picked` carries a clicked task, `touched` tells of a pan or zoom."""

    picked = Signal(int)
    touched = Signal()

    def __init__(
        self,
        history: History,
        switches: Callable[[QWidget], list[QAction]] = lambda _: [],
        parent: QWidget | None = None,
    ) -> None:
        """`switches` makes the first actions of the menu, as children of a widget."""
        super().__init__("", parent)
        self._switches = switches
        self._history = history
        self._across = Across.SECONDS
        self._selected: int | None = None
        self._parts: dict[int, tuple[Floats, Floats]] = {}
        self._belief: BeliefSeries | None = None
        self._spans: tuple[SlotSpan, ...] = ()
        self._belief_text = ""
        self.model, self.tasks = ModelPanel(), TasksPanel()
        self.tools = PlotTools(
            self,
            QT_TR_NOOP("convergence"),
            lambda: convergence_sheet(self._history, self._selected),
            lambda: [*self._switches(self), fit_action(self, self.fit)],
        )
        self._add_plot(self.model.plot, 2)
        self._add_plot(self.tasks.plot, 3)
        self.tasks.plot.setXLink(self.model.plot)
        self._recolor()

    def forget(self) -> None:
        """Another project: nothing drawn so far holds."""
        self._parts = {}
        self._selected = None
        self.show_belief(None, (), "")

    def draw(self, changed: Iterable[int], reference_s: float | None) -> None:
        """Draw anew; only the curves of changed tasks are built anew."""
        history, end = self._history, progress_end(self._history, self._across)
        due = set(changed) if self._parts else {task.index for task in history.tasks}
        for task in due:
            self._parts[task] = changes(history, task, self._across)
        model = StepSet.of({MODEL: model_changes(history, self._across)}, end)
        self.model.show(model, history.untuned_s(), reference_s)
        self.tasks.show(StepSet.of(self._parts, end))
        self._draw_chosen(self._selected in due)
        self._draw_belief()

    def show_belief(
        self, series: BeliefSeries | None, spans: tuple[SlotSpan, ...], text: str
    ) -> None:
        """Draw what is believed of the selected task, or nothing, and what it comes to."""
        self._belief, self._spans, self._belief_text = series, spans, text
        self._draw_belief()

    def select(self, task: int | None) -> None:
        """Accent a task's curve and show its trials."""
        if task != self._selected:
            self._selected = task
            self._draw_chosen()

    def set_across(self, across: Across) -> None:
        """Count something else on the horizontal axis; `draw` is due after this."""
        self._across = across
        self._parts = {}
        for panel in (self.model, self.tasks):
            panel.plot.progress.trials = across is Across.TRIALS
            panel.ring(None)
        self._fit_across()

    def fit(self) -> None:
        """Everything in sight; across with room ahead, so that the axis rarely moves."""
        end = max(progress_end(self._history, self._across), self.tasks.belief.end())
        low, high = self.model.plot.vb.viewRange()[0]
        if low != 0.0 or not 0.5 * high < end <= high:
            self._fit_across()
        self.model.fit()
        self.tasks.fit()

    def _draw_chosen(self, anew: bool = True) -> None:
        """The selected task's curve up to now; its trials only where they are others."""
        history, task, across = self._history, self._selected, self._across
        if task is None or task not in self._parts:
            self.tasks.show_chosen(NO_CURVES, NO_MARKS, NO_MARKS)
            return
        curve = StepSet.of({task: self._parts[task]}, progress_end(history, across))
        if not anew:
            self.tasks.show_curve(curve)
            return
        self.tasks.show_chosen(
            curve,
            build_trial_marks(history, task, across),
            build_error_marks(history, task, across),
        )

    def _draw_belief(self) -> None:
        series, across = self._belief, self._across
        placed = None
        if series is not None and series.task == self._selected:
            pace = pace_of(self._history, series.task, self._spans, across)
            placed = place_belief(self._history, series, across, pace)
        self.tasks.belief.show(placed, self._belief_text)

    def _fit_across(self) -> None:
        end = progress_end(self._history, self._across)
        ahead = self.tasks.belief.end() * SLIGHTLY
        self.model.plot.vb.setXRange(0.0, max(end * AHEAD, ahead, 1.0), padding=0)

    def _dress(self, colors: Theme, font: QFont) -> None:
        self.model.recolor(colors, font)
        self.tasks.recolor(colors, font)

    def _touch(self, *_: object) -> None:
        self.touched.emit()

    def _text_at(self, scene: QPointF) -> str:
        """The exact values under the pointer."""
        self.model.ring(None)
        self.tasks.ring(None)
        if self.model.plot.vb.sceneBoundingRect().contains(scene):
            return self._hover_model(scene)
        inside = self.tasks.plot.vb.sceneBoundingRect().contains(scene)
        return self._hover_tasks(scene) if inside else ""

    def _hover_model(self, scene: QPointF) -> str:
        x = self.model.plot.across_at(scene)
        found = describe_model(self._history, self._across, x)
        if found is None or not 0 <= x <= progress_end(self._history, self._across):
            return ""
        self.model.ring((x, found[1]))
        return found[0]

    def _hover_tasks(self, scene: QPointF) -> str:
        for marks in (self.tasks.errors, self.tasks.trials):
            place = self.tasks.mark_at(scene, marks)
            if place is not None and self._selected is not None:
                self.tasks.ring((float(marks.x[place]), float(marks.y[place])))
                return describe_trial(self._history, self._selected, int(marks.numbers[place]))
        task = self.tasks.task_at(scene)
        if task is None:
            return ""
        x = self.tasks.plot.across_at(scene)
        found = describe_task(self._history, task, self._across, x)
        if found is None:
            return ""
        self.tasks.ring((x, found[1]))
        return found[0]

    def _click(self, event: pg.GraphicsScene.mouseEvents.MouseClickEvent) -> None:
        scene = event.scenePos()
        inside = self.tasks.plot.vb.sceneBoundingRect().contains(scene)
        if inside and event.button() is Qt.MouseButton.LeftButton:
            task = self.tasks.task_at(scene)
            if task is not None:
                self.picked.emit(task)
