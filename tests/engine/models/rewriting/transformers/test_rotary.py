"""Rotary embeddings of ONNX and of ONNX Runtime."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from onnx import helper

from tests.engine.models.rewriting.nodes import assert_rewritten, model_of, normal, own
from tests.engine.models.rewriting.same import Inputs

BATCH, LENGTH, HEADS, SIZE, PLACES = 2, 3, 4, 8, 10


def given(axes: int, width: int, dtype: str = "float32") -> Inputs:
    """Values, and tables of the cosines and sines of all places."""
    shape = (BATCH, HEADS, LENGTH, SIZE) if axes == 4 else (BATCH, LENGTH, HEADS * SIZE)
    angles = np.arange(PLACES)[:, None] / 10 ** np.linspace(0, 2, width // 2)
    return {
        "x": normal(*shape, dtype=dtype),
        "cos": np.cos(angles).astype(dtype),
        "sin": np.sin(angles).astype(dtype),
        "at": np.array([[0, 1, 2], [4, 7, 9]]),
    }


@pytest.mark.parametrize("constant", [(), ("cos", "sin")])
@pytest.mark.parametrize("by_place", [False, True])
@pytest.mark.parametrize("interleaved", [0, 1])
@pytest.mark.parametrize("part", [0, 4])
@pytest.mark.parametrize("axes", [3, 4])
def test_pairs_are_turned(
    axes: int, part: int, interleaved: int, by_place: bool, constant: tuple[str, ...]
) -> None:
    values = given(axes, part or SIZE)
    if not by_place:
        places = values.pop("at")
        values |= {name: values[name][places] for name in ("cos", "sin")}
    more: dict[str, Any] = {"interleaved": interleaved, "rotary_embedding_dim": part}
    more |= {"num_heads": HEADS} if axes == 3 else {}
    node = helper.make_node("RotaryEmbedding", list(values), ["y"], name="node", **more)
    assert_rewritten(*model_of(node, values, constant, opset=23))


@pytest.mark.parametrize("first", [False, True])
@pytest.mark.parametrize("interleaved", [0, 1])
@pytest.mark.parametrize("part", [0, 4])
@pytest.mark.parametrize("axes", [3, 4])
def test_onnx_runtime_has_the_places_first(
    axes: int, part: int, interleaved: int, first: bool
) -> None:
    values = given(axes, part or SIZE) | ({"at": np.array([5])} if first else {})
    more: dict[str, Any] = {"rotary_embedding_dim": part, "num_heads": HEADS} if part else {}
    node = own("RotaryEmbedding", ["x", "at", "cos", "sin"], interleaved=interleaved, **more)
    assert_rewritten(*model_of(node, values, ["cos", "sin"]))


def test_halves_are_turned_in_single_precision() -> None:
    values = given(4, SIZE, "float16")
    node = helper.make_node("RotaryEmbedding", list(values), ["y"], name="node")
    assert_rewritten(*model_of(node, values, ["cos", "sin"], opset=23), 2e-3)
