"""One list of tasks for the programs of a model's shapes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from engine.tasks.extract import task_titles

if TYPE_CHECKING:
    from engine.tasks.extract import Program


def joined_programs(programs: Sequence[Program], frequencies: Sequence[int]) -> tuple[Program, ...]:
    """The programs, each with the tasks and workloads of all of them in the same order.

    Tasks of equal fingerprints are one. The weight of a task is the sum over the programs of its
    occurrences times the program's frequency, so that what adds tasks up by their weights adds up
    that many inferences.
    """
    places: dict[str, int] = {}
    # Task, workload, and which arguments are constants
    found: list[tuple[Any, Any, tuple[int, ...]]] = []
    weights: list[int] = []
    for program, frequency in zip(programs, frequencies, strict=True):
        for task, workload in zip(program.tasks, program.workloads, strict=True):
            if task.fingerprint not in places:
                places[task.fingerprint] = len(found)
                found.append((task, workload, program.weights[task.index]))
                weights.append(0)
            weights[places[task.fingerprint]] += frequency * task.weight
    titles = task_titles([task.op_class for task, _, _ in found])
    named = zip(found, titles, weights, strict=True)
    tasks = tuple(
        replace(task, index=index, name=title, weight=weight)
        for index, ((task, _, _), title, weight) in enumerate(named)
    )
    workloads = tuple(workload for _, workload, _ in found)
    constants = tuple(which for _, _, which in found)
    return tuple(
        replace(_with_tasks(program, places, tasks, workloads), weights=constants)
        for program in programs
    )


def _with_tasks(
    program: Program, places: dict[str, int], tasks: tuple[Any, ...], workloads: tuple[Any, ...]
) -> Program:
    now = {task.index: places[task.fingerprint] for task in program.tasks}
    return replace(
        program,
        tasks=tasks,
        workloads=workloads,
        task_of={name: now[task] for name, task in program.task_of.items()},
        operators=tuple(
            operator
            if operator.task is None
            else replace(operator, task=now[operator.task], name=tasks[now[operator.task]].name)
            for operator in program.operators
        ),
    )
