"""Synthetic recordings played by the replay engine: what a console sees of a run of a policy."""

from __future__ import annotations

import hashlib
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

from engine.allocation.recording import Recording
from engine.records.events import Event, ProjectOpened, RunChanged, SlotStarted, TrialDone
from engine.records.settings import Budget, RunSettings, RunState
from engine.records.snapshot import RunInfo, Snapshot
from engine.replay.replay_job import ReplayEngine
from tests.engine.allocation.curves_data import recording as synthetic
from tests.engine.project.support import new_project

PATIENCE_S = 60


def replayed_events(
    policy: str = "dynatune",
    recording: Recording | None = None,
    budgets: tuple[Budget, ...] = (Budget(),),
    **options: Any,
) -> list[Event]:
    """All that a replay tells, from the opening on; one run for each budget."""
    engine = ReplayEngine(recording or synthetic(), math.inf)
    engine.start()
    try:
        for budget in budgets:
            settings = RunSettings(budget, policy, options)
            engine.start_run(settings).result(PATIENCE_S)
            engine.wait().result(PATIENCE_S)
    finally:
        engine.shutdown()
    return engine.events.drain()


def opened(events: list[Event]) -> Snapshot:
    """The project as it was opened."""
    return next(event.snapshot for event in events if isinstance(event, ProjectOpened))


def folded(events: list[Event], settings: RunSettings | None = None) -> Snapshot:
    """The project that these events come to, as a file would hold it."""
    snapshot = opened(events)
    trials = tuple(event.trial for event in events if isinstance(event, TrialDone))
    slots = tuple(event.slot for event in events if isinstance(event, SlotStarted))
    ends = {event.run: event for event in events if isinstance(event, RunChanged)}
    runs = tuple(
        RunInfo(
            run,
            RunState.FINISHED,
            settings or RunSettings(),
            1e9,
            1e9 + 99,
            elapsed_s=max((t.elapsed_s for t in trials if t.run == run), default=0.0),
            trials=sum(trial.run == run for trial in trials),
            reason=event.reason,
        )
        for run, event in ends.items()
    )
    elapsed_s = max((trial.elapsed_s for trial in trials), default=0.0)
    return replace(snapshot, trials=trials, slots=slots, runs=runs, elapsed_s=elapsed_s)


def stored(snapshot: Snapshot, path: Path) -> Path:
    """A project file with this content, its traces made up."""
    with new_project(
        path,
        model_name=snapshot.model_name,
        tasks=tuple(replace(task, fingerprint=digest(task.name)) for task in snapshot.tasks),
        operators=snapshot.operators,
    ) as project:
        if snapshot.untuned_latency_s is not None:
            known = {t.index: t.untuned_latency_s for t in snapshot.tasks if t.untuned_latency_s}
            project.set_untuned(snapshot.untuned_latency_s, known)
        for run in snapshot.runs:
            project.start_run(run.settings)
        for slot in snapshot.slots:
            project.add_slot(slot)
        for trial in snapshot.trials:
            trace = f"[[], [{trial.number}]]"
            project.add_trial(replace(trial, trace=trace, trace_key=digest(trace)))
        for run in snapshot.runs:
            project.set_run(run.id, state=RunState.FINISHED, elapsed_s=run.elapsed_s)
    return path


def digest(text: str) -> str:
    """SHA-256, as hexadecimal digits."""
    return hashlib.sha256(text.encode()).hexdigest()
