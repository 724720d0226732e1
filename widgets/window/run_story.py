"""What a run comes to, line by line: beginning, baseline, new bests, finals, end, exports."""

from __future__ import annotations

from collections.abc import Iterator

from engine.records.events import (
    Event,
    ProjectOpened,
    RunStarted,
    Scores,
    TrialConfirmed,
    TrialDone,
)
from engine.records.snapshot import Snapshot
from engine.records.trial import Trial
from engine.records.units import format_seconds
from engine.records.words import budget_text

Told = tuple[float, str]  # when, in seconds since the epoch, and what


class RunStory:
    """Follows a project's events, and tells of a project that was opened what its file knows."""

    def __init__(self) -> None:
        self._path, self._names = "", dict[int, str]()
        self._best: dict[int, float] = {}
        self._baseline: tuple[float | None, float | None] = None, None
        self._measured: float | None = None

    def tell(self, event: Event) -> list[Told]:
        """What an event is worth, oldest first."""
        match event:
            case ProjectOpened(snapshot=snapshot):
                return self._open(snapshot)
            case RunStarted(run=run, settings=settings):
                return [(event.at, f"Run {run} begins: {budget_text(settings.budget)}.")]
            case TrialDone(trial=trial) if text := self._tried(trial):
                return [(event.at, text)]
            case TrialConfirmed(trial=trial):
                return [(event.at, self._confirmed(trial))]
            case Scores():
                return [(event.at, text) for text in self._scored(event)]
        return []

    def _open(self, snapshot: Snapshot) -> list[Told]:
        """The past of another project; of the same one it was told."""
        self._names = {task.index: task.name for task in snapshot.tasks}
        if snapshot.path == self._path:
            return []
        self._path, self._best = snapshot.path, {}
        self._baseline = snapshot.untuned_latency_s, snapshot.reference_latency_s
        self._measured = None
        return sorted(self._past(snapshot), key=lambda told: told[0])

    def _past(self, snapshot: Snapshot) -> Iterator[Told]:
        began: dict[int, tuple[float, float]] = {}
        for run in snapshot.runs:
            first = min((t.elapsed_s for t in snapshot.trials if t.run == run.id), default=0.0)
            began[run.id] = run.started_at, first
            yield run.started_at, f"Run {run.id} begins: {budget_text(run.settings.budget)}."
            if run.ended_at is not None:
                because = f": {run.reason}" if run.reason else ""
                yield run.ended_at, f"Run {run.id} is {run.state.value}{because}"
            if run.ended_at is not None and run.tuned_latency_s is not None:
                latency = format_seconds(run.tuned_latency_s)
                yield run.ended_at, f"The tuned model was measured: {latency}."
        for trial in sorted(snapshot.trials, key=lambda trial: trial.number):
            at, first = began.get(trial.run, (0.0, 0.0))
            if text := self._tried(trial):
                yield at + trial.elapsed_s - first, text
        for export in snapshot.exports:
            yield export.at, f"Exported to {export.dir}."

    def _tried(self, trial: Trial) -> str:
        """A new best of its task."""
        latency_s = trial.latency_s
        if latency_s >= self._best.get(trial.task, float("inf")):
            return ""
        self._best[trial.task] = latency_s
        latency = format_seconds(latency_s)
        return f"Trial #{trial.number}: {self._name(trial)} takes {latency}, its best so far."

    def _confirmed(self, trial: Trial) -> str:
        latency = format_seconds(trial.latency_s)
        return f"Trial #{trial.number} of {self._name(trial)} was measured again: {latency}."

    def _scored(self, scores: Scores) -> Iterator[str]:
        figure = scores.figure
        untuned_s = figure.untuned.latency_s if figure.untuned is not None else None
        baseline = untuned_s, scores.reference_s
        if baseline != self._baseline and untuned_s is not None:
            self._baseline = baseline
            beside = (
                f", {scores.reference} {format_seconds(scores.reference_s)}"
                if scores.reference_s is not None
                else ""
            )
            yield f"The untuned model takes {format_seconds(untuned_s)}{beside}."
        measured_s = figure.latency_s if figure.tuned and figure.measured else None
        if measured_s is not None and measured_s != self._measured:
            self._measured = measured_s
            yield f"The tuned model was measured: {format_seconds(measured_s)}."

    def _name(self, trial: Trial) -> str:
        return self._names.get(trial.task, f"task {trial.task}")
