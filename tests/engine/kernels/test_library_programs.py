"""Programs whose products call cuBLASLt: compiled, and run by a stand-in for it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from engine.deploy import compile as compiling
from engine.deploy.compile import compile_program
from engine.deploy.executor import PlanExecutor
from engine.jobs.opening.open_worker import OpenedModel, open_here
from engine.kernels.cublaslt import find_library
from engine.kernels.library import LibraryTask
from engine.kernels.marks import trace_of
from engine.records.errors import ExportError
from engine.records.source import ModelSource, Precision
from engine.targets.targets import cuda_devices
from tests.engine.deploy.compiled import assert_agrees, output_names
from tests.engine.kernels.products import numpy_library
from tests.engine.kernels.tasks import H200
from tests.engine.models.build import save
from tests.engine.tasks.programs import cpu, opened


def layers() -> onnx.ModelProto:
    """Two products with biases, a rectifier behind the first."""
    draw = np.random.default_rng(0)
    sizes = {"w": (8, 16), "p": (16,), "v": (16, 4), "q": (4,)}
    weights = [
        numpy_helper.from_array(draw.standard_normal(shape).astype(np.float32), name)
        for name, shape in sizes.items()
    ]
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["a"]),
        helper.make_node("Add", ["a", "p"], ["b"]),
        helper.make_node("Relu", ["b"], ["c"]),
        helper.make_node("MatMul", ["c", "v"], ["d"]),
        helper.make_node("Add", ["d", "q"], ["y"]),
    ]
    values = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
        for name, shape in (("x", (6, 8)), ("y", (6, 4)))
    ]
    graph = helper.make_graph(nodes, "layers", values[:1], values[1:], weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=10)


def traces(model: OpenedModel, rank: int) -> dict[int, str]:
    """The trace of a call for each product."""
    program = model.program
    tasks = [one.index for one in program.tasks]
    products = [one for one in tasks if LibraryTask.of(program.workloads[one]["main"])]
    assert len(products) == 2
    return dict.fromkeys(products, trace_of(f"cublaslt {rank}"))


def test_a_program_calls_the_library_and_computes_the_same(tmp_path: Path) -> None:
    model = opened(layers(), cpu())
    compile_program(model.program, traces(model, 3), output_names(model), tmp_path)
    assert json.loads((tmp_path / "plan.json").read_text())["libraries"] == ["cublaslt"]
    with numpy_library() as calls:
        assert_agrees(model, PlanExecutor(tmp_path))
    assert {(one.bias, one.activation, one.rank) for one in calls} == {
        (True, "relu", 3),
        (True, "none", 3),
    }


def test_a_program_without_calls_names_no_library(tmp_path: Path) -> None:
    model = opened(layers(), cpu())
    compile_program(model.program, {}, output_names(model), tmp_path)
    assert "libraries" not in json.loads((tmp_path / "plan.json").read_text())


@pytest.mark.parametrize("precision", ["float32", "tf32", "float16"])
def test_it_compiles_for_a_gpu(
    precision: Precision, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiling, "find_library", lambda: Path("libcublasLt.so.13"))
    path = save(layers(), tmp_path / "model.onnx")
    model = open_here(ModelSource("file", str(path), precision=precision), H200)
    compile_program(model.program, traces(model, 0), output_names(model), tmp_path)
    assert json.loads((tmp_path / "plan.json").read_text())["libraries"] == ["cublaslt"]


def test_a_machine_without_the_library_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiling, "find_library", lambda: None)
    model = opened(layers(), H200)
    with pytest.raises(ExportError, match=r"cuBLASLt.*not installed"):
        compile_program(model.program, traces(model, 0), output_names(model), tmp_path)


@pytest.mark.gpu
@pytest.mark.skipif(not cuda_devices(), reason="there is no CUDA device here")
@pytest.mark.skipif(find_library() is None, reason="cuBLASLt is not installed here")
def test_a_graph_of_calls_computes_the_same(tmp_path: Path) -> None:
    model = opened(layers(), H200)
    compile_program(model.program, traces(model, 0), output_names(model), tmp_path)
    executor = PlanExecutor(tmp_path, "cuda:0")
    for seed in (1, 2):
        assert_agrees(model, executor, seed)
