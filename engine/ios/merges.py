"""What of a program may be merged, and the task that each merged operator is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from engine.ios.facts import facts_of, read_layers
from engine.ios.layers import Layer, LoweredLayer, lower_layers
from engine.ios.merge_sets import PER_INPUT, Set, candidate_sets
from engine.ios.merged_kernel import merged_layer
from engine.ios.merging_rules import obstacle
from engine.records.errors import ProjectError
from engine.records.task import Task, own_tasks
from engine.tasks.extract import Program


@dataclass(frozen=True, slots=True)
class Merges:
    """The candidate sets of operators, each ascending, and the task that each would be.

    Sets of equal kernels have one task, with the operators of the first of them. A merged operator
    that is one of the program's own tasks has that one, with its weight; the others have weight 0
    and are numbered after all of the program's tasks. `workloads` are those of the new ones.
    """

    sets: tuple[Set, ...]
    tasks: Mapping[Set, Task]
    workloads: Mapping[int, Any]

    @property
    def merged_tasks(self) -> tuple[Task, ...]:
        """The tasks of weight 0, by index."""
        found = {task.index: task for task in self.tasks.values() if task.merged}
        return tuple(found[index] for index in sorted(found))


def find_merges(program: Program, most: int = 8, per_input: int = PER_INPUT) -> Merges:
    """The sets of 2 to `most` operators of one input that may merge, `per_input` of each input.

    A program that has merged tasks already keeps them. Blocks for seconds: kernels are lowered.
    """
    layers = read_layers(program)
    facts = {operator: facts_of(program, operator, layer) for operator, layer in layers.items()}
    return _merges(program, layers, candidate_sets(facts, most, per_input))


def with_merges(program: Program, tasks: Iterable[Task]) -> Program:
    """The program with merged tasks, as the project has them: in their order, after its own.

    Their workloads are made again from the program. ProjectError where that gives other ones.
    """
    own = without_merges(program)
    wanted = [task for task in tasks if task.merged]
    if not wanted:
        return own
    operators = sorted({operator for task in wanted for operator in task.merged})
    layers = read_layers(own, [one for one in operators if one < len(own.dataflow.steps)])
    sets = tuple(task.merged for task in wanted)
    made = _merges(own, layers, _checked(own, layers, sets))
    workloads = list(own.workloads)
    for place, task in enumerate(wanted, start=len(own.tasks)):
        again = made.tasks.get(task.merged)
        if again is None or (again.fingerprint, place) != (task.fingerprint, task.index):
            raise _other()
        if not again.merged:
            raise _other()
        workloads.append(made.workloads[again.index])
    return replace(own, tasks=(*own.tasks, *wanted), workloads=tuple(workloads))


def adding_merges(program: Program, merges: Merges) -> Program:
    """The program with those of the merged tasks found in it that it does not have yet."""
    new = [task for task in merges.merged_tasks if task.index >= len(program.tasks)]
    workloads = (merges.workloads[task.index] for task in new)
    return replace(
        program, tasks=(*program.tasks, *new), workloads=(*program.workloads, *workloads)
    )


def without_merges(program: Program) -> Program:
    """The program with its own tasks alone."""
    own = own_tasks(program.tasks)
    return replace(program, tasks=own, workloads=program.workloads[: len(own)])


def _checked(
    program: Program, layers: Mapping[int, Layer], sets: tuple[Set, ...]
) -> tuple[Set, ...]:
    for one in sets:
        if not all(operator in layers for operator in one):
            raise _other()
        if obstacle([facts_of(program, operator, layers[operator]) for operator in one]):
            raise _other()
    return sets


def _other() -> ProjectError:
    return ProjectError(
        "The merged operators of this project are not those that this version makes of the model.",
        "Start a new project from the model; this one stays readable.",
    )


def _merges(program: Program, layers: Mapping[int, Layer], sets: tuple[Set, ...]) -> Merges:
    merged = {one: merged_layer([layers[operator] for operator in one]) for one in sets}
    lowered = lower_layers(merged.values(), program.target)
    known = {task.fingerprint: task for task in reversed(program.tasks)}
    workloads = {task.index: program.workloads[task.index] for task in program.tasks if task.merged}
    first = len(program.tasks) - len(workloads)
    name, tasks = _namer(program), dict[Set, Task]()
    for one in sets:
        found = lowered.get(merged[one])
        if found is None:
            continue
        task = known.get(found.task.fingerprint)
        if task is None:
            task = _task(found, first + len(workloads), name(found.task.op_class), one)
            known[task.fingerprint], workloads[task.index] = task, found.workload
        tasks[one] = task
    return Merges(tuple(one for one in sets if one in tasks), tasks, workloads)


def _task(found: LoweredLayer, index: int, name: str, operators: Set) -> Task:
    return replace(found.task, index=index, name=name, weight=0, merged=operators)


def _namer(program: Program) -> Callable[[str], str]:
    """Gives names that no task has: "merged_conv2d_add_relu_1"."""
    used = {task.name for task in program.tasks}

    def name(op_class: str) -> str:
        number = 1
        while (free := f"merged_{op_class}_{number}") in used:
            number += 1
        used.add(free)
        return free

    return name
