"""A project's records: the trial that stands for each task."""

from __future__ import annotations

from engine.history import History
from engine.measure.trial import Trial
from engine.project.repository import Project


def best_records(project: Project) -> dict[int, Trial]:
    """Each tuned task's best trial, trace included; tasks without a valid one are left out."""
    history = History(project.snapshot())
    numbers = {task.index: history.best_trial(task.index) for task in history.tasks}
    return {task: project.trial(number) for task, number in numbers.items() if number is not None}
