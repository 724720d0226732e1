"""Round robin: every open task in turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.allocation.policy import Choice, Policy, TaskView
from engine.allocation.progress import Patience, ProgressCache, unfinished
from engine.records.options import Checked, Index, fits
from engine.records.sentences import Sentence


class RoundRobin(Policy):
    """Gives each task a slot in the order of the model."""

    name = "round-robin"
    title = "Round robin"

    def __init__(self, options: Any = None, seed: int = 0) -> None:
        super().__init__(options, seed)
        self._last = -1

    def choose(self, tasks: Sequence[TaskView]) -> Choice | None:
        """The first open task after the last one that was chosen."""
        candidates = self._candidates(tasks)
        if not candidates:
            return None
        later = [task for task in candidates if task.index > self._last]
        task = min(later or candidates, key=lambda item: item.index)
        self._last = task.index
        return Choice(
            task.index, Sentence("its turn, slot {slots} of this task", slots=task.slots + 1)
        )

    def state(self) -> dict[str, Any]:
        """The task whose turn it was last."""
        return {"last": self._last}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on after that task."""
        last: Any = state.get("last")
        self._last = last if fits(last, Index) else -1

    def _candidates(self, tasks: Sequence[TaskView]) -> list[TaskView]:
        return [task for task in tasks if task.open]


class DynamicRoundRobin(RoundRobin):
    """Round robin over the tasks that still improve (the paper's DA + round robin)."""

    name = "da-round-robin"
    title = "Round robin, stuck tasks left out"

    @dataclass(frozen=True)
    class Options(Checked):
        """After how many trials without improvement a task is left out (0: never)."""

        finish_after: Patience = 200

    def __init__(self, options: Any = None, seed: int = 0) -> None:
        super().__init__(options, seed)
        self._progress = ProgressCache()

    def _candidates(self, tasks: Sequence[TaskView]) -> list[TaskView]:
        return unfinished(tasks, self._progress.all(tasks), self.options.finish_after)
