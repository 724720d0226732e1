"""A project's model compiled with its records in several ways, which run in turns on the CPU."""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

from engine.records.machine import usable_cores
from engine.workers.fresh import run_fresh

WAYS = ("as exported", "concatenations copied", "TVM's virtual machine")


def whole_model(path: Path, rounds: int) -> dict[str, float]:
    """The median latency (s) of each way to compile a project's records, run in turns."""
    from engine.deploy.bench import bench
    from engine.models.reference import random_inputs

    model, records, names = _opened(path)
    inputs, target = random_inputs(model.prepared.inputs, 1), model.program.target
    with tempfile.TemporaryDirectory() as root:
        calls: dict[str, Callable[[], float]] = {}
        for way in WAYS[:2]:
            folder = Path(root, way)
            folder.mkdir()
            _compile(model.program, records, names, folder, joined=way == WAYS[0])
            calls[way] = partial(_exported, bench, folder, target, inputs)
        calls[WAYS[2]] = lambda: run_fresh(_in_machine, path, inputs, timeout_s=600)
        samples: dict[str, list[float]] = {way: [] for way in calls}
        for _ in range(rounds):
            for way, call in calls.items():
                samples[way].append(call())
    return {way: statistics.median(values) for way, values in samples.items()}


def _exported(bench: Callable[..., Any], folder: Path, target: Any, inputs: Any) -> float:
    latency: float = bench(folder, target.device, target.cores, inputs).latency_s
    return latency


def _opened(path: Path) -> tuple[Any, dict[int, str], tuple[str, ...]]:
    from engine.jobs.opening.open_worker import open_here
    from engine.jobs.records import Records
    from engine.project.repository import Project
    from engine.targets.targets import resolve

    with Project.open(path, read_only=True) as project:
        model = open_here(project.source, resolve(project.target))
        fingerprints = {task.fingerprint: task.index for task in model.program.tasks}
        own = {task.index: fingerprints.get(task.fingerprint) for task in project.tasks()}
        traces = {own[index]: trace for index, trace in Records.of(project).traces.items()}
    records = {index: trace for index, trace in traces.items() if index is not None}
    return model, records, tuple(name for name, _ in model.prepared.outputs)


def _compile(
    program: Any, records: dict[int, str], names: tuple[str, ...], folder: Path, joined: bool
) -> None:
    from engine.deploy import compile as compiling

    with ExitStack() as stack:
        if not joined:
            stack.enter_context(patch("engine.deploy.placing.find_in_place", lambda *_: ()))
        compiling.compile_program(program, records, names, folder)


def _in_machine(path: Path, inputs: Any) -> float:
    os.environ["TVM_NUM_THREADS"] = str(usable_cores())
    import tvm
    from tvm import relax

    from engine.deploy import compile as compiling
    from engine.targets.targets import to_tvm
    from engine.tasks.dataflow import functions_of
    from engine.tasks.in_place import concat_axes

    model, records, _ = _opened(path)
    program = model.program
    module = compiling._scheduled(program, records, concat_axes(functions_of(program.module)))
    named = {
        var: func.with_attr("global_symbol", str(var.name_hint))
        for var, func in module.functions.items()
    }
    built = tvm.compile(tvm.IRModule(named, attrs=module.attrs), to_tvm(program.target))
    machine = relax.VirtualMachine(built, tvm.cpu())
    given = [tvm.runtime.tensor(inputs[name]) for name, _ in model.prepared.inputs]
    samples: list[float] = []
    end = time.perf_counter() + 2.0
    while len(samples) < 5 or time.perf_counter() < end:
        start = time.perf_counter()
        machine["main"](*given)
        samples.append(time.perf_counter() - start)
    return statistics.median(samples[2:])
