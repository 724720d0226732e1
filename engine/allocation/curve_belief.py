"""What is believed of one task: how fast its kernels will be one slot from now."""

from __future__ import annotations

import logging
import math
from dataclasses import dataclass
from typing import Annotated, TypeAlias

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from engine.allocation.curves import DEFAULT_FAMILY, Family, FamilyName, family
from engine.allocation.fitting import Points, fit
from engine.allocation.policy import TaskView
from engine.allocation.progress import Progress
from engine.allocation.sampler import Chain, sample
from engine.allocation.segments import last_segment, thinned
from engine.records.errors import UsageError
from engine.records.options import Checked
from engine.records.sentences import Sentence

Floats: TypeAlias = NDArray[np.float64]

_log = logging.getLogger(__name__)

_MOST_POINTS = 16
_FEWEST_POINTS = 4
_UNKNOWN_BEST = 0.5
_HALVES = 0.5
_ABOVE = 1.02


@dataclass(frozen=True, slots=True)
class CurveSettings(Checked):
    """The curve family and the sampler's effort, as in the paper; `jump` starts a new segment."""

    family: FamilyName = DEFAULT_FAMILY
    walkers: Annotated[int, Meta(ge=2, le=1000)] = 10
    steps: Annotated[int, Meta(ge=20, le=100_000)] = 500
    samples: Annotated[int, Meta(ge=10, le=10_000)] = 200
    jump: Annotated[float, Meta(ge=0, le=1000)] = 0.2

    def require_sense(self) -> None:
        """UsageError where the sampler cannot go with so many walkers."""
        needed = 2 * len(family(self.family).parameters)
        if self.walkers < needed or self.walkers % 2:
            raise UsageError(
                Sentence(
                    "The sampler cannot go with {walkers} walkers for {family}.",
                    walkers=self.walkers,
                    family=self.family,
                ),
                Sentence("Give an even number of {needed} or more.", needed=needed),
            )

    @property
    def burn_in(self) -> int:
        """Steps left out: those until the walkers have spread (about 100, says the paper)."""
        return min(100, self.steps // 2)


@dataclass(frozen=True, slots=True)
class CurveBelief:
    """What one more slot is expected to give a task.

    `gain` is the expected part of the latency that it takes away, in [0, 1), `spread` that part's
    standard deviation. `trials` is the history's length, `horizon` the trial the prediction is
    for, `first` the 0-based trial at which the fitted segment begins. `mean` and `std` are of
    the performance predicted there, in units of `peak_speed`; latency is 1 / (y x `peak_speed`).
    `theta` (samples, k) are curves of the posterior; without one (`why` says the reason) the
    fallback rule holds: a slot gains half of what the last one did.
    """

    trials: int
    gain: float
    spread: float
    horizon: int
    first: int = 0
    mean: float = 0.0
    std: float = 0.0
    peak_speed: float = 0.0
    acceptance: float | None = None
    family: str = ""
    theta: Floats | None = None
    why: str = ""


def expected_improvement(mean: float, std: float, best: float) -> float:
    """E[max(0, Y - best)] for a normal Y (Brochu, Cora and de Freitas, 2010, equation 4)."""
    if std <= 0:
        return max(0.0, mean - best)
    z = (mean - best) / std
    density = math.exp(-0.5 * z * z) / math.sqrt(2 * math.pi)
    below = 0.5 * math.erfc(-z / math.sqrt(2))
    return (mean - best) * below + std * density


def believe(view: TaskView, progress: Progress, settings: CurveSettings, seed: int) -> CurveBelief:
    """The belief of a task with a valid trial. The same history gives the same belief."""
    data = _data(view, progress, settings)
    if len(data.points.x) < _FEWEST_POINTS:
        return _halving(view, progress, "too few trials since the last jump")
    drawn = _draw(view, data, settings, seed)
    if drawn is None:
        return _halving(view, progress, "no curve fits")
    theta, chain = drawn
    end = data.family(theta, np.array([data.points.horizon]))[:, 0]
    mean, std, best = float(end.mean()), float(end.std()), data.points.best
    expected = best + expected_improvement(mean, std, best)
    return CurveBelief(
        trials=progress.trials,
        gain=1.0 - best / expected,
        spread=float((1.0 - best / end).std()),
        horizon=int(data.points.horizon),
        first=data.first,
        mean=mean,
        std=std,
        peak_speed=data.peak_speed,
        acceptance=chain.acceptance,
        family=settings.family,
        theta=theta,
    )


def walkers(view: TaskView, progress: Progress, settings: CurveSettings, seed: int) -> Chain | None:
    """The chain behind a belief, made once more; None where the fallback rule holds."""
    data = _data(view, progress, settings)
    if len(data.points.x) < _FEWEST_POINTS:
        return None
    drawn = _draw(view, data, settings, seed)
    return None if drawn is None else drawn[1]


@dataclass(frozen=True, slots=True)
class _Data:
    family: Family
    points: Points
    first: int
    peak_speed: float


def _data(view: TaskView, progress: Progress, settings: CurveSettings) -> _Data:
    """The last segment of the history as performance, thinned.

    Performance is FLOP/s over peak. A task without FLOPs, or a target without a known peak, has
    1 / latency instead, over twice the best so far: as if the best possible were twice as fast.
    """
    speed = 1.0 / progress.best[np.isfinite(progress.best)]
    peak = (view.peak_flops or 0.0) / view.flops if view.flops > 0 else 0.0
    peak_speed = max(peak, _ABOVE * speed[-1]) if peak > 0 else speed[-1] / _UNKNOWN_BEST
    y = speed / peak_speed
    start = last_segment(y, settings.jump)
    kept = start + thinned(y[start:], _MOST_POINTS)
    unseen = progress.trials - len(speed)
    horizon = float(progress.trials + max(1, view.slot_trials))
    points = Points((kept + unseen + 1).astype(np.float64), y[kept], horizon)
    return _Data(family(settings.family), points, start + unseen, float(peak_speed))


def _draw(
    view: TaskView, data: _Data, settings: CurveSettings, seed: int
) -> tuple[Floats, Chain] | None:
    start = fit(data.family, data.points)
    if start is None:
        return None
    seeds = [seed & 0xFFFFFFFF, view.index, len(view.latencies)]
    chain = sample(data.family, data.points, start, settings.walkers, settings.steps, seeds)
    if chain is None:
        return None
    flat = chain.theta[settings.burn_in :].reshape(-1, len(start))
    rows = np.linspace(0, len(flat) - 1, min(settings.samples, len(flat))).astype(np.int64)
    return flat[rows], chain


def _halving(view: TaskView, progress: Progress, why: str) -> CurveBelief:
    reductions = progress.reductions()
    last = reductions[-1] if len(reductions) and np.isfinite(reductions[-1]) else 1.0
    gain = _HALVES * float(last)
    horizon = progress.trials + max(1, view.slot_trials)
    return CurveBelief(progress.trials, gain, gain, horizon, first=progress.trials, why=why)


class CurveBeliefs:
    """The beliefs of a run's tasks, each refitted only where its history grew."""

    def __init__(self, settings: CurveSettings, seed: int) -> None:
        self._settings = settings
        self._seed = seed
        self._known: dict[int, tuple[tuple[int, int, float], CurveBelief]] = {}
        self._told: set[int] = set()

    def of(self, view: TaskView, progress: Progress) -> CurveBelief:
        """The belief of one task with a valid trial. Takes tens of ms where it is refitted."""
        key = (len(view.latencies), view.slot_trials, progress.best_s)
        known = self._known.get(view.index)
        if known is not None and known[0] == key:
            return known[1]
        belief = believe(view, progress, self._settings, self._seed)
        self._known[view.index] = key, belief
        if belief.why == "no curve fits" and view.index not in self._told:
            self._told.add(view.index)
            _log.warning(
                "No %s curve fits task %d; a slot of it is taken to gain half of what its last "
                "one did.",
                self._settings.family,
                view.index,
            )
        return belief
