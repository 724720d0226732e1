"""One task after another, as AutoTVM tunes a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta

from engine.allocation.policy import Choice, Policy, TaskView
from engine.records.options import Checked
from engine.records.sentences import Sentence


class Sequential(Policy):
    """Gives each task its slots before the next one gets any, in the order of the model.

    Once every task has had them, it goes through the model again. While the first task's slot is
    in flight, the next one's turn comes.
    """

    name = "sequential"
    title = "One task after another"

    @dataclass(frozen=True)
    class Options(Checked):
        """How many slots a task gets before the next one's turn."""

        slots_per_task: Annotated[int, Meta(ge=1, le=1_000_000)] = 8

    def choose(self, tasks: Sequence[TaskView]) -> Choice | None:
        """The first open task in the round that the run is in."""
        candidates = [task for task in tasks if task.open]
        if not candidates:
            return None
        share = max(1, self.options.slots_per_task)
        task = min(candidates, key=lambda item: (item.slots // share, item.index))
        return Choice(
            task.index,
            Sentence(
                "its turn, slot {slots} of {share}", slots=task.slots % share + 1, share=share
            ),
        )
