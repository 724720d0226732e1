"""The open project as it stands: one store of its trials and figures for all who show it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from engine.history.figure import figure_of, known_latencies, with_measured
from engine.history.history import History
from engine.history.run_profile import ProfileLog
from engine.history.slot_log import SlotLog
from engine.records.events import (
    ClustersChanged,
    Event,
    ExportDone,
    LabelChanged,
    ModelMeasured,
    ModuleJudged,
    MoveMade,
    ProjectSaved,
    RunChanged,
    RunStarted,
    ScheduleFound,
    Scores,
    SlotStarted,
    SpacesFound,
    TrialConfirmed,
    TrialDone,
    Watched,
)
from engine.records.formats import reference_of
from engine.records.settings import RunSettings, RunState
from engine.records.snapshot import (
    NO_PROJECT,
    ExportInfo,
    Figure,
    RunInfo,
    SlotInfo,
    Snapshot,
)
from engine.records.space import Move
from engine.records.trial import Source, Trial


class OpenProject:
    """Fed once with each batch of events, by who keeps it; read by all others.

    `head` is the project without what grows by the thousand: its trials, slots and moves, which are
    here, each trial once and in its newest version. `changed` has the tasks whose figures or state
    the last batch changed, `slots_changed` says whether it changed slots. Of a set of `shapes` one
    may be on show, `shape` by its place: then all is as if there were no other. Not safe to share
    between threads.
    """

    def __init__(self, snapshot: Snapshot | None = None) -> None:
        self.history = History()
        self.reset(snapshot)

    def reset(self, snapshot: Snapshot | None, shape: int | None = None) -> None:
        """Start from this project, or from none; show the one shape of it that has this place."""
        self.shapes = snapshot.shapes if snapshot else ()
        self.shape = shape if shape is not None and shape < len(self.shapes) else None
        if snapshot is not None and self.shape is not None:
            snapshot = snapshot.of_shape(self.shape)
        self.is_open = snapshot is not None
        self.history.reset(snapshot)
        self._slot_log: SlotLog | None = None
        self._profiles: ProfileLog | None = None
        snapshot = snapshot or NO_PROJECT
        known = known_latencies(snapshot, self.history)
        self.head = replace(snapshot, trials=(), slots=(), moves=(), measured=known)
        self.slots: list[SlotInfo] = list(snapshot.slots)
        self.moves: dict[int, dict[int, Move]] = {}  # by task, by number
        self.changed: frozenset[int] = frozenset()
        self.slots_changed = False
        self._trials = {trial.number: trial for trial in snapshot.trials}
        self.run_trials = Counter(trial.run for trial in snapshot.trials)
        self.tried = Counter(trial.source for trial in snapshot.trials)
        for move in snapshot.moves:
            self._add_move(move)

    def apply(self, events: Sequence[Event]) -> None:
        """Take in a batch of events."""
        self.changed = self.history.apply(events)
        self.slots_changed = self._slot_log is not None and self._slot_log.apply(events)
        if self._profiles is not None:
            self._profiles.apply(events)
        for event in events:
            self._take(event)

    # Trials

    def __len__(self) -> int:
        return len(self._trials)

    def trial(self, number: int | None) -> Trial | None:
        """A trial by its number."""
        return None if number is None else self._trials.get(number)

    def trials(self) -> tuple[Trial, ...]:
        """All of them, by their numbers."""
        return tuple(self._trials[number] for number in sorted(self._trials))

    def of_task(self, task: int) -> Iterator[Trial]:
        """The trials of one of the project's tasks in the order they came."""
        return (self._trials[number] for number in self.history.log(task).numbers)

    def source_of(self, number: int | None) -> Source:
        """What proposed a trial; a search where there is no such trial."""
        trial = self.trial(number)
        return Source.SEARCH if trial is None else trial.source

    # Slots: added up once somebody asks, for the first window must not wait for them

    @property
    def slot_log(self) -> SlotLog:
        """What each slot took and gave."""
        if self._slot_log is None:
            self._slot_log = SlotLog(self.snapshot())
        return self._slot_log

    @property
    def profiles(self) -> ProfileLog:
        """On what the slots of each run spent their time."""
        if self._profiles is None:
            self._profiles = ProfileLog(self.snapshot())
        return self._profiles

    # Runs

    @property
    def run(self) -> RunInfo | None:
        return self.head.runs[-1] if self.head.runs else None

    def settings_of(self, run: int) -> RunSettings | None:
        """The settings of a run, None where there is no such run."""
        return next((info.settings for info in self.head.runs if info.id == run), None)

    def snapshot(self) -> Snapshot:
        """All of it, as it is now."""
        return replace(
            self.head,
            trials=self.trials(),
            slots=tuple(self.slots),
            moves=tuple(move for moves in self.moves.values() for move in moves.values()),
            elapsed_s=self.history.last_elapsed_s,
        )

    # Events, one by one

    def _take(self, event: Event) -> None:
        match event:
            case TrialDone(trial=trial) | TrialConfirmed(trial=trial):
                if trial.number not in self._trials:
                    self.run_trials[trial.run] += 1
                    self.tried[trial.source] += 1
                self._trials[trial.number] = trial
            case SlotStarted(slot=slot):
                self.slots.append(slot)
            case MoveMade(move=move):
                self._add_move(move)
            case Scores():
                self._take_scores(event)
            case Watched():
                self._count_trials()
            case RunStarted() | RunChanged():
                self._take_run(event)
            case SpacesFound() | ClustersChanged() | ScheduleFound() | ModuleJudged():
                self._take_found(event)
            case ExportDone(dir=folder, manifest=manifest, at=at):
                export = ExportInfo(len(self.head.exports) + 1, folder, at, manifest)
                self._put(exports=(*self.head.exports, export))
            case ProjectSaved(path=path):
                self._put(path=path, read_only=False, watched="")
            case ModelMeasured():
                self._take_measured(event)
            case LabelChanged(subject=subject, label=label):
                self._put(labels={**self.head.labels, subject: label})

    def _take_found(
        self, event: SpacesFound | ClustersChanged | ScheduleFound | ModuleJudged
    ) -> None:
        match event:
            case SpacesFound(spaces=spaces):
                self._put(spaces=spaces)
            case ClustersChanged(clustering=clustering):
                self._put(clustering=clustering)
            case ScheduleFound(found=found):
                self._put(schedule=found)
            case ModuleJudged(judged=judged):
                self._put(judged=judged)

    def _add_move(self, move: Move) -> None:
        self.moves.setdefault(move.task, {})[move.number] = move

    def _take_run(self, event: RunStarted | RunChanged) -> None:
        if isinstance(event, RunChanged):
            self._put_run(
                event.run,
                state=event.state,
                reason=event.reason,
                ended_at=None if event.state.active else event.at,
                trials=self.run_trials[event.run],
            )
        elif self.settings_of(event.run) is not None:
            self._put_run(event.run, settings=event.settings)
        else:
            begun = RunInfo(event.run, RunState.PREPARING, event.settings, event.at)
            self._put(runs=(*self.head.runs, begun))

    def _take_scores(self, scores: Scores) -> None:
        if self.shape is not None:  # they are of all
            pass
        elif scores.reference_s is not None and scores.reference_s != self.head.reference_latency_s:
            self._put(reference_latency_s=scores.reference_s)
        self._count_trials()

    def _count_trials(self) -> None:
        if self.run is not None and self.run.state.active:
            self._put_run(self.run.id, trials=self.run_trials[self.run.id])

    def _take_measured(self, event: ModelMeasured) -> None:
        kind, _, place = event.kind.partition(" ")
        if self.shape is None:
            kind = event.kind
        elif place != str(self.shape):
            return
        self.head = with_measured(self.head, kind, event.measured)
        for run in event.runs:
            self._put_run(run, tuned_latency_s=event.measured.latency_s)

    def figure(self) -> Figure:
        """How fast the model is now."""
        return figure_of(self.head, self.history)

    def scores(self) -> Scores:
        """The scoreboard of the project at rest."""
        return Scores(
            elapsed_s=self.history.last_elapsed_s,
            figure=self.figure(),
            reference_s=self.head.reference_latency_s,
            reference=reference_of(self.head.model_source),
            share=self.history.share_tuned(),
            trials=len(self),
        )

    def _put_run(self, number: int, **changes: Any) -> None:
        runs = self.head.runs
        self._put(runs=tuple(replace(run, **changes) if run.id == number else run for run in runs))

    def _put(self, **changes: Any) -> None:
        self.head = replace(self.head, **changes)
