"""What has changed between two looks at a project, as the events that an engine would have told."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from engine.records.events import (
    Event,
    MoveMade,
    ProjectOpened,
    RunChanged,
    RunStarted,
    SlotStarted,
    TrialConfirmed,
    TrialDone,
)
from engine.records.snapshot import RunInfo, Snapshot


def changes(before: Snapshot, now: Snapshot) -> list[Event]:
    """What turns `before` into `now`: single trials, slots and moves, where nothing else differs,
    or the whole project, so that what grows by the thousand is not drawn anew each time."""
    grown = [
        (before.slots, now.slots),
        (before.moves, now.moves),
    ]
    events: list[Event] = list(_of_runs(before, now))
    prefix = all(new[: len(old)] == old for old, new in grown)
    if not prefix or not _same_numbers(before, now) or _rest(before) != _rest(now):
        return [*events, ProjectOpened(now)]
    events += [SlotStarted(slot) for slot in now.slots[len(before.slots) :]]
    known = {trial.number: trial for trial in before.trials}
    for trial in now.trials:
        old = known.get(trial.number)
        if old is None:
            events.append(TrialDone(trial))
        elif old != trial:
            events.append(TrialConfirmed(trial))
    return [*events, *(MoveMade(move) for move in now.moves[len(before.moves) :])]


def _of_runs(before: Snapshot, now: Snapshot) -> Iterator[Event]:
    known = {run.id: run for run in before.runs}
    for run in now.runs:
        old = known.get(run.id)
        if old is None or old.settings != run.settings:
            yield RunStarted(run.id, run.settings, at=run.started_at)
        if old is None or (old.state, old.reason) != (run.state, run.reason):
            yield RunChanged(run.id, run.state, run.reason)


def _same_numbers(before: Snapshot, now: Snapshot) -> bool:
    """Whether no trial is gone."""
    return {trial.number for trial in before.trials} <= {trial.number for trial in now.trials}


def _rest(snapshot: Snapshot) -> Snapshot:
    """What is told only as a whole."""
    runs = tuple(_at_rest(run) for run in snapshot.runs)
    return replace(snapshot, trials=(), slots=(), moves=(), elapsed_s=0.0, runs=runs)


def _at_rest(run: RunInfo) -> RunInfo:
    """A run without what its trials tell."""
    return replace(run, trials=0, elapsed_s=0.0)
