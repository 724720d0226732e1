"""Convolutions of float16, beside ONNX Runtime, and sums of float64."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from onnx import helper

from engine.models.reference import reference_outputs
from tests.engine.models.build import model
from tests.engine.models.relax.test_converters import compiled
from tests.engine.models.rewriting.same import draw
from tests.engine.tasks.programs import program


@pytest.mark.parametrize("operator", ["Conv", "ConvTranspose"])
@pytest.mark.parametrize("rank", [1, 2, 3])
def test_many_channels_of_float16_lose_no_digits(operator: str, rank: int, tmp_path: Path) -> None:
    kind = helper.np_dtype_to_tensor_dtype(np.dtype("float16"))
    rng = np.random.default_rng(0)
    shape = (4, 256) if operator == "Conv" else (256, 4)
    w = rng.standard_normal((*shape, *[2] * rank)) / 16 / 2 ** (rank / 2)
    weights = {"w": w.astype("float16"), "b": rng.standard_normal(4).astype("float16")}
    made = helper.make_node(operator, ["x", "w", "b"], ["y"], strides=[2] * rank)
    x = ("x", kind, (1, 256, *[4] * rank))
    proto = model([made], [x], [("y", kind, None)], weights)
    inputs = draw(proto)
    found = compiled(proto, tmp_path, inputs)["y"]
    assert found.dtype == "float16"
    expected = reference_outputs(proto, inputs)["y"]
    np.testing.assert_allclose(found, expected, rtol=2e-3, atol=2e-3)


def test_a_convolution_of_float16_is_one_kernel() -> None:
    kind = helper.np_dtype_to_tensor_dtype(np.dtype("float16"))
    weights = {"w": np.ones((8, 8, 3, 3), "float16"), "b": np.ones(8, "float16")}
    nodes = [
        helper.make_node("Conv", ["x", "w", "b"], ["c"]),
        helper.make_node("Relu", ["c"], ["y"]),
    ]
    proto = model(nodes, [("x", kind, (1, 8, 8, 8))], [("y", kind, None)], weights)
    kernels = [item.op_class for item in program(proto).operators]
    assert len([name for name in kernels if "transpose" not in name]) == 1
