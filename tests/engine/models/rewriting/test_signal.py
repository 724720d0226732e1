"""Fourier transforms, as ONNX Runtime computes them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from onnx import TensorProto, helper

from engine.models.rewriting.driver import rewrite
from tests.engine.models.build import model
from tests.engine.models.rewriting.same import rewritten

FLOAT = TensorProto.FLOAT


@pytest.mark.parametrize(
    ("shape", "attributes", "length"),
    [
        ((2, 10, 1), {"axis": 1}, None),
        ((2, 9, 1), {"axis": 1, "onesided": 1}, None),
        ((2, 10, 2), {"axis": 1}, None),
        ((2, 10, 2), {"axis": 1, "inverse": 1}, None),
        ((2, 10, 1), {"axis": 1}, 16),
        ((2, 10, 1), {"axis": 1, "onesided": 1}, 6),
        ((6, 3, 2, 1), {"axis": 0}, None),
    ],
)
def test_a_fourier_transform_becomes_products(
    shape: tuple[int, ...], attributes: dict[str, Any], length: int | None
) -> None:
    inputs = ["x"] if length is None else ["x", "length"]
    node = helper.make_node("DFT", inputs, ["y"], name="dft", **attributes)
    weights = {} if length is None else {"length": np.array(length)}
    proto = model([node], [("x", FLOAT, shape)], [("y", FLOAT, None)], weights)
    done = rewritten(proto, "DFT", tol=1e-4)
    assert set(done.origins.values()) == {"dft"}


@pytest.mark.parametrize("length", [None, 6, 8, 9])
@pytest.mark.parametrize(("shape", "axis"), [((3, 5, 2), 1), ((5, 3, 4, 2), 0), ((2, 5, 3, 2), -3)])
def test_a_real_signal_comes_back_from_one_side_of_its_spectrum(
    shape: tuple[int, ...], axis: int, length: int | None
) -> None:
    given = {"length": np.array(length)} if length else {}
    node = helper.make_node(
        "DFT", ["x", "length" if length else "", "axis"], ["y"], inverse=1, onesided=1
    )
    weights = {**given, "axis": np.array(axis)}
    proto = model([node], [("x", FLOAT, shape)], [("y", FLOAT, None)], weights, opset=20)
    rewritten(proto, "DFT", tol=1e-4)


def test_frames_of_a_complex_signal_are_transformed() -> None:
    node = helper.make_node("STFT", ["x", "step", "window"], ["y"], onesided=0)
    weights = {"step": np.array(3), "window": np.hanning(8).astype("float32")}
    proto = model([node], [("x", FLOAT, (2, 20, 2))], [("y", FLOAT, None)], weights)
    rewritten(proto, "STFT", tol=1e-4)


@pytest.mark.parametrize("one_sided", [0, 1])
@pytest.mark.parametrize("inputs", [["window"], ["", "length"], ["window", "length"]])
def test_transforms_of_frames_become_one_product(inputs: list[str], one_sided: int) -> None:
    node = helper.make_node("STFT", ["x", "step", *inputs], ["y"], onesided=one_sided)
    weights = {
        "step": np.array(3),
        "length": np.array(8),
        "window": np.hanning(8).astype("float32"),
    }
    proto = model([node], [("x", FLOAT, (2, 20, 1))], [("y", FLOAT, None)], weights)
    rewritten(proto, "STFT", tol=1e-4)


@pytest.mark.parametrize(
    ("node", "shape", "reason"),
    [
        (helper.make_node("DFT", ["x"], ["y"], axis=1), (1, 5000, 1), "a matrix of 25000000"),
        (
            helper.make_node("DFT", ["x", "n"], ["y"], axis=1, inverse=1, onesided=1),
            (1, 4, 2),
            "longer than its spectrum",
        ),
        (helper.make_node("STFT", ["x", "n", "", "n"], ["y"]), (1, 20, 2), "complex"),
        (helper.make_node("STFT", ["x", "n", "", "n"], ["y"]), (1, 7, 1), "shorter than a frame"),
    ],
)
def test_what_cannot_be_transformed_so_is_named(node: Any, shape: Any, reason: str) -> None:
    node.name = "it"
    weights = {"n": np.array(8)}
    proto = model([node], [("x", FLOAT, shape)], [("y", FLOAT, None)], weights)
    assert reason in rewrite(proto).notes["it"]
