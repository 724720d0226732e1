"""On a GPU: what is copied, on which stream, and what waits for what, seen without a GPU.

Memory and kernels are the CPU's; the CUDA runtime notes what goes on which stream.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import tvm

from engine.deploy import executor as module_of
from engine.deploy.executor import PlanExecutor
from engine.measure.units import CudaGraph, Groups, Streams, run_calls
from engine.models.reference import random_inputs
from tests.engine.deploy.calling.test_arrays import Foreign, aligned
from tests.engine.deploy.compiled import compiled
from tests.engine.fake_cuda import Code, FakeCuda
from tests.engine.tasks.programs import network

OURS = 1  # the first stream that is made
INPUTS, OUTPUTS = 2, 2


class Device(Foreign):
    """An array that says it lies on a GPU, and is asked for its memory on a stream."""

    def __init__(self, array: np.ndarray, index: int = 0) -> None:
        super().__init__(array, (2, index))
        self.streams: list[int] = []

    def __dlpack__(self, **wanted: Any) -> Any:
        self.streams.append(wanted.pop("stream"))
        return self.array.__dlpack__(**wanted)


class Noting(FakeCuda):
    """Does at once what is put on a stream, and notes it."""

    cudaMemcpyKind = SimpleNamespace(cudaMemcpyDefault=4)

    def __init__(self) -> None:
        super().__init__()
        self.log: list[str] = []
        self.threads: set[int] = set()

    def cudaSetDevice(self, index: int) -> tuple[Code]:
        self.threads.add(threading.get_ident())
        return super().cudaSetDevice(index)

    def cudaStreamWaitEvent(self, stream: int, event: int, flags: int) -> tuple[Code]:
        self.log.append(f"wait {stream}")
        return (Code.SUCCESS,)

    def cudaEventRecord(self, event: int, stream: int) -> tuple[Code]:
        self.log.append(f"record {stream}")
        return (Code.SUCCESS,)

    def cudaStreamSynchronize(self, stream: int) -> tuple[Code]:
        self.log.append(f"finish {stream}")
        return (Code.SUCCESS,)

    def cudaMemcpyAsync(
        self, target: int, source: int, size: int, kind: int, stream: int
    ) -> tuple[Code]:
        assert kind == self.cudaMemcpyKind.cudaMemcpyDefault
        self.log.append(f"copy {stream}")
        ctypes.memmove(target, source, size)
        return (Code.SUCCESS,)

    def cudaGraphLaunch(self, executable: Any, stream: int) -> tuple[Code]:
        self.log.append(f"launch {stream}")
        run_calls(executable)
        return (Code.SUCCESS,)


class Simulated(Streams):
    """Captures calls as they are."""

    def program(self, stages: Any, known: bool = False) -> CudaGraph:
        groups: Groups = [group for stage in stages for group in stage]
        return CudaGraph(self, [call for group in groups for call in group])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A module of two inputs and two outputs."""
    path = tmp_path_factory.mktemp("integers")
    compiled(network("integers"), {}, path)
    return path


@pytest.fixture
def runtime(monkeypatch: pytest.MonkeyPatch) -> Noting:
    """The CUDA runtime."""
    import cuda.bindings

    made = Noting()
    monkeypatch.setattr(cuda.bindings, "runtime", made, raising=False)
    return made


@pytest.fixture
def module(folder: Path, runtime: Noting, monkeypatch: pytest.MonkeyPatch) -> PlanExecutor:
    """It, loaded as if on a GPU."""
    cpu = tvm.device("cpu")
    monkeypatch.setattr(module_of, "Streams", Simulated)
    monkeypatch.setattr(tvm, "device", lambda _: cpu)
    return PlanExecutor(folder, "cuda:0")


def drawn(seed: int) -> dict[str, np.ndarray]:
    """Inputs that fit."""
    return random_inputs(network("integers").prepared.inputs, seed)


def places() -> dict[str, np.ndarray]:
    """Room for the outputs."""
    return {"y": np.full((4, 8), 77, np.float32), "less": np.zeros((4, 8), np.bool)}


def same(found: dict[str, np.ndarray], seed: int) -> None:
    """The outputs are those of these inputs."""
    for name, array in network("integers").prepared.reference_outputs(drawn(seed)).items():
        np.testing.assert_allclose(found[name], array, rtol=1e-5)


@pytest.mark.parametrize("kind", [np.asarray, Device])
@pytest.mark.parametrize("stream", [None, 7, 0])
def test_a_call_is_on_one_stream_which_is_waited_for_where_it_is_the_modules(
    module: PlanExecutor, runtime: Noting, kind: Callable[[np.ndarray], Any], stream: int | None
) -> None:
    outputs = places()
    inputs = {name: kind(array) for name, array in drawn(1).items()}
    given = {name: kind(array) for name, array in outputs.items()}
    runtime.log.clear()
    module.run(inputs, given, stream)
    same(outputs, 1)
    at = OURS if stream is None else stream
    end = [f"finish {at}"] if stream is None else [f"record {at}"]
    wait = [] if stream is None else [f"wait {at}"]
    assert runtime.log == [
        *([f"copy {at}"] * INPUTS),
        *end,
        *(*wait, f"launch {at}", *end),
        *wait,
        *([f"copy {at}"] * OUTPUTS),
        *end,
    ]
    if kind is Device:  # what else its library does with it is waited for on that stream
        for array in (*inputs.values(), *given.values()):
            assert array.streams == [at or 1]


def test_a_call_without_a_stream_waits_for_one_on_a_callers(
    module: PlanExecutor, runtime: Noting
) -> None:
    outputs = places()
    module.run(drawn(1), outputs, 7)
    runtime.log.clear()
    same(dict(module.run(drawn(2))), 2)
    assert runtime.log[0] == f"wait {OURS}"
    assert [one for one in runtime.log if "wait" in one] == [f"wait {OURS}"]
    assert not [one for one in runtime.log if one.endswith(" 7")]


def test_outputs_are_read_when_a_callers_stream_is_done(
    module: PlanExecutor, runtime: Noting
) -> None:
    module.set_inputs(drawn(3))
    module.execute(stream=9)
    runtime.log.clear()
    same(module.outputs(), 3)
    assert runtime.log == [f"wait {OURS}", f"finish {OURS}"]


def test_a_bound_module_is_launched_and_nothing_is_copied(
    module: PlanExecutor, runtime: Noting
) -> None:
    inputs = {name: aligned(array) for name, array in drawn(4).items()}
    outputs = {name: aligned(array) for name, array in places().items()}
    bound = module.bind(
        {name: Device(array) for name, array in inputs.items()},
        {name: Device(array) for name, array in outputs.items()},
    )
    runtime.log.clear()
    bound()
    assert runtime.log == [f"launch {OURS}", f"finish {OURS}"]
    same(outputs, 4)
    for name, array in drawn(5).items():
        inputs[name][...] = array
    runtime.log.clear()
    bound(stream=7)
    assert runtime.log == ["launch 7", "record 7"]
    same(outputs, 5)
    runtime.destroyed.clear()
    del bound
    assert len(runtime.destroyed) == 1


@pytest.mark.parametrize(
    ("inputs", "outputs", "reason"),
    [
        ({"i": aligned(np.zeros(4, np.int64))}, {}, "input i lies on another device"),
        ({}, {"y": aligned(np.zeros((4, 8), np.float32))}, "output y lies on another device"),
        ({"i": Device(np.zeros(4, np.int64), 1)}, {}, "input i lies on another device"),
        ({"i": Device(np.zeros(4, np.int32))}, {}, "input i holds int32, not int64"),
    ],
)
def test_what_a_gpu_cannot_use_where_it_lies_is_not_bound(
    module: PlanExecutor, inputs: dict[str, Any], outputs: dict[str, Any], reason: str
) -> None:
    with pytest.raises(ValueError, match=reason):
        module.bind(inputs, outputs)


@pytest.mark.parametrize(
    ("array", "reason"),
    [
        (Device(np.zeros(4, np.int32)), "input i holds int32, not int64"),
        (Device(np.zeros(8, np.int64)[::2]), "input i is not contiguous"),
        (Device(np.zeros((4, 1), np.int64)), r"input i has shape \(4, 1\), not \(4,\)"),
        (Device(np.zeros(4, np.int64), 3), "input i lies on another device"),
    ],
)
def test_what_lies_on_a_gpu_is_never_changed_by_way_of_the_host(
    module: PlanExecutor, array: Device, reason: str
) -> None:
    with pytest.raises(ValueError, match=reason):
        module.run({**drawn(1), "i": array})


def test_executors_of_a_pool_are_made_and_called_each_in_its_own_thread(
    module: PlanExecutor, runtime: Noting
) -> None:
    """TVM keeps the workspaces of kernels by thread."""
    before = set(runtime.threads)
    pool = module.pool(3)
    made = runtime.threads - before
    assert len(made) == 3
    assert threading.get_ident() not in made
    for seed in range(6):
        same(dict(pool.run(drawn(seed))), seed)
    pool.close()
