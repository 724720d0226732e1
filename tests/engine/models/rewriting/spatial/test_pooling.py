"""Pools of every padding, and the places of their maxima, as ONNX Runtime computes them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import ModelProto, TensorProto, helper

from engine.models.reference import reference_outputs
from engine.models.rewriting.driver import rewrite
from tests.engine.models.build import Value, model
from tests.engine.models.relax.test_converters import assert_same, compiled
from tests.engine.models.rewriting.same import draw, rewritten

FLOAT, INT64 = TensorProto.FLOAT, TensorProto.INT64
KINDS = ["AveragePool", "LpPool", "MaxPool"]


def pool(kind: str, shape: tuple[int, ...], kernel: int, **attributes: Any) -> ModelProto:
    """x -> a pool of windows of `kernel` places along each axis -> y."""
    rank = len(shape) - 2
    spread = {k: [v] * rank if isinstance(v, int) else v for k, v in attributes.items()}
    spread |= {k: attributes[k] for k in ("ceil_mode", "storage_order") if k in attributes}
    outputs = ["y", "places"] if "storage_order" in attributes else ["y"]
    made = helper.make_node(kind, ["x"], outputs, kernel_shape=[kernel] * rank, **spread)
    results: list[Value] = [("y", FLOAT, None), ("places", INT64, None)]
    return model([made], [("x", FLOAT, shape)], results[: len(outputs)], opset=22)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("mode", ["SAME_LOWER", "SAME_UPPER", "VALID"])
@pytest.mark.parametrize(
    ("size", "kernel", "stride"),
    [(5, 1, 2), (5, 2, 2), (7, 2, 3), (6, 3, 1), (5, 3, 2), (6, 3, 2)],
)
def test_automatic_padding_is_what_its_name_says(
    kind: str, mode: str, size: int, kernel: int, stride: int
) -> None:
    rewritten(pool(kind, (1, 2, size, 5), kernel, strides=stride, auto_pad=mode), "none")


@pytest.mark.parametrize("mode", ["SAME_LOWER", "SAME_UPPER"])
def test_no_padding_is_negative(mode: str) -> None:
    proto = pool("MaxPool", (1, 2, 6, 6), 1, strides=2, auto_pad=mode)
    x = draw(proto)["x"]
    rewrite(proto)  # ONNX Runtime refuses the model as it was
    assert np.array_equal(reference_outputs(proto, {"x": x})["y"], x[:, :, ::2, ::2])


@pytest.mark.parametrize("kernel", [2, 3])
@pytest.mark.parametrize("stride", [1, 2, 3])
@pytest.mark.parametrize("pads", [[0, 0, 0, 0], [1, 1, 1, 1], [0, 1, 1, 0]])
@pytest.mark.parametrize("dilation", [1, 2])
def test_sums_of_powers_may_reach_beyond_the_padding(
    kernel: int, stride: int, pads: list[int], dilation: int
) -> None:
    options = {"strides": stride, "pads": pads, "dilations": dilation, "ceil_mode": 1}
    for size in (6, 7):
        rewritten(pool("LpPool", (1, 1, size, size), kernel, **options), "none")


@pytest.mark.parametrize("kind", KINDS)
def test_tvm_takes_what_is_left(kind: str, tmp_path: Path) -> None:
    same = pool(kind, (1, 2, 5, 7), 2, strides=2, auto_pad="SAME_LOWER")
    assert_same(same, tmp_path)
    assert_same(pool(kind, (1, 2, 8), 3, strides=2, pads=[1, 0], ceil_mode=1), tmp_path)


@pytest.mark.parametrize("storage_order", [0, 1])
@pytest.mark.parametrize(
    ("shape", "options"),
    [
        ((2, 2, 9), {"strides": 2, "pads": 1}),
        ((2, 3, 6, 7), {"strides": 2}),
        ((2, 1, 6, 7), {"dilations": 2, "pads": [1, 0, 1, 0]}),
        ((1, 2, 5, 6), {"strides": 2, "auto_pad": "SAME_LOWER"}),
        ((1, 2, 4, 5, 6), {"strides": 2, "pads": 1, "ceil_mode": 1}),
    ],
)
def test_the_places_of_maxima_are_counted_through_the_tensor(
    shape: tuple[int, ...], options: dict[str, Any], storage_order: int
) -> None:
    if isinstance(options.get("pads"), int):
        options = {**options, "pads": [options["pads"]] * 2 * (len(shape) - 2)}
    rewritten(pool("MaxPool", shape, 3, storage_order=storage_order, **options), "none")


def test_the_places_of_maxima_lie_inside_even_among_infinities(tmp_path: Path) -> None:
    proto = pool("MaxPool", (1, 2, 4, 4), 2, strides=2, storage_order=0)
    x = np.random.default_rng(0).standard_normal((1, 2, 4, 4)).astype(np.float32)
    x[0, 0, :2, 2:] = -np.inf
    places = compiled(proto, tmp_path, {"x": x})["places"]
    assert places[0, 0, 0, 1] == 2
    x[0, 0, :2, 2:] = -1
    assert_same(proto, tmp_path, {"x": x})
