"""Importing into TVM: inputs in order, weights inside, refusals that name everything."""

from __future__ import annotations

import builtins
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from engine.models.operators import unsupported_operators
from engine.models.prepare import prepare
from engine.models.reference import random_inputs, reference_outputs
from engine.models.rewriting.driver import rewrite
from engine.records.errors import ModelError, UnsupportedOperators
from engine.records.source import ModelSource
from tests.engine.models import build

MIXED = "com.microsoft"


def imported(proto: onnx.ModelProto, folder: Path) -> object:
    path = build.save(proto, folder / "model.onnx")
    return prepare(ModelSource("file", str(path))).to_relax()


def run(module: object, inputs: list[np.ndarray]) -> np.ndarray:
    import tvm
    from tvm import relax

    machine = relax.VirtualMachine(tvm.compile(module, tvm.target.Target("llvm")), tvm.cpu())
    result: np.ndarray = machine["main"](*map(tvm.runtime.tensor, inputs)).numpy()
    return result


def test_a_model_is_imported_with_its_weights_inside_and_computes_the_same(tmp_path: Path) -> None:
    path = build.save(build.conv_relu_model(), tmp_path / "m.onnx")
    model = prepare(ModelSource("file", str(path)))
    module = model.to_relax()
    assert len(module["main"].params) == 1
    inputs = random_inputs(model.inputs)
    expected = reference_outputs(model.proto, inputs)["y"]
    np.testing.assert_allclose(run(module, list(inputs.values())), expected, rtol=1e-4, atol=1e-4)


def test_inputs_keep_the_models_order_whatever_their_names(tmp_path: Path) -> None:
    nodes = [helper.make_node("Sub", ["9.z", "a/b"], ["y"])]
    values: list[build.Value] = [("9.z", 1, [2]), ("a/b", 1, [2])]
    module = imported(build.model(nodes, values, [("y", 1, [2])]), tmp_path)
    first, second = np.array([5, 7], "float32"), np.array([1, 2], "float32")
    np.testing.assert_array_equal(run(module, [first, second]), first - second)


def test_batch_normalisation_that_is_not_folded_is_decomposed(tmp_path: Path) -> None:
    weights = {name: np.full(3, 0.5, np.float32) for name in "gbmv"}
    nodes = [helper.make_node("BatchNormalization", ["x", *weights], ["y"])]
    shape = [1, 3, 2, 2]
    proto = build.model(nodes, [("x", 1, shape)], [("y", 1, shape)], weights)
    assert "batch_norm" not in str(imported(proto, tmp_path))


def test_all_operators_that_tvm_lacks_are_named_at_once_at_any_depth() -> None:
    assert unsupported_operators(build.unsupported_model()) == ("my.ops::Fold", "my.ops::Twist")


def test_importing_unsupported_operators_names_them_and_their_nodes(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedOperators) as caught:
        imported(build.unsupported_model(), tmp_path)
    assert caught.value.operators == ("my.ops::Fold", "my.ops::Twist")
    assert all(caught.value.nodes)
    for operator, node in zip(caught.value.operators, caught.value.nodes, strict=True):
        assert f"{operator} ({node})" in caught.value.what


@pytest.mark.parametrize(
    ("operator", "domain", "opset", "lacking"),
    [
        ("Relu", "", 17, ()),
        ("Relu", "ai.onnx", 17, ()),
        ("Relu", "my.ops", 17, ("my.ops::Relu",)),
        ("FastGelu", "com.microsoft", 17, ("com.microsoft::FastGelu",)),
        ("FastGelu", "", 17, ("FastGelu",)),
        ("Attention", "", 23, ("Attention",)),
        ("Relu", "com.microsoft", 17, ("com.microsoft::Relu",)),
        ("Scatter", "", 10, ()),
        ("Scatter", "", 11, ("Scatter",)),
        ("Loop", "", 17, ("Loop",)),
    ],
)
def test_an_operator_is_judged_by_name_domain_and_version(
    operator: str, domain: str, opset: int, lacking: tuple[str, ...]
) -> None:
    proto = build.unary_model(operator, domain=domain, opset=opset)
    assert unsupported_operators(proto) == lacking


def branch(operator: str, name: str) -> onnx.GraphProto:
    node = helper.make_node(operator, ["x"], [name])
    shape = [2, 1] if operator == "Flatten" else [2]
    return helper.make_graph([node], name, [], [helper.make_tensor_value_info(name, 1, shape)])


def branching_model(otherwise: str = "Flatten") -> onnx.ModelProto:
    """Its branches' results have one shape only where both keep that of x."""
    branches = {"then_branch": branch("Relu", "t"), "else_branch": branch(otherwise, "e")}
    nodes = [helper.make_node("If", ["c"], ["y"], name="choose", **branches)]
    proto = build.model(nodes, [("x", 1, [2]), ("c", TensorProto.BOOL, [])], [("y", 1, [2])])
    proto.graph.output[0].type.tensor_type.ClearField("shape")
    return proto


@pytest.mark.parametrize("condition", [True, False])
def test_a_choice_by_data_between_results_of_one_shape_is_imported(condition: bool) -> None:
    proto = branching_model("Neg")
    inputs = {"x": np.array([1.0, -2.0], np.float32), "c": np.array(condition)}
    wanted = reference_outputs(proto, inputs)["y"]
    rewrite(proto)
    assert "If" not in {node.op_type for node in proto.graph.node}
    np.testing.assert_array_equal(reference_outputs(proto, inputs)["y"], wanted)


def shape_of_nonzero_model() -> onnx.ModelProto:
    nodes = [
        helper.make_node("NonZero", ["x"], ["z"], name="find"),
        helper.make_node("Cast", ["z"], ["f"], to=1),
        helper.make_node("ReduceSum", ["f"], ["y"]),
    ]
    return build.model(nodes, [("x", 1, [2, 8])], [("y", 1, [1, 1])])


def runtime_k_model() -> onnx.ModelProto:
    nodes = [helper.make_node("TopK", ["x", "k"], ["y", "i"])]
    values: list[build.Value] = [("x", 1, [2, 8]), ("k", TensorProto.INT64, [1])]
    return build.model(nodes, values, [("y", 1, [2, 3])])


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (branching_model, "If"),
        (shape_of_nonzero_model, "NonZero (node find)"),
        (runtime_k_model, "TopK"),
    ],
)
def test_what_stays_dynamic_or_is_refused_by_tvm_is_named(
    tmp_path: Path, make: Callable[[], onnx.ModelProto], said: str
) -> None:
    with pytest.raises(ModelError) as caught:
        imported(make(), tmp_path)
    assert said in caught.value.what
    assert caught.value.todo
    assert "\n" not in str(caught.value)


def test_tvms_prints_and_warnings_stay_inside(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    proto = build.unary_model("Relu")
    proto.graph.node[0].input[0] = proto.graph.input[0].name = "0.renamed"
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        imported(proto, tmp_path)
        with pytest.raises(ModelError):
            imported(runtime_k_model(), tmp_path)
    assert [str(w.message) for w in caught] == []
    assert capsys.readouterr().out == ""
    from tvm.relax.frontend.onnx import onnx_frontend

    assert getattr(onnx_frontend, "print", builtins.print) is builtins.print


def test_squeezenet_is_imported_whole() -> None:
    model = prepare(ModelSource("sample", "squeezenet"))
    text = model.to_relax().script(show_meta=False)
    assert text.count("relax.op.nn.conv2d(") + text.count("R.nn.conv2d(") == 26


def test_an_axis_may_have_no_places(tmp_path: Path) -> None:
    proto = build.two_input_model((1, "past", 8), (1, "past", 8))
    proto.graph.node[0].op_type = "Concat"
    proto.graph.node[0].attribute.append(helper.make_attribute("axis", 1))
    proto.graph.input[1].type.tensor_type.shape.dim[1].dim_value = 3
    path = build.save(proto, tmp_path / "cache.onnx")
    model = prepare(ModelSource("file", str(path), {"a": (1, 0, 8)}))
    assert model.outputs[0][1].shape == (1, 3, 8)
    main = model.to_relax()["main"]
    assert [int(size) for size in main.params[0].ty.shape] == [1, 0, 8]
