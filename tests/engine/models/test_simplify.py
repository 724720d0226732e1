"""Operators that ONNX defines by others, which TVM lacks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from onnx import TensorProto, helper

from engine.models.operators import unsupported_nodes
from engine.models.reference import reference_outputs
from engine.models.simplify import expand_functions
from tests.engine.models.build import Value, model
from tests.engine.models.rewriting.same import draw

X: Value = ("x", TensorProto.FLOAT, (1, 4, 8))
CLASSES = np.array([[1, 0, 3, 2, 1, 1, 0, 2]])
KERNEL = np.random.default_rng(0).standard_normal((4, 1, 3)).astype("float32")
STATE = np.ones((1, 4, 2), "float32")

CASES: list[tuple[str, int, list[str], dict[str, Any], dict[str, np.ndarray]]] = [
    ("CausalConvWithState", 27, ["v", "k", "", "s"], {}, {"k": KERNEL, "s": STATE}),
    ("NegativeLogLikelihoodLoss", 22, ["v", "t", "c"], {}, {"t": CLASSES, "c": KERNEL[:, 0, 0]}),
    ("HannWindow", 17, ["n"], {}, {"n": np.array(9)}),
    ("SoftmaxCrossEntropyLoss", 18, ["v", "t"], {}, {"t": CLASSES}),
]


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
@pytest.mark.parametrize("hidden", [0, 2**20], ids=["small", "beside large weights"])
def test_constants_do_not_keep_an_operator_from_being_written_in_others(
    case: tuple[str, int, list[str], dict[str, Any], dict[str, np.ndarray]], hidden: int
) -> None:
    name, opset, inputs, options, weights = case
    outputs = ["y", "state"] if name == "CausalConvWithState" else ["y"]
    nodes = [
        helper.make_node("Add", ["x", "w"], ["v"]),
        helper.make_node(name, inputs, outputs, name="n", **options),
    ]
    weights = {**weights, "w": np.ones((1, 4, 8), "float32"), "u": np.ones(hidden, "float32")}
    proto = model(nodes, [X], [("y", TensorProto.FLOAT, None)], weights, opset=opset)
    inputs_drawn = draw(proto)
    before = reference_outputs(proto, inputs_drawn)["y"]
    expand_functions(proto)
    assert not unsupported_nodes(proto)
    assert name not in [node.op_type for node in proto.graph.node]
    after = reference_outputs(proto, inputs_drawn)["y"]
    np.testing.assert_allclose(after, before, rtol=1e-5, atol=1e-6)


def test_one_operator_that_stays_does_not_keep_others_from_being_expanded() -> None:
    nodes = [
        helper.make_node("Det", ["x"], ["d"]),
        helper.make_node("NegativeLogLikelihoodLoss", ["x", "t"], ["y"]),
    ]
    outputs: list[Value] = [("d", TensorProto.FLOAT, None), ("y", TensorProto.FLOAT, None)]
    x: Value = ("x", TensorProto.FLOAT, (4, 4))
    proto = model(nodes, [x], outputs, {"t": np.array([1, 0, 3, 2])}, opset=22)
    expand_functions(proto)
    assert unsupported_nodes(proto) == {("", "Det")}
