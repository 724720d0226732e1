"""Convergence: the model's latency over time above, each task's best so far below."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QHideEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from engine.allocation.belief_series import BeliefQuestion, BeliefSeries, belief_question
from engine.allocation.policies.dynatune_paper import DynaTunePaper
from engine.history.history import History
from engine.history.open_project import OpenProject
from engine.history.slot_log import SlotSpan
from engine.records.events import Event, RunChanged, SlotStarted
from engine.records.formats import reference_of
from engine.records.settings import RunSettings
from engine.targets.known_peak import known_peak
from widgets.convergence.bar import ConvergenceBar
from widgets.convergence.belief_job import BeliefJob, belief_text
from widgets.convergence.hover import summary
from widgets.look.focus_ring import RINGED
from widgets.look.language import QT_TR_NOOP, tr
from widgets.parts.notice import NO_MODEL, OPEN, Notice
from widgets.parts.pieces import stacked
from widgets.parts.view import View
from widgets.plots.convergence_series import Across

if TYPE_CHECKING:
    from widgets.convergence.panels import ModelPanel, TasksPanel
    from widgets.convergence.plots import ConvergencePlots
    from widgets.convergence.sampler_dialog import SamplerDialog


NO_TRIALS = QT_TR_NOOP("No results yet: press Start to tune the model.")
PREPARE_MS = 400


class ConvergenceView(View):
    """Two plots with one horizontal axis. A range that a person chose never moves by itself.

    pyqtgraph takes a third of a second to import, so the plots are made when there is something
    to draw, or shortly after the window has been painted.
    """

    def __init__(self, project: OpenProject, parent: QWidget | None = None) -> None:
        super().__init__(project, parent)
        self.belief = BeliefKeeper(project, self)
        self.belief.changed.connect(self._show_belief)
        self._reference_s: float | None = None
        self._selected: int | None = None
        self._sampler: SamplerDialog | None = None
        self._changed: set[int] = set()
        self._made: ConvergencePlots | None = None
        self.bar = ConvergenceBar(self)
        self.notice = Notice()
        self._pages = QStackedWidget()
        self._pages.setProperty("role", "surface")
        self._pages.addWidget(self.notice)
        self._soon = QTimer(self, singleShot=True, interval=PREPARE_MS)
        self._soon.timeout.connect(lambda: self.plots)
        self._arrange()

    @property
    def plots(self) -> ConvergencePlots:
        """The plots, made at the first call."""
        if self._made is None:
            from widgets.convergence.plots import ConvergencePlots
            from widgets.plots.keys import PlotKeys

            self._made = ConvergencePlots(self._history, self.bar.actions_of)
            self._made.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            PlotKeys(self._made, self)
            self._made.picked.connect(self._pick)
            self._made.touched.connect(lambda: self.set_follow(False))
            self._pages.addWidget(self._made)
        return self._made

    # What is shown

    def show_project(self) -> None:
        """Show this project, all of it in sight."""
        self.belief.reset()
        self.plots.model.reference.name = reference_of(self.project.head.model_source)
        self._selected = None
        if self._sampler is not None:
            self._sampler.close()
        self.bar.allow_belief(False)
        self.bar.offer_sampler(self.belief.has_sampler)
        self._changed = set()
        if self._made is not None:
            self._made.forget()
        self.bar.follow.setChecked(True)
        self._refresh()

    def apply(self, events: Sequence[Event]) -> None:
        """Let curves grow; the range moves only while it follows."""
        self.belief.apply(events)
        if any(isinstance(event, SlotStarted | RunChanged) for event in events):
            self.bar.offer_sampler(self.belief.has_sampler)
        self._changed |= self.project.changed
        if self.project.changed or self._reference_s != self.project.head.reference_latency_s:
            self._refresh()

    def select_task(self, task: int | None) -> None:
        """Accent the task's curve and show its trials."""
        self._selected = task
        self.bar.allow_belief(task is not None)
        if self._made is not None:
            self._made.select(task)
        self.belief.select(task)
        self._turn_sampler()

    # What a person sets

    def set_across(self, across: Across) -> None:
        """Count seconds or trials on the horizontal axis; it shows all of them."""
        self.bar.show_across(across)
        self.plots.set_across(across)
        self._refresh()

    def set_follow(self, follow: bool) -> None:
        """Keep all of the run in sight from now on, or leave the range alone."""
        self.bar.follow.setChecked(follow)
        if follow and self._history.trial_count:
            self.plots.fit()

    def set_model_log(self, log: bool) -> None:
        """Choose the scale of the plot of the model."""
        self._set_log(self.plots.model, log)

    def set_tasks_log(self, log: bool) -> None:
        """Choose the scale of the plot of the tasks."""
        self._set_log(self.plots.tasks, log)

    def set_belief(self, wanted: bool) -> None:
        """Show what is believed of the selected task, or not."""
        self.bar.belief.setChecked(wanted)
        self.belief.want(wanted)

    def show_sampler(self) -> SamplerDialog | None:
        """Show how the sampler behind the selected task's belief went; None without a task."""
        question = self.belief.question()
        if question is None:
            return None
        from widgets.convergence.sampler_dialog import SamplerDialog

        if self._sampler is not None:
            self._sampler.close()
        self._sampler = dialog = SamplerDialog(question, self._task_name(question.task), self)
        dialog.destroyed.connect(self._forget_sampler)
        dialog.show()
        return dialog

    def _turn_sampler(self) -> None:
        """The dialog is of the selected task, as everything is."""
        if self._sampler is not None and self._sampler.isVisible():
            question = self.belief.question()
            if question is None:
                self._sampler.close()
            else:
                self._sampler.ask(question, self._task_name(question.task))

    def _forget_sampler(self) -> None:
        self._sampler = None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """T, M, L, F, B and S are the switches; up and down go from task to task; Escape clears."""
        keys: dict[int, Callable[[], None]] = {
            Qt.Key.Key_T: self.bar.other_axis,
            Qt.Key.Key_M: self.bar.model_log.toggle,
            Qt.Key.Key_L: self.bar.tasks_log.toggle,
            Qt.Key.Key_F: self.bar.follow.toggle,
            Qt.Key.Key_B: self.bar.belief.click,
            Qt.Key.Key_S: self.bar.sampler.click,
            Qt.Key.Key_Up: lambda: self._step(-1),
            Qt.Key.Key_Down: lambda: self._step(1),
            Qt.Key.Key_Escape: lambda: self._pick(None),
        }
        if event.key() in keys:
            keys[event.key()]()
        else:
            super().keyPressEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._made is None:
            self._soon.start()

    def hideEvent(self, event: QHideEvent) -> None:
        """Nothing is prepared for a view that is gone."""
        super().hideEvent(event)
        self._soon.stop()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Leave no thread behind."""
        self.belief.close()
        super().closeEvent(event)

    # How it is kept up

    def _arrange(self) -> None:
        self.bar.across_changed.connect(self.set_across)
        self.bar.follow_changed.connect(self.set_follow)
        self.bar.model_log_changed.connect(self.set_model_log)
        self.bar.tasks_log_changed.connect(self.set_tasks_log)
        self.bar.belief_changed.connect(self.set_belief)
        self.bar.sampler_wanted.connect(self.show_sampler)
        stacked(self.bar, (self._pages, 1), on=self, margins=0, spacing=0)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setProperty(RINGED, True)
        self.setAccessibleName(tr("Convergence"))

    def _refresh(self) -> None:
        """Draw what changed, unless nobody sees it or there is nothing to see."""
        if self._is_hidden():
            return
        self.bar.say(summary(self._history))
        known = bool(self._history.tasks)
        self.notice.offer(tr(NO_TRIALS if known else NO_MODEL), "start" if known else OPEN)
        if not self._history.trial_count:
            self._pages.setCurrentWidget(self.notice)
            return
        self._reference_s = self.project.head.reference_latency_s
        self.plots.draw(self._changed, self._reference_s)
        self.plots.select(self._selected)
        self._changed = set()
        self._pages.setCurrentWidget(self.plots)
        if self.bar.follow.isChecked():
            self.plots.fit()

    def _show_belief(self) -> None:
        if self._made is None:
            return
        keeper = self.belief
        text = belief_text(keeper.series) if keeper.answered else ""
        self._made.show_belief(keeper.series, keeper.spans, text)
        if self.bar.follow.isChecked() and self._history.trial_count:
            self._made.fit()

    def _set_log(self, panel: ModelPanel | TasksPanel, log: bool) -> None:
        panel.plot.set_log(log)
        panel.redraw()
        if self.bar.follow.isChecked():
            panel.fit()

    def _step(self, by: int) -> None:
        """To the next slower (-1) or faster (1) task."""
        order = slowest_first(self._history)
        if not order:
            return
        place = order.index(self._selected) + by if self._selected in order else 0
        self._pick(order[min(max(place, 0), len(order) - 1)])

    def _pick(self, task: int | None) -> None:
        self.select_task(task)
        self.task_picked.emit(task)


def slowest_first(history: History) -> list[int]:
    """The tasks whose latency is known, by that."""
    known = [
        (-now, task.index) for task in history.tasks if (now := history.now(task.index)) is not None
    ]
    return [index for _, index in sorted(known)]


class BeliefKeeper(QObject):
    """The belief of the selected task, while it is wanted.

    It is asked for when a task is selected and again at each slot, not at each trial: fitting
    beside a measurement would disturb it.
    """

    changed = Signal()

    def __init__(self, project: OpenProject, parent: QObject) -> None:
        super().__init__(parent)
        self._project = project
        self._peak: float | None = None
        self._task: int | None = None
        self.wanted = False
        self.answered = False
        self.series: BeliefSeries | None = None
        self._job = BeliefJob(self)
        self._job.ready.connect(self._take)

    @property
    def spans(self) -> tuple[SlotSpan, ...]:
        return self._project.slot_log.spans()

    def reset(self) -> None:
        """Another project, nothing selected in it."""
        self._peak = known_peak(self._project.head.hardware.text)
        self._task = None
        self._job.forget()
        self._clear()

    def apply(self, events: Sequence[Event]) -> None:
        if any(isinstance(event, SlotStarted | RunChanged) for event in events):
            self._ask()

    def select(self, task: int | None) -> None:
        if task != self._task:
            self._task = task
            self._clear()
            self._ask()

    def want(self, wanted: bool) -> None:
        """Whether the belief is to be shown."""
        if wanted != self.wanted:
            self.wanted = wanted
            self._clear()
            self._ask()

    def question(self) -> BeliefQuestion | None:
        """What would be asked now; None where no task is selected."""
        if self._task is None or self._task >= len(self._project.head.tasks):
            return None
        return belief_question(
            self._project.history, self._task, self.spans, self._settings, self._peak
        )

    @property
    def has_sampler(self) -> bool:
        """Whether the latest run's policy draws its beliefs."""
        return self._settings.policy == DynaTunePaper.name

    @property
    def _settings(self) -> RunSettings:
        """Those of the latest run, by default where there was none."""
        spans = self.spans
        settings = self._project.settings_of(spans[-1].info.run) if spans else None
        return settings or RunSettings()

    def close(self) -> None:
        """Leave no thread behind."""
        self._job.close()

    def _ask(self) -> None:
        question = self.question() if self.wanted else None
        if question is not None:
            self._job.ask(question)

    def _take(self, question: BeliefQuestion, series: BeliefSeries | None) -> None:
        if self.wanted and question.task == self._task:
            self.series, self.answered = series, True
            self.changed.emit()

    def _clear(self) -> None:
        if self.answered:
            self.series, self.answered = None, False
            self.changed.emit()
