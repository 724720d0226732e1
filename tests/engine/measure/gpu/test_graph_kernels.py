"""Kernels of a GPU timed in a CUDA Graph, as a module has them, through a runtime without a GPU."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import tvm

from engine.measure.build_worker import build_candidate
from engine.measure.kernels import FUNCTION, MOST_CALLS, GraphKernel
from engine.measure.run_worker import Bench, Job
from engine.measure.runner import BuildRequest, RunRequest
from engine.measure.sampling import Sampler
from engine.measure.units import Streams
from engine.records.machine import cuda_devices, local_cuda
from engine.records.task import TensorSpec
from engine.records.trial import Protocol, typical_latency
from engine.targets.targets import to_tvm
from engine.workers.artifacts import ArtifactFolder
from tests.engine.fake_cuda import Code, FakeCuda

TIMER_S = 9e-6  # what TVM's timer says


class Module:
    """A loaded library whose function does what it is told, and a device that waits for nothing."""

    def __init__(self, function: Callable[..., None]) -> None:
        self.timed = 0
        self._function = function

    def __getitem__(self, name: str) -> Callable[..., None]:
        assert name == FUNCTION
        return self._function

    def time_evaluator(self, *_: object, number: int, repeat: int) -> Any:
        self.timed += 1
        return lambda *args: SimpleNamespace(results=[TIMER_S] * repeat)

    def sync(self) -> None:
        """Nothing is outstanding."""


def kernel_of(module: Module, streams: Streams) -> GraphKernel:
    return GraphKernel(module, module, [], streams)


@pytest.fixture
def module(cuda: FakeCuda, streams: Streams) -> Module:
    """A library of one kernel, which can be called on any stream."""
    launch = cuda.kernel("a")

    def function(*args: object) -> None:
        if cuda.capturing:  # before, it goes on TVM's own stream
            launch(*args)

    return Module(function)


@pytest.mark.parametrize(
    ("number", "nodes", "launches"),
    [(1, 1, 1), (7, 7, 1), (MOST_CALLS, MOST_CALLS, 1), (3 * MOST_CALLS, MOST_CALLS, 3)],
)
def test_a_sample_is_replays_of_a_graph_of_calls_that_follow_each_other(
    number: int, nodes: int, launches: int, cuda: FakeCuda, streams: Streams, module: Module
) -> None:
    kernel = kernel_of(module, streams)
    assert kernel.batch(number, 2) == pytest.approx((1e-6, 1e-6))
    assert len(cuda.launched) == 1 + 2 * launches  # the first is not counted
    graph = cuda.launched[0]
    assert graph.nodes == ["a"] * nodes
    assert graph.waits == [set(), *({node} for node in range(nodes - 1))]
    assert module.timed == 0 and kernel.in_graph


def test_calls_take_the_model_s_weights_in_turns(cuda: FakeCuda, streams: Streams) -> None:
    launch, given = cuda.kernel("a"), []

    def function(*args: object) -> None:
        if cuda.capturing:
            given.append(args)
            launch(*args)

    module = Module(function)
    sets: list[list[Any]] = [["x", weights, "y"] for weights in ("first", "second", "third")]
    kernel = GraphKernel(module, module, sets[0], streams, sets[1:])
    assert kernel.batch(7, 1) == pytest.approx((1e-6,))
    assert [weights for _, weights, _ in given] == ["first", "second", "third"] * 2 + ["first"]
    kernel.close()


SPEC = TensorSpec((64, 4), "float32")  # 1 KiB


@pytest.mark.parametrize(
    ("weights", "model_bytes", "copies"),
    [
        ((), 10 << 10, 0),  # a kernel without any
        ((1,), 0, 0),
        ((1,), 1023, 0),
        ((1,), 10 << 10, 9),
        ((1, 2), 10 << 10, 4),
        ((1,), 1 << 40, MOST_CALLS - 1),
    ],
)
def test_there_are_as_many_copies_of_weights_as_a_model_reads_between(
    weights: tuple[int, ...], model_bytes: int, copies: int
) -> None:
    bench = Bench("cpu")
    args = bench._arguments((SPEC,) * 4)
    request = RunRequest("", (SPEC,) * 4, Protocol(), weights=weights, model_bytes=model_bytes)
    others = bench._others(request, args)
    assert len(others) == copies
    for one in others:
        for place, tensor in enumerate(one):
            assert (tensor is args[place]) == (place not in weights)
            assert np.array_equal(tensor.numpy(), args[place].numpy())
    memory = {int(np.from_dlpack(tensor).ctypes.data) for one in others for tensor in one}
    assert not others or len(memory) == 4 - len(weights) + copies * len(weights)
    assert bench._others(request, args) is others


def test_a_graph_is_captured_anew_only_where_it_is_far_too_short(
    cuda: FakeCuda, streams: Streams, module: Module
) -> None:
    kernel = kernel_of(module, streams)
    lengths = []
    for number in (100, 60, 150, 400, 300):
        assert kernel.batch(number, 1) == pytest.approx((1e-6,))
        lengths.append(len(cuda.launched[-1].nodes))
    assert lengths == [100, 100, 100, 400, 400]
    assert len(cuda.destroyed) == 1
    kernel.close()
    kernel.close()
    assert len(cuda.destroyed) == 2


def test_graphs_and_their_marks_are_given_back(
    cuda: FakeCuda, streams: Streams, module: Module
) -> None:
    before = cuda.marks
    kernel = kernel_of(module, streams)
    sampler = Sampler(kernel, Protocol())
    sampler.run()
    kernel.close()
    assert sampler.samples == pytest.approx([1e-6] * len(sampler.samples))
    captured = {id(graph) for graph in cuda.launched}
    assert {id(graph) for graph in cuda.destroyed} == captured
    assert cuda.marks == before


def test_a_kernel_that_cannot_be_captured_is_timed_by_tvm(cuda: FakeCuda, streams: Streams) -> None:
    def function(*_: object) -> None:
        if cuda.capturing:
            raise RuntimeError("it waits for the device")

    module = Module(function)
    kernel = kernel_of(module, streams)
    for calls in (1, 2):
        assert kernel.batch(50, 3) == (TIMER_S,) * 3
        assert module.timed == calls
    assert not kernel.in_graph and not cuda.launched and not cuda.capturing
    kernel.close()


@pytest.mark.parametrize("call", ["cudaGraphInstantiate", "cudaStreamEndCapture"])
def test_a_graph_that_the_runtime_refuses_is_no_failure(
    call: str, cuda: FakeCuda, streams: Streams, module: Module, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cuda, call, lambda *_: (Code.UNJOINED, None))
    kernel = kernel_of(module, streams)
    assert kernel.batch(50, 1) == (TIMER_S,)
    assert not kernel.in_graph


def test_a_kernel_that_spoils_the_device_fails_and_is_closed_all_the_same(
    cuda: FakeCuda, streams: Streams, module: Module, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel = kernel_of(module, streams)
    kernel.batch(5, 1)
    monkeypatch.setattr(cuda, "cudaEventSynchronize", lambda *_: (Code.UNJOINED,))
    with pytest.raises(RuntimeError, match="CUDA failed"):
        kernel.batch(5, 1)
    kernel.close()


@pytest.mark.gpu
@pytest.mark.skipif(not cuda_devices(), reason="there is no CUDA device here")
def test_kernels_take_together_what_a_graph_of_all_of_them_takes(folder: ArtifactFolder) -> None:
    sizes = [1 << power for power in (10, 16, 20, 22)]
    artifacts = [_built(size, folder.fresh(".so")) for size in sizes]
    bench = Bench("cuda:0")
    args = [(TensorSpec((size,), "float32"),) * 2 for size in sizes]
    requests = [RunRequest(*two, Protocol()) for two in zip(artifacts, args, strict=True)]
    alone = [bench.run(Job((one,))).results[0] for one in requests]
    assert all(one.in_graph and one.error is None for one in alone)
    streams = Streams(tvm.cuda(0))
    calls = [
        (tvm.runtime.load_module(artifact)[FUNCTION], tuple(bench._arguments(specs)))
        for artifact, specs in zip(artifacts, args, strict=True)
    ]
    graph = streams.program([[calls * 100]])
    graph.launch()
    together_s = min(graph.seconds(1, 5)) / 100
    graph.close()
    assert sum(typical_latency(one.samples) for one in alone) == pytest.approx(together_s, rel=0.1)


def _built(size: int, path: str) -> str:
    """A kernel over so many elements."""
    text = f"""
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer(({size},), "float32"), C: T.Buffer(({size},), "float32")):
        T.func_attr({{"global_symbol": "main", "tirx.noalias": True}})
        for outer in T.thread_binding({size // 256}, thread="blockIdx.x"):
            for inner in T.thread_binding(256, thread="threadIdx.x"):
                with T.sblock("C"):
                    i = T.axis.spatial({size}, outer * 256 + inner)
                    C[i] = A[i] + T.float32(1)
"""
    module = str(tvm.ir.save_json(tvm.script.from_source(text)))
    target = str(tvm.ir.save_json(to_tvm(local_cuda(0))))
    built = build_candidate(BuildRequest(module, target, path))
    assert built.artifact is not None, built.error_text
    return built.artifact
