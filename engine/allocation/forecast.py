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


@dataclass(frozen=True, slots=True)
class Forecast:
    """One task's next slot.

    `cost_s` is weight times latency now; `gain` the part of it that the slot is expected to take
    away and `spread` that part's standard deviation; `pace` the mean seconds of a slot over this
    task's (1 where they do not count). `valid` is whether the task has a result at all.
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
        paces = self._paces(situation.views)
        return [
            self._one(view, situation.progress[view.index], pool, paces[view.index])
            for view in tasks
        ]

    def _one(self, view: TaskView, progress: Progress, pool: Pool, pace: float) -> Forecast:
        cost_s = view.weight * (progress.now_s or 0.0)
        if not progress.valid:
            first = pool.typical(view.op_class, 0)
            hope = 0.5**view.slots
            return Forecast(view, cost_s, hope * first.gain, hope * first.spread, pace, False)
        belief = self._beliefs.of(view, progress)
        gain, spread = belief.gain, belief.spread
        if self._pooled > 0:
            typical = pool.typical(view.op_class, view.slots)
            own = view.slots / (view.slots + self._pooled)
            gain = own * gain + (1 - own) * typical.gain
            spread = math.sqrt(own * spread**2 + (1 - own) * typical.spread**2)
        return Forecast(view, cost_s, gain, spread, pace, True)

    def _paces(self, views: Sequence[TaskView]) -> dict[int, float]:
        known = [view.slot_s for view in views if view.slot_s]
        if not (self._per_second and known):
            return {view.index: 1.0 for view in views}
        mean = fmean(known)
        return {view.index: mean / (view.slot_s or mean) for view in views}
