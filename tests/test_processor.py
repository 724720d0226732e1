"""What of a model depends on the processor that runs it is noticed on every one."""

from __future__ import annotations

import numpy as np
import pytest
from onnx import ModelProto, TensorProto, helper

from tests.engine.models.build import model
from tests.processor import undecided_weights


def product(weight: int, dtype: str, dequantized: bool) -> ModelProto:
    """Bytes times weights of which one is `weight`, in integers or told in floats."""
    table = np.zeros((4, 3), dtype)
    table[1, 2] = weight
    nodes = [helper.make_node("MatMulInteger", ["x", "w"], ["y"])]
    if dequantized:
        nodes = [helper.make_node("DequantizeLinear", ["w", "s"], ["f"])]
        nodes.append(helper.make_node("MatMul", ["x", "f"], ["y"]))
    given = ("x", TensorProto.FLOAT if dequantized else TensorProto.UINT8, (2, 4))
    made = ("y", TensorProto.FLOAT if dequantized else TensorProto.INT32, (2, 3))
    return model(nodes, [given], [made], {"w": table, "s": np.array(0.1, "float32")})


@pytest.mark.parametrize("dequantized", [False, True])
@pytest.mark.parametrize(
    ("weight", "dtype", "found"),
    [
        (64, "int8", []),
        (-64, "int8", []),
        (65, "int8", ["w"]),
        (-128, "int8", ["w"]),
        (200, "uint8", []),
    ],
)
def test_weights_by_which_sums_depend_on_the_processor_are_found(
    weight: int, dtype: str, found: list[str], dequantized: bool
) -> None:
    assert undecided_weights(product(weight, dtype, dequantized)) == found
