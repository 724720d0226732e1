"""Which policy is better: the figures of replays of one recording."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.records.recording import Floats, RecordedTask, Recording
from engine.replay.replay import ReplayResult

_RESAMPLES = 2000


@dataclass(frozen=True, slots=True)
class Spread:
    """A median, and the 95 % interval in which it lies; infinite where a goal was not reached."""

    median: float
    low: float
    high: float

    def as_dict(self) -> dict[str, float | None]:
        """JSON-ready; None for infinity, which JSON lacks."""
        values = {"median": self.median, "low": self.low, "high": self.high}
        return {name: value if math.isfinite(value) else None for name, value in values.items()}


@dataclass(frozen=True, slots=True)
class Figures:
    """What one replay comes to, against the best final latency of its recording.

    `to_5_s`, `to_1_s`: virtual seconds until the model was within 5 % and 1 % of that, infinite
    where it never was. `area_s2` is the area under the latency curve up to the horizon (s * s).
    `regret` is the last value of `regret_curve` over the reduction that was possible, without
    unit. `decision_share` is the decisions' real time over the virtual time of the slots.
    """

    to_5_s: float
    to_1_s: float
    area_s2: float
    regret: float
    final_s: float
    duration_s: float
    decision_share: float


def best_final(recording: Recording) -> float:
    """The model's latency in seconds once all of the recording was shown.

    Every policy that leaves no task ends there, so it is the best final latency of all.
    """
    return math.fsum(
        task.weight * float(task.latency_s.min(initial=task.untuned_s)) for task in recording.tasks
    )


def figures(recording: Recording, result: ReplayResult, horizon_s: float) -> Figures:
    """The figures of a replay of `recording`; `horizon_s` should be the same for all policies.

    A replay may have ended when it was within 1 %: it counts as if it had stayed there.
    """
    best_s = best_final(recording)
    possible = result.start_s - best_s
    curve = regret_curve(recording, result)
    return Figures(
        to_5_s=seconds_to(result, 1.05 * best_s),
        to_1_s=seconds_to(result, 1.01 * best_s),
        area_s2=area(result, horizon_s),
        regret=float(curve[-1]) / possible if len(curve) and possible > 0 else 0.0,
        final_s=result.final_s,
        duration_s=result.duration_s,
        decision_share=result.decision_share,
    )


def seconds_to(result: ReplayResult, latency_s: float) -> float:
    """Virtual seconds until the model was that fast; infinite where it never was."""
    if result.start_s <= latency_s:
        return 0.0
    reached = np.flatnonzero(result.latency_s <= latency_s)
    return float(result.seconds[reached[0]]) if len(reached) else math.inf


def area(result: ReplayResult, until_s: float) -> float:
    """The integral of the model's latency from 0 to `until_s`, the last one held to there."""
    moments = np.concatenate([[0.0], np.minimum(result.seconds, until_s), [until_s]])
    latencies = np.concatenate([[result.start_s], result.latency_s])
    return float(np.diff(moments) @ latencies)


def regret_curve(recording: Recording, result: ReplayResult) -> Floats:
    """R after each slot, in seconds of model latency (the paper's cumulative regret).

    R(T) = sum over slots of (the largest reduction that a slot could have brought then, seen in
    hindsight - what this slot brought). Tasks in flight could not be chosen; a slot's trials are
    those that it gave.
    """
    bests = [_best_after(task) for task in recording.tasks]
    size = recording.batch if not result.slots else max(slot.trials for slot in result.slots)
    done = [0] * len(bests)
    running: list[tuple[float, int, int]] = []
    losses = []

    def reduction(task: int, trials: int) -> float:
        best, start = bests[task], done[task]
        end = min(start + trials, len(best) - 1)
        return recording.tasks[task].weight * float(best[start] - best[end])

    for slot in result.slots:
        for over in [entry for entry in running if entry[0] <= slot.start_s]:
            running.remove(over)
            done[over[1]] += over[2]
        busy = {task for _, task, _ in running}
        open_tasks = [task for task in range(len(bests)) if task not in busy]
        chosen = reduction(slot.task, slot.trials)
        losses.append(max([chosen, *(reduction(task, size) for task in open_tasks)]) - chosen)
        running.append((slot.end_s, slot.task, slot.trials))
    return np.cumsum(np.array(losses, np.float64))


def spread(values: Sequence[float]) -> Spread:
    """The median with a percentile bootstrap of it; the same for the same values."""
    column = np.array(values, np.float64)
    rng = np.random.default_rng(0)
    picks = rng.integers(0, len(column), (_RESAMPLES, len(column)))
    medians = np.sort(_medians(column[picks]))
    low, high = medians[int(0.025 * _RESAMPLES)], medians[int(0.975 * _RESAMPLES) - 1]
    return Spread(float(_medians(column[None])[0]), float(low), float(high))


def _medians(rows: Floats) -> Floats:
    """Medians of rows that may hold infinity: between a number and infinity it is infinity."""
    ordered = np.sort(rows, axis=1)
    count = ordered.shape[1]
    middle: Floats = (ordered[:, (count - 1) // 2] + ordered[:, count // 2]) / 2
    return middle


def _best_after(task: RecordedTask) -> Floats:
    """The best latency after 0, 1, 2, ... trials, where none is worse than the untuned one."""
    best: Floats = np.minimum.accumulate(np.concatenate([[task.untuned_s], task.latency_s]))
    return best
