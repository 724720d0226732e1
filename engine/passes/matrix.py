"""What donors gave: per task every donor that was tried, per model its part of the gain."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from engine.history.history import History
from engine.records.snapshot import Snapshot
from engine.records.trial import ErrorKind, Source, Trial

UNNAMED = "unknown"


@dataclass(frozen=True, slots=True)
class Attempt:
    """A donor that was tried on a task.

    `latency_s` was measured here, None after an error; `donor_latency_s` is the donor's own, from
    the device `target`. `gain` is the untuned latency over this one, less 1. `best` marks what the
    task is compiled with now.
    """

    trial: int
    model: str
    donor_task: str
    place: str
    target: str
    donor_latency_s: float | None
    latency_s: float | None
    error: ErrorKind | None
    gain: float | None
    best: bool


@dataclass(frozen=True, slots=True)
class TaskTransfer:
    """A task with the donors tried on it, in the order of their trials; latencies in seconds."""

    task: int
    name: str
    untuned_s: float | None
    now_s: float | None
    attempts: tuple[Attempt, ...]


@dataclass(frozen=True, slots=True)
class DonorShare:
    """What one donor model did: `share` is the part, in [0, 1], of the gain from untuned to now
    that its schedules alone would give; None where there is no gain or it is unknown."""

    model: str
    tasks: int
    attempts: int
    failed: int
    seconds: float
    share: float | None


@dataclass(frozen=True, slots=True)
class Transfer:
    """What transfer gave a project: by task, by donor model (by name), and all donors together."""

    model: str
    tasks: tuple[TaskTransfer, ...]
    donors: tuple[DonorShare, ...]
    share: float | None


def transfer_matrix(snapshot: Snapshot) -> Transfer:
    """What every donor gave that was tried in this project, whichever run tried it."""
    history = History(snapshot)
    tried: dict[int, list[Trial]] = {}
    for trial in snapshot.trials:
        if trial.source is Source.TRANSFERRED and trial.run not in snapshot.unused:
            tried.setdefault(trial.task, []).append(trial)
    trials = [trial for task in sorted(tried) for trial in tried[task]]
    models = sorted({_model(trial) for trial in trials})
    return Transfer(
        model=snapshot.model_name,
        tasks=tuple(_task(history, task, tried[task]) for task in sorted(tried)),
        donors=tuple(
            _donor(history, model, [trial for trial in trials if _model(trial) == model])
            for model in models
        ),
        share=_share(history, trials) if trials else None,
    )


def _task(history: History, task: int, trials: list[Trial]) -> TaskTransfer:
    untuned_s, best = history.untuned(task), history.record(task)
    return TaskTransfer(
        task=task,
        name=history.name(task),
        untuned_s=untuned_s,
        now_s=history.now(task),
        attempts=tuple(_attempt(trial, untuned_s, best) for trial in trials),
    )


def _attempt(trial: Trial, untuned_s: float | None, best: int | None) -> Attempt:
    measured = math.isfinite(trial.latency_s)
    return Attempt(
        trial=trial.number,
        model=_model(trial),
        donor_task=_text(trial.origin, "task"),
        place=_text(trial.origin, "place"),
        target=_text(trial.origin, "target"),
        donor_latency_s=_latency(trial.origin),
        latency_s=trial.latency_s if measured else None,
        error=trial.error,
        gain=untuned_s / trial.latency_s - 1.0 if measured and untuned_s else None,
        best=trial.number == best,
    )


def _donor(history: History, model: str, trials: list[Trial]) -> DonorShare:
    return DonorShare(
        model=model,
        tasks=len({trial.task for trial in trials}),
        attempts=len(trials),
        failed=sum(trial.error is not None for trial in trials),
        seconds=sum(trial.build_s + trial.run_s for trial in trials),
        share=_share(history, trials),
    )


def _share(history: History, trials: Iterable[Trial]) -> float | None:
    """The part of the gain that these trials alone would give.

    A task counts no more than its gain: a first measurement may be luckier than what is known now.
    """
    fastest: dict[int, float] = {}
    for trial in trials:
        fastest[trial.task] = min(trial.latency_s, fastest.get(trial.task, math.inf))
    full = alone = 0.0
    for task in history.tasks:
        untuned_s, now_s = task.untuned_latency_s, history.now(task.index)
        if untuned_s is None or now_s is None:
            continue
        gain_s = untuned_s - now_s
        full += task.weight * gain_s
        reached_s = untuned_s - fastest.get(task.index, math.inf)
        alone += task.weight * min(gain_s, max(0.0, reached_s))
    return alone / full if full > 0 else None


def _model(trial: Trial) -> str:
    return _text(trial.origin, "model")


def _text(origin: dict[str, Any], name: str) -> str:
    """A text of an origin, which may come from a stranger's file."""
    value = origin.get(name)
    return value if isinstance(value, str) and value else UNNAMED


def _latency(origin: dict[str, Any]) -> float | None:
    value: Any = origin.get("latency_s")
    known = type(value) in (int, float) and 0 < value < math.inf
    return float(value) if known else None
