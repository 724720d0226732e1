"""How much a task does, as far as its workload tells."""

from __future__ import annotations

from math import prod

from engine.records.task import Task


def work(task: Task) -> float:
    """FLOPs and elements touched of one call: a measure of its time for tasks without FLOPs too."""
    return task.flops + elements(task)


def elements(task: Task) -> float:
    """The elements of a task's arguments."""
    return float(sum(prod(spec.shape) for spec in task.args))


def work_ratio(task: Task, other: Task) -> float:
    """How many times as long as `other` the task takes if both are as fast: by FLOPs, or by the
    elements they touch where they compute nothing."""
    if task.flops > 0 and other.flops > 0:
        return task.flops / other.flops
    return max(1.0, elements(task)) / max(1.0, elements(other))
