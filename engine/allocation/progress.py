"""What a task's trials so far amount to, for the rules that decide on it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, TypeAlias

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from engine.allocation.policy import TaskView

Floats: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Progress:
    """A task's history in figures.

    `best` (trials,) is the best latency so far after each trial, in seconds, infinite before the
    first valid one. `rounds` (completed slots,) is the same after each slot, with the trials
    taken as spread evenly over them. `since` counts the trials since the last improvement.
    `untuned_s` is the latency before tuning.
    """

    best: Floats
    rounds: Floats
    since: int
    untuned_s: float | None

    @property
    def trials(self) -> int:
        """How many trials there are."""
        return len(self.best)

    @property
    def best_s(self) -> float:
        """The best latency in seconds, infinite where there is no valid trial."""
        return float(self.best[-1]) if len(self.best) else math.inf

    @property
    def valid(self) -> bool:
        return math.isfinite(self.best_s)

    @property
    def now_s(self) -> float | None:
        """The latency as it stands, in seconds: the best one or the untuned one, if that is less.

        A model is deployed with the faster of them. None where neither is known.
        """
        if not self.valid or self.untuned_s is None:
            return self.best_s if self.valid else self.untuned_s
        return min(self.best_s, self.untuned_s)

    def reductions(self) -> Floats:
        """What part of the latency each completed slot took away, in [0, 1], (completed slots,).

        The first slot is compared with the untuned latency; NaN where there was none to compare.
        """
        start = math.inf if self.untuned_s is None else self.untuned_s
        after = np.minimum.accumulate(np.concatenate([[start], self.rounds]))
        before = np.where(np.isfinite(after[:-1]), after[:-1], np.nan)
        return np.asarray(1.0 - after[1:] / before)

    def dry(self) -> list[int]:
        """How many slots in a row had not improved the search's own best, (completed slots + 1,).

        Before each of the slots, and before the next one. A search may still be on its way to the
        untuned latency: that counts as improving, though it takes nothing away yet.
        """
        found, best_s = [0], math.inf
        for after_s in self.rounds.tolist():
            found.append(0 if after_s < best_s else found[-1] + 1)
            best_s = min(best_s, after_s)
        return found


def progress_of(view: TaskView) -> Progress:
    """The figures of a task as it stands."""
    latencies = np.asarray(view.latencies, np.float64)
    best = np.minimum.accumulate(latencies) if len(latencies) else latencies
    improved = np.flatnonzero(best < np.concatenate([[math.inf], best[:-1]]))
    since = len(best) - 1 - int(improved[-1]) if len(improved) else len(best)
    known = view.untuned_s is not None and 0 < view.untuned_s < math.inf
    return Progress(best, _rounds(best, view), since, view.untuned_s if known else None)


def _rounds(best: Floats, view: TaskView) -> Floats:
    slots = max(0, view.slots - view.in_flight)
    if not len(best) or not slots:
        return best[:0]
    ends = np.ceil(len(best) * np.arange(1, slots + 1) / slots).astype(np.int64)
    return np.asarray(best[ends - 1])


class ProgressCache:
    """Progress of every task, worked out again only where its trials or slots changed."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[tuple[object, ...], Progress]] = {}

    def of(self, view: TaskView) -> Progress:
        """The progress of one task."""
        key = (len(view.latencies), view.slots, view.in_flight, view.untuned_s)
        known = self._known.get(view.index)
        if known is None or known[0] != key:
            known = (key, progress_of(view))
            self._known[view.index] = known
        return known[1]

    def all(self, views: Iterable[TaskView]) -> dict[int, Progress]:
        """The progress of each task by its index."""
        return {view.index: self.of(view) for view in views}


Patience = Annotated[int, Meta(ge=0, le=2**31 - 1)]
"""The trials without improvement after which a task is left out; 0: never."""


def unfinished(
    views: Sequence[TaskView], known: dict[int, Progress], finish_after: int
) -> list[TaskView]:
    """The open tasks that improved within `finish_after` trials (0: whenever).

    Where none of the open ones did, all of them: the budget ends a run, and what is left of it
    goes to tasks that were given up rather than to nothing.
    """
    open_tasks = [view for view in views if view.open]
    if finish_after <= 0:
        return open_tasks
    lively = [view for view in open_tasks if known[view.index].since < finish_after]
    return lively or open_tasks


def model_latency(views: Iterable[TaskView], known: dict[int, Progress]) -> float:
    """The sum of weight times latency now over the tasks where it is known, in seconds."""
    costs = (view.weight * now for view in views if (now := known[view.index].now_s) is not None)
    return math.fsum(costs)


def cost_first(view: TaskView, progress: Progress) -> float:
    """How much of the model a task without a result is: in seconds, guessed where unmeasured.

    An unmeasured task is taken to run at a hundredth of the peak (or of 1 TFLOP/s).
    """
    if progress.now_s is not None:
        return view.weight * progress.now_s
    return view.weight * view.flops / (0.01 * (view.peak_flops or 1e12))
