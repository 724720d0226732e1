"""The reference runs the file as it is, not what we made of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from onnx import ModelProto, TensorProto, helper, numpy_helper

from engine.jobs.opening.open_worker import open_here
from engine.models.choosing import prepare_any
from engine.models.feeding import file_reference
from engine.models.feeding.file_reference import FileReference, able_reference
from engine.models.prepare import PreparedModel, prepare
from engine.models.reference import random_inputs
from engine.models.rewriting import rules
from engine.records.errors import ModelError, NoReference
from engine.records.source import ModelSource
from tests.engine.models.build import save
from tests.engine.tasks.programs import cpu


def model(
    nodes: list[str],
    dims: list[object] | None = None,
    element: int = TensorProto.FLOAT,
    **weights: np.ndarray,
) -> ModelProto:
    """x -> nodes, in ONNX's own text, -> y."""
    from onnx import parser

    graph = helper.make_graph(
        [parser.parse_node(node) for node in nodes],
        "g",
        [helper.make_tensor_value_info("x", element, dims or [2, 3])],
        [helper.make_tensor_value_info("y", element, None)],
        [numpy_helper.from_array(array, name) for name, array in weights.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def prepared(proto: ModelProto, folder: Path, **given: object) -> PreparedModel:
    path = save(proto, folder / "net.onnx")
    return prepare(ModelSource("file", str(path), **given))  # type: ignore[arg-type]


def test_what_we_make_of_the_file_does_not_move_the_reference(tmp_path: Path) -> None:
    made = prepared(model(["y = Relu(x)"]), tmp_path)
    made.proto.graph.node[0].op_type = "Neg"
    x = np.array([[-1, 2, -3], [4, -5, 6]], np.float32)
    np.testing.assert_array_equal(made.reference_outputs({"x": x})["y"], np.maximum(x, 0))


@pytest.mark.parametrize("dims", [[2, 3], ["n", 3], [None, None], [0, 3], [-1, 3]])
def test_shapes_are_given_by_feeding(dims: list[object], tmp_path: Path) -> None:
    given = {"x": (2, 3)}
    made = prepared(model(["y = Neg(x)"], dims), tmp_path, shapes=given)
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    np.testing.assert_array_equal(made.reference_outputs({"x": x})["y"], -x)


def test_values_are_given_by_feeding_and_weights_among_the_inputs_are_not(tmp_path: Path) -> None:
    proto = model(["t = Mul(x, w)", "y = Add(t, b)"], w=np.array([3], np.float32))
    for name in "wb":
        proto.graph.input.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, [1]))
    proto.ir_version = 3
    made = prepared(proto, tmp_path, values={"b": 5.0})
    assert [name for name, _ in made.inputs] == ["x"]
    x = np.ones((2, 3), np.float32)
    np.testing.assert_array_equal(made.reference_outputs({"x": x})["y"], 3 * x + 5)


def test_an_output_that_is_an_input_or_a_weight_is_answered(tmp_path: Path) -> None:
    proto = model(["y = Neg(x)"], w=np.array([3], np.float32))
    proto.graph.output.append(proto.graph.input[0])
    proto.graph.output.append(helper.make_tensor_value_info("w", TensorProto.FLOAT, [1]))
    found = prepared(proto, tmp_path).reference_outputs({"x": np.ones((2, 3), np.float32)})
    assert {name: float(array.flat[0]) for name, array in found.items()} == {
        "y": -1,
        "x": 1,
        "w": 3,
    }


def test_a_file_that_has_changed_since_is_refused(tmp_path: Path) -> None:
    made = prepared(model(["y = Relu(x)"]), tmp_path)
    save(model(["y = Neg(x)"]), tmp_path / "net.onnx")
    with pytest.raises(ModelError, match="has changed"):
        made.reference_outputs(random_inputs(made.inputs))


def test_a_draw_that_fails_leaves_the_others_their_answers(tmp_path: Path) -> None:
    made = prepared(model(["y = Div(c, x)"], [2], TensorProto.INT64, c=np.array([6, 8])), tmp_path)
    assert made.reference is not None
    draws = [np.array(x) for x in ([1, 2], [0, 1], [3, 4])]
    first, second, third = made.reference.answers([{"x": x} for x in draws])
    assert isinstance(second, ModelError)
    assert "zero" in second.what
    assert not isinstance(first, ModelError)
    assert not isinstance(third, ModelError)
    np.testing.assert_array_equal(third["y"], [2, 2])


LACKING = {
    "no kernel for int32": model(
        ["y = Gemm(x, w)"], [2, 3], TensorProto.INT32, w=np.eye(3, dtype=np.int32)
    ),
    "no kernel for float64": model(["y = Softplus(x)"], [2, 3], TensorProto.DOUBLE),
    "loads, and never runs": model(
        ['y = Conv <auto_pad = "SAME_UPPER", dilations = [2]> (x, w)'],
        [1, 1, 8],
        w=np.ones((1, 1, 3), np.float32),
    ),
}


@pytest.mark.parametrize("kind", LACKING)
def test_onnx_evaluates_what_onnx_runtime_has_no_kernel_for(kind: str, tmp_path: Path) -> None:
    made = prepared(LACKING[kind], tmp_path)
    assert made.reference is not None
    inputs = random_inputs(made.inputs)
    found = able_reference(made.reference, inputs)
    assert isinstance(found, FileReference)
    assert found.name == "ONNX's reference evaluator"
    (answer,) = found.answers([inputs])
    assert not isinstance(answer, ModelError)
    assert answer["y"].dtype == inputs["x"].dtype
    assert found.latency(inputs, 1) == ()


@pytest.mark.parametrize("operator", ["MaxPool", "AveragePool"])
def test_pools_that_onnx_evaluates_wrongly_are_not_left_to_it(
    operator: str, tmp_path: Path
) -> None:
    text = f'p = {operator} <auto_pad = "SAME_LOWER", kernel_shape = [2], strides = [2]> (x)'
    made = prepared(model([text, "y = Softplus(p)"], [1, 1, 5], TensorProto.DOUBLE), tmp_path)
    assert made.reference is not None
    assert isinstance(able_reference(made.reference, random_inputs(made.inputs)), ModelError)


def test_a_file_that_never_runs_has_no_latency(tmp_path: Path) -> None:
    made = prepared(LACKING["loads, and never runs"], tmp_path)
    assert made.reference is not None
    assert made.reference.latency(random_inputs(made.inputs), 1) == ()


def test_without_anything_that_runs_it_a_person_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unable(proto: ModelProto) -> None:
        raise ModelError("ONNX's reference evaluator cannot load the model.")

    monkeypatch.setattr(file_reference, "_evaluator", unable)
    path = save(LACKING["no kernel for float64"], tmp_path / "net.onnx")
    source = ModelSource("file", str(path))
    with pytest.raises(NoReference, match=r"Nothing here runs net .*Softplus"):
        open_here(source, cpu())
    opened = open_here(ModelSource("file", str(path), without_reference=True), cpu())
    assert opened.prepared.reference is None
    assert ModelSource.from_dict(opened.source.as_dict()) == opened.source


def test_the_evaluator_is_given_up_where_it_takes_too_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import time

    class Endless:
        def __init__(self, proto: ModelProto) -> None:
            self.output_names = ["y"]

        def run(self, names: None, inputs: dict[str, np.ndarray]) -> list[np.ndarray]:
            time.sleep(60)
            return []

    monkeypatch.setattr(file_reference, "_evaluator", Endless)
    monkeypatch.setattr(file_reference, "_TRY_S", 0.05)
    made = prepared(LACKING["no kernel for float64"], tmp_path)
    assert made.reference is not None
    found = able_reference(made.reference, random_inputs(made.inputs))
    assert isinstance(found, ModelError)
    assert "Softplus" in found.what


def test_a_sample_is_run_with_the_weights_it_was_opened_with() -> None:
    made = prepare_any(ModelSource("sample", "squeezenet"))
    inputs = random_inputs(made.inputs)
    first, again = (made.reference_outputs(inputs) for _ in range(2))
    for name, array in first.items():
        np.testing.assert_array_equal(array, again[name])


def test_rewritings_are_no_part_of_the_reference(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rules, "RULES", {})
    made = prepared(model(["y = Celu(x)"]), tmp_path)
    x = random_inputs(made.inputs)
    np.testing.assert_allclose(
        made.reference_outputs(x)["y"],
        np.maximum(x["x"], 0) + np.minimum(0, np.expm1(x["x"])),
        rtol=1e-5,
    )
