"""Operators that bend or bound: as ONNX Runtime has them, and without turning a layout round."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import ModelProto, NodeProto, TensorProto, helper

from tests.engine.models.build import model
from tests.engine.models.relax.test_converters import assert_same
from tests.engine.tasks.programs import program

FLOAT = TensorProto.FLOAT
node = helper.make_node
Bounds = tuple[float | None, float | None]

ACTIVATIONS: dict[str, Callable[[], NodeProto]] = {
    "Clip": lambda: node("Clip", ["c", "lo", "hi"], ["a"]),
    "HardSigmoid": lambda: node("HardSigmoid", ["c"], ["a"], alpha=0.3, beta=0.4),
    "HardSwish": lambda: node("HardSwish", ["c"], ["a"]),
    "LeakyRelu": lambda: node("LeakyRelu", ["c"], ["a"], alpha=0.2),
    "LeakyRelu, steep": lambda: node("LeakyRelu", ["c"], ["a"], alpha=1.5),
}


def between_convolutions(activation: NodeProto) -> ModelProto:
    """x -> Conv -> activation -> Conv -> y."""
    rng = np.random.default_rng(0)
    weights = {f"w{i}": rng.standard_normal((8, 8, 3, 3), np.float32) for i in (1, 2)}
    weights |= {"lo": np.array(0, np.float32), "hi": np.array(6, np.float32)}
    nodes = [
        node("Conv", ["x", "w1"], ["c"]),
        activation,
        node("Conv", ["a", "w2"], ["y"]),
    ]
    kept = {name for item in nodes for name in item.input}
    weights = {name: array for name, array in weights.items() if name in kept}
    shape = (1, 8, 8, 8)
    return model(nodes, [("x", FLOAT, shape)], [("y", FLOAT, (1, 8, 4, 4))], weights)


@pytest.mark.parametrize("name", sorted(ACTIVATIONS))
def test_an_activation_is_fused_with_its_convolution_and_turns_nothing_round(name: str) -> None:
    operators = program(between_convolutions(ACTIVATIONS[name]())).operators
    turned = [item.op_class for item in operators if "transpose" in item.op_class]
    assert turned == ["transpose", "transpose"]  # the model's input and output
    assert len(operators) == 4


@pytest.mark.parametrize("name", sorted(ACTIVATIONS))
def test_an_activation_is_that_of_onnx_runtime(name: str, tmp_path: Path) -> None:
    proto = between_convolutions(ACTIVATIONS[name]())
    del proto.graph.node[2], proto.graph.node[0]  # which sum in an order of their own
    proto.graph.output[0].CopyFrom(proto.graph.input[0])
    proto.graph.input[0].name, proto.graph.output[0].name = "c", "a"
    values = np.linspace(-8, 8, 512, dtype=np.float32).reshape(1, 8, 8, 8)
    assert_same(proto, tmp_path, {"c": values})


def clip(bounds: dict[str, Any], opset: int, dtype: str = "float32") -> ModelProto:
    """One Clip; its bounds are inputs from operator set 11 on, attributes before."""
    kind = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    values = {name: np.asarray(value, dtype) for name, value in bounds.items() if opset >= 11}
    given = [name if name in values else "" for name in ("min", "max")] if values else []
    attributes = {} if opset >= 11 else bounds
    made = node("Clip", ["x", *given], ["y"], **attributes)
    return model([made], [("x", kind, (40,))], [("y", kind, (40,))], values, opset=opset)


@pytest.mark.parametrize(
    ("bounds", "opset", "dtype"),
    [
        ({"min": 0.0, "max": 6.0}, 7, "float32"),
        ({"max": 0.5}, 7, "float32"),
        ({}, 13, "float32"),
        ({"min": -0.5}, 13, "float32"),
        ({"max": 0.5}, 13, "float32"),
        ({"min": 0.5, "max": -0.5}, 13, "float32"),  # the upper one holds
        ({"min": np.nan, "max": 0.5}, 13, "float32"),
        ({"min": -np.inf, "max": np.inf}, 13, "float32"),
        ({"min": -3, "max": 5}, 13, "int32"),
        ({"min": -0.5, "max": 0.5}, 13, "float16"),
    ],
)
def test_bounds_hold_however_they_are_given(
    bounds: dict[str, Any], opset: int, dtype: str, tmp_path: Path
) -> None:
    values = np.linspace(-20, 20, 40).astype(dtype)
    assert_same(clip(bounds, opset, dtype), tmp_path, {"x": values})


def test_bounds_that_are_computed_hold_too(tmp_path: Path) -> None:
    nodes = [
        node("ReduceMax", ["x"], ["top"], keepdims=0),
        node("Mul", ["top", "half"], ["hi"]),
        node("Clip", ["x", "", "hi"], ["y"]),
    ]
    weights = {"half": np.array(0.5, np.float32)}
    assert_same(model(nodes, [("x", FLOAT, (40,))], [("y", FLOAT, (40,))], weights), tmp_path)


@pytest.mark.parametrize("operator", ["Max", "Min"])
@pytest.mark.parametrize("shapes", [[(4, 5)], [(4, 5), (5,)], [(1, 5), (4, 1), (1,)]])
def test_the_largest_and_the_least_of_any_number_of_tensors(
    operator: str, shapes: list[tuple[int, ...]], tmp_path: Path
) -> None:
    names = [f"x{place}" for place in range(len(shapes))]
    given = [(name, FLOAT, shape) for name, shape in zip(names, shapes, strict=True)]
    assert_same(model([node(operator, names, ["y"])], given, [("y", FLOAT, (4, 5))]), tmp_path)
