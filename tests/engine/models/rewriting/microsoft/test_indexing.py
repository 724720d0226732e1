"""ONNX Runtime's own operators that move values or measure between them."""

from __future__ import annotations

import numpy as np
import pytest

from engine.models.rewriting.driver import rewrite
from tests.engine.models.rewriting.nodes import INT64, assert_rewritten, model_of, normal, own

X = normal(2, 3, 4)


@pytest.mark.parametrize("axis", [0, 2, 3, -1, -4])
def test_an_axis_is_put_in(axis: int) -> None:
    values = {"x": X, "axis": np.array(axis, np.int32)}
    assert_rewritten(*model_of(own("ExpandDims", ["x", "axis"]), values, ["axis"]))


@pytest.mark.parametrize("dtype", ["int32", "int64"])
@pytest.mark.parametrize("places", [[[0, 1], [1, 2]], [[1], [0]], [[[0, 1, 2]], [[1, 2, 3]]]])
def test_places_are_gathered(places: list[list[int]], dtype: str) -> None:
    values = {"x": X, "at": np.array(places, dtype)}
    assert_rewritten(*model_of(own("GatherND", ["x", "at"]), values))


@pytest.mark.parametrize("upper", [0, 1])
@pytest.mark.parametrize("diagonal", [None, 0, 1, -2, 5])
@pytest.mark.parametrize("dtype", ["float32", "int64"])
def test_a_triangle_is_kept(dtype: str, diagonal: int | None, upper: int) -> None:
    values = {"x": (X * 10).astype(dtype)}
    if diagonal is not None:
        values["k"] = np.array(diagonal)
    node = own("Trilu", list(values), upper=upper)
    assert_rewritten(*model_of(node, values, ["k"] if "k" in values else []))


@pytest.mark.parametrize("mode", ["constant", "reflect", "edge"])
@pytest.mark.parametrize("row", [False, True])
def test_padding(row: bool, mode: str) -> None:
    pads = np.array([0, 1, 2, 0, 1, 1])
    values = {"x": X, "pads": pads[None] if row else pads, "v": np.array([1.5], np.float32)}
    names = ["x", "pads", *(["v"] if mode == "constant" else [])]
    given = {name: values[name] for name in names}
    assert_rewritten(*model_of(own("Pad", names, mode=mode), given, names[1:]))


@pytest.mark.parametrize("step", [None, 2, -1])
def test_a_span(step: int | None) -> None:
    values = {"from": np.array([5]), "to": np.array(-3 if step == -1 else 12)}
    if step is not None:
        values["by"] = np.array(step)
    node = own("Range", list(values))
    assert_rewritten(*model_of(node, values, list(values), types={"y": INT64}))


@pytest.mark.parametrize(("axis", "size", "step"), [(0, 2, 1), (1, 2, 1), (-1, 3, 1), (2, 2, 2)])
def test_windows_along_an_axis(axis: int, size: int, step: int) -> None:
    node = own("UnfoldTensor", ["x"], dim=axis, size=size, step=step)
    assert_rewritten(*model_of(node, {"x": X}))


@pytest.mark.parametrize("metric", ["euclidean", "sqeuclidean"])
def test_distances_between_rows(metric: str) -> None:
    values = {"a": normal(5, 3), "b": normal(4, 3, seed=1)}
    assert_rewritten(*model_of(own("CDist", "ab", metric=metric), values), 1e-4)


@pytest.mark.parametrize("opset", [16, 20])
@pytest.mark.parametrize("mode", ["bilinear", "nearest", "bicubic"])
@pytest.mark.parametrize("padding", ["zeros", "border", "reflection"])
def test_samples_on_a_grid(padding: str, mode: str, opset: int) -> None:
    values = {"x": normal(1, 2, 5, 6), "grid": normal(1, 3, 4, 2, seed=1)}
    node = own("GridSample", list(values), mode=mode, padding_mode=padding)
    assert_rewritten(*model_of(node, values, opset=opset), 1e-4)


def test_a_list_of_unknown_length_is_told() -> None:
    proto, _ = model_of(own("Unique", ["x"], ["y", "i", "n"]), {"x": normal(5)})
    assert rewrite(proto).notes == {"node": "the number of its results depends on data"}
