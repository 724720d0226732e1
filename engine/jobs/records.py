"""A project read once: its figures, and the schedule that stands for each task."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from engine.deploy.merged_program import records_by_fingerprint
from engine.history.history import History
from engine.project.repository import Project
from engine.records.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Records:
    """What a project was when it was read.

    `traces` are those of each task that has a trial faster than its untuned kernel.
    """

    snapshot: Snapshot
    history: History
    traces: dict[int, str]

    @classmethod
    def of(cls, project: Project) -> Self:
        """Read all of it, in the thread that has it: a second reader would hold up its commits."""
        snapshot = project.snapshot()
        history = History(snapshot)
        numbers = {task.index: history.record(task.index) for task in snapshot.tasks}
        traces = {
            task: project.trial(number).trace
            for task, number in numbers.items()
            if number is not None
        }
        return cls(snapshot, history, traces)

    def sums_s(self) -> tuple[float | None, ...]:
        """What the kernels take together now, in each of the project's shapes, in seconds."""
        shapes = self.snapshot.shapes
        if not shapes:
            return (self.history.now_s(),)
        return tuple(self.history.sum_s(shape.occurrences()) for shape in shapes)

    @property
    def by_fingerprint(self) -> dict[str, str]:
        """The same traces by the fingerprint of their task, which holds in any program."""
        return records_by_fingerprint(self.snapshot.tasks, self.traces)
