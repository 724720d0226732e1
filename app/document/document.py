"""The open project as the window knows it, what goes on with it, and the one selection."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from engine.allocation.wishes import Wishes
from engine.history.open_project import OpenProject
from engine.records.errors import TunewrightError
from engine.records.events import (
    Event,
    ExportDone,
    Failure,
    LabelChanged,
    ModelMeasured,
    ModelSeen,
    Progress,
    ProjectOpened,
    ProjectSaved,
    RunChanged,
    RunStarted,
    Scores,
    SlotStarted,
    StageSearch,
    TrialDone,
    Watched,
)
from engine.records.labels import NO_LABEL, PROJECT, Label, Subject
from engine.records.schedule import SearchState
from engine.records.settings import RunState
from engine.records.snapshot import RunInfo, SlotInfo, Snapshot

_OF_PROJECT = {
    *(
        RunStarted,
        RunChanged,
        ExportDone,
        ProjectSaved,
        Scores,
        LabelChanged,
        ModelMeasured,
        Watched,
    ),
}
_OF_STATUS = {
    *(RunStarted, RunChanged, Scores, SlotStarted, Progress, StageSearch, TrialDone, Watched),
}


class Document(QObject):
    """What is open, what runs, what is selected. Fed with events; views and actions listen."""

    opened = Signal()
    closed = Signal()
    batch = Signal(list)  # events of the open project, after the document took them in
    changed = Signal()  # something that decides which actions are enabled
    project_changed = Signal()  # path, runs or exports
    scores_changed = Signal()
    status_changed = Signal()
    selection_changed = Signal()
    wishes_changed = Signal()
    seen_changed = Signal()
    failed = Signal(object, object)  # what, todo: texts of the engine

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.project = OpenProject()
        self.follow = False
        self.is_refresh = False
        self._forget()

    def _forget(self) -> None:
        self.scores: Scores | None = None
        self.progress: Progress | None = None
        self.seen: ModelSeen | None = None  # of the model that is being opened
        self.slot: SlotInfo | None = None
        self.wishes = Wishes()
        self.pending: str = ""
        self.brief = False
        self.can_cancel = self.cancelled = False
        self.task: int | None = None
        self.trial: int | None = None
        self.operators: frozenset[int] = frozenset()
        self.search: SearchState | None = None
        self.searching = False
        self.watch: Watched | None = None

    # State that actions ask for

    @property
    def head(self) -> Snapshot:
        """The open project without its trials, slots and moves; empty where none is open."""
        return self.project.head

    @property
    def path(self) -> str:
        """The project's file, empty where there is none."""
        return self.project.head.path

    @property
    def is_open(self) -> bool:
        """Whether a project is open."""
        return self.project.is_open

    @property
    def read_only(self) -> bool:
        """Whether the open project can only be looked at."""
        return self.head.read_only

    @property
    def watched(self) -> str:
        """Where the open project is on another machine; empty for a file of this one."""
        return self.head.watched

    @property
    def run(self) -> RunInfo | None:
        return self.project.run

    @property
    def state(self) -> RunState | None:
        """The state of the last run."""
        return self.run.state if self.run else None

    @property
    def is_active(self) -> bool:
        """Whether a run goes on or is held."""
        return self.state is not None and self.state.active

    @property
    def runs_here(self) -> bool:
        """Whether a run goes on or is held that ends with this window."""
        return self.is_active and not self.watched

    @property
    def is_busy(self) -> bool:
        """Whether a command that excludes others is in flight."""
        return bool(self.pending)

    @property
    def has_tasks(self) -> bool:
        """Whether there is something to tune."""
        return bool(self.head.tasks)

    @property
    def idle(self) -> bool:
        """Whether nothing runs, nothing is searched for and no command is in flight."""
        return not self.runs_here and not self.is_busy and not self.searching

    def label(self, subject: Subject) -> Label:
        """The name and the note of the project, a task or a run."""
        return self.head.labels.get(subject, NO_LABEL)

    @property
    def title(self) -> str:
        """What a person calls the project, empty where that is nothing."""
        return self.label(PROJECT).name

    @property
    def stored_wishes(self) -> Wishes:
        """Those of the last run, which the project file has."""
        return _wishes_of(self.run)

    def run_trials(self) -> int:
        """The trials of the last run."""
        return self.project.run_trials[self.run.id] if self.run else 0

    # What comes in

    def apply(self, events: Sequence[Event]) -> None:
        """Take in a batch of events, then tell who listens, each signal once."""
        opened = [i for i, event in enumerate(events) if isinstance(event, ProjectOpened)]
        if opened:
            event = events[opened[-1]]
            if isinstance(event, ProjectOpened):
                self.open(event.snapshot)
        later = events[opened[-1] + 1 :] if opened else events
        self.project.apply(later)
        for event in later:
            self._take(event)
        for event in events:
            if isinstance(event, Failure):
                self.failed.emit(event.what, event.todo)
        if later and self.is_open:
            self.batch.emit(list(later))
        self._tell(later)

    def show_shape(self, snapshot: Snapshot, place: int | None) -> None:
        """Show one shape of the open project, or all of them; it is read anew for that."""
        head = self.head
        whole = replace(snapshot, read_only=head.read_only, watched=head.watched)
        self.project.shape = place
        self.open(whole)

    def open(self, snapshot: Snapshot) -> None:
        """Show another project, or the same one as it is known better now."""
        pending, task, trial, slot = (self.pending, self.brief), self.task, self.trial, self.slot
        cancelling = self.can_cancel, self.cancelled
        wishes, operators = self.wishes, self.operators
        search, searching, watch = self.search, self.searching, self.watch
        self.is_refresh = self.is_open and snapshot.path == self.path
        self._forget()
        self.project.reset(snapshot, self.project.shape if self.is_refresh else None)
        (self.pending, self.brief), (self.can_cancel, self.cancelled) = pending, cancelling
        if self.is_refresh:
            self.task, self.trial, self.slot = task, trial, slot
            self.operators, self.search, self.searching = operators, search, searching
            self.watch = watch
        self.wishes = wishes if self.is_refresh else _wishes_of(self.run)
        self.scores = self.project.scores()
        for signal in (self.opened, self.changed, self.project_changed, self.scores_changed):
            signal.emit()
        self.status_changed.emit()
        self.wishes_changed.emit()
        self.selection_changed.emit()

    def close(self) -> None:
        self._forget()
        self.project.reset(None)
        for signal in (self.closed, self.changed, self.project_changed, self.scores_changed):
            signal.emit()
        self.status_changed.emit()
        self.selection_changed.emit()

    def set_pending(
        self, text: str, can_cancel: bool = False, cancelled: bool = False, brief: bool = False
    ) -> None:
        """Say which command is in flight, and whether a person may take it back; empty when it has
        ended, `cancelled` or not. A `brief` one is no work of its own."""
        self.pending, self.brief = text, brief
        self.can_cancel, self.cancelled = can_cancel, cancelled
        if not text:
            self.progress = None
            self._see(None)
        self.changed.emit()
        self.status_changed.emit()

    def set_searching(self, searching: bool) -> None:
        """Say whether a search for stages was asked for and has not ended."""
        if searching != self.searching:
            self.searching, self.search = searching, None
            self.changed.emit()
            self.status_changed.emit()

    def set_wishes(self, wishes: Wishes) -> None:
        """What a person wants of the allocation of the next run."""
        self.wishes = wishes
        self.wishes_changed.emit()

    # Selection

    def select_task(self, task: int | None) -> None:
        """Select a task, or nothing; no trial and no single operators are selected then."""
        self._select(task, None)

    def select_operators(self, operators: frozenset[int]) -> None:
        """Select operators of the graph, and with them the task that all of them have."""
        task_of = {operator.id: operator.task for operator in self.head.operators}
        tasks = {task_of.get(operator) for operator in operators}
        self._select(tasks.pop() if len(tasks) == 1 else None, None, operators)

    def select_trial(self, number: int | None) -> None:
        """Select a trial and its task; None leaves the task selected."""
        trial = self.project.trial(number)
        task = self.task if number is None else trial.task if trial else None
        self._select(task, number)

    def _select(
        self, task: int | None, trial: int | None, operators: frozenset[int] = frozenset()
    ) -> None:
        if (task, trial, operators) != (self.task, self.trial, self.operators):
            self.task, self.trial, self.operators = task, trial, operators
            self.selection_changed.emit()

    def set_follow(self, follow: bool) -> None:
        """Whether the selection goes with the slots."""
        self.follow = follow
        if follow and self.slot is not None:
            self.select_task(self.slot.task)
        self.changed.emit()

    def _see(self, seen: ModelSeen | None) -> None:
        if seen is not self.seen:
            self.seen = seen
            self.seen_changed.emit()

    # Events, one by one

    def _take(self, event: Event) -> None:
        match event:
            case Scores() if self.project.shape is not None:  # which has figures of its own
                known = self.project.scores()
                self.scores = replace(
                    event, figure=known.figure, reference_s=known.reference_s, share=known.share
                )
            case Scores():
                self.scores = event
            case ModelMeasured() if not self.is_active:
                self.scores = self.project.scores()
            case SlotStarted(slot=slot):
                self.slot = slot
                if self.follow:
                    self.select_task(slot.task)
            case Progress():
                self.progress = event if event.text else None
            case ModelSeen() if self.is_busy:
                self._see(event)
            case RunChanged(state=state) if not state.active:
                self.progress = None  # whatever step it ended in
            case RunStarted(run=run) if self.slot is not None and self.slot.run != run:
                self.slot = None
            case Watched():
                self.watch = event
                left_s = _time_left_s(self.project)
                self.scores = replace(self.project.scores(), time_left_s=left_s)
            case StageSearch(state=state, running=running):
                self.search, self.searching = (state if running else None), running

    def _tell(self, events: Sequence[Event]) -> None:
        kinds = {type(event) for event in events}
        if kinds & _OF_PROJECT:
            self.project_changed.emit()
        if kinds & {RunStarted, RunChanged, ExportDone, StageSearch, ProjectSaved}:
            self.changed.emit()
        if kinds & {Scores, ModelMeasured, RunStarted, RunChanged, Watched}:
            self.scores_changed.emit()
        if kinds & _OF_STATUS:
            self.status_changed.emit()


def _time_left_s(project: OpenProject) -> float | None:
    """What the budget of a run leaves that goes on elsewhere; None where it is none of seconds."""
    run = project.run
    if run is None or not run.state.active or run.settings.budget.seconds is None:
        return None
    before_s = sum(other.elapsed_s for other in project.head.runs[:-1])
    return max(0.0, run.settings.budget.seconds - (project.history.last_elapsed_s - before_s))


def _wishes_of(run: RunInfo | None) -> Wishes:
    """Those of a run, none where they make no sense."""
    try:
        return Wishes.from_dict(run.settings.wishes) if run else Wishes()
    except (TunewrightError, TypeError, ValueError, AttributeError):
        return Wishes()
