"""What one more slot would give each task: what slots have taught, and its seconds."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np

from engine.allocation.policy import TaskView
from engine.allocation.pooled import Outlook, Past, Pool, Typical, chance
from engine.allocation.progress import Progress, ProgressCache, model_latency

_HALVES = 0.5


@dataclass(frozen=True, slots=True)
class Forecast:
    """One task's next slot.

    `cost_s` is weight times latency now; `gain` the part of it that the slot is expected to take
    away and `spread` how unsure that expectation is, as a standard deviation; `pace` the mean
    seconds of a slot over those that this one will take (1 where they are unknown or do not
    count). `valid` is whether the task has a result at all. `headroom` is how many times as long
    it takes as its peers.
    """

    view: TaskView
    cost_s: float
    gain: float
    spread: float
    pace: float
    valid: bool
    headroom: float = 1.0

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
    """Makes forecasts; keeps the progress of tasks until a history grows."""

    def __init__(self, *, per_second: bool = True, peers: bool = True) -> None:
        """`peers`: whether a task that is slower than its peers is expected to gain more."""
        self._progress = ProgressCache()
        self._pasts: dict[int, tuple[Progress, Past]] = {}
        self._peers = peers
        self._per_second = per_second

    def situation(self, views: Sequence[TaskView]) -> Situation:
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
        pool, ahead = self._pool(situation), self._headrooms(situation)
        paces = Paces(situation.views if self._per_second else [])
        return [self._one(view, situation, pool, ahead, paces) for view in tasks]

    def ahead(self, situation: Situation, view: TaskView, slots: int = 1) -> list[Outlook]:
        """What the next 1, 2, ... `slots` slots are believed to take off a task's latency.

        Sums of parts. Only the next one's where the task had no slot or has no result: what
        comes later depends on it.
        """
        pool, headroom = self._pool(situation), self._headrooms(situation).get(view.index, 1.0)
        progress = situation.progress[view.index]
        filled = _filled(view, progress)
        dry = progress.dry()
        done = len(dry) - 1
        if not progress.valid or not done:
            return [self._next(view, situation, pool, headroom).scaled(filled)]
        rate = pool.rate(self._past(view, situation))
        sums = rate.chances(done, dry[-1], slots)
        return [rate.outlook(chances * headroom).scaled(filled) for chances in sums]

    def _pool(self, situation: Situation) -> Pool:
        """What all tasks' slots have taught."""
        return Pool(self._past(view, situation) for view in situation.views)

    def _headrooms(self, situation: Situation) -> dict[int, float]:
        """How many times as long tasks take as their peers, where that counts and is known."""
        if not self._peers:
            return {}
        progress = situation.progress
        return headrooms(
            (view.index, view.op_class, view.flops, progress[view.index].now_s or 0.0)
            for view in situation.views
        )

    def _one(
        self,
        view: TaskView,
        situation: Situation,
        pool: Pool,
        ahead: dict[int, float],
        paces: Paces,
    ) -> Forecast:
        progress = situation.progress[view.index]
        headroom = ahead.get(view.index, 1.0)
        expected = self._reduction(view, situation, pool, headroom)
        filled = _filled(view, progress)
        cost_s = view.weight * (progress.now_s or 0.0)
        return Forecast(
            view,
            cost_s,
            filled * expected.gain,
            filled * expected.spread,
            paces.of(view, filled),
            progress.valid,
            headroom,
        )

    def _reduction(
        self, view: TaskView, situation: Situation, pool: Pool, headroom: float
    ) -> Typical:
        """The part of its latency that a slot takes away; a subclass may believe otherwise."""
        return self._next(view, situation, pool, headroom)

    def _next(self, view: TaskView, situation: Situation, pool: Pool, headroom: float) -> Outlook:
        progress = situation.progress[view.index]
        if not progress.valid:
            return pool.first(view.op_class, headroom).scaled(_HALVES**view.slots)
        dry = progress.dry()
        if len(dry) == 1:
            return pool.first(view.op_class, headroom)
        chances = chance(len(dry) - 1, dry[-1]) * headroom
        return pool.rate(self._past(view, situation)).outlook(chances)

    def _past(self, view: TaskView, situation: Situation) -> Past:
        progress = situation.progress[view.index]
        known = self._pasts.get(view.index)
        if known is None or known[0] is not progress:
            known = (progress, Past.of(view.op_class, progress))
            self._pasts[view.index] = known
        return known[1]


def _filled(view: TaskView, progress: Progress) -> float:
    """How full the task's slots were of trials, in (0, 1].

    A search that proposes fewer candidates than a slot holds has all but used up its space: there
    is that much less to come, and its slots are quick for no other reason.
    """
    places = (view.slots - view.in_flight) * max(1, view.slot_trials)
    return min(1.0, progress.trials / places) if places > 0 and progress.trials else 1.0


_MADE_UP = 4.0


class Paces:
    """Expected seconds of slots.

    A few slots tell little of a task's speed, for each waited for what else was in flight. So the
    mean of a task's own counts its class's as four slots more, and that of a class, over its
    tasks, counts that of all tasks as four tasks more.
    """

    def __init__(self, views: Sequence[TaskView]) -> None:
        known = [view for view in views if view.slot_s]
        classes: dict[str, list[float]] = defaultdict(list)
        for view in known:
            classes[view.op_class].append(view.slot_s or 0.0)
        self._mean_s = fmean(view.slot_s or 0.0 for view in known) if known else None
        self._classes = {
            name: _pulled(sum(seconds), len(seconds), self._mean_s or 0.0)
            for name, seconds in classes.items()
        }

    def of(self, view: TaskView, filled: float = 1.0) -> float:
        """The mean seconds of a slot over those of the task's next one: 1 where none is known.

        `filled` is how full its slots were; the next one is taken to be a full one.
        """
        if self._mean_s is None:
            return 1.0
        typical_s = self._classes.get(view.op_class, self._mean_s)
        slots = view.slots - view.in_flight if view.slot_s else 0
        return self._mean_s / _pulled(slots * (view.slot_s or 0.0) / filled, slots, typical_s)


def _pulled(total: float, count: int, towards: float) -> float:
    return (total + _MADE_UP * towards) / (count + _MADE_UP)


_FEWEST = 5
_MOST = 4.0
_RIDGE = 0.3


def headrooms(tasks: Iterable[tuple[int, str, float, float]]) -> dict[int, float]:
    """How many times as long each task takes as one of its class and size does, by its index.

    `tasks` are rows of index, class, FLOPs and latency now in seconds. What a size takes is read
    off the least-squares line of ln(FLOP/s) over ln(FLOPs) through the class. Classes of fewer
    than five tasks have no line, and their tasks are left out; results lie in [1/4, 4].
    """
    classes: dict[str, list[tuple[int, float, float]]] = defaultdict(list)
    for index, name, flops, latency_s in tasks:
        if flops > 0 and 0 < latency_s < math.inf:
            classes[name].append((index, flops, latency_s))
    found: dict[int, float] = {}
    for rows in classes.values():
        if len(rows) >= _FEWEST:
            found.update(_of_class(rows))
    return found


def _of_class(rows: list[tuple[int, float, float]]) -> dict[int, float]:
    _, flops, latency_s = (np.array(column) for column in zip(*rows, strict=True))
    size, speed = np.log(flops), np.log(flops / latency_s)
    size, level = size - size.mean(), speed.mean()
    slope = float(size @ (speed - level)) / (float(size @ size) + _RIDGE)
    behind = np.exp(level + slope * size - speed).clip(1 / _MOST, _MOST)
    return {row[0]: float(value) for row, value in zip(rows, behind, strict=True)}
