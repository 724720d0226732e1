"""Which policy is better: the figures of replays of one recording."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.allocation.recording import Floats, Recording
from engine.replay.regret import best_final, regret_share
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

    `to_20_s`, `to_5_s`, `to_1_s`: virtual seconds until the model was within 20 %, 5 % and 1 % of
    that, infinite where it never was. `area_s2` is the area under the latency curve up to the
    horizon (s * s). `decision_share` is the decisions' real time over the virtual time of the
    slots.
    """

    to_20_s: float
    to_5_s: float
    to_1_s: float
    area_s2: float
    regret: float
    final_s: float
    duration_s: float
    decision_share: float


def figures(recording: Recording, result: ReplayResult, horizon_s: float) -> Figures:
    """The figures of a replay of `recording`; `horizon_s` should be the same for all policies.

    A replay may have ended when it was within 1 %: it counts as if it had stayed there.
    """
    best_s = best_final(recording)
    return Figures(
        to_20_s=seconds_to(result, 1.2 * best_s),
        to_5_s=seconds_to(result, 1.05 * best_s),
        to_1_s=seconds_to(result, 1.01 * best_s),
        area_s2=area(result, horizon_s),
        regret=regret_share(recording, result),
        final_s=result.final_s,
        duration_s=result.duration_s,
        decision_share=decision_share(result),
    )


def decision_share(result: ReplayResult) -> float:
    """Seconds spent on decisions over the virtual seconds of the run."""
    return float(result.decision_s.sum()) / result.duration_s if len(result.seconds) else 0.0


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
