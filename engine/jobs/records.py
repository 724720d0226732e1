"""A project's records: the trial that stands for each task."""

from __future__ import annotations

from engine.deploy.merged_program import records_by_fingerprint
from engine.history.history import History
from engine.project.repository import Project
from engine.records.trial import Trial


def best_records(project: Project) -> dict[int, Trial]:
    """The trial, trace included, of each task that has one faster than its untuned kernel."""
    history = History(project.snapshot())
    numbers = {task.index: history.record(task.index) for task in history.tasks}
    return {task: project.trial(number) for task, number in numbers.items() if number is not None}


def traces_by_fingerprint(project: Project) -> dict[str, str]:
    """The same trials' traces by the fingerprint of their task, which holds in any program."""
    traces = {task: trial.trace for task, trial in best_records(project).items()}
    return records_by_fingerprint(project.tasks(), traces)
