"""Ansor's gradient rule, which looks at the speed of similar tasks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta

from engine.allocation.policies.gradient import Gradient
from engine.allocation.policy import TaskView
from engine.allocation.progress import Progress
from engine.records.options import Checked, Share
from engine.records.sentences import Sentence


class Ansor(Gradient):
    """Gives each task one slot, then the next one to the largest of

        weight x (alpha x drop over the last `window` slots / `window`
                  + (1 - alpha) x (latency - hope))

    where hope, the latency after one more slot, is the smaller of latency x (1 - 1 / slots) and
    `beta` x FLOPs / (the best FLOP/s among tasks of the same class, where there are others).
    A task without a valid result is taken to have a huge latency, so it goes first.
    """

    name = "ansor"
    title = "Gradient (Ansor)"
    nothing = Sentence("no task has a valid result yet")

    @dataclass(frozen=True)
    class Options(Checked):
        """The weight of the past drop, the trust in similar tasks, the slots of the drop."""

        alpha: Share = 0.2
        beta: Annotated[float, Meta(ge=0, le=1_000_000)] = 2.0
        window: Annotated[int, Meta(ge=1, le=1000)] = 3

    def scores(self, candidates: Sequence[TaskView], tasks: Sequence[TaskView]) -> dict[int, float]:
        """The gradient of each candidate by its index."""
        known = self._progress.all(tasks)
        speeds = best_speeds(tasks, known)
        return {
            task.index: self.score(task, known[task.index], speeds.get(task.op_class))
            for task in candidates
        }

    def score(self, task: TaskView, progress: Progress, speed: float | None = None) -> float:
        """The gradient of one task in seconds a slot; infinity without a result.

        `speed` is the best FLOP/s of similar tasks, None where there are none.
        """
        if not progress.valid or not len(progress.rounds):
            return math.inf
        latency_s, slots = progress.best_s, len(progress.rounds)
        hope = latency_s * (1.0 - 1.0 / slots)
        if speed and task.flops > 0:
            hope = min(hope, self.options.beta * task.flops / speed)
        return self.blend(task, progress, latency_s - hope)


def best_speeds(tasks: Sequence[TaskView], known: dict[int, Progress]) -> dict[str, float]:
    """The best FLOP/s within each class of more than one task."""
    members: dict[str, list[float]] = {}
    for task in tasks:
        best_s = known[task.index].best_s
        members.setdefault(task.op_class, []).append(task.flops / best_s)
    return {name: max(speeds) for name, speeds in members.items() if len(speeds) > 1}
