"""Weights of 2, 4 and 8 bits with a scale for each block."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.engine.models.rewriting.nodes import FLOAT, assert_rewritten, model_of, normal, own
from tests.engine.models.rewriting.same import Inputs

ROWS, BLOCK = 6, 16


def stored(width: int, bits: int, zeros: str | None) -> Inputs:
    """Packed weights, scales, and zero points as bytes or as floats."""
    rng = np.random.default_rng(0)
    blocks = -(-width // BLOCK)
    values = {
        "b": rng.integers(0, 256, (ROWS, blocks, BLOCK * bits // 8)).astype("uint8"),
        "scales": (rng.random((ROWS, blocks)) / 10).astype("f4"),
    }
    if zeros == "bytes":
        packed = rng.integers(0, 256, (ROWS, -(-blocks * bits // 8)))
        values["zeros"] = packed.astype("uint8")
    elif zeros:
        values["zeros"] = (rng.random((ROWS, blocks)) * 2**bits).astype("f4")
    return values


@pytest.mark.parametrize("width", [32, 40, 16])
@pytest.mark.parametrize(
    ("bits", "zeros"),
    [
        (bits, zeros)
        for bits in (2, 4, 8)
        for zeros in (None, "bytes", "floats")
        if (bits, zeros) != (8, "floats")  # for which ONNX Runtime has no kernel
    ],
)
@pytest.mark.parametrize("bias", [False, True])
def test_a_product_with_them(bias: bool, zeros: str | None, width: int, bits: int) -> None:
    values = {"x": normal(2, 3, width)} | stored(width, bits, zeros)
    if bias:
        values["bias"] = normal(ROWS, seed=3)
    names = ["x", "b", "scales", "zeros" if zeros else "", "", "bias" if bias else ""]
    more: dict[str, Any] = {"bits": bits, "block_size": BLOCK, "N": ROWS, "K": width}
    while not names[-1]:
        names.pop()
    constant = [name for name in values if name != "x"]
    assert_rewritten(*model_of(own("MatMulNBits", names, **more), values, constant), 1e-3)


@pytest.mark.parametrize("width", [32, 40])
@pytest.mark.parametrize("zeros", [None, "bytes"])
def test_data_are_rounded_where_it_is_less_accurate(zeros: str | None, width: int) -> None:
    values = {"x": normal(2, 3, width)} | stored(width, 4, zeros)
    values["x"][0, 0] = 0
    more: dict[str, Any] = {"bits": 4, "block_size": BLOCK, "N": ROWS, "K": width}
    node = own("MatMulNBits", list(values), accuracy_level=4, **more)
    constant = [name for name in values if name != "x"]
    assert_rewritten(*model_of(node, values, constant), 1e-3)


@pytest.mark.parametrize("bits", [4, 8])
@pytest.mark.parametrize("zeros", [False, True])
def test_rows_of_a_table_of_them(zeros: bool, bits: int) -> None:
    rng = np.random.default_rng(0)
    values: Inputs = {
        "table": rng.integers(0, 256, (10, 32 * bits // 8)).astype("uint8"),
        "at": np.array([[1, 9], [0, 3]]),
        "scales": (rng.random((10, 2)) / 10).astype("f4"),
    }
    if zeros:
        values["zeros"] = rng.integers(0, 256, (10, 2 * bits // 8)).astype("uint8")
    node = own(
        "GatherBlockQuantized",
        list(values),
        bits=bits,
        block_size=16,
        gather_axis=0,
        quantize_axis=1,
    )
    constant = [name for name in values if name != "at"]
    assert_rewritten(*model_of(node, values, constant, types={"y": FLOAT}))
