"""What a person wants of the allocation, over the head of any policy."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from engine.allocation.policy import Choice, Policy, TaskView
from engine.records.errors import UsageError
from engine.records.options import Checked, Index, made
from engine.records.sentences import Sentence, counting


@dataclass(frozen=True, slots=True)
class Wishes(Checked, what=Sentence("A wish")):
    """Tasks by index: `pinned` ones go first until they are unpinned, `skipped` ones get nothing.

    `floors` are numbers of slots that a task gets before the policy decides.
    """

    pinned: frozenset[Index] = frozenset()
    skipped: frozenset[Index] = frozenset()
    floors: Mapping[Index, Index] = field(default_factory=dict)

    def require_sense(self) -> None:
        """UsageError where a task is to be skipped and to get slots."""
        both = sorted(self.skipped & (self.pinned | {t for t, n in self.floors.items() if n > 0}))
        if both:
            raise UsageError(
                Sentence("Task {both} is to be skipped and to get slots.", both=both[0]),
                "Take one of the two back.",
            )

    def as_dict(self) -> dict[str, Any]:
        return {
            "pinned": sorted(self.pinned),
            "skipped": sorted(self.skipped),
            "floors": {str(task): count for task, count in sorted(self.floors.items())},
        }

    def leaving(self, tasks: Collection[int]) -> Wishes:
        """The same, with these tasks skipped whatever else was wanted of them."""
        gone = frozenset(tasks)
        floors = {task: count for task, count in self.floors.items() if task not in gone}
        return Wishes(self.pinned - gone, self.skipped | gone, floors)

    @staticmethod
    def from_dict(data: Mapping[str, Any]) -> Wishes:
        """The wishes that `as_dict` gave; of an empty mapping, none. UsageError."""
        return made(Wishes, data)


NO_WISHES = Wishes()


def choose(policy: Policy, wishes: Wishes, tasks: Sequence[TaskView]) -> Choice | None:
    """The next slot's task: a pinned one, one below its floor, or the policy's choice.

    The policy sees skipped tasks as finished, and those at the launch's floor while another one is
    not. It is not asked where a wish decides, so its state stays as it was.
    """
    if (wished := _wished(wishes, tasks)) is not None:
        return wished
    skipped = wishes.skipped
    going_on = any(not (one.finished or one.at_floor or one.index in skipped) for one in tasks)
    return policy.choose(
        [
            replace(one, finished=True)
            if one.index in skipped or (one.at_floor and going_on)
            else one
            for one in tasks
        ]
    )


def _wished(wishes: Wishes, tasks: Sequence[TaskView]) -> Choice | None:
    candidates = [task for task in tasks if task.open and task.index not in wishes.skipped]
    pinned = [task for task in candidates if task.index in wishes.pinned]
    if pinned:
        task = min(pinned, key=lambda item: (item.slots, item.index))
        return Choice(
            task.index, counting(task.slots, "pinned, {n} slot so far", "pinned, {n} slots so far")
        )
    short = [task for task in candidates if task.slots < wishes.floors.get(task.index, 0)]
    if not short:
        return None
    task = min(short, key=lambda item: (item.slots, item.index))
    return Choice(
        task.index,
        Sentence(
            "it is to have {floors} slots, and has {slots}",
            floors=wishes.floors[task.index],
            slots=task.slots,
        ),
    )
