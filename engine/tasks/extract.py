"""Tuning tasks out of a lowered module: weights, FLOPs, classes and fingerprints."""

from __future__ import annotations

import hashlib
import itertools
import logging
import re
from collections import Counter
from dataclasses import dataclass
from typing import Any

from engine.records.network import Operator
from engine.records.task import Task, TensorSpec, byte_size
from engine.targets.remote_target import without_scheduler
from engine.targets.targets import TargetSpec, to_tvm
from engine.tasks.block_names import with_plain_names
from engine.tasks.dataflow import Dataflow, Step, functions_of, read_dataflow
from engine.tasks.in_place import able_kernels, concat_axes, find_in_place

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Program:
    """A lowered model with its tasks.

    `module` is TVM's, `task_of` maps a kernel's name to its task, `workloads` holds each task's
    normalised module, by task index. `weights` says, by task index, which arguments are constants
    where the task occurs first; `weight_bytes` is what one inference reads of the constants.
    """

    module: Any
    target: TargetSpec
    tasks: tuple[Task, ...]
    operators: tuple[Operator, ...]
    task_of: dict[str, int]
    workloads: tuple[Any, ...]
    dataflow: Dataflow
    weights: tuple[tuple[int, ...], ...]
    weight_bytes: int


def extract(module: Any, target: TargetSpec, *, whole: bool = False) -> Program:
    """The program of a lowered module; equal workloads are one task, in order of first use.

    Concatenations that are written in place have no task, unless tasks of the `whole` module are
    asked for, as programs had them before.
    """
    import tvm_ffi

    flow = read_dataflow(module)
    functions = functions_of(module)
    idle = frozenset[int]() if whole else _idle(flow, functions, target)
    working = [step for number, step in enumerate(flow.steps) if number not in idle]
    names = list(dict.fromkeys(step.function for step in working))
    members: dict[Any, list[str]] = {}
    workloads: list[Any] = []
    for name in names:
        workload = _normalise(functions[name])
        key = tvm_ffi.StructuralKey(workload)
        if key not in members:
            workloads.append(workload)
        members.setdefault(key, []).append(name)
    groups = list(zip(workloads, members.values(), strict=True))
    task_of = {name: index for index, (_, group) in enumerate(groups) for name in group}
    titles = task_titles([operator_class(group[0]) for _, group in groups])
    calls = [[step for step in working if step.function in group] for _, group in groups]
    tasks = tuple(
        _task(index, title, workload, steps, flow, target)
        for index, (title, workload, steps) in enumerate(zip(titles, workloads, calls, strict=True))
    )
    return Program(
        module=module,
        target=target,
        tasks=tasks,
        operators=_operators(flow, tasks, task_of, idle),
        task_of=task_of,
        workloads=tuple(workloads),
        dataflow=flow,
        weights=tuple(_constants(flow, steps[0]) for steps in calls),
        weight_bytes=int(
            sum(
                len(steps) * _bytes_read(flow, steps[0], task)
                for steps, task in zip(calls, tasks, strict=True)
            )
        ),
    )


def _constants(flow: Dataflow, step: Step) -> tuple[int, ...]:
    """Which of a kernel's arguments are constants."""
    kinds = [flow.values[flow.root(value)].kind for value in step.inputs]
    return tuple(place for place, kind in enumerate(kinds) if kind == "constant")


def _bytes_read(flow: Dataflow, step: Step, task: Task) -> float:
    """What a kernel reads of its constants: of a table that it only looks rows up in, no more than
    it writes."""
    held = sum(byte_size(task.args[place]) for place in _constants(flow, step))
    written = sum(byte_size(flow.values[value].spec) for value in step.outputs)
    return min(held, max(task.flops, written))


def _idle(flow: Dataflow, functions: dict[str, Any], target: TargetSpec) -> frozenset[int]:
    """The steps that are left nothing to do."""
    axes = concat_axes(functions)
    able = able_kernels(flow, functions, axes)
    return frozenset(one.step for one in find_in_place(flow, axes, able, target.is_gpu))


def operator_class(name: str) -> str:
    """The operator sequence of a kernel's name, without TVM's counters and prefixes.

    "fused_conv2d7_add4_tir_sigmoid2" is "conv2d_add_sigmoid": a counter follows the operator's
    own name, which may itself end in a digit and "d".
    """
    parts = name.removeprefix("fused_").split("_")
    bare = [re.sub(r"^(.*?[a-z](?:[123]d)?)\d*$", r"\1", part) for part in parts]
    kept = [part for part in bare if part != "tir"]
    return "_".join(kept or bare)


def task_titles(classes: list[str]) -> list[str]:
    """A name for each task: its class, numbered where the class occurs more than once."""
    counts, used = Counter(classes), set[str]()
    titles = []
    for name in classes:
        numbered = (f"{name}_{number}" for number in itertools.count(1))
        free = (title for title in numbered if title not in used and title not in counts)
        titles.append(name if counts[name] == 1 else next(free))
        used.add(titles[-1])
    return titles


def _normalise(func: Any) -> Any:
    import tvm

    func = func.with_attr("global_symbol", "main").with_attr("tirx.noalias", True)
    for attr in ("op_pattern", "relax.op_pattern"):
        if func.attrs is not None and attr in func.attrs:
            func = func.without_attr(attr)
    return with_plain_names(tvm.IRModule({"main": func}))


def _task(
    index: int,
    name: str,
    workload: Any,
    calls: list[Step],
    flow: Dataflow,
    target: TargetSpec,
) -> Task:
    import tvm

    values = (*calls[0].inputs, *calls[0].outputs)
    args = tuple(flow.values[value].spec for value in values)
    op_class = operator_class(calls[0].function)
    return Task(
        index=index,
        name=name,
        weight=len(calls),
        flops=_flops(workload),
        op_class=op_class,
        args=args,
        fingerprint=_fingerprint(workload, op_class, args, target),
        workload=tvm.ir.save_json(workload),
    )


def _flops(workload: Any) -> float:
    """TVM's count; 0 where it cannot count, as in kernels that call a library."""
    from tvm.s_tir.analysis import estimate_tir_flops

    try:
        return float(estimate_tir_flops(workload))
    except RuntimeError as error:
        _log.debug("No FLOPs: %s", error)
        return 0.0


def _fingerprint(
    workload: Any, op_class: str, args: tuple[TensorSpec, ...], target: TargetSpec
) -> str:
    import tvm
    import tvm_ffi

    parts = (
        f"{int(tvm_ffi.structural_hash(workload)) & (2**64 - 1):016x}",
        op_class,
        ";".join(map(str, args)),
        str(to_tvm(without_scheduler(target))),
        str(tvm.__version__),
    )
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _operators(
    flow: Dataflow, tasks: tuple[Task, ...], task_of: dict[str, int], idle: frozenset[int]
) -> tuple[Operator, ...]:
    producer = {output: index for index, step in enumerate(flow.steps) for output in step.outputs}
    operators = []
    for index, step in enumerate(flow.steps):
        roots = dict.fromkeys(flow.root(value) for value in step.inputs)
        task = None if index in idle else tasks[task_of[step.function]]
        operators.append(
            Operator(
                id=index,
                name=task.name if task else operator_class(step.function),
                op_class=operator_class(step.function),
                task=task.index if task else None,
                inputs=tuple(producer[root] for root in roots if root in producer),
                output=flow.values[step.outputs[0]].spec,
                flops=task.flops if task else 0.0,
            )
        )
    return tuple(operators)
