"""Ansor's gradient rule, which looks at the speed of similar tasks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from msgspec import Meta

from engine.allocation.policies.gradient import first_slot, recent_drop
from engine.allocation.policy import Choice, Policy, TaskView
from engine.allocation.progress import Progress, ProgressCache
from engine.records.options import Checked, Share
from engine.records.units import format_seconds


class Ansor(Policy):
    """Gives each task one slot, then the next one to the largest of

        weight x (alpha x drop over the last `window` slots / `window`
                  + (1 - alpha) x (latency - hope))

    where hope, the latency after one more slot, is the smaller of latency x (1 - 1 / slots) and
    `beta` x FLOPs / (the best FLOP/s among tasks of the same class, where there are others).
    A task without a valid result is taken to have a huge latency, so it goes first.
    """

    name = "ansor"
    title = "Gradient (Ansor)"

    @dataclass(frozen=True)
    class Options(Checked):
        """The weight of the past drop, the trust in similar tasks, the slots of the drop."""

        alpha: Share = 0.2
        beta: Annotated[float, Meta(ge=0, le=1_000_000)] = 2.0
        window: Annotated[int, Meta(ge=1, le=1000)] = 3

    def __init__(self, options: Any = None, seed: int = 0) -> None:
        super().__init__(options, seed)
        self._progress = ProgressCache()

    def choose(self, tasks: Sequence[TaskView]) -> Choice | None:
        """The open task with the largest gradient."""
        candidates = [task for task in tasks if task.open]
        if not candidates:
            return None
        if first := first_slot(candidates):
            return first
        known = self._progress.all(tasks)
        speeds = best_speeds(tasks, known)
        scores = {
            task.index: self.score(task, known[task.index], speeds.get(task.op_class))
            for task in candidates
        }
        task = max(candidates, key=lambda item: (scores[item.index], -item.slots, -item.index))
        score = scores[task.index]
        if not math.isfinite(score):
            return Choice(task.index, f"no valid result after {task.slots} slots")
        finite = {str(index): value for index, value in scores.items() if math.isfinite(value)}
        return Choice(
            task.index,
            f"the largest gradient, {format_seconds(score)} a slot after {task.slots} slots",
            {"gradient_s": finite},
        )

    def score(self, task: TaskView, progress: Progress, speed: float | None) -> float:
        """The gradient of one task in seconds a slot; infinity without a result.

        `speed` is the best FLOP/s of similar tasks, None where there are none.
        """
        if not progress.valid or not len(progress.rounds):
            return math.inf
        latency_s, slots = progress.best_s, len(progress.rounds)
        hope = latency_s * (1.0 - 1.0 / slots)
        if speed and task.flops > 0:
            hope = min(hope, self.options.beta * task.flops / speed)
        drop = recent_drop(progress, self.options.window)
        alpha = float(self.options.alpha)
        return task.weight * (alpha * drop + (1.0 - alpha) * (latency_s - hope))


def best_speeds(tasks: Sequence[TaskView], known: dict[int, Progress]) -> dict[str, float]:
    """The best FLOP/s within each class of more than one task."""
    members: dict[str, list[float]] = {}
    for task in tasks:
        best_s = known[task.index].best_s
        members.setdefault(task.op_class, []).append(task.flops / best_s)
    return {name: max(speeds) for name, speeds in members.items() if len(speeds) > 1}
