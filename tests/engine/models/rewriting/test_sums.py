"""A rewritten model computes what it did."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from onnx import ModelProto, TensorProto, helper

from engine.models.prepare import prepare
from engine.models.reference import random_inputs, reference_outputs
from engine.models.rewriting.driver import rewrite
from engine.records.source import ModelSource
from tests.engine.models.build import Value, model, save


def sum_model(count: int, opset: int = 17, shapes: tuple[tuple[int, ...], ...] = ()) -> ModelProto:
    """y = the sum of `count` inputs."""
    names = [f"x{place}" for place in range(count)]
    sizes = shapes or ((2, 3),) * count
    inputs: list[Value] = [
        (name, TensorProto.FLOAT, size) for name, size in zip(names, sizes, strict=True)
    ]
    nodes = [helper.make_node("Sum", names, ["y"], name="total")]
    return model(nodes, inputs, [("y", TensorProto.FLOAT, (2, 3))], opset=opset)


def kinds(proto: ModelProto) -> list[str]:
    return [node.op_type for node in proto.graph.node]


@pytest.mark.parametrize(
    ("proto", "made"),
    [
        (sum_model(1), ["Identity"]),
        (sum_model(2), ["Add"]),
        (sum_model(4), ["Add"] * 3),
        (sum_model(3, opset=8), ["Add"] * 2),
        (sum_model(3, shapes=((2, 3), (3,), (1, 1))), ["Add"] * 2),
    ],
)
def test_a_sum_becomes_additions_that_give_the_same(proto: ModelProto, made: list[str]) -> None:
    names = [(value.name, value) for value in proto.graph.input]
    rng = np.random.default_rng(0)
    inputs = {
        name: rng.standard_normal(
            [dim.dim_value for dim in value.type.tensor_type.shape.dim], np.float32
        )
        for name, value in names
    }
    before = reference_outputs(proto, inputs)["y"]
    rewrite(proto)
    assert kinds(proto) == made
    after = reference_outputs(proto, inputs)["y"]
    np.testing.assert_allclose(after, before, rtol=1e-5)


def test_names_that_the_model_has_are_not_taken(tmp_path: Path) -> None:
    nodes = [
        helper.make_node("Relu", ["x"], ["y_sum1"], name="total_1"),
        helper.make_node("Sum", ["x", "x", "y_sum1"], ["y"], name="total"),
    ]
    proto = model(nodes, [("x", TensorProto.FLOAT, (4,))], [("y", TensorProto.FLOAT, (4,))])
    prepared = prepare(ModelSource("file", str(save(proto, tmp_path / "m.onnx"))))
    inputs = random_inputs(prepared.inputs)
    found = reference_outputs(prepared.proto, inputs)["y"]
    x = next(iter(inputs.values()))
    np.testing.assert_allclose(found, 2 * x + np.maximum(x, 0), rtol=1e-6)


def test_a_sum_inside_a_branch_is_rewritten_too() -> None:
    value = helper.make_tensor_value_info
    branches = {
        name: helper.make_graph(
            [helper.make_node("Sum", ["x", "x", "x"], [result])],
            name,
            [],
            [value(result, TensorProto.FLOAT, [4])],
        )
        for name, result in (("then_branch", "a"), ("else_branch", "b"))
    }
    proto = model(
        [helper.make_node("If", ["c"], ["y"], **branches)],
        [("c", TensorProto.BOOL, ()), ("x", TensorProto.FLOAT, (4,))],
        [("y", TensorProto.FLOAT, (4,))],
    )
    rewrite(proto)
    for attribute in proto.graph.node[0].attribute:
        assert [node.op_type for node in attribute.g.node] == ["Add", "Add"]
