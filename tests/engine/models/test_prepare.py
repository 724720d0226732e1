"""Preparing: static, folded, simplified, equal to the original, the file untouched."""

from __future__ import annotations

import logging
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from engine.models.prepare import PreparedModel, prepare
from engine.models.reference import random_inputs, reference_outputs
from engine.records.errors import ModelError, ShapeError, UnsupportedOperators
from engine.records.source import ModelSource
from engine.records.task import TensorSpec
from tests.engine.models import build


def prepared(
    proto: onnx.ModelProto, folder: Path, shapes: dict[str, tuple[int, ...]] | None = None
) -> PreparedModel:
    path = build.save(proto, folder / "model.onnx")
    return prepare(ModelSource("file", str(path), shapes or {}))


def assert_same(model: PreparedModel, original: onnx.ModelProto) -> None:
    """The prepared model computes what the original did."""
    inputs = random_inputs(model.inputs)
    ours, theirs = reference_outputs(model.proto, inputs), reference_outputs(original, inputs)
    assert list(ours) == list(theirs)
    for name, value in theirs.items():
        np.testing.assert_allclose(ours[name], value, rtol=1e-5, atol=1e-6)


def test_a_static_model_is_described_and_keeps_its_meaning(tmp_path: Path) -> None:
    original = build.conv_relu_model()
    model = prepared(original, tmp_path)
    assert model.name == "model"
    assert model.inputs == (("x", TensorSpec((1, 3, 8, 8), "float32")),)
    assert model.outputs == (("y", TensorSpec((1, 4, 8, 8), "float32")),)
    assert len(model.proto.graph.node) == 2
    assert_same(model, original)


def test_importing_the_modules_waits_for_no_heavy_library() -> None:
    code = (
        "import sys, engine.models.prepare, engine.models.relax.importing, engine.models.reference;"
        "print(sorted({'onnx', 'onnxslim', 'onnxruntime', 'tvm', 'numpy'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_source_file_is_only_read(tmp_path: Path) -> None:
    path = build.save_external(tmp_path)
    before = {file: file.read_bytes() for file in tmp_path.iterdir()}
    prepare(ModelSource("file", str(path)))
    assert {file: file.read_bytes() for file in tmp_path.iterdir()} == before


def test_a_dynamic_model_takes_the_given_shape_everywhere(tmp_path: Path) -> None:
    model = prepared(build.dynamic_model(), tmp_path, {"x": (2, 3, 6, 10)})
    assert model.outputs == (("y", TensorSpec((2, 4, 6, 10), "float32")),)


def test_a_dynamic_model_without_shapes_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ShapeError, match="'height'"):
        prepared(build.dynamic_model(), tmp_path)


def test_declared_shapes_that_no_longer_hold_do_not_contradict_given_ones(tmp_path: Path) -> None:
    proto = build.dynamic_model(("N", 3, 8, 8))
    proto.graph.output[0].CopyFrom(helper.make_tensor_value_info("y", 1, (1, 4, 8, 8)))
    model = prepared(proto, tmp_path, {"x": (5, 3, 8, 8)})
    assert model.outputs[0][1].shape == (5, 4, 8, 8)


def test_what_depends_on_constants_alone_is_folded(tmp_path: Path) -> None:
    nodes = [
        helper.make_node("Shape", ["x"], ["s"]),
        helper.make_node("Constant", [], ["two"], value_ints=[2]),
        helper.make_node("Mul", ["s", "two"], ["t"]),
        helper.make_node("ConstantOfShape", ["t"], ["ones"]),
        helper.make_node("Tile", ["x", "two"], ["big"]),
        helper.make_node("Add", ["big", "ones"], ["y"]),
    ]
    proto = build.model(nodes, [("x", 1, ["n"])], [("y", 1, [None])])
    model = prepared(proto, tmp_path, {"x": (3,)})
    assert {node.op_type for node in model.proto.graph.node} <= {"Tile", "Add", "Concat"}
    assert model.outputs[0][1].shape == (6,)


def test_batch_normalisation_goes_into_the_convolution(tmp_path: Path) -> None:
    proto = build.conv_relu_model()
    proto.graph.node[1].input[0] = "bn"
    stats = {"g": 1.5, "b": 0.5, "m": 0.25, "v": 2.0}
    proto.graph.node.insert(1, helper.make_node("BatchNormalization", ["c", *stats], ["bn"]))
    for name, value in stats.items():
        array = np.full(4, value, np.float32)
        proto.graph.initializer.append(numpy_helper.from_array(array, name))
    model = prepared(proto, tmp_path)
    assert [node.op_type for node in model.proto.graph.node] == ["Conv", "Relu"]
    assert_same(model, proto)


def test_a_simplifier_that_fails_costs_no_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise IndexError("deep inside")

    monkeypatch.setattr("onnxslim.slim", broken)
    with caplog.at_level(logging.WARNING, "engine.models.simplify"):
        model = prepared(build.conv_relu_model(), tmp_path)
    assert model.outputs[0][1].shape == (1, 4, 8, 8)
    assert "could not be simplified" in caplog.text


def test_a_simplifier_that_drops_an_input_is_not_believed(tmp_path: Path) -> None:
    nodes = [helper.make_node("Constant", [], ["y"], value_floats=[1.0, 2.0])]
    model = prepared(build.model(nodes, [("x", 1, [2])], [("y", 1, [2])]), tmp_path)
    assert [name for name, _ in model.inputs] == ["x"]


def test_the_models_own_functions_are_inlined(tmp_path: Path) -> None:
    body = [helper.make_node("Add", ["a", "a"], ["b"])]
    function = helper.make_function(
        "own", "Twice", ["a"], ["b"], body, [helper.make_opsetid("", 17)]
    )
    proto = build.unary_model("Twice", domain="own")
    proto.functions.append(function)
    model = prepared(proto, tmp_path)
    assert [node.op_type for node in model.proto.graph.node] == ["Add"]
    assert not model.proto.functions


@pytest.mark.parametrize(("operator", "inputs", "opset"), [("Swish", 1, 24), ("SwiGLU", 2, 28)])
def test_an_operator_that_onnx_defines_by_others_becomes_those(
    tmp_path: Path, operator: str, inputs: int, opset: int
) -> None:
    original = build.unary_model(operator, opset=opset)
    original.graph.node[0].input[:] = ["x"] * inputs
    model = prepared(original, tmp_path)
    assert operator not in {node.op_type for node in model.proto.graph.node}
    x = random_inputs(model.inputs)
    expected = {
        "Swish": lambda v: v / (1 + np.exp(-v)),
        "SwiGLU": lambda v: v * v / (1 + np.exp(-v)),
    }[operator](x["x"])
    np.testing.assert_allclose(
        reference_outputs(model.proto, x)["y"], expected, rtol=1e-4, atol=1e-6
    )


def test_the_hash_is_the_files_and_a_changed_file_is_refused(tmp_path: Path) -> None:
    path = build.save(build.conv_relu_model(), tmp_path / "m.onnx")
    sha256 = prepare(ModelSource("file", str(path))).sha256
    assert prepare(ModelSource("file", str(path), sha256=sha256)).sha256 == sha256
    build.save(build.conv_relu_model(channels=5), path)
    with pytest.raises(ModelError) as caught:
        prepare(ModelSource("file", str(path), sha256=sha256))
    assert "changed since the project was saved" in caught.value.what
    assert caught.value.todo


def test_a_samples_hash_is_stable() -> None:
    first, again = (prepare(ModelSource("sample", "shufflenet")).sha256 for _ in range(2))
    assert first == again
    assert len(first) == 64


def test_an_output_whose_shape_depends_on_data_is_refused_by_its_cause(tmp_path: Path) -> None:
    proto = build.unary_model("NonZero")
    proto.graph.output[0].CopyFrom(helper.make_tensor_value_info("y", TensorProto.INT64, None))
    with pytest.raises(ModelError) as caught:
        prepared(proto, tmp_path)
    assert "output y is not fixed because of NonZero (node n0)" in caught.value.what


def test_a_given_shape_that_the_model_cannot_take_is_refused_as_a_shape(tmp_path: Path) -> None:
    nodes = [helper.make_node("MatMul", ["x", "w"], ["y"])]
    weights = {"w": np.ones((4, 3), np.float32)}
    proto = build.model(nodes, [("x", 1, ["n", "m"])], [("y", 1, None)], weights)
    with pytest.raises(ShapeError, match="does not accept inputs of these shapes"):
        prepared(proto, tmp_path, {"x": (2, 5)})


def test_an_operator_without_known_shapes_is_reported_as_unsupported(tmp_path: Path) -> None:
    proto = build.unary_model("Twist", domain="my.ops")
    proto.graph.output[0].type.tensor_type.shape.dim[0].dim_param = "rows"
    with pytest.raises(UnsupportedOperators, match=r"my\.ops::Twist"):
        prepared(proto, tmp_path)


def test_a_small_file_that_asks_for_a_huge_tensor_is_refused(tmp_path: Path) -> None:
    nodes = [
        helper.make_node("Expand", ["x", "s"], ["big"]),
        helper.make_node("ReduceSum", ["big"], ["y"]),
    ]
    sizes = {"s": np.array([10**5, 10**6])}
    proto = build.model(nodes, [("x", 1, [1, 1])], [("y", 1, [1, 1])], sizes)
    with pytest.raises(ModelError, match="100000x1000000"):
        prepared(proto, tmp_path)


def test_a_function_called_relu_is_not_taken_for_onnxs(tmp_path: Path) -> None:
    imports = [helper.make_opsetid("", 17)]
    body = [helper.make_node("Neg", ["a"], ["b"])]
    proto = build.unary_model("Relu", opset=20, domain="my")
    proto.functions.append(helper.make_function("my", "Relu", ["a"], ["b"], body, imports))
    made = prepared(proto, tmp_path).proto
    assert [node.op_type for node in made.graph.node] == ["Neg"]
