"""How long a task's next slot will take, by its own slots and those of its class."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from statistics import fmean

from engine.allocation.policy import TaskView

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
