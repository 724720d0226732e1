"""Resize and Upsample along any axes, as ONNX Runtime computes them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import ModelProto, TensorProto, helper

from engine.models.prepare import prepare
from engine.models.reference import reference_outputs
from engine.models.rewriting.driver import rewrite
from engine.records.errors import ModelError
from engine.records.source import ModelSource
from tests.engine.models.build import model, save
from tests.engine.models.relax.test_converters import assert_same
from tests.engine.models.rewriting.same import draw, operators, rewritten

IMAGE = (2, 3, 5, 7)
COORDINATES = ["align_corners", "asymmetric", "half_pixel", "half_pixel_symmetric"]
COORDINATES += ["pytorch_half_pixel", "tf_crop_and_resize"]

RATIOS: list[dict[str, Any]] = [{"scales": [1, 1, scale, 2.5]} for scale in (0.7, 1, 2, 2.5)]
RATIOS.append({"sizes": [2, 3, 1, 9]})


def resizing(
    shape: tuple[int, ...],
    *,
    scales: Any = None,
    sizes: Any = None,
    region: Any = None,
    dtype: str = "float32",
    opset: int = 19,
    **attributes: Any,
) -> ModelProto:
    """x -> Resize -> y."""
    given = {"region": (region, "float32"), "scales": (scales, "float32"), "sizes": (sizes, "i8")}
    weights = {name: np.asarray(v, t) for name, (v, t) in given.items() if v is not None}
    inputs = ["x", *(name if name in weights else "" for name in given)]
    made = helper.make_node("Resize", inputs, ["y"], name="it", **attributes)
    kind = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    return model([made], [("x", kind, shape)], [("y", kind, None)], weights, opset=opset)


def assert_rewritten(proto: ModelProto, tol: float = 1e-5) -> None:
    """What is left computes the same."""
    rewritten(proto, "none", tol=tol)


@pytest.mark.parametrize("coordinates", COORDINATES)
@pytest.mark.parametrize("ratio", RATIOS)
@pytest.mark.parametrize("nearest", ["ceil", "floor", "round_prefer_ceil", "round_prefer_floor"])
def test_the_nearest_values_are_taken(
    coordinates: str, ratio: dict[str, Any], nearest: str
) -> None:
    options: dict[str, Any] = {"nearest_mode": nearest}
    options["coordinate_transformation_mode"] = coordinates
    region = [0, 0, 0.2, 0, 1, 1, 1.3, 0.7]
    assert_rewritten(resizing(IMAGE, region=region, **ratio, **options))


@pytest.mark.parametrize("coordinates", COORDINATES)
@pytest.mark.parametrize("ratio", RATIOS)
@pytest.mark.parametrize(
    "mode",
    [
        {"mode": "linear"},
        {"mode": "cubic", "cubic_coeff_a": -0.5},
        {"mode": "cubic", "exclude_outside": 1},
    ],
)
def test_values_between_are_blended(
    coordinates: str, ratio: dict[str, Any], mode: dict[str, Any]
) -> None:
    options = {"coordinate_transformation_mode": coordinates, "extrapolation_value": 7.0, **mode}
    region = [0, 0, 0.2, 0, 1, 1, 1.3, 0.7]
    assert_rewritten(resizing(IMAGE, region=region, **ratio, **options), 2e-5)


@pytest.mark.parametrize("coordinates", COORDINATES[:-1])
@pytest.mark.parametrize("mode", ["linear", "cubic"])
def test_more_values_are_blended_against_aliasing(coordinates: str, mode: str) -> None:
    options: dict[str, Any] = {"mode": mode, "antialias": 1}
    options["coordinate_transformation_mode"] = coordinates
    assert_rewritten(resizing(IMAGE, scales=[1, 1, 0.7, 0.3], **options), 2e-5)
    assert_rewritten(resizing(IMAGE, scales=[1, 1, 2.5, 0.5], **options), 2e-5)
    assert_rewritten(resizing(IMAGE, sizes=[2, 3, 1, 9], **options), 2e-5)


@pytest.mark.parametrize(
    ("shape", "options"),
    [
        ((3, 4, 5, 6), {"scales": [1, 2, 2, 2]}),
        ((3, 4, 5, 6), {"scales": [2, 1, 0.5, 1]}),
        ((3, 4, 5, 6), {"scales": [1, 2, 2, 1]}),
        ((3, 4, 5, 6), {"scales": [1, 2, 2, 1], "mode": "linear"}),
        ((4, 5), {"scales": [2.5, 1.5], "mode": "linear"}),
        ((4, 5), {"sizes": [3, 9], "mode": "cubic"}),
        ((2, 3, 4, 5, 6), {"scales": [1, 1, 2, 1.5, 0.5], "mode": "linear"}),
        ((2, 3, 5), {"scales": [1, 1, 2.5], "mode": "linear"}),
        ((6,), {"scales": [2.5]}),
        ((2, 1, 2, 2, 3, 2), {"scales": [1, 1, 2, 1, 2.5, 2]}),
        (IMAGE, {"axes": [3, 2], "scales": [2, 0.6], "mode": "linear"}),
        (IMAGE, {"axes": [-1], "sizes": [9]}),
        (IMAGE, {"axes": [2, 3], "sizes": [9, 9], "keep_aspect_ratio_policy": "not_larger"}),
        (IMAGE, {"axes": [3, 2], "sizes": [9, 8], "keep_aspect_ratio_policy": "not_smaller"}),
        (IMAGE, {"scales": [1, 1, 1.1, 1.1], "coordinate_transformation_mode": "asymmetric"}),
    ],
)
def test_any_axes_of_any_rank_are_resized(shape: tuple[int, ...], options: dict[str, Any]) -> None:
    assert_rewritten(resizing(shape, **options))


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "float16"])
@pytest.mark.parametrize("options", [{}, {"mode": "linear"}, {"mode": "linear", "antialias": 1}])
def test_other_numbers_keep_their_type(dtype: str, options: dict[str, Any]) -> None:
    proto = resizing(IMAGE, scales=[1, 1, 2, 0.5], dtype=dtype, **options)
    inputs = draw(proto)
    if dtype == "int8" and "antialias" in options:  # ONNX Runtime takes bytes for unsigned then
        inputs = {"x": np.abs(inputs["x"] // 2)}
    tol = 1e-2 if dtype == "float16" else 0
    before = reference_outputs(proto, inputs)["y"]
    rewrite(proto)
    np.testing.assert_allclose(reference_outputs(proto, inputs)["y"], before, rtol=tol, atol=tol)


def test_large_whole_numbers_stay_exact(tmp_path: Path) -> None:
    proto = resizing((1, 1, 2, 2), scales=[1, 1, 2, 2], dtype="int32")
    x = np.array([2**25 + 1, -(2**25) - 3, 2**31 - 1, -(2**31) + 1], np.int32)
    assert_same(proto, tmp_path, {"x": x.reshape(1, 1, 2, 2)})


@pytest.mark.parametrize(
    ("options", "kept"),
    [
        ({"scales": [1, 1, 2, 2]}, ["Resize"]),
        ({"scales": [1, 1, 2, 2], "mode": "linear"}, ["Resize"]),
        ({"sizes": [2, 3, 8, 9], "mode": "cubic"}, ["Resize"]),
        ({"axes": [2, 3], "scales": [2, 2], "mode": "linear"}, ["Resize"]),
        ({"scales": [1, 2, 2, 1], "mode": "linear"}, ["Transpose", "Resize", "Transpose"]),
    ],
)
def test_images_keep_the_kernel_that_is_made_for_them(
    options: dict[str, Any], kept: list[str], tmp_path: Path
) -> None:
    proto = resizing(IMAGE, **options)
    assert_same(proto, tmp_path)
    rewrite(proto)
    assert operators(proto) == kept


@pytest.mark.parametrize(
    "options",
    [
        {"scales": [1, 1, 2.5, 0.6], "mode": "linear"},
        {"scales": [1, 2, 2, 1.5]},
        {"sizes": [2, 3, 2, 3], "mode": "cubic", "antialias": 1},
    ],
)
def test_tvm_computes_the_same_where_it_has_no_kernel_of_its_own(
    options: dict[str, Any], tmp_path: Path
) -> None:
    assert_same(resizing(IMAGE, **options), tmp_path)


@pytest.mark.parametrize("opset", [7, 9, 10])
@pytest.mark.parametrize("mode", ["nearest", "linear"])
@pytest.mark.parametrize("scales", [(1, 1, 2, 3), (1, 1, 2.5, 1)])
def test_operators_of_old_sets_resize_too(opset: int, mode: str, scales: Any) -> None:
    scale = np.array(scales, np.float32)
    options: dict[str, Any] = {"mode": mode, "name": "it"}
    if opset == 7:
        factors = list(map(float, scales))
        made = helper.make_node("Upsample", ["x"], ["y"], scales=factors, **options)
    else:
        made = helper.make_node(
            "Upsample" if opset == 9 else "Resize", ["x", "s"], ["y"], **options
        )
    weights = {} if opset == 7 else {"s": scale}
    kind = TensorProto.FLOAT
    proto = model([made], [("x", kind, IMAGE)], [("y", kind, None)], weights, opset=opset)
    rewritten(proto, made.op_type)


def test_the_nearest_value_of_an_old_set_is_the_next_one_where_an_axis_shrinks() -> None:
    weights = {"s": np.array([1, 1, 0.6, 0.3], np.float32)}
    made = helper.make_node("Resize", ["x", "s"], ["y"], mode="nearest")
    kind = TensorProto.FLOAT
    proto = model([made], [("x", kind, IMAGE)], [("y", kind, None)], weights, opset=10)
    rewritten(proto, "Resize")


def test_scales_that_are_computed_are_refused(tmp_path: Path) -> None:
    kind = TensorProto.FLOAT
    made = helper.make_node("Resize", ["x", "", "s"], ["y"], name="it")
    y = ("y", kind, (2, 3, 10, 14))
    proto = model([made], [("x", kind, IMAGE), ("s", kind, (4,))], [y])
    with pytest.raises(ModelError, match=r"Resize \(it\): its scales must be constant"):
        prepare(ModelSource("file", str(save(proto, tmp_path / "m.onnx"))))


def test_empty_scales_beside_sizes_count_for_none(tmp_path: Path) -> None:
    sizes = [2, 3, 6, 8]
    proto = resizing(IMAGE, region=[], scales=[], sizes=sizes, mode="linear", opset=11)
    inputs = draw(proto)
    expected = reference_outputs(proto, inputs)["y"]
    prepared = prepare(ModelSource("file", str(save(proto, tmp_path / "net.onnx"))))
    np.testing.assert_allclose(prepared.reference_outputs(inputs)["y"], expected, rtol=1e-5)
    assert "R.image.resize2d" in prepared.to_relax().script()
