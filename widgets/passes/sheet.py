"""The sheet of a pass: what it will do, to which tasks, at what cost; then what it gave."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QAction, QCloseEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from engine.history.before_after import before_after
from engine.history.open_project import OpenProject
from engine.jobs.steps.estimate import Estimate, estimate
from engine.jobs.steps.steps import STEPS, TransferOptions
from engine.jobs.steps.transfer import count_donors
from engine.passes.clusters import cluster
from engine.passes.similarity import Floats, similarity_matrix
from engine.records.clustering import Clustering
from engine.records.errors import TunewrightError
from engine.records.events import (
    ClustersChanged,
    Event,
    Failure,
    RunChanged,
    RunStarted,
    SpacesFound,
    StepStarted,
)
from engine.records.settings import Budget, RunSettings
from engine.records.snapshot import Snapshot
from engine.records.space import DesignSpace
from widgets.clusters.series import aligned
from widgets.look.language import QT_TR_NOOP, plain, refusal, told, tr
from widgets.look.plain_label import PlainLabel
from widgets.parts import field_texts
from widgets.parts.background import Background
from widgets.parts.facts import FactList
from widgets.parts.field_form import FieldForm
from widgets.passes.options import PassOptions
from widgets.passes.plan import PlanEditor
from widgets.passes.result import PassResult
from widgets.passes.words import PLAN, Estimator, cost_facts, plan_estimate, words_of

BUDGET = Budget(seconds=600.0)
ASKING, SHOWING = range(2)
LOOK_S, RARELY = 1.0, 20  # between two looks at what a run gave; at most a twentieth of the time
CountDonors: TypeAlias = Callable[[str, TransferOptions], Mapping[int, int]]
HINT = QT_TR_NOOP("It ends at the first limit it reaches, or when it has nothing left to try.")


class PassSheet(QDialog):
    """One pass over a project's tasks; not modal, so that the window goes on.

    `started` carries the kind ("share", "transfer", "droplet" or "plan"), its options and its
    budget; a plan's options are {"plan": text, "repeat": bool}. `use_changed` carries a run and
    whether its results shall be used.
    """

    started = Signal(str, dict, object)
    use_changed = Signal(int, bool)
    task_picked = Signal(object)

    def __init__(
        self,
        kind: str,
        project: OpenProject,
        parent: QWidget | None = None,
        estimator: Estimator = estimate,
        donors: CountDonors = count_donors,
    ) -> None:
        super().__init__(parent)
        self.kind = kind
        self.project, self._path = project, ""
        self._estimator = estimator
        self._known: set[int] = set()
        self._holding: list[ActionButton] = []
        self._waiting = False  # for the run that was asked for
        self._refusal = ""
        self._allowed = True
        self.words = words_of(kind)
        self.setWindowTitle(self.words.title)
        self.setMinimumWidth(600)
        self.title, self.what = PlainLabel(self.words.title), PlainLabel(self.words.what)
        self.costs, self.note, self.problem = FactList(), PlainLabel(), PlainLabel()
        self.budget: FieldForm[Budget] = FieldForm(
            Budget, field_texts.BUDGET, skip=frozenset({"latency_s"})
        )
        self.options: PassOptions | PlanEditor = (
            PlanEditor() if kind == PLAN else PassOptions(STEPS[kind])
        )
        self.outcome = PassResult()
        self.pages = QStackedWidget()
        self._clusters, self._donors = ClustersToBe(self), DonorsToBe(donors, self)
        self._looked_s = 0.0
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.timeout.connect(self._show_so_far)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self._arrange()
        self._join()
        self.budget.set_value(BUDGET)
        self.show_project()

    # What the window tells

    def show_project(self) -> None:
        """Stand over the project as it is; a result of the same one stays on show."""
        head = self.project.head
        same, self._path = head.path == self._path, head.path
        if same and (begun := [run for run in head.runs if run.id not in self._known]):
            self._follow(begun[-1].id, begun[-1].settings)  # it was read before the word of it
        self._known |= {run.id for run in head.runs}
        if not same:
            self._known = {run.id for run in head.runs}
            self._waiting, self._refusal = False, ""
            self.pages.setCurrentIndex(ASKING)
        if isinstance(self.options, PassOptions):
            self.options.offer_stored(head.clustering is not None)
        if self.pages.currentIndex() == ASKING:
            self._refresh()
        else:
            self.show_run(self.outcome.run, not self.outcome.active)

    def apply(self, events: Sequence[Event]) -> None:
        """Follow the run that this sheet asked for."""
        for event in events:
            match event:
                case RunStarted(run=run, settings=settings) if run not in self._known:
                    self._known.add(run)
                    self._follow(run, settings)
                case Failure(what=what, todo=todo) if self._waiting:
                    self._waiting, self._refusal = False, f"{told(what)} {told(todo)}"
                    self._refresh()
                case Failure():
                    self.outcome.show_used(self.outcome.run not in self.project.head.unused)
                case ClustersChanged() | SpacesFound():
                    self._refresh()
        self.outcome.apply(events)
        followed = [
            event
            for event in events
            if isinstance(event, RunChanged | StepStarted) and event.run == self.outcome.run
        ]
        if followed:
            self.show_run(self.outcome.run, not self.outcome.active)
        elif self.outcome.active and not self._soon.isActive():
            self._soon.start(round(1000 * max(LOOK_S, RARELY * self._looked_s)))

    def _show_so_far(self) -> None:
        """What the run gave up to now; rarer where that takes long to work out."""
        if self.outcome.active:
            began = time.monotonic()
            self.show_run(self.outcome.run, ended=False)
            self._looked_s = time.monotonic() - began

    def hold_by(self, pause: QAction, stop: QAction) -> None:
        """Have these actions as buttons while the run goes on."""
        for action in (pause, stop):
            button = self.buttons.addButton("", QDialogButtonBox.ButtonRole.ActionRole)
            self._holding.append(ActionButton(action, button))
        self._refresh()

    def show_run(self, run: int, ended: bool = True) -> None:
        """Show what a run gave, so far or in all."""
        self.outcome.show_result(
            before_after(self.project.snapshot(), run), run not in self.project.head.unused, ended
        )
        self.pages.setCurrentIndex(SHOWING)
        self._refresh()

    def allow_start(self, allowed: bool) -> None:
        """Say whether a run can start now."""
        self._allowed = allowed
        self.outcome.use.setEnabled(allowed)
        self._refresh()

    def select_task(self, task: int | None) -> None:
        self.outcome.table.select(task)

    # What a person does

    def values(self) -> dict[str, Any]:
        """The options as they stand; UsageError where they make no sense."""
        return self.options.values()

    def _start(self) -> None:
        try:
            options, budget = self.values(), self.budget.value()
        except TunewrightError as error:
            self.problem.setText(refusal(error))
            self.problem.show()
            return
        self._waiting, self._refusal = True, ""
        self.started.emit(self.kind, options, budget)

    def _change(self) -> None:
        """Other options: what was refused may be possible now."""
        self._refusal = ""
        self._refresh()

    def _again(self) -> None:
        self.pages.setCurrentIndex(ASKING)
        self._refresh()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Leave no thread behind."""
        self._soon.stop()
        self._clusters.close()
        self._donors.close()
        super().closeEvent(event)

    # How it is kept up

    def _follow(self, run: int, settings: RunSettings) -> None:
        """A run has begun; it is this sheet's where it asked for one."""
        if self._waiting:
            earlier = (trial.elapsed_s for trial in self.project.trials() if trial.run != run)
            start_s = max([self.project.head.elapsed_s, *earlier])
            self.outcome.begin(run, settings.budget, start_s)
            self._waiting = False
            self.pages.setCurrentIndex(SHOWING)

    def _refresh(self) -> None:
        """Say again what the pass would do, with the options as they stand."""
        asking = self.pages.currentIndex() == ASKING
        self.start_button.setVisible(asking)
        self.again_button.setVisible(not asking and not self.outcome.active)
        for held in self._holding:
            held.button.setVisible(self.outcome.active and not asking)
        if not asking:
            return
        facts, note, problem = [], "", self._refusal
        try:
            found = self._estimate()
        except TunewrightError as error:
            problem = refusal(error)
        else:
            note = told(found.note)
            tasks = None if self.kind == "merge" else len(self.project.head.own_tasks)
            facts = cost_facts(found, tasks, self.words.gain)
        self.costs.show_facts(facts)
        for label, text in ((self.note, note), (self.problem, problem)):
            label.setText(text)
            label.setVisible(bool(text))
        self.start_button.setEnabled(self._allowed and bool(facts and self.project.head.tasks))

    def _estimate(self) -> Estimate:
        snapshot = self.project.snapshot()
        if isinstance(self.options, PlanEditor):
            return plan_estimate(self.options.steps(), snapshot, self._estimator)
        values = self.values()
        if self.kind == "share" and not (values["stored"] and snapshot.clustering):
            found = self._clusters.find(snapshot, values["metric"], values["threshold"])
            snapshot = replace(snapshot, clustering=found)
        if self.kind == "transfer":
            donors = self._donors.find(self.project.head.path, values)
            return self._estimator(self.kind, snapshot, values, found=donors)
        return self._estimator(self.kind, snapshot, values)

    def _join(self) -> None:
        self.options.changed.connect(self._change)
        self._clusters.changed.connect(self._refresh)
        self._donors.changed.connect(self._refresh)
        self.start_button.clicked.connect(self._start)
        self.again_button.clicked.connect(self._again)
        self.buttons.rejected.connect(self.close)
        self.outcome.use_changed.connect(self.use_changed)
        self.outcome.table.row_picked.connect(self.task_picked)

    def _arrange(self) -> None:
        self.title.setProperty("role", "title")
        hint = PlainLabel(tr(HINT))
        for label in (hint, self.note):
            label.setProperty("role", "muted")
        self.problem.setProperty("role", "error")
        for label in (hint, self.note, self.problem, self.what):
            label.setWordWrap(True)
        form = QWidget()
        column = QVBoxLayout(form)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        for part in (self.costs, self.note, self.options, self.budget, hint, self.problem):
            column.addWidget(part)
        column.addStretch()
        self.pages.addWidget(form)
        self.pages.addWidget(self.outcome)
        role = QDialogButtonBox.ButtonRole
        self.start_button = self.buttons.addButton(tr("&Start"), role.ActionRole)
        self.again_button = self.buttons.addButton(tr("&Once more…"), role.ActionRole)
        self.start_button.setDefault(True)
        layout = QVBoxLayout(self)
        layout.setSpacing(8)
        for widget in (self.title, self.what, self.pages, self.buttons):
            layout.addWidget(widget, 1 if widget is self.pages else 0)


class ClustersToBe(QObject):
    """Knows the clusters of a project by metric and threshold; `changed` where it knows more."""

    changed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._spaces: tuple[DesignSpace, ...] = ()
        self._metric = ""
        self._matrix: Floats | None = None
        self._job = Background(self)
        self._job.done.connect(self._take)

    def find(self, snapshot: Snapshot, metric: str, threshold: float) -> Clustering | None:
        """The clusters; None where there are no spaces, or while they are being compared."""
        if not snapshot.spaces:
            return None
        spaces = aligned(snapshot.own_tasks, snapshot.spaces)
        if (spaces, metric) != (self._spaces, self._metric):
            self._spaces, self._metric, self._matrix = spaces, metric, None
            self._job.start(lambda job: similarity_matrix(spaces, metric))
        if self._matrix is None:
            return None
        return cluster(snapshot.own_tasks, spaces, metric, threshold, self._matrix)

    def close(self) -> None:
        """Leave no thread behind."""
        self._job.close()

    def _take(self, matrix: Floats) -> None:
        self._matrix = matrix
        self.changed.emit()


class DonorsToBe(QObject):
    """Knows how many donors each task of a project has; `changed` where it knows more."""

    changed = Signal()

    def __init__(self, count: CountDonors, parent: QObject) -> None:
        super().__init__(parent)
        self._count = count
        self._asked: tuple[str, TransferOptions] | None = None
        self._found: Mapping[int, int] | None = None
        self._job = Background(self)
        self._job.done.connect(self._take)

    def find(self, path: str, values: Mapping[str, Any]) -> Mapping[int, int] | None:
        """The donors by task; None while the places are read, and where they cannot be."""
        options = TransferOptions(tuple(values["places"]), bool(values["library"]))
        if (path, options) != self._asked:
            self._asked, self._found = (path, options), None
            self._job.start(lambda job: self._count(path, options))
        return self._found

    def close(self) -> None:
        """Leave no thread behind."""
        self._job.close()

    def _take(self, found: Mapping[int, int]) -> None:
        self._found = found
        self.changed.emit()


class ActionButton(QObject):
    """A button that does what an action does, and follows it."""

    def __init__(self, action: QAction, button: QPushButton) -> None:
        super().__init__(button)
        self._action, self.button = action, button
        button.setAutoDefault(False)
        button.clicked.connect(action.trigger)
        action.changed.connect(self._follow)
        self._follow()

    def _follow(self) -> None:
        self.button.setText(plain(self._action.text()))
        self.button.setIcon(self._action.icon())
        self.button.setToolTip(self._action.toolTip())
        self.button.setEnabled(self._action.isEnabled())
