"""A colour for each task of a model: stable while it is tuned, and the same in every view."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QColor

from engine.records.task import Task
from widgets.look.theme import blend, theme

_TINTS = (0.0, 0.4, 0.65)


class TaskColors:
    """Colours by the rank of a task's cost before tuning; after eight they come again, paler."""

    def __init__(self, tasks: Sequence[Task] = ()) -> None:
        order = sorted(tasks, key=lambda task: (-cost(task), task.index))
        self._ranks = {task.index: rank for rank, task in enumerate(order)}

    def of(self, task: int) -> QColor:
        """The task's colour in the theme in force."""
        colors = theme()
        rank = self._ranks.get(task)
        if rank is None:
            return colors.muted
        count = len(colors.categories)
        tint = _TINTS[min(rank // count, len(_TINTS) - 1)]
        return blend(colors.category(rank), colors.surface, tint)


def cost(task: Task) -> float:
    """What a task is of its model before tuning: seconds, or a guess by its work."""
    return task.weight * (task.untuned_latency_s or task.flops / 1e12)
