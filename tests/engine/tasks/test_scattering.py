"""Scatters, which TVM writes by hand, in kernels of one block."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from onnx import TensorProto, helper

from tests.engine.deploy.compiled import assert_agrees, compiled
from tests.engine.models.build import Value, model
from tests.engine.tasks.programs import opened

FLOAT, INT64 = TensorProto.FLOAT, TensorProto.INT64
OPERATORS = ["ScatterElements", "ScatterND"]
X: Value = ("x", FLOAT, (3, 4))
Y: Value = ("y", FLOAT, None)


@pytest.mark.parametrize("operator", OPERATORS)
@pytest.mark.parametrize("reduction", ["none", "add", "mul", "min", "max"])
def test_values_are_scattered_into_constant_data(
    operator: str, reduction: str, tmp_path: Path
) -> None:
    places = [[0, -1, 2, 3], [4, 3, 1, 0], [1, 2, 0, 2]]
    if operator == "ScatterND":
        places = [[0], [-1], [2]]
    weights = {
        "d": np.random.default_rng(0).standard_normal((5, 4), np.float32),
        "i": np.array(places),
    }
    nodes = [
        helper.make_node("Exp", ["x"], ["u"]),
        helper.make_node(operator, ["d", "i", "u"], ["y"], reduction=reduction),
    ]
    found = opened(model(nodes, [X], [Y], weights, opset=18))
    assert_agrees(found, compiled(found, {}, tmp_path))


@pytest.mark.parametrize("operator", OPERATORS)
def test_rows_are_summed_where_data_say_as_graph_networks_do(operator: str, tmp_path: Path) -> None:
    shape = (3, 4) if operator == "ScatterElements" else (3, 1)
    nodes = [helper.make_node(operator, ["d", "i", "x"], ["y"], reduction="add")]
    weights = {"d": np.zeros((5, 4), np.float32)}
    found = opened(model(nodes, [X, ("i", INT64, shape)], [Y], weights, opset=18))
    assert_agrees(found, compiled(found, {}, tmp_path))
