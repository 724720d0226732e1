"""Constants of whatever rank are computed with as before, and turn no tensor round."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from onnx import ModelProto, TensorProto, helper

from tests.engine.deploy.compiled import assert_agrees, compiled
from tests.engine.models.build import model
from tests.engine.tasks.programs import opened

FLOAT = TensorProto.FLOAT
SHAPES = [(), (1,), (1, 1, 1, 1), (8, 1, 1), (1, 8, 1, 1), (6, 6), (8, 6, 6)]
OPERATORS = ["Add", "Sub", "Mul", "Div", "Max", "Min"]


def between_convolutions(operator: str, shape: tuple[int, ...], first: bool) -> ModelProto:
    """x -> Conv -> operator with a constant, which comes first or last -> Conv -> y."""
    rng = np.random.default_rng(0)
    weights = {f"w{i}": rng.standard_normal((8, 8, 3, 3), np.float32) / 8 for i in (1, 2)}
    weights["k"] = np.asarray(rng.uniform(1, 2, shape), np.float32)
    nodes = [
        helper.make_node("Conv", ["x", "w1"], ["c"]),
        helper.make_node(operator, ["k", "c"] if first else ["c", "k"], ["a"]),
        helper.make_node("Conv", ["a", "w2"], ["y"]),
    ]
    sizes = [("x", FLOAT, (1, 8, 8, 8))], [("y", FLOAT, (1, 8, 4, 4))]
    return model(nodes, *sizes, weights)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("first", [False, True])
@pytest.mark.parametrize("operator", ["Add", "Mul", "Max"])
def test_a_constant_turns_no_tensor_round(
    operator: str, shape: tuple[int, ...], first: bool
) -> None:
    operators = opened(between_convolutions(operator, shape, first)).program.operators
    turned = [item.op_class for item in operators if "transpose" in item.op_class]
    assert turned == ["transpose", "transpose"]  # the model's input and output


@pytest.mark.parametrize("operator", OPERATORS)
@pytest.mark.parametrize(("shape", "first"), [((8, 1, 1), True), ((1,), False), ((6, 6), True)])
def test_what_is_computed_stays(
    operator: str, shape: tuple[int, ...], first: bool, tmp_path: Path
) -> None:
    found = opened(between_convolutions(operator, shape, first))
    assert_agrees(found, compiled(found, {}, tmp_path))


@pytest.mark.parametrize("shape", [(), (3,)])
def test_a_constant_of_more_axes_gives_the_result_its_rank(
    shape: tuple[int, ...], tmp_path: Path
) -> None:
    weights = {"k": np.full((1, 1), 2, np.float32)}
    result = (1, 3) if shape else (1, 1)
    made = helper.make_node("Mul", ["x", "k"], ["y"])
    found = opened(model([made], [("x", FLOAT, shape)], [("y", FLOAT, result)], weights))
    assert_agrees(found, compiled(found, {}, tmp_path))
