"""Slots in proportion to the floating-point operations of each task."""

from __future__ import annotations

from collections.abc import Sequence

from engine.allocation.policy import Choice, Policy, TaskView
from engine.records.sentences import Sentence


class Flops(Policy):
    """Gives slots linear in weight times FLOPs: to the task that is furthest behind its part.

    Tasks without FLOPs get a slot once no other is open; where no task has any, all parts are
    equal.
    """

    name = "flops"
    title = "By FLOPs"

    def choose(self, tasks: Sequence[TaskView]) -> Choice | None:
        """The open task with the largest part x (slots so far + 1) - own slots."""
        candidates = [task for task in tasks if task.open]
        if not candidates:
            return None
        total = sum(task.weight * task.flops for task in tasks)
        slots = sum(task.slots for task in tasks)

        def part(task: TaskView) -> float:
            return task.weight * task.flops / total if total > 0 else 1.0 / len(tasks)

        def behind(task: TaskView) -> float:
            return part(task) * (slots + 1) - task.slots

        task = max(candidates, key=lambda item: (behind(item), -item.index))
        return Choice(
            task.index,
            Sentence(
                "{share:.1%} of the operations, {slots} of {all} slots so far",
                share=part(task),
                slots=task.slots,
                all=slots,
            ),
            {"behind": round(behind(task), 3)},
        )
