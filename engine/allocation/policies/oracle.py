"""The oracle: greedy with hindsight. Only a replay knows the future."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from engine.allocation.policy import Choice, Policy, TaskView
from engine.allocation.recording import RecordedTask
from engine.records.options import Checked
from engine.records.sentences import Sentence
from engine.records.units import format_seconds

Floats: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Future:
    """All the trials that a task will ever have, in order.

    `latency_s` (trials,) are infinite after an error; `seconds` (trials,) is what each costs.
    """

    latency_s: Floats
    seconds: Floats

    @staticmethod
    def of(task: RecordedTask, cores: int = 1) -> Future:
        """What a recorded task will do: a trial costs its search, its run, its part of a build."""
        return Future(task.latency_s, task.search_s + task.build_s / cores + task.run_s)


class Oracle(Policy):
    """Gives the slot to the task that shortens the model most a second, looking ahead.

    Of each open task it takes the number of further slots with the largest reduction a second
    (a slot, where the options say so), since a slot that brings nothing may lead to one that
    does.
    """

    name = "oracle"
    title = "Oracle (replays only)"
    live = False

    @dataclass(frozen=True)
    class Options(Checked):
        """How many slots it looks ahead, and whether it counts seconds or slots."""

        lookahead: Annotated[int, Meta(ge=1, le=1_000_000)] = 1000
        per_second: bool = True

    def __init__(
        self,
        options: Any = None,
        seed: int = 0,
        futures: Mapping[int, Future] | None = None,
    ) -> None:
        """`futures`: by task index; a task without one has no trials to come."""
        super().__init__(options, seed)
        self._futures = futures or {}
        self._best = {
            index: np.minimum.accumulate(future.latency_s)
            for index, future in self._futures.items()
        }

    def choose(self, tasks: Sequence[TaskView]) -> Choice | None:
        """The open task with the largest reduction to come."""
        candidates = [task for task in tasks if task.open]
        if not candidates:
            return None
        rates = {task.index: self.rate(task) for task in candidates}
        task = max(candidates, key=lambda item: (rates[item.index], -item.slots, -item.index))
        rate = rates[task.index]
        gain = format_seconds(rate)
        if not math.isfinite(rate):
            return Choice(task.index, "it has no latency yet")
        if self.options.per_second:
            return Choice(task.index, Sentence("it will take away {gain} each second", gain=gain))
        return Choice(task.index, Sentence("it will take away {gain} each slot", gain=gain))

    def rate(self, task: TaskView) -> float:
        """Seconds of the model's latency that the task's best lookahead takes away a unit."""
        done, best = len(task.latencies), self._best.get(task.index)
        if best is None or done >= len(best):
            return 0.0
        size = max(1, task.slot_trials)
        ends = np.arange(done + size, len(best) + size, size)[: max(1, self.options.lookahead)]
        ends = np.minimum(ends, len(best))
        now_s = self._now_s(task, best, done)
        after = best[ends - 1]
        gains = np.maximum(0.0, now_s - np.where(np.isfinite(after), after, now_s))
        if not math.isfinite(now_s):
            return math.inf if np.isfinite(after).any() else 0.0
        costs = self._costs(task.index, done, ends)
        return task.weight * float((gains / costs).max())

    def _now_s(self, task: TaskView, best: Floats, done: int) -> float:
        if done and math.isfinite(best[done - 1]):
            return float(best[done - 1])
        return math.inf if task.untuned_s is None else task.untuned_s

    def _costs(self, index: int, done: int, ends: Any) -> Floats:
        if not self.options.per_second:
            return np.arange(1, len(ends) + 1, dtype=np.float64)
        spent = np.concatenate([[0.0], np.cumsum(self._futures[index].seconds)])
        return np.asarray(np.maximum(spent[ends] - spent[done], 1e-9))
