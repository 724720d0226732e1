"""Products of quantized values as dot-product instructions take them, beside ONNX Runtime."""

from __future__ import annotations

import functools
import json
import os
from pathlib import Path

import numpy as np
import pytest
from onnx import ModelProto, TensorProto, helper

from engine.jobs.opening.open_worker import OpenedModel
from engine.models.reference import reference_outputs
from engine.records.task import Task
from engine.search.int8_rules import INTRINSIC, is_dot_product
from engine.search.task_search import TaskSearch
from engine.targets.targets import TargetSpec
from engine.tasks.integer_dot import has_dot_products
from tests.engine.deploy.compiled import compiled
from tests.engine.models.build import Value, model
from tests.engine.search.searches import SETTINGS
from tests.engine.tasks.integer_products import PRODUCTS, data, products
from tests.engine.tasks.programs import cpu, opened

pytestmark = pytest.mark.skipif(os.uname().machine != "x86_64", reason="names x86 processors")
needs_vnni = pytest.mark.skipif(
    os.uname().machine != "x86_64" or not has_dot_products(cpu()), reason="no AVX512-VNNI here"
)


def target(mcpu: str) -> TargetSpec:
    """A CPU that this machine need not be."""
    return TargetSpec(json.dumps({"kind": "llvm", "mcpu": mcpu, "num-cores": 2}), mcpu, "cpu", 2)


@functools.cache
def network(mcpu: str) -> OpenedModel:
    """The products, lowered for a processor."""
    return opened(products(), target(mcpu))


def kernels(found: OpenedModel) -> dict[str, str]:
    """The kernel behind each output."""
    flow = found.program.dataflow
    makers = {output: step for step in flow.steps for output in step.outputs}
    names = [name for name, _ in found.prepared.outputs]
    made = {}
    for name, value in zip(names, flow.outputs, strict=True):
        step = makers[flow.root(value)]
        while "conv" not in step.function and "matmul" not in step.function:
            step = makers[flow.root(step.inputs[0])]
        made[name] = step.function
    return made


@pytest.mark.parametrize(
    ("mcpu", "able"),
    [("x86-64-v3", False), ("skylake-avx512", False), ("icelake-server", True), ("znver4", True)],
)
def test_processors_with_vnni_have_them(mcpu: str, able: bool) -> None:
    assert has_dot_products(target(mcpu)) == able
    assert not has_dot_products(TargetSpec('{"kind": "cuda"}', "", "cuda:0", 2))


def test_what_fits_becomes_a_kernel_for_them_and_the_rest_stays_as_it_was() -> None:
    found = kernels(network("icelake-server"))
    assert {name for name, kernel in found.items() if "vnni" in kernel} == {
        f"y_{each.name}" for each in PRODUCTS if each.fits
    }


def test_other_processors_get_none() -> None:
    assert not any("vnni" in kernel for kernel in kernels(network("x86-64-v3")).values())


def test_data_stays_in_bytes_and_weights_are_packed_for_the_instruction() -> None:
    tasks = network("icelake-server").program.tasks
    (task,) = (
        t for t in tasks if t.op_class.startswith("conv2d_vnni") and t.args[0].shape[-1] == 3
    )
    assert [arg.dtype for arg in task.args[:2]] == ["uint8", "int8"]
    assert task.args[1].shape == (2, 3, 3, 1, 16, 4)  # 20 outputs, 3 inputs: filled up


@pytest.mark.slow
@needs_vnni
def test_results_are_those_of_onnx_runtime_to_a_step(tmp_path: Path) -> None:
    proto, found = products(), opened(products())
    records = {
        task.index: first_trace(found, task) for task in found.program.tasks if is_dot_product(task)
    }
    assert all(INTRINSIC in trace for trace in records.values())
    executor = compiled(found, records, tmp_path)
    for seed in (1, 2):
        results, expected = executor.run(data(seed)), reference_outputs(proto, data(seed))
        for name, array in expected.items():
            step = np.abs(results[name].astype("int32") - array.astype("int32"))
            assert step.max() <= 1, name
            assert (step != 0).mean() < 0.05, name


def first_trace(found: OpenedModel, task: Task) -> str:
    """The first proposal for a task."""
    workload = found.program.workloads[task.index]
    search = TaskSearch(task, workload, found.program.target, SETTINGS, 0)
    search.start()
    return search.propose()[0].trace


def dynamic() -> ModelProto:
    """A padded convolution and a matrix product of data whose zero point is an input."""
    rng = np.random.default_rng(0)
    weights = {
        "w": rng.integers(68, 188, (16, 3, 3, 3)).astype("uint8"),
        "m": rng.integers(-60, 60, (6, 16)).astype("int8"),
        "w_zero": np.array(128, "uint8"),
    }
    nodes = [
        helper.make_node("ConvInteger", ["x", "w", "zero", "w_zero"], ["y"], pads=[1, 1, 1, 1]),
        helper.make_node("MatMulInteger", ["a", "m", "zero"], ["b"]),
    ]
    given: list[Value] = [
        ("x", TensorProto.UINT8, (1, 3, 5, 5)),
        ("a", TensorProto.UINT8, (2, 6)),
        ("zero", TensorProto.UINT8, ()),
    ]
    made: list[Value] = [
        ("y", TensorProto.INT32, (1, 16, 5, 5)),
        ("b", TensorProto.INT32, (2, 16)),
    ]
    return model(nodes, given, made, weights)


@needs_vnni
def test_a_zero_point_that_comes_at_run_time_is_made_up_for_exactly(tmp_path: Path) -> None:
    proto, found = dynamic(), opened(dynamic())
    assert all("vnni" in kernel for kernel in kernels(found).values())
    executor, rng = compiled(found, {}, tmp_path), np.random.default_rng(1)
    for zero in (0, 77, 255):
        values = {
            "x": rng.integers(0, 256, (1, 3, 5, 5)).astype("uint8"),
            "a": rng.integers(0, 256, (2, 6)).astype("uint8"),
            "zero": np.array(zero, "uint8"),
        }
        results = executor.run(values)
        for name, array in reference_outputs(proto, values).items():
            np.testing.assert_array_equal(results[name], array)
