"""A network of many nodes is simplified in time that grows with it, and to the same model."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
import pytest
from onnx import ModelProto, TensorProto, helper

from engine.models.simplify import simplify
from tests.engine.models.build import model

FLOAT = TensorProto.FLOAT


def dense_layers(count: int) -> ModelProto:
    """MatMul and Add, which onnxslim joins, then a rectifier, again and again."""
    nodes, weights, last = [], {}, "x"
    for place in range(count):
        weights[f"w{place}"] = np.full((4, 4), place, np.float32)
        weights[f"b{place}"] = np.full((4,), place, np.float32)
        made = [f"{kind}{place}" for kind in ("m", "a", "r")]
        nodes.append(helper.make_node("MatMul", [last, f"w{place}"], made[:1]))
        nodes.append(helper.make_node("Add", [made[0], f"b{place}"], made[1:2]))
        nodes.append(helper.make_node("Relu", [made[1]], made[2:]))
        last = made[2]
    return model(nodes, [("x", FLOAT, [2, 4])], [(last, FLOAT, None)], weights)


def test_names_are_not_gathered_for_each_operator_that_is_fused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    simplify(dense_layers(1))
    from onnxslim.third_party import onnx_graphsurgeon as gs

    gathered, real = 0, gs.Graph.tensors

    def counted(self: Any, *given: Any, **more: Any) -> Any:
        nonlocal gathered
        gathered += 1
        return real(self, *given, **more)

    monkeypatch.setattr(gs.Graph, "tensors", counted)
    calls = []
    for count in (4, 40):
        gathered = 0
        made = simplify(dense_layers(count))
        assert [node.op_type for node in made.graph.node] == ["Gemm", "Relu"] * count
        calls.append(gathered)
    assert calls[0] == calls[1]


def test_a_layer_is_what_onnxslim_makes_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    now = simplify(dense_layers(3)).SerializeToString()
    from onnxslim.third_party import onnx_graphsurgeon as gs

    (cell,) = [
        one.cell_contents
        for one in gs.Graph.layer.__closure__ or ()
        if getattr(one.cell_contents, "__name__", "") == "layer"
    ]
    monkeypatch.setattr(gs.Graph, "layer", cell)
    assert simplify(dense_layers(3)).SerializeToString() == now


@pytest.mark.parametrize("outputs", [True, False])
def test_operators_of_one_input_are_compared_with_those_that_may_be_equal(
    monkeypatch: pytest.MonkeyPatch, outputs: bool
) -> None:
    simplify(dense_layers(1))
    module: Any = import_module("onnxslim.core.optimization.subexpression_elimination")
    compared, real = 0, module.can_be_replaced

    def counted(one: Any, other: Any) -> bool:
        nonlocal compared
        compared += 1
        return bool(real(one, other))

    monkeypatch.setattr(module, "can_be_replaced", counted)
    names = [f"v{place}" for place in range(40)]
    weights = {f"c{place}": np.full(4, place // 2 + 2, np.float32) for place in range(40)}
    nodes = [helper.make_node("Mul", ["x", f"c{i}"], [name]) for i, name in enumerate(names)]
    if not outputs:
        nodes.append(helper.make_node("Sum", names, ["y"]))
        names = ["y"]
    made = simplify(model(nodes, [("x", FLOAT, [4])], [(n, FLOAT, None) for n in names], weights))
    assert compared <= 20
    assert sum(node.op_type == "Mul" for node in made.graph.node) == (40 if outputs else 20)
