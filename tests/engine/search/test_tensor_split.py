"""Products on tensor cores with sums in parts: where, and that they come to the same."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from engine.records.source import Precision
from engine.search.replayer import Replayer
from engine.search.task_search import trace_json
from engine.search.tensor_cores import tensor_cores_of
from engine.targets.targets import cuda_devices, to_tvm
from engine.tasks.extract import Program
from tests.engine.search.schedules import (
    candidate,
    drawn_without_threads,
    is_split,
    kernels,
    run,
    source,
    spaces,
)
from tests.engine.search.test_replayer import CUDA
from tests.engine.search.test_tensor_cores import program, task_of

PRECISIONS: tuple[Precision, ...] = ("float16", "tf32")


def found(precision: Precision, channels: int = 64) -> Program:
    """A convolution with sums of 576, and a product of its 36 rows with one for each channel."""
    return program(precision, channels, 6, 64)


def split_traces(made: Program, kind: str) -> list[Any]:
    return [one.trace for one in spaces(made, task_of(made, kind)) if is_split(one.trace)]


@pytest.mark.parametrize(
    ("precision", "kind", "channels", "parts"),
    [
        ("float16", "conv", 64, {2, 4}),  # a part has whole tiles of 16 channels
        ("tf32", "conv", 64, {4, 8}),  # of 8
        ("float16", "matmul", 256, {2, 4}),  # and at least 64 products
        ("tf32", "matmul", 256, {2, 4}),
        ("float16", "matmul", 64, set()),
    ],
)
def test_parts_are_powers_of_two_of_whole_tiles(
    precision: Precision, kind: str, channels: int, parts: set[int]
) -> None:
    made = found(precision, channels)
    assert {_parts(trace) for trace in split_traces(made, kind)} == parts


def _parts(trace: Any) -> int:
    """The extent of the loop that becomes parts."""
    instructions = json.loads(trace_json(trace))[0]
    (factored,) = [item[1][0] for item in instructions if item[0] == "RFactor"]
    (split,) = [item for item in instructions if item[0] == "Split" and factored in item[3]]
    return int(split[1][1])


@pytest.mark.parametrize("channels", [64, 40])  # of which a group has no whole tiles
def test_what_no_tile_fits_is_split_as_without_tensor_cores(channels: int) -> None:
    """A convolution in groups is no one product of matrices."""
    made = program("float16", channels, 6, channels, 2)
    traces = [trace_json(trace) for trace in split_traces(made, "conv")]
    assert traces
    for text in traces:
        assert "meta_schedule.auto_tensorize" not in text
        assert "meta_schedule.tiling_structure" in text  # nor is any left without tiles
        assert "vthread.x" in text


def test_a_convolution_has_its_weights_as_they_lie() -> None:
    made = found("float16")
    for kind, turned in (("conv", {True}), ("matmul", {False, True})):
        task = task_of(made, kind)
        cores = tensor_cores_of(task, CUDA, made.workloads[task.index])
        assert {core.transposed for core in cores} == turned


@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize("seed", [1, 2])
def test_split_products_come_to_the_same(precision: Precision, seed: int) -> None:
    made = found(precision)
    workload = made.workloads[task_of(made, "conv").index]
    loose = 1e-2 if precision == "float16" else 1e-4
    for trace in split_traces(made, "conv"):
        module = drawn_without_threads(workload, trace, seed)
        assert "_rf" in module.script()
        assert distance(run(module), run(workload)) < loose


def distance(made: np.ndarray, expected: np.ndarray) -> float:
    """The largest difference, relative to the largest value that is expected."""
    apart = np.abs(made.astype(np.float64) - expected.astype(np.float64))
    return float(apart.max() / np.abs(expected).max())


@pytest.mark.gpu
@pytest.mark.skipif(not cuda_devices(), reason="there is no CUDA device here")
@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize("kind", ["conv", "matmul"])
def test_products_on_tensor_cores_are_right(precision: Precision, kind: str) -> None:
    import tvm

    made = found(precision, 128)
    task = task_of(made, kind)
    workload = made.workloads[task.index]
    expected = run(workload)
    for one in spaces(made, task):
        for first in (1, 50):
            module = tvm.ir.load_json(candidate(made, task, one.trace, first).module)
            assert distance(run(module, to_tvm(CUDA)), expected) < 1e-2


@pytest.mark.parametrize("precision", PRECISIONS)
def test_a_candidate_replays_the_same_and_has_two_kernels(precision: Precision) -> None:
    made = found(precision)
    task = task_of(made, "conv")
    one = candidate(made, task, split_traces(made, "conv")[0])
    assert Replayer(task, made.workloads[task.index], CUDA).replay(one.trace).trace == one.trace
    text = source(one)
    assert kernels(text) == 2
    assert "mma.sync" in text
