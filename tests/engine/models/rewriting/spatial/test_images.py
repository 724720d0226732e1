"""Operators on images that become look-ups and products, as ONNX Runtime computes them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import ModelProto, TensorProto, helper

from engine.models.reference import reference_outputs
from tests.engine.models.build import Value, model
from tests.engine.models.relax.test_converters import assert_same, compiled
from tests.engine.models.rewriting.same import draw, rewritten

FLOAT = TensorProto.FLOAT


def one(
    operator: str, shape: tuple[int, ...], constants: dict[str, Any], opset: int, **attributes: Any
) -> ModelProto:
    """x and constants -> one operator -> y."""
    weights = {name: np.array(value, np.int64) for name, value in constants.items()}
    made = helper.make_node(operator, ["x", *weights], ["y"], name="it", **attributes)
    return model([made], [("x", FLOAT, shape)], [("y", FLOAT, None)], weights, opset=opset)


@pytest.mark.parametrize(
    ("wanted", "attributes"),
    [
        ([10, 3], {"axes": [2, 3]}),
        ([4, 4], {"axes": [-2, -1]}),
        ([2, 3, 4, 9], {}),
        ([2, 8], {"axes": [1, 3]}),
        ([2, 3, 7, 5], {}),
    ],
)
def test_the_middle_is_kept_and_zeros_come_around(
    wanted: list[int], attributes: dict[str, Any]
) -> None:
    rewritten(one("CenterCropPad", (2, 3, 7, 5), {"s": wanted}, 18, **attributes), "CenterCropPad")


@pytest.mark.parametrize(
    ("image", "block", "columns", "attributes"),
    [
        ([4, 4], [2, 2], 9, {}),
        ([4, 7], [2, 3], 16, {"pads": [0, 1, 1, 1], "strides": [1, 2]}),
        ([5, 6], [2, 2], 12, {"dilations": [2, 2]}),
        ([5, 5], [1, 1], 9, {"strides": [2, 2]}),
        ([9], [3], 4, {"strides": [2]}),
        ([3, 4, 5], [2, 2, 2], 24, {}),
    ],
)
def test_blocks_are_added_up_where_they_overlap(
    image: list[int], block: list[int], columns: int, attributes: dict[str, Any]
) -> None:
    shape = (2, 2 * int(np.prod(block)), columns)
    rewritten(one("Col2Im", shape, {"s": image, "b": block}, 18, **attributes), "Col2Im")


@pytest.mark.parametrize("corners", [0, 1])
@pytest.mark.parametrize("size", [[2, 3, 4, 5], [2, 3, 4, 1], [1, 3, 2, 3, 4]])
def test_a_grid_is_laid_out_by_a_matrix(corners: int, size: list[int]) -> None:
    rank = len(size) - 2
    shape = (size[0], rank, rank + 1)
    proto = one("AffineGrid", shape, {"s": size}, 20, align_corners=corners)
    rewritten(proto, "AffineGrid")


@pytest.mark.parametrize(
    ("shape", "attributes", "wanted"),
    [
        ((1, 2, 3, 4), {"kernel_shape": [2, 2], "strides": [2, 2]}, None),
        ((1, 2, 3, 4), {"kernel_shape": [2, 2], "strides": [2, 2]}, [1, 2, 7, 8]),
        ((1, 1, 3, 3), {"kernel_shape": [3, 3], "strides": [2, 2], "pads": [1, 1, 0, 1]}, None),
        ((2, 1, 5), {"kernel_shape": [2], "strides": [2]}, None),
        ((1, 1, 2, 2, 2), {"kernel_shape": [2] * 3, "strides": [1] * 3}, None),
    ],
)
def test_maxima_go_back_to_their_places(
    shape: tuple[int, ...], attributes: dict[str, Any], wanted: list[int] | None
) -> None:
    weights = {} if wanted is None else {"s": np.array(wanted)}
    made = helper.make_node("MaxUnpool", ["x", "i", *weights], ["y"], **attributes)
    inputs: list[Value] = [("x", FLOAT, shape), ("i", TensorProto.INT64, shape)]
    proto = model([made], inputs, [("y", FLOAT, None)], weights)
    size = int(np.prod(shape))
    places = np.random.default_rng(0).permutation(size).reshape(shape)
    rewritten(proto, "MaxUnpool", draw(proto) | {"i": places})


def deformed(
    groups: int, offset_groups: int, *, stride: int, dilation: int, mask: bool
) -> ModelProto:
    """A deformable convolution of four channels of 7x7 by a kernel of 3x2."""
    rows = (7 + 2 - 2 * dilation - 1) // stride + 1
    columns = (7 - dilation - 1) // stride + 1
    rng = np.random.default_rng(0)
    weights = {
        "w": rng.standard_normal((4, 4 // groups, 3, 2)).astype("f4"),
        "b": rng.standard_normal(4).astype("f4"),
    }
    inputs: list[Value] = [
        ("x", FLOAT, (2, 4, 7, 7)),
        ("o", FLOAT, (2, offset_groups * 12, rows, columns)),
    ]
    if mask:
        inputs.append(("m", FLOAT, (2, offset_groups * 6, rows, columns)))
    made = helper.make_node(
        "DeformConv",
        ["x", "w", "o", "b", *(["m"] if mask else [])],
        ["y"],
        group=groups,
        offset_group=offset_groups,
        strides=[stride] * 2,
        dilations=[dilation] * 2,
        pads=[1, 0, 1, 0],
    )
    return model([made], inputs, [("y", FLOAT, None)], weights, opset=19)


@pytest.mark.parametrize(("groups", "offset_groups"), [(1, 1), (2, 1), (1, 2), (2, 4)])
@pytest.mark.parametrize(
    ("stride", "dilation", "mask"), [(1, 1, True), (2, 1, False), (1, 2, True)]
)
def test_a_convolution_reads_where_its_offsets_say(
    groups: int, offset_groups: int, stride: int, dilation: int, mask: bool
) -> None:
    proto = deformed(groups, offset_groups, stride=stride, dilation=dilation, mask=mask)
    rewritten(proto, "DeformConv", tol=1e-4)


def test_offsets_that_are_no_numbers_read_nothing_outside(tmp_path: Path) -> None:
    proto = deformed(1, 1, stride=2, dilation=1, mask=False)
    inputs = draw(proto)
    expected = reference_outputs(proto, inputs)["y"]
    inputs["o"][0, ::3] = np.nan
    inputs["o"][0, 1::3] = 1e30
    found = compiled(proto, tmp_path, inputs)["y"]
    np.testing.assert_allclose(found[1], expected[1], rtol=1e-4, atol=1e-4)


def test_tvm_takes_the_look_ups(tmp_path: Path) -> None:
    assert_same(one("CenterCropPad", (1, 2, 7, 5), {"s": [1, 2, 4, 8]}, 18), tmp_path)
    assert_same(one("Col2Im", (1, 8, 9), {"s": [4, 4], "b": [2, 2]}, 18), tmp_path)
    assert_same(one("AffineGrid", (1, 2, 3), {"s": [1, 1, 4, 5]}, 20), tmp_path)
