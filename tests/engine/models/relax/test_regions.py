"""Operators that read an image between its places, beside ONNX Runtime."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import ModelProto, TensorProto, helper

from tests.engine.models.build import Value, model
from tests.engine.models.relax.test_converters import assert_same
from tests.engine.models.rewriting.same import Inputs, draw

FLOAT, INT64 = TensorProto.FLOAT, TensorProto.INT64

REGIONS = np.array([[1, 2, 20, 25], [0, 0, 31, 31], [10, 5, 12, 6], [-4, -4, 40, 40]], "f4")


def aligned(opset: int, **attributes: Any) -> ModelProto:
    """RoiAlign of four regions of two images."""
    made = helper.make_node(
        "RoiAlign", ["x", "r", "b"], ["y"], output_height=3, output_width=2, **attributes
    )
    inputs: list[Value] = [("x", FLOAT, (2, 2, 8, 8)), ("r", FLOAT, (4, 4)), ("b", INT64, (4,))]
    return model([made], inputs, [("y", FLOAT, None)], opset=opset)


@pytest.mark.parametrize(
    ("opset", "mode"),
    [(10, ""), (16, ""), (16, "half_pixel"), (16, "output_half_pixel")],
)
@pytest.mark.parametrize("ratio", [0, 2])
def test_regions_are_scaled_before_they_are_moved_by_half_a_pixel(
    opset: int, mode: str, ratio: int, tmp_path: Path
) -> None:
    given = {"coordinate_transformation_mode": mode} if mode else {}
    proto = aligned(opset, spatial_scale=0.25, sampling_ratio=ratio, **given)
    inputs = draw(proto) | {"r": REGIONS, "b": np.array([0, 1, 1, 0])}
    assert_same(proto, tmp_path, inputs)


@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_a_grid_s_values_keep_their_type(dtype: str, tmp_path: Path) -> None:
    kind = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    made = helper.make_node("GridSample", ["x", "g"], ["y"])
    inputs: list[Value] = [("x", kind, (1, 2, 5, 6)), ("g", FLOAT, (1, 3, 4, 2))]
    proto = model([made], inputs, [("y", kind, None)], opset=20)
    values = draw(proto)
    exact: Inputs = {"x": np.round(values["x"]), "g": np.round(values["g"] * 4) / 4}
    assert_same(proto, tmp_path, exact)
