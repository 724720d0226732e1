"""A project read once: its figures, and the schedule that stands for each task."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from engine.deploy.merged_program import records_by_fingerprint
from engine.history.history import History
from engine.project.repository import Project
from engine.records.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Records:
    """What a project was when it was read.

    `traces` are those of each task that has a trial faster than its untuned kernel. `unchecked` is
    how many tasks have a faster one that is left out, as its kernel was not compared.
    """

    snapshot: Snapshot
    history: History
    traces: dict[int, str]
    unchecked: int = 0

    @classmethod
    def of(cls, project: Project, checked: bool = False) -> Self:
        """Read all of it, in the thread that has it: a second reader would hold up its commits.

        Where only `checked` trials are wanted, others are left out of it.
        """
        snapshot, left = project.snapshot(), 0
        history = History(snapshot)
        if checked:
            before = {task.index: history.record(task.index) for task in snapshot.tasks}
            kept = tuple(trial for trial in snapshot.trials if trial.checked or trial.error)
            snapshot = replace(snapshot, trials=kept)
            history = History(snapshot)
            left = sum(history.record(task) != number for task, number in before.items())
        numbers = {task.index: history.record(task.index) for task in snapshot.tasks}
        traces = {
            task: project.trial(number).trace
            for task, number in numbers.items()
            if number is not None
        }
        return cls(snapshot, history, traces, left)

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
