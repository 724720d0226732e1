"""An input is followed through any number of operators, and by a bounded number of sums."""

from __future__ import annotations

import numpy as np
import pytest
from onnx import TensorProto, helper

from engine.models.feeding.input_uses import input_uses
from tests.engine.models.build import model

INT = TensorProto.INT64


@pytest.mark.parametrize("operator", ["Abs", "Identity", "Neg"])
def test_a_chain_of_thousands_of_operators_is_followed(operator: str) -> None:
    count = 3000
    names = ["x", *(f"v{place}" for place in range(count))]
    nodes = [helper.make_node(operator, [names[i]], [names[i + 1]]) for i in range(count)]
    proto = model(nodes, [("x", INT, [4])], [(names[-1], INT, None)])
    assert input_uses(proto).inputs["x"].free


def test_sums_that_double_with_each_node_are_given_up() -> None:
    nodes, last = [], "x"
    weights: dict[str, np.ndarray] = {"one": np.array([True])}
    for place in range(40):
        weights[f"c{place}"] = np.array([2**place], np.int64)
        nodes.append(helper.make_node("Sub", [last, f"c{place}"], [f"a{place}"]))
        nodes.append(helper.make_node("Where", ["one", last, f"a{place}"], [f"v{place}"]))
        last = f"v{place}"
    proto = model(nodes, [("x", INT, [1])], [(last, INT, None)], weights)
    assert not input_uses(proto).inputs["x"].free
