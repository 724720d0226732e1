"""MetaSchedule's gradient rule."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from msgspec import Meta

from engine.allocation.policy import Choice, Policy, TaskView
from engine.allocation.progress import Progress, ProgressCache
from engine.records.options import Checked, Share
from engine.records.sentences import Sentence
from engine.records.units import format_seconds


class Gradient(Policy):
    """Gives each task one slot, then the next one to the largest of

        weight x (alpha x drop over the last `window` slots / `window`
                  + (1 - alpha) x latency / slots)

    The drop counts from a task's slot `window` + 1 on. A task without a valid result comes last.
    """

    name = "gradient"
    title = "Gradient (MetaSchedule)"

    @dataclass(frozen=True)
    class Options(Checked):
        """The weight of the past drop against the hope, and the slots it is taken over."""

        alpha: Share = 0.2
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
        scores = self.scores(candidates, tasks)
        task = max(candidates, key=lambda item: (scores[item.index], -item.slots, -item.index))
        score = scores[task.index]
        if not math.isfinite(score):
            return Choice(task.index, "no task has a valid result yet")
        finite = {str(index): value for index, value in scores.items() if math.isfinite(value)}
        return Choice(
            task.index,
            Sentence(
                "the largest gradient, {score} a slot after {slots} slots",
                score=format_seconds(score),
                slots=task.slots,
            ),
            {"gradient_s": finite},
        )

    def scores(self, candidates: Sequence[TaskView], tasks: Sequence[TaskView]) -> dict[int, float]:
        """The gradient of each candidate by its index."""
        known = self._progress.all(candidates)
        return {task.index: self.score(task, known[task.index]) for task in candidates}

    def score(self, task: TaskView, progress: Progress) -> float:
        """The gradient of one task in seconds a slot; minus infinity without a result."""
        if not progress.valid or not len(progress.rounds):
            return -math.inf
        return self.blend(task, progress, progress.best_s / len(progress.rounds))

    def blend(self, task: TaskView, progress: Progress, hope_s: float) -> float:
        """The past drop and what is hoped for, weighed."""
        drop_s, alpha = recent_drop(progress, self.options.window), float(self.options.alpha)
        return task.weight * (alpha * drop_s + (1.0 - alpha) * hope_s)


def first_slot(candidates: Sequence[TaskView]) -> Choice | None:
    """The first task that had no slot yet."""
    fresh = [task.index for task in candidates if not task.slots]
    return Choice(min(fresh), "its first slot") if fresh else None


def recent_drop(progress: Progress, window: int) -> float:
    """Seconds of latency that a slot took away on average over the last `window` of them.

    0 where there are no more slots than that, or where the window begins without a result.
    """
    rounds, window = progress.rounds, max(1, window)
    if len(rounds) <= window or not math.isfinite(rounds[-1 - window]):
        return 0.0
    return float(rounds[-1 - window] - rounds[-1]) / window
