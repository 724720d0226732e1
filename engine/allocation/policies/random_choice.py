"""Random choice among the open tasks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.allocation.dice import ByLot
from engine.allocation.policy import Choice, TaskView
from engine.allocation.progress import Patience, ProgressCache, unfinished
from engine.records.options import Checked
from engine.records.sentences import Sentence


class RandomChoice(ByLot):
    """Any open task, each as likely."""

    name = "random"
    title = "Random"

    def choose(self, tasks: Sequence[TaskView]) -> Choice | None:
        """An open task by lot."""
        candidates = self._candidates(tasks)
        if not candidates:
            return None
        task = candidates[int(self.roll().integers(len(candidates)))]
        return Choice(task.index, Sentence("by lot, one of {count} tasks", count=len(candidates)))

    def _candidates(self, tasks: Sequence[TaskView]) -> list[TaskView]:
        return [task for task in tasks if task.open]


class DynamicRandom(RandomChoice):
    """Random choice among the tasks that still improve (the paper's DA + random)."""

    name = "da-random"
    title = "Random, stuck tasks left out"

    @dataclass(frozen=True)
    class Options(Checked):
        """After how many trials without improvement a task is left out (0: never)."""

        finish_after: Patience = 200

    def __init__(self, options: Any = None, seed: int = 0) -> None:
        super().__init__(options, seed)
        self._progress = ProgressCache()

    def _candidates(self, tasks: Sequence[TaskView]) -> list[TaskView]:
        return unfinished(tasks, self._progress.all(tasks), self.options.finish_after)
