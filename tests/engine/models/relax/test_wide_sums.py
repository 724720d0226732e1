"""Long sums of halves, which float16 itself would end at 2048 of its last digits."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from onnx import helper

from tests.engine.models.relax.whole import assert_as_the_file, side_by_side

node = helper.make_node

LONG = 5000
WIDE = np.random.default_rng(0).standard_normal((2, LONG)) * 0.1 + 1


def test_long_sums_of_halves_are_those_of_the_file(tmp_path: Path) -> None:
    inputs = {
        "x": (WIDE / 4).astype("float16"),
        "image": WIDE.reshape(1, 2, 50, 100).astype("float16"),
    }
    parts = {
        "axes": np.array([1]),
        "s": np.ones(2, "float16"),
        "b": np.zeros(2, "float16"),
        "one": np.ones(LONG, "float16"),
    }
    names = ["Mean", "L1", "L2", "LogSumExp", "Sum", "SumSquare"]
    nodes = [node(f"Reduce{name}", ["x", "axes"], [name]) for name in names]
    nodes += [
        node("LogSoftmax", ["x"], ["log"]),
        node("LayerNormalization", ["x", "one"], ["layer"]),
        node("InstanceNormalization", ["image", "s", "b"], ["instance"]),
        node("GlobalAveragePool", ["image"], ["pooled"]),
        node("AveragePool", ["image"], ["pool"], kernel_shape=[50, 50]),
        node("Einsum", ["x", "x"], ["einsum"], equation="ij,ij->i"),
    ]
    assert_as_the_file(side_by_side(nodes, inputs, parts), inputs, tmp_path)


def test_a_softmax_of_many_halves_adds_up_to_one(tmp_path: Path) -> None:
    x = {"x": WIDE.astype("float16")}
    nodes = [node("Softmax", ["x"], ["y"]), node("ReduceSum", ["y"], ["whole"])]
    assert_as_the_file(side_by_side(nodes, x), x, tmp_path, {"whole": np.full((1, 1), 2, "f2")})


@pytest.mark.parametrize("operator", ["MatMul", "Gemm", "Conv", "ConvTranspose"])
def test_long_products_of_halves_are_those_of_the_file(operator: str, tmp_path: Path) -> None:
    if operator.startswith("Conv"):
        x, w = WIDE.reshape(1, LONG * 2, 1, 1) / 4, WIDE.reshape(1, LONG * 2, 1, 1) / 16
        w = w.reshape(LONG * 2, 1, 1, 1) if operator == "ConvTranspose" else w
    else:
        x, w = WIDE / 4, WIDE.T
    inputs = {"x": x.astype("float16")}
    made = node(operator, ["x", "w"], ["y"])
    parts = {"w": w.astype("float16")}
    expected = {"y": np.tensordot(x, w.reshape(x.shape[1], -1), ([1], [0]))}
    expected["y"] = np.moveaxis(expected["y"], -1, 1).astype("float16")
    proto = side_by_side([made], inputs, parts, judge=lambda *_: expected)
    assert_as_the_file(proto, inputs, tmp_path, expected)
