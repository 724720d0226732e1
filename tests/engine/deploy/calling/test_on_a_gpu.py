"""On a GPU: arrays that lie there, streams of the caller's, pools, and the interface in C."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tvm

from engine.deploy.compile import compile_program
from engine.deploy.executor import PlanExecutor
from engine.models.reference import random_inputs
from engine.records.machine import cuda_devices, local_cuda
from tests.engine.deploy.calling.native import OK, Native
from tests.engine.deploy.compiled import as_export, output_names
from tests.engine.tasks.networks import NETWORKS
from tests.engine.tasks.programs import network, opened

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(not cuda_devices(), reason="there is no CUDA device here"),
]

CALLS = 48


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The network of integers, booleans and floats, as an export for this GPU."""
    path = tmp_path_factory.mktemp("integers")
    model = opened(NETWORKS["integers"](), local_cuda(0))
    compile_program(model.program, {}, output_names(model), path)
    as_export(path, device="cuda:0", target={"kind": "cuda"})
    return path


@pytest.fixture(scope="module")
def module(folder: Path) -> PlanExecutor:
    """It, loaded."""
    return PlanExecutor(folder, "cuda:0")


def drawn(seed: int) -> dict[str, np.ndarray]:
    """Inputs that fit."""
    return random_inputs(network("integers").prepared.inputs, seed)


def on_gpu(arrays: dict[str, np.ndarray]) -> dict[str, Any]:
    """Tensors that lie there, and speak DLPack."""
    return {name: tvm.runtime.tensor(array, tvm.cuda(0)) for name, array in arrays.items()}


def room() -> dict[str, Any]:
    """Tensors for the outputs."""
    return on_gpu({"y": np.full((4, 8), 77, np.float32), "less": np.zeros((4, 8), np.bool)})


def same(found: Any, seed: int) -> None:
    """The outputs are those of these inputs."""
    for name, array in network("integers").prepared.reference_outputs(drawn(seed)).items():
        got = found[name] if isinstance(found[name], np.ndarray) else found[name].numpy()
        np.testing.assert_allclose(got, array, rtol=1e-5)


def streams(count: int) -> list[int]:
    """Streams that nothing waits for by itself."""
    from cuda.bindings import runtime

    made = [
        runtime.cudaStreamCreateWithFlags(runtime.cudaStreamNonBlocking)[1] for _ in range(count)
    ]
    return [int(stream) for stream in made]


def wait() -> None:
    """Wait for all streams."""
    from cuda.bindings import runtime

    assert int(runtime.cudaDeviceSynchronize()[0]) == 0


def test_what_lies_there_is_taken_and_written(module: PlanExecutor) -> None:
    outputs = room()
    assert module.run(on_gpu(drawn(1)), outputs) is outputs
    same(outputs, 1)
    same(module.run(on_gpu(drawn(2))), 2)
    host = {"y": np.zeros((4, 8), np.float32), "less": np.zeros((4, 8), np.bool)}
    module.run(drawn(3), host)
    same(host, 3)
    with pytest.raises(ValueError, match="another device"):
        module.bind(drawn(1), {})


def test_calls_on_several_streams_do_not_disturb_each_other(module: PlanExecutor) -> None:
    made = streams(3)
    inputs, outputs = [on_gpu(drawn(seed)) for seed in range(CALLS)], [room() for _ in range(CALLS)]
    for seed in range(CALLS):
        module.run(inputs[seed], outputs[seed], made[seed % 3])
        if seed % 5 == 0:
            same(module.run(drawn(100)), 100)
    wait()
    for seed in range(CALLS):
        same(outputs[seed], seed)


def test_a_bound_module_reads_and_writes_there(module: PlanExecutor) -> None:
    inputs, outputs = on_gpu(drawn(4)), room()
    bound = module.bind(inputs, outputs)
    bound()
    same(outputs, 4)
    for name, array in drawn(5).items():
        inputs[name].copyfrom(array)
    bound(streams(1)[0])
    wait()
    same(outputs, 5)
    del bound
    same(module.run(drawn(6)), 6)


def test_a_pool_answers_many_at_once(module: PlanExecutor) -> None:
    pool = module.pool(4)
    with ThreadPoolExecutor(8) as threads:
        for seed, found in enumerate(threads.map(lambda seed: pool.run(drawn(seed)), range(CALLS))):
            same(found, seed)
    pool.close()


def test_c_runs_it_there(native: Native, folder: Path) -> None:
    code, loaded = native.load(folder)
    assert code == OK, native.said()
    for seed in range(3):
        same(native.run(loaded, drawn(seed)), seed)
    native.library.tw_free(loaded)
