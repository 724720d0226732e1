"""What one more slot would give each task: its belief, the pool's experience, its seconds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from engine.allocation.belief import Beliefs, BeliefSettings
from engine.allocation.policy import TaskView
from engine.allocation.pooled import Pool
from engine.allocation.progress import Progress, ProgressCache, model_latency

_HALVES = 0.5


@dataclass(frozen=True, slots=True)
class Forecast:
    """One task's next slot.

    `cost_s` is weight times latency now; `gain` the part of it that the slot is expected to take
    away and `spread` that part's standard deviation; `pace` the mean seconds of a slot over those
    of a full slot of this task (1 where they are unknown or do not count). `valid` is whether the
    task has a result at all.
    """

    view: TaskView
    cost_s: float
    gain: float
    spread: float
    pace: float
    valid: bool

    @property
    def gain_s(self) -> float:
        """Expected reduction of the model's latency in seconds."""
        return self.cost_s * self.gain

    @property
    def worth_s(self) -> float:
        """The same for each mean slot's time."""
        return self.gain_s * self.pace


@dataclass(frozen=True, slots=True)
class Situation:
    """All a policy weighs: the progress of every task and the slots given so far.

    `latency_s` is the model's latency as it stands, `untuned_s` that before tuning: sums over the
    tasks of weight times latency, where known.
    """

    views: Sequence[TaskView]
    progress: dict[int, Progress]
    latency_s: float
    untuned_s: float
    slots: int


class Forecaster:
    """Makes forecasts; keeps beliefs and progress until a history grows."""

    def __init__(
        self, settings: BeliefSettings, pooled: float, per_second: bool, seed: int
    ) -> None:
        """`pooled`: how many slots of its own outweigh the pool's word (0: it has none)."""
        self._beliefs = Beliefs(settings, seed)
        self._progress = ProgressCache()
        self._pooled = pooled
        self._per_second = per_second

    def situation(self, views: Sequence[TaskView]) -> Situation:
        """Where the run stands."""
        progress = self._progress.all(views)
        slots = sum(view.slots for view in views)
        untuned_s = math.fsum(
            view.weight * (known.untuned_s or known.now_s or 0.0)
            for view in views
            if (known := progress[view.index])
        )
        return Situation(views, progress, model_latency(views, progress), untuned_s, slots)

    def of(self, situation: Situation, tasks: Sequence[TaskView]) -> list[Forecast]:
        """The forecast of each of these tasks."""
        pool = Pool(
            (view.op_class, situation.progress[view.index].reductions()) for view in situation.views
        )
        mean_s = self._mean_slot_s(situation.views)
        return [self._one(view, situation.progress[view.index], pool, mean_s) for view in tasks]

    def _one(
        self, view: TaskView, progress: Progress, pool: Pool, mean_s: float | None
    ) -> Forecast:
        gain, spread = self._reduction(view, progress, pool)
        filled = _filled(view, progress)
        pace = mean_s * filled / view.slot_s if mean_s and view.slot_s else 1.0
        cost_s = view.weight * (progress.now_s or 0.0)
        return Forecast(view, cost_s, filled * gain, filled * spread, pace, progress.valid)

    def _reduction(self, view: TaskView, progress: Progress, pool: Pool) -> tuple[float, float]:
        """The part of its latency that a slot takes away: expectation, standard deviation."""
        if not progress.valid:
            first = pool.typical(view.op_class, 0)
            hope = _HALVES**view.slots
            return hope * first.gain, hope * first.spread
        belief = self._beliefs.of(view, progress)
        if self._pooled <= 0:
            return belief.gain, belief.spread
        typical = pool.typical(view.op_class, view.slots)
        own = view.slots / (view.slots + self._pooled)
        gain = own * belief.gain + (1 - own) * typical.gain
        return gain, math.sqrt(own * belief.spread**2 + (1 - own) * typical.spread**2)

    def _mean_slot_s(self, views: Sequence[TaskView]) -> float | None:
        """The mean seconds of a slot over tasks that had one, None where they do not count."""
        known = [view.slot_s for view in views if view.slot_s]
        return fmean(known) if self._per_second and known else None


def _filled(view: TaskView, progress: Progress) -> float:
    """How full the task's slots were of trials, in (0, 1].

    A search that proposes fewer candidates than a slot holds has all but used up its space: there
    is that much less to come, and its slots are quick for no other reason.
    """
    places = (view.slots - view.in_flight) * max(1, view.slot_trials)
    return min(1.0, progress.trials / places) if places > 0 and progress.trials else 1.0
