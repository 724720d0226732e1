"""Operators of older operator sets, in newer forms."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from onnx import ModelProto, TensorProto, helper

from engine.models.light_copy import check
from engine.models.opset.upgrade import settle
from engine.models.reference import reference_outputs
from engine.records.errors import ModelError
from tests.engine.models.build import Value, model
from tests.engine.models.rewriting.same import draw, operators

FLOAT, INT64 = TensorProto.FLOAT, TensorProto.INT64

X: Value = ("x", FLOAT, (2, 3, 4, 6))

Weights = dict[str, np.ndarray]

SCALES = {"s": np.array([1, 1, 2, 1.5], "float32")}
REDUCTIONS = ["ReduceL1", "ReduceL2", "ReduceMax", "ReduceMean", "ReduceMin", "ReduceSum"]
SIDES = [[1, 1, 2, 3], [1, 1, 0.5, 0.25], [1, 1, 2, 0.4]]

CASES: list[tuple[str, int, dict[str, Any], Weights]] = [
    *(
        (name, opset, axis, {})
        for name in ("Softmax", "LogSoftmax", "Hardmax")
        for opset in (7, 11)
        for axis in ({}, {"axis": 0}, {"axis": 2}, {"axis": 3})
    ),
    *((name, 11, {"axes": [1, 3], "keepdims": 0}, {}) for name in REDUCTIONS),
    ("Softmax", 11, {"axis": -2}, {}),
    ("ReduceSum", 11, {}, {}),
    ("Slice", 9, {"starts": [1, -3], "ends": [3, 100], "axes": [1, 3]}, {}),
    ("Slice", 9, {"starts": [0, 1], "ends": [1, -1]}, {}),
    ("TopK", 9, {"k": 2, "axis": 3}, {}),
    ("Pad", 9, {"pads": [0, 0, 1, 2, 0, 0, -1, 3], "value": 1.5}, {}),
    ("Pad", 7, {"pads": [0, 0, 1, 2, 0, 0, 2, 3], "mode": "reflect"}, {}),
    ("Clip", 10, {"min": -0.5}, {}),
    ("Clip", 7, {"max": 0.25}, {}),
    ("Clip", 7, {}, {}),
    ("Dropout", 7, {"ratio": 0.9}, {}),
    ("Dropout", 10, {}, {}),
    ("Unsqueeze", 11, {"axes": [0, -1]}, {}),
    ("Squeeze", 12, {"axes": [0, -1]}, {}),
    ("Squeeze", 12, {}, {}),
    ("Split", 11, {"split": [1, 3, 2], "axis": 3}, {}),
    ("Split", 12, {"axis": 3}, {}),
    ("Upsample", 7, {"scales": [1.0, 1.0, 2.0, 3.0]}, {}),
    ("Upsample", 7, {"scales": [1.0, 1.0, 2.0, 2.0], "mode": "linear"}, {}),
    ("Upsample", 9, {}, SCALES),
    *(
        ("Resize", 10, {"mode": mode}, {"s": np.array(side, "float32")})
        for mode in ("nearest", "linear")
        for side in SIDES
    ),
]


def named(case: tuple[str, int, dict[str, Any], Weights]) -> str:
    return f"{case[0]}-{case[1]}-{'-'.join(f'{k}={v}' for k, v in case[2].items())}"


def made(name: str, opset: int, options: dict[str, Any], weights: Weights) -> ModelProto:
    shape = (1, 3, 4, 1) if name == "Squeeze" else X[2]
    count = {"Split": len(options.get("split", [1, 2])), "TopK": 2}.get(name, 1)
    outputs = [f"y{place}" for place in range(count)]
    nodes = [helper.make_node(name, ["x", *weights], outputs, name="n", **options)]
    kinds = [FLOAT, INT64] if name == "TopK" else [FLOAT] * count
    values: list[Value] = [(y, kind, None) for y, kind in zip(outputs, kinds, strict=True)]
    return model(nodes, [("x", FLOAT, shape)], values, weights, opset=opset)


@pytest.mark.parametrize("case", CASES, ids=named)
def test_an_older_operator_computes_what_it_did(
    case: tuple[str, int, dict[str, Any], Weights],
) -> None:
    proto = made(*case)
    inputs = draw(proto)
    before = reference_outputs(proto, inputs)
    done = settle(proto)
    assert [entry.version for entry in proto.opset_import] == [13]
    check(proto)
    assert set(done.origins.values()) <= {"n"}
    for name, value in reference_outputs(proto, inputs).items():
        np.testing.assert_allclose(value, before[name], rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("opset", [13, 17])
def test_newer_models_stay_as_they_are(opset: int) -> None:
    proto = made("Clip", opset, {}, {"low": np.array(0, "float32")})
    before = proto.SerializeToString()
    settle(proto)
    assert proto.SerializeToString() == before


def test_the_first_broadcasting_aligned_the_second_operand_at_an_axis() -> None:
    nodes = [helper.make_node("Add", ["x", "b"], ["y"], broadcast=1, axis=1)]
    bias = np.arange(3, dtype="float32")
    proto = model(nodes, [X], [("y", FLOAT, None)], {"b": bias}, opset=6)
    settle(proto)
    inputs = draw(proto)
    found = reference_outputs(proto, inputs)["y"]
    np.testing.assert_allclose(found, inputs["x"] + bias.reshape(3, 1, 1))


@pytest.mark.parametrize(
    ("name", "opset", "options", "reason"),
    [
        ("BatchNormalization", 7, {"spatial": 0}, "operator set 7"),
        ("Dropout", 6, {"is_test": 0}, "training mode"),
    ],
)
def test_what_no_newer_form_has_is_refused_by_its_name(
    name: str, opset: int, options: dict[str, Any], reason: str
) -> None:
    ones = np.ones((3, 4, 6), "float32")
    weights = dict.fromkeys("sbmv", ones) if name == "BatchNormalization" else {}
    with pytest.raises(ModelError, match=rf"{name} \(n\).*{reason}"):
        settle(made(name, opset, options, weights))


def test_parts_of_an_older_operator_tell_where_they_came_from() -> None:
    proto = made("Softmax", 11, {"axis": 2}, {})
    done = settle(proto)
    assert operators(proto) == ["Flatten", "Softmax", "Shape", "Reshape"]
    assert {done.origins[node.name] for node in proto.graph.node} == {"n"}
