"""Operators that take a shape or a place as an input, which shapes and constants decide."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from onnx import TensorProto, helper

from engine.models.rewriting.driver import rewrite
from tests.engine.models.build import model
from tests.engine.models.rewriting.same import operators, rewritten

FLOAT = TensorProto.FLOAT

node = helper.make_node

# Each takes "n", the length of x's last axis as a list of one, and what is made of it.
CASES: dict[str, list[Any]] = {
    "Pad": [
        node("Sub", ["ten", "n"], ["more"]),
        node("Concat", ["zero", "zero", "zero", "more"], ["pads"], axis=0),
        node("Pad", ["x", "pads"], ["y"]),
    ],
    "Reshape": [
        node("Concat", ["n", "minus"], ["shape"], axis=0),
        node("Reshape", ["x", "shape"], ["y"]),
    ],
    "Slice": [
        node("Sub", ["n", "two"], ["start"]),
        node("Slice", ["x", "start", "n", "one"], ["y"]),
    ],
    "Expand": [
        node("Concat", ["two", "one", "n"], ["shape"], axis=0),
        node("Expand", ["x", "shape"], ["y"]),
    ],
    "Tile": [node("Concat", ["one", "n"], ["often"], axis=0), node("Tile", ["x", "often"], ["y"])],
    "TopK": [node("Div", ["n", "two"], ["k"]), node("TopK", ["x", "k"], ["y", "places"])],
    "Range": [
        node("Squeeze", ["n"], ["end"]),
        node("Range", ["start0", "end", "step0"], ["numbers"]),
        node("Cast", ["numbers"], ["floats"], to=FLOAT),
        node("Add", ["x", "floats"], ["y"]),
    ],
    "ConstantOfShape": [
        node("ConstantOfShape", ["n"], ["fill"]),
        node("Add", ["x", "fill"], ["y"]),
    ],
    "OneHot": [
        node("Squeeze", ["n"], ["depth"]),
        node("OneHot", ["two", "depth", "values"], ["hot"]),
        node("Add", ["x", "hot"], ["y"]),
    ],
    "NonZero": [
        node("ConstantOfShape", ["n"], ["zeros"]),
        node("Equal", ["zeros", "float0"], ["all"]),
        node("NonZero", ["all"], ["places"]),
        node("Squeeze", ["places", "zero"], ["list"]),
        node("Gather", ["x", "list"], ["y"], axis=1),
    ],
}


@pytest.mark.parametrize("name", list(CASES))
def test_what_shapes_decide_is_computed_beforehand(name: str) -> None:
    weights = {
        "ten": [10],
        "zero": [0],
        "one": [1],
        "two": [2],
        "minus": [-1],
        "start0": 0,
        "step0": 1,
    }
    arrays = {key: np.array(value, "int64") for key, value in weights.items()}
    arrays |= {"float0": np.array([0], "float32"), "values": np.array([0, 1], "float32")}
    nodes = [node("Shape", ["x"], ["s"]), node("Gather", ["s", "one"], ["n"]), *CASES[name]]
    proto = model(nodes, [("x", FLOAT, (3, 4))], [("y", FLOAT, None)], arrays)
    rewritten(proto, "Shape")
    assert len(proto.graph.node) == 1
    assert all(
        dim.HasField("dim_value") for dim in proto.graph.output[0].type.tensor_type.shape.dim
    )


def test_random_numbers_and_large_constants_are_left_alone() -> None:
    nodes = [
        node("RandomNormal", [], ["r"], shape=[4]),
        node("ConstantOfShape", ["many"], ["big"]),
        node("ReduceSum", ["big"], ["total"]),
        node("Add", ["r", "total"], ["y"]),
    ]
    proto = model(nodes, [], [("y", FLOAT, None)], {"many": np.array([2**20])})
    rewrite(proto)
    assert operators(proto) == ["RandomNormal", "ConstantOfShape", "ReduceSum", "Add"]


def test_an_output_that_shapes_decide_is_given_by_a_node_of_its_own() -> None:
    nodes = [node("Shape", ["x"], ["s"]), node("Add", ["s", "one"], ["t"])]
    outputs: list[Any] = [("s", TensorProto.INT64, (2,)), ("t", TensorProto.INT64, (2,))]
    proto = model(nodes, [("x", FLOAT, (3, 4))], outputs, {"one": np.array(1)})
    rewritten(proto, "Shape")
    assert operators(proto) == ["Identity", "Identity"]
