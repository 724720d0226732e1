"""Design spaces of a GPU as schedules, and what they compute where no GPU need be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.records.task import Task
from engine.search.replayer import NotReplayable, Replayer
from engine.search.task_search import Candidate, trace_json, tune_context
from engine.targets.targets import to_tvm
from engine.tasks.extract import Program
from tests.engine.search.test_replayer import CUDA

_OF_A_GPU = ("Bind", "Annotate", "Unannotate", "StorageAlign")
_SCOPES = ("shared", "shared.dyn", "local", "wmma.accumulator", "wmma.matrix_a", "wmma.matrix_b")


def spaces(found: Program, task: Task) -> list[Any]:
    """The schedules that a search of a task begins with."""
    workload = found.workloads[task.index]
    return list(tune_context(task, workload, CUDA, None, 1).generate_design_space())


def is_split(trace: Any) -> bool:
    """Whether a trace splits sums over blocks."""
    return '"RFactor"' in trace_json(trace)


def drawn(
    workload: Any, trace: Any, seed: int, kept: Callable[[str], bool] = lambda kind: True
) -> Any:
    """A schedule after a trace with random decisions, with the kinds of instructions kept."""
    from tvm.s_tir import Schedule, Trace

    schedule = Schedule(workload, seed=seed)
    instructions = [item for item in trace.insts if kept(item.kind.name)]
    Trace(instructions, {}).apply_to_schedule(schedule, True)
    return schedule


def candidate(found: Program, task: Task, trace: Any, first: int = 1) -> Candidate:
    """A random valid schedule of a trace, of the first seed that gives one."""
    workload = found.workloads[task.index]
    reason = ""
    for seed in range(first, first + 400):
        try:
            text = trace_json(drawn(workload, trace, seed).trace)
            return Replayer(task, workload, CUDA).replay(text)
        except NotReplayable as error:
            reason = f"{error.reason} {error.__cause__}"
    raise AssertionError(f"No schedule is valid. {reason}")


def source(candidate: Candidate) -> str:
    """Its CUDA code."""
    import tvm

    target = to_tvm(CUDA)
    with target:
        built = tvm.tirx.build(tvm.ir.load_json(candidate.module), target=target)
    return str(built.imports[0].inspect_source())


def kernels(text: str) -> int:
    """How many kernels there are in CUDA code."""
    return text.count("__launch_bounds__") // 2  # each is declared and defined


def drawn_without_threads(workload: Any, trace: Any, seed: int) -> Any:
    """Such a schedule's module for a CPU, whose loops run one after another."""
    import tvm

    schedule = drawn(workload, trace, seed, lambda kind: kind not in _OF_A_GPU)
    text = tvm.ir.save_json(schedule.mod)
    for scope in _SCOPES:
        text = text.replace(f'"{scope}"', '"global"')
    return tvm.ir.load_json(text)


def run(module: Any, target: Any = "llvm") -> np.ndarray:
    """A module's result for normal values."""
    import tvm

    device = tvm.device("cpu" if target == "llvm" else "cuda")
    with tvm.target.Target(target):
        built = tvm.compile(module, target=target)
    rng = np.random.default_rng(0)
    types = [buffer.ty for buffer in module["main"].params]
    arrays = [rng.standard_normal(tuple(map(int, kind.shape))) for kind in types]
    args = [
        tvm.runtime.tensor(array.astype(str(kind.dtype)), device)
        for array, kind in zip(arrays, types, strict=True)
    ]
    built["main"](*args)
    return np.asarray(args[-1].numpy())
