"""LSTM, GRU and RNN over time, as ONNX Runtime or ONNX's own definition computes them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import ModelProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

from engine.models.prepare import prepare
from engine.models.reference import reference_outputs
from engine.models.rewriting.driver import rewrite
from engine.models.support import check_model
from engine.records.errors import ModelError
from engine.records.source import ModelSource
from tests.engine.models.build import model, save
from tests.engine.models.rewriting.same import operators, rewritten

STEPS, BATCH, FEATURES, HIDDEN = 4, 2, 3, 5
GATES = {"LSTM": 4, "GRU": 3, "RNN": 1}
FLOAT = 1

Arrays = Mapping[str, np.ndarray[Any, Any]]


def recurrent_model(
    op: str,
    direction: str = "forward",
    layout: int = 0,
    bias: bool = True,
    first: bool = True,
    more: tuple[str, ...] = (),
    **attributes: Any,
) -> tuple[ModelProto, Arrays]:
    """A model of one node with random weights, and values of its inputs."""
    rng = np.random.default_rng(0)
    count = 2 if direction == "bidirectional" else 1
    rows = GATES[op] * HIDDEN
    weights = {
        "w": rng.standard_normal((count, rows, FEATURES), np.float32),
        "r": rng.standard_normal((count, rows, HIDDEN), np.float32),
        "b": rng.standard_normal((count, 2 * rows), np.float32),
        "p": rng.standard_normal((count, 3 * HIDDEN), np.float32),
        "lengths": np.array([STEPS, STEPS - 1], np.int32),
    }
    x = (BATCH, STEPS, FEATURES) if layout else (STEPS, BATCH, FEATURES)
    state = (BATCH, count, HIDDEN) if layout else (count, BATCH, HIDDEN)
    y = (BATCH, STEPS, count, HIDDEN) if layout else (STEPS, count, BATCH, HIDDEN)
    states = ["h", "c"] if op == "LSTM" else ["h"]
    inputs = ["x", "w", "r", "b" if bias else "", "lengths" if "lengths" in more else ""]
    inputs += [f"first_{name}" if first else "" for name in states]
    if "p" in more:
        inputs += [""] * (7 - len(inputs)) + ["p"]
    outputs = ["y", *(f"y_{name}" for name in states)]
    if layout:
        attributes["layout"] = 1
    node = helper.make_node(
        op, inputs, outputs, name="cell", hidden_size=HIDDEN, direction=direction, **attributes
    )
    shapes = {"x": x} | ({f"first_{name}": state for name in states} if first else {})
    value = helper.make_tensor_value_info
    graph = helper.make_graph(
        [node],
        "recurrent",
        [value(name, FLOAT, shape) for name, shape in shapes.items()],
        [value("y", FLOAT, y), *(value(name, FLOAT, state) for name in outputs[1:])],
        [numpy_helper.from_array(array, name) for name, array in weights.items()],
    )
    proto = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    return proto, {name: rng.standard_normal(at, np.float32) for name, at in shapes.items()}


def expected(proto: ModelProto, inputs: Arrays, layout: int) -> dict[str, Any]:
    """ONNX Runtime has no second layout."""
    if not layout:
        return dict(reference_outputs(proto, dict(inputs)))
    names = [output.name for output in proto.graph.output]
    return dict(zip(names, ReferenceEvaluator(proto).run(None, dict(inputs)), strict=True))


@pytest.mark.parametrize(
    ("direction", "layout", "parameters"),
    [("forward", 0, False), ("reverse", 0, True), ("bidirectional", 0, True), ("forward", 1, True)],
)
@pytest.mark.parametrize(
    ("op", "attributes"),
    [
        ("LSTM", {}),
        ("GRU", {"linear_before_reset": 0}),
        ("GRU", {"linear_before_reset": 1}),
        ("RNN", {}),
        ("RNN", {"activations": ["Relu"]}),
    ],
)
def test_it_is_unrolled_into_operators_that_give_the_same(
    op: str, attributes: dict[str, Any], parameters: bool, layout: int, direction: str
) -> None:
    if "activations" in attributes and direction == "bidirectional":
        attributes = {"activations": attributes["activations"] * 2}
    if "activations" in attributes and layout:
        pytest.skip("ONNX's own evaluator knows no Relu in an RNN")
    proto, inputs = recurrent_model(op, direction, layout, parameters, parameters, **attributes)
    wanted = expected(proto, inputs, layout)
    done = rewrite(proto)
    assert op not in {node.op_type for node in proto.graph.node}
    assert set(done.origins.values()) == {"cell"}
    found = reference_outputs(proto, dict(inputs))
    for name, array in wanted.items():
        np.testing.assert_allclose(found[name], array, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    ("op", "more", "attributes", "reason"),
    [
        ("RNN", (), {"activations": ["Twist"]}, "Twist"),
    ],
)
def test_what_cannot_be_unrolled_is_refused_by_name_with_the_reason(
    op: str, more: tuple[str, ...], attributes: dict[str, Any], reason: str, tmp_path: Path
) -> None:
    proto, _ = recurrent_model(op, more=more, **attributes)
    (support,) = [item for item in check_model(proto) if item.op == op]
    assert support.state == "missing"
    assert reason in support.note
    with pytest.raises(ModelError, match=rf"{op} \(cell\): .*{reason}"):
        prepare(ModelSource("file", str(save(proto, tmp_path / "m.onnx"))))


def assert_unrolled(proto: ModelProto, inputs: Arrays, op: str) -> None:
    """The model, without the operator, answers what it did."""
    wanted = reference_outputs(proto, dict(inputs))
    rewrite(proto)
    assert op not in operators(proto)
    found = reference_outputs(proto, dict(inputs))
    for name, array in wanted.items():
        np.testing.assert_allclose(found[name], array, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("direction", ["forward", "reverse", "bidirectional"])
@pytest.mark.parametrize("clip", [0.0, 0.5])
@pytest.mark.parametrize("peepholes", [False, True])
@pytest.mark.parametrize("coupled", [0, 1])
def test_gates_of_an_lstm_are_clipped_coupled_and_see_the_cell(
    coupled: int, peepholes: bool, clip: float, direction: str
) -> None:
    more: dict[str, Any] = {"input_forget": coupled} | ({"clip": clip} if clip else {})
    given = ("p", "lengths") if peepholes else ()
    assert_unrolled(*recurrent_model("LSTM", direction, more=given, **more), "LSTM")


@pytest.mark.parametrize("op", ["GRU", "RNN"])
@pytest.mark.parametrize("direction", ["forward", "bidirectional"])
@pytest.mark.parametrize("before", [0, 1])
def test_gates_are_clipped(before: int, direction: str, op: str) -> None:
    more: dict[str, Any] = {"linear_before_reset": before} if op == "GRU" else {}
    assert_unrolled(*recurrent_model(op, direction, clip=0.5, **more), op)


ACTIVATIONS: list[tuple[str, dict[str, list[float]]]] = [
    ("Affine", {"activation_alpha": [0.5], "activation_beta": [0.25]}),
    ("Elu", {"activation_alpha": [0.7]}),
    ("HardSigmoid", {"activation_alpha": [0.3], "activation_beta": [0.4]}),
    ("LeakyRelu", {"activation_alpha": [0.2]}),
    ("Relu", {}),
    ("ScaledTanh", {"activation_alpha": [0.8], "activation_beta": [0.6]}),
    ("Sigmoid", {}),
    ("Softplus", {}),
    ("Softsign", {}),
    ("ThresholdedRelu", {"activation_alpha": [0.3]}),
]


@pytest.mark.parametrize(("name", "numbers"), ACTIVATIONS)
@pytest.mark.parametrize("op", ["LSTM", "GRU", "RNN"])
def test_activations_have_numbers(op: str, name: str, numbers: dict[str, list[float]]) -> None:
    names = {"LSTM": ["Sigmoid", name, "Tanh"], "GRU": ["Sigmoid", name], "RNN": [name]}[op]
    more: dict[str, Any] = {"activations": names, **numbers}
    assert_unrolled(*recurrent_model(op, **more), op)


def test_numbers_of_activations_go_to_those_that_take_any() -> None:
    more: dict[str, Any] = {
        "activations": ["HardSigmoid", "Relu", "LeakyRelu", "Sigmoid", "Affine", "Tanh"],
        "activation_alpha": [0.3, 0.2, 0.5],
        "activation_beta": [0.4, 0.1],
    }
    assert_unrolled(*recurrent_model("LSTM", "bidirectional", **more), "LSTM")


@pytest.mark.parametrize("op", ["LSTM", "GRU"])
@pytest.mark.parametrize("known", [True, False])
def test_sequences_of_different_lengths_stop_where_they_end(op: str, known: bool) -> None:
    proto, inputs = recurrent_model(op, "bidirectional", more=("lengths",))
    given = dict(inputs)
    if not known:
        lengths = proto.graph.initializer[-1]
        given["lengths"] = numpy_helper.to_array(lengths)
        del proto.graph.initializer[-1]
        value = helper.make_tensor_value_info("lengths", 6, (BATCH,))
        proto.graph.input.append(value)
    wanted = reference_outputs(proto, given)
    rewrite(proto)
    assert op not in {node.op_type for node in proto.graph.node}
    found = reference_outputs(proto, given)
    for name, array in wanted.items():
        np.testing.assert_allclose(found[name], array, rtol=1e-4, atol=1e-5)


def test_an_lstm_with_integer_weights_multiplies_integers() -> None:
    rng = np.random.default_rng(0)
    weights = {  # of 7 bits: see tests/processor.py
        "w": rng.integers(-64, 64, (1, FEATURES, 4 * HIDDEN)).astype("int8"),
        "r": rng.integers(-64, 64, (1, HIDDEN, 4 * HIDDEN)).astype("int8"),
        "s": np.array([0.01], "float32"),
        "z": np.array([0], "int8"),
    }
    node = helper.make_node(
        "DynamicQuantizeLSTM",
        ["x", "w", "r", "", "", "", "", "", "s", "z", "s", "z"],
        ["y"],
        name="cell",
        domain="com.microsoft",
        hidden_size=HIDDEN,
    )
    x = ("x", FLOAT, (STEPS, 1, FEATURES))
    proto = model([node], [x], [("y", FLOAT, None)], weights, domains=["com.microsoft"])
    rewritten(proto, "DynamicQuantizeLSTM")
    kinds = operators(proto)
    assert kinds.count("MatMulInteger") == STEPS  # the first state is zero, and its product folded
    assert "MatMul" not in kinds


def test_a_check_says_that_it_is_rewritten_and_leaves_the_model_alone() -> None:
    proto, _ = recurrent_model("LSTM")
    before = proto.SerializeToString()
    (support,) = check_model(proto)
    assert (support.state, support.nodes, support.note) == ("rewritten", ("cell",), "")
    assert proto.SerializeToString() == before
