"""What a run is compared with: the untuned module, and what runs its file."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from engine.deploy.bench import BenchResult, Kernels
from engine.deploy.compile import compile_program
from engine.deploy.placing import function_of
from engine.deploy.remote_bench import bench_target
from engine.jobs.opening.open_worker import OpenedModel
from engine.judge.examining import examine
from engine.measure.load import watched
from engine.models.reference import random_inputs
from engine.records.network import Judged
from engine.records.trial import Measured, measured_of
from engine.workers.artifacts import scratch
from engine.workers.fresh import run_fresh

if TYPE_CHECKING:
    import numpy as np

    from engine.models.readers import Reference
    from engine.tasks.extract import Program

INPUT_SEED = 0
_PREPACKED = re.compile(
    r"_prepacked\d*$"
)  # what TVM puts behind names of kernels whose weights are


@dataclass(frozen=True, slots=True)
class Baseline:
    """End-to-end latency untuned, and of one call of each task, by index (s); what the module
    answered beside its reference."""

    untuned: Measured
    tasks: dict[int, float]
    judged: Judged = field(default_factory=lambda: Judged(""))


def measure_module(model: OpenedModel, records: Mapping[int, str]) -> BenchResult:
    """Compile the model with records (traces by task), run it, and each of its kernels by itself.
    Blocks for seconds."""
    inputs = random_inputs(model.prepared.inputs, INPUT_SEED, model.prepared.uses)
    with _compiled(model, records) as folder:
        return bench_target(folder, model.program.target, inputs, profile=True)


def kernel_times(program: Program, steps: Sequence[tuple[str, float]]) -> Kernels:
    """What each operator's kernel took (s), by the operator's id, out of a profile: the kernels'
    names and seconds in the order of execution, those left out that have nothing to do.

    Empty where the profile is not one of the program's own steps.
    """
    operators = iter(enumerate(program.dataflow.steps if steps else ()))
    found = []
    for kernel, seconds in steps:
        name = _PREPACKED.sub("", function_of(kernel))
        place = next((place for place, step in operators if step.function == name), None)
        if place is None:
            return ()
        found.append((place, seconds))
    return tuple(found)


def measure_baseline(model: OpenedModel) -> Baseline:
    """The untuned module's latencies, and its answers judged. Blocks for seconds."""
    with _compiled(model, {}) as folder:
        result, judged = examine(
            model.prepared, model.program, folder, INPUT_SEED, profile=True, untuned=True
        )
    seconds: dict[int, list[float]] = {}
    for kernel, latency_s in result.steps:
        task = model.program.task_of.get(function_of(kernel))
        if task is not None:
            seconds.setdefault(task, []).append(latency_s)
    typical = {task: median(found) for task, found in seconds.items()}
    tasks = {task: latency_s for task, latency_s in typical.items() if latency_s > 0}
    kernels = kernel_times(model.program, result.steps)
    return Baseline(result.measured(kernels=kernels), tasks, judged)


def judge_untuned(model: OpenedModel) -> Judged:
    """What the untuned module answers beside its reference. Blocks for seconds."""
    with _compiled(model, {}) as folder:
        _, judged = examine(
            model.prepared, model.program, folder, INPUT_SEED, seconds=0.0, untuned=True
        )
    return judged


@contextmanager
def _compiled(model: OpenedModel, records: Mapping[int, str]) -> Iterator[Path]:
    with scratch() as folder:
        names = tuple(name for name, _ in model.prepared.outputs)
        compile_program(model.program, records, names, folder)
        yield folder


def measure_reference(model: OpenedModel) -> Measured | None:
    """The reference's latency on the target's threads, None where it has none. Blocks for
    seconds."""
    reference = model.prepared.reference
    if reference is None:
        return None
    inputs = random_inputs(model.prepared.inputs, INPUT_SEED, model.prepared.uses)
    return run_fresh(_reference, reference, inputs, model.program.target.cores)


def _reference(reference: Reference, inputs: dict[str, np.ndarray], cores: int) -> Measured | None:
    samples, load = watched(lambda: reference.latency(inputs, cores) or (), cores)
    return measured_of(samples, load, at=time.time()) if samples else None
