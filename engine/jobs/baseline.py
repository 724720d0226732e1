"""What a run is compared with: the untuned module, and what runs its file."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from engine.deploy.bench import BenchResult
from engine.deploy.compile import compile_program
from engine.deploy.placing import function_of
from engine.deploy.remote_bench import bench_target
from engine.jobs.opening.open_worker import OpenedModel
from engine.workers.fresh import run_fresh

if TYPE_CHECKING:
    import numpy as np

    from engine.models.readers import Prepared

INPUT_SEED = 0


@dataclass(frozen=True, slots=True)
class Baseline:
    """End-to-end latency untuned (s), and of one call of each task, by index (s)."""

    untuned_s: float
    tasks: dict[int, float]


def measure_module(model: OpenedModel, records: Mapping[int, str], profile: bool) -> BenchResult:
    """Compile the model with records (traces by task) and run it. Blocks for seconds."""
    from engine.models.reference import random_inputs

    inputs = random_inputs(model.prepared.inputs, INPUT_SEED)
    with tempfile.TemporaryDirectory(prefix="tunewright-") as folder:
        names = tuple(name for name, _ in model.prepared.outputs)
        compile_program(model.program, records, names, Path(folder))
        return bench_target(Path(folder), model.program.target, inputs, profile=profile)


def measure_baseline(model: OpenedModel) -> Baseline:
    """The untuned module's latencies. Blocks for seconds."""
    result = measure_module(model, {}, profile=True)
    seconds: dict[int, list[float]] = {}
    for kernel, latency_s in result.steps:
        task = model.program.task_of.get(function_of(kernel))
        if task is not None:
            seconds.setdefault(task, []).append(latency_s)
    return Baseline(result.latency_s, {task: median(found) for task, found in seconds.items()})


def measure_reference(model: OpenedModel) -> float:
    """The reference's median latency (s) on the target's threads. Blocks for seconds."""
    from engine.models.reference import random_inputs

    inputs = random_inputs(model.prepared.inputs, INPUT_SEED)
    cores = model.program.target.cores
    return run_fresh(_reference, model.prepared, inputs, cores)


def _reference(prepared: Prepared, inputs: dict[str, np.ndarray], cores: int) -> float:
    return median(prepared.reference_latency(inputs, cores))
