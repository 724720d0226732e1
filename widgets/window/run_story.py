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
from engine.records.settings import RunSettings, RunState
from engine.records.snapshot import Snapshot
from engine.records.trial import Trial
from engine.records.units import format_seconds
from engine.records.words import budget_text
from widgets.look.language import told, tr

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
                return [(event.at, _begins(run, settings))]
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
            yield run.started_at, _begins(run.id, run.settings)
            if run.ended_at is not None:
                yield run.ended_at, run_line(run.id, run.state, run.reason)
            if run.ended_at is not None and run.tuned_latency_s is not None:
                latency = format_seconds(run.tuned_latency_s)
                yield run.ended_at, _measured(latency)
        for trial in sorted(snapshot.trials, key=lambda trial: trial.number):
            at, first = began.get(trial.run, (0.0, 0.0))
            if text := self._tried(trial):
                yield at + trial.elapsed_s - first, text
        for export in snapshot.exports:
            yield export.at, tr("Exported to {folder}.", folder=export.dir)

    def _tried(self, trial: Trial) -> str:
        """A new best of its task."""
        latency_s = trial.latency_s
        if latency_s >= self._best.get(trial.task, float("inf")):
            return ""
        self._best[trial.task] = latency_s
        latency = format_seconds(latency_s)
        return tr(
            "Trial #{number}: {task} takes {latency}, its best so far.",
            number=trial.number,
            task=self._name(trial),
            latency=latency,
        )

    def _confirmed(self, trial: Trial) -> str:
        latency = format_seconds(trial.latency_s)
        return tr(
            "Trial #{number} of {task} was measured again: {latency}.",
            number=trial.number,
            task=self._name(trial),
            latency=latency,
        )

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
            untuned = format_seconds(untuned_s)
            yield tr("The untuned model takes {latency}{beside}.", latency=untuned, beside=beside)
        measured_s = figure.latency_s if figure.tuned and figure.measured else None
        if measured_s is not None and measured_s != self._measured:
            self._measured = measured_s
            yield _measured(format_seconds(measured_s))

    def _name(self, trial: Trial) -> str:
        return self._names.get(trial.task, tr("task {number}", number=trial.task))


def run_line(run: int, state: RunState, reason: str) -> str:
    """That a run is in a state, and why."""
    said = tr("Run {run} is {state}", run=run, state=tr(state.value))
    return f"{said}: {told(reason)}" if reason not in ("", state.value) else said


def _begins(run: int, settings: RunSettings) -> str:
    return tr("Run {run} begins: {budget}.", run=run, budget=told(budget_text(settings.budget)))


def _measured(latency: str) -> str:
    return tr("The tuned model was measured: {latency}.", latency=latency)
