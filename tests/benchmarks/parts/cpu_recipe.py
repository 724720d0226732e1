"""Searches of single convolutions on the CPU, with all of the recipe or a part of it left out."""

from __future__ import annotations

import math
import os
import signal
import statistics
import tempfile
import time
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

from engine.jobs.starting import CPU_BUILD_S
from engine.records.machine import usable_cores
from engine.records.settings import SearchSettings
from engine.search.task_search import Candidate, TaskSearch
from engine.targets.targets import TargetSpec
from engine.workers.fresh import run_fresh

SAMPLE_S = 0.02  # of measuring one candidate


@dataclass(frozen=True, slots=True)
class Convolution:
    """Channels in and out, kernel and image, both square; same padding, batch 1, fp32."""

    inputs: int
    outputs: int
    kernel: int
    size: int

    @property
    def flops(self) -> float:
        """Those of the sum that it is, however it is computed."""
        return 2.0 * self.inputs * self.outputs * (self.kernel * self.size) ** 2

    def __str__(self) -> str:
        kernel = f"{self.kernel}x{self.kernel}"
        return f"{kernel} {self.inputs} to {self.outputs}, {self.size}x{self.size}"


CONVOLUTIONS = (
    Convolution(64, 64, 3, 56),
    Convolution(64, 256, 1, 56),
    Convolution(256, 256, 3, 14),
)
TINY = (Convolution(16, 16, 1, 8),)

# Each is the recipe without a part of it.
PARTS = (
    "everything",
    "one thread",
    "channels first",
    "no wide vectors",
    "no prepacking",
    "no Winograd",
    "population 512",
    "one generation",
)
_SETTINGS = {
    "population 512": SearchSettings(population=512),
    "one generation": SearchSettings(iterations=1),
}


def search(convolution: Convolution, part: str, seed: int, trials: int) -> tuple[float, float]:
    """The best FLOP/s, and the seconds that search, builds and measurements took; in a process."""
    return run_fresh(_search, convolution, part, seed, trials, timeout_s=1200)


def _search(convolution: Convolution, part: str, seed: int, trials: int) -> tuple[float, float]:
    os.environ["TVM_NUM_THREADS"] = "1" if part == "one thread" else str(usable_cores())
    settings = _SETTINGS.get(part, SearchSettings())
    begun, total_s = time.perf_counter(), 0.0
    with _without(part):
        program = _program(convolution)
        for task in program.tasks:
            if "transpose" not in task.op_class:  # which a whole model has once
                work = TaskSearch(
                    task, program.workloads[task.index], program.target, settings, seed
                )
                total_s += _best_s(work, program.target, trials)
    return convolution.flops / total_s, time.perf_counter() - begun


def _best_s(work: TaskSearch, target: TargetSpec, trials: int) -> float:
    best_s, count = math.inf, 0
    work.start()
    while count < trials and (batch := work.propose()):
        latencies = [_latency(item, target) for item in batch]
        outcomes = [(each,) if math.isfinite(each) else () for each in latencies]
        work.learn(list(zip(batch, outcomes, strict=True)))
        best_s, count = min(best_s, *latencies), count + len(batch)
    return best_s


def _without(part: str) -> ExitStack:
    """The engine with a part of the recipe turned off."""
    from tvm import transform

    stack = ExitStack()
    if part == "channels first":
        stack.enter_context(patch("engine.tasks.lower._channels_last", lambda module: module))
    elif part == "no Winograd":
        stack.enter_context(patch("engine.tasks.lower.with_winograd", lambda module: module))
    elif part == "no wide vectors":
        stack.enter_context(patch("engine.search.space.wide_vector_bits", lambda *_: 0))
    elif part == "no prepacking":
        nothing = partial(transform.Sequential, [])
        stack.enter_context(patch("tvm.relax.transform.AttachAttrLayoutFreeBuffers", nothing))
    return stack


def _program(convolution: Convolution) -> Any:
    import numpy as np
    from onnx import TensorProto, helper, numpy_helper

    from engine.jobs.opening.open_worker import open_here
    from engine.records.source import ModelSource
    from engine.targets.targets import resolve

    size, kernel = convolution.size, convolution.kernel
    rng = np.random.default_rng(0)
    shape = (convolution.outputs, convolution.inputs, kernel, kernel)
    arrays = {
        "w": rng.standard_normal(shape, np.float32),
        "b": rng.standard_normal(convolution.outputs, np.float32),
    }
    conv = helper.make_node("Conv", ["x", *arrays], ["c"], pads=[kernel // 2] * 4)
    values = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, (1, channels, size, size))
        for name, channels in (("x", convolution.inputs), ("y", convolution.outputs))
    ]
    weights = [numpy_helper.from_array(array, name) for name, array in arrays.items()]
    nodes = [conv, helper.make_node("Relu", ["c"], ["y"])]
    graph = helper.make_graph(nodes, "conv", values[:1], values[1:], weights)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "conv.onnx")
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
        path.write_bytes(model.SerializeToString())
        return open_here(ModelSource("file", str(path)), resolve("cpu")).program


def _latency(item: Candidate, target: TargetSpec) -> float:
    """Of a candidate, in seconds; infinite where it is not built in time."""
    import numpy as np
    import tvm

    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder, "kernel.so")
        if not _built(item.module, target, library):
            return math.inf
        kernel = tvm.runtime.load_module(str(library))
        rng = np.random.default_rng(0)
        shapes = [spec.shape for spec in item.args]
        arrays = [tvm.runtime.tensor(rng.standard_normal(shape, np.float32)) for shape in shapes]
        samples: list[float] = []
        end = time.perf_counter() + SAMPLE_S
        while len(samples) < 3 or time.perf_counter() < end:
            start = time.perf_counter()
            kernel["main"](*arrays)
            samples.append(time.perf_counter() - start)
    return statistics.median(samples)


def _built(module: str, target: TargetSpec, library: Path) -> bool:
    """Whether a build worker's work, in a fork of this process, gave a library in time.

    The product's pool is not for here: a process of `run_fresh` may have no workers of its own.
    """
    import tvm

    from engine.measure.build_worker import build_candidate
    from engine.measure.runner import BuildRequest
    from engine.targets.targets import to_tvm

    request = BuildRequest(module, tvm.ir.save_json(to_tvm(target)), str(library))
    worker = os.fork()
    if not worker:
        try:
            build_candidate(request)
        finally:
            os._exit(0)
    end = time.monotonic() + CPU_BUILD_S
    while os.waitpid(worker, os.WNOHANG) == (0, 0):
        if time.monotonic() > end:
            os.kill(worker, signal.SIGKILL)
            os.waitpid(worker, 0)
            return False
        time.sleep(0.01)
    return library.exists()
