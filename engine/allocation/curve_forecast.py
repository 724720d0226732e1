"""Forecasts of the paper's policy: a task's own curve, mixed with what slots have taught."""

from __future__ import annotations

import math

from engine.allocation.curve_belief import CurveBeliefs, CurveSettings
from engine.allocation.forecast import Forecaster, Situation
from engine.allocation.policy import TaskView
from engine.allocation.pooled import Pool, Typical
from engine.allocation.progress import Progress

_LEAST_PART = 0.1  # of a belief that is worth the time to fit it


class CurveForecaster(Forecaster):
    """Believes in curves, each refitted where its history grew."""

    def __init__(
        self, settings: CurveSettings, pooled: float, per_second: bool, seed: int, *, peers: bool
    ) -> None:
        """`pooled`: how many slots of its own outweigh the other tasks' word (0: it has none)."""
        super().__init__(per_second=per_second, peers=peers and pooled > 0)
        self._beliefs = CurveBeliefs(settings, seed)
        self._pooled = pooled

    def _reduction(
        self, view: TaskView, situation: Situation, pool: Pool, headroom: float
    ) -> Typical:
        progress = situation.progress[view.index]
        learnt: Typical = self._next(view, situation, pool, headroom)
        if not progress.valid:
            return learnt
        slots = len(progress.dry()) - 1
        part = slots / (slots + self._pooled) if self._pooled > 0 else 1.0
        if slots:  # the curve's is the spread of what comes, too
            variance = learnt.gain * pool.jump - learnt.gain**2
            learnt = Typical(learnt.gain, math.sqrt(max(0.0, variance)))
        if part < _LEAST_PART:
            return learnt
        belief = self._beliefs.of(view, progress)
        return _mixed(Typical(_visible(belief.gain, progress), belief.spread), learnt, part)


def _visible(gain: float, progress: Progress) -> float:
    """What a gain over the search's own best takes away of the latency as it stands."""
    now_s = progress.now_s or progress.best_s
    return max(0.0, 1.0 - progress.best_s * (1.0 - gain) / now_s)


def _mixed(own: Typical, learnt: Typical, part: float) -> Typical:
    """The first with weight `part`, the second with the rest."""
    square = part * own.spread**2 + (1.0 - part) * learnt.spread**2
    return Typical(part * own.gain + (1.0 - part) * learnt.gain, math.sqrt(square))
