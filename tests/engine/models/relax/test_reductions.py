"""Reductions and places of extremes as ONNX Runtime has them, over types, axes and odd values."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import NodeProto, helper

from engine.records.errors import ModelError
from tests.engine.models.relax.whole import assert_as_the_file, side_by_side
from tests.engine.tasks.programs import opened

node = helper.make_node

REDUCTIONS = [f"Reduce{name}" for name in ["Max", "Mean", "Min", "Prod", "Sum", "L1", "L2"]]
REDUCTIONS += ["ReduceLogSum", "ReduceLogSumExp", "ReduceSumSquare"]
NAN, INF = np.nan, np.inf
ODD = [
    [1, NAN, 3],
    [NAN, 1, 2],
    [3, 1, NAN],
    [-INF] * 3,
    [INF] * 3,
    [NAN] * 3,
    [INF, 1, -INF],
    [1000, 1000, 999],
    [-1000, -1001, 0],
]


def reduced(axes: bool, **attributes: Any) -> list[NodeProto]:
    """Every reduction, by its name."""
    inputs = ["x", "axes"] if axes else ["x"]
    return [node(name, inputs, [name], **attributes) for name in REDUCTIONS]


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int32", "int64"])
@pytest.mark.parametrize("axes", [[1, -1], [0], [], None])
def test_a_reduction_is_that_of_the_file(
    dtype: str, axes: list[int] | None, tmp_path: Path
) -> None:
    random = np.random.default_rng(0)
    x = (random.random((2, 3, 4)) * 4 + 1).astype(dtype)
    keep = int(axes != [0])
    nodes = reduced(axes is not None, keepdims=keep)
    constants = {} if axes is None else {"axes": np.array(axes, "int64")}
    if axes is not None and len(axes) == 1:
        nodes += [
            node(name, ["x"], [f"{name}{last}"], axis=1, keepdims=last, select_last_index=last)
            for name in ("ArgMax", "ArgMin")
            for last in (0, 1)
        ]
    assert_as_the_file(side_by_side(nodes, {"x": x}, constants), {"x": x}, tmp_path)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32"])
def test_over_no_axes_a_reduction_is_what_it_does_to_one_value(dtype: str, tmp_path: Path) -> None:
    x = np.array([[3, -2, 5], [-1, 4, 2]]).astype(dtype)
    nodes = [n for n in reduced(True, noop_with_empty_axes=1) if n.op_type != "ReduceLogSum"]
    nodes.append(node("Abs", ["x"], ["kernel"]))
    expected = {name: x for name in REDUCTIONS if name != "ReduceLogSum"}
    expected |= {"ReduceL1": np.abs(x), "ReduceL2": np.abs(x), "ReduceSumSquare": x * x}
    proto = side_by_side(nodes, {"x": x}, {"axes": np.array([], "int64")})
    assert_as_the_file(proto, {"x": x}, tmp_path, expected)


def test_odd_values_are_reduced_as_in_the_file(tmp_path: Path) -> None:
    x = np.array(ODD, "float32")
    nodes = [n for n in reduced(True) if n.op_type != "ReduceLogSum"]
    nodes += [
        node(name, ["x"], [f"{name}{last}"], axis=1, select_last_index=last)
        for name in ("ArgMax", "ArgMin")
        for last in (0, 1)
    ]
    proto = side_by_side(nodes, {"x": x}, {"axes": np.array([1])})
    assert_as_the_file(proto, {"x": x}, tmp_path)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32"])
def test_the_least_value_of_a_type_has_a_place_like_any_other(dtype: str, tmp_path: Path) -> None:
    limits = np.iinfo(dtype)
    x = np.array([[limits.min] * 3, [limits.max] * 3, [1, 2, 2]], dtype)
    nodes = [
        node(name, ["x"], [f"{name}{last}"], axis=1, select_last_index=last)
        for name in ("ArgMax", "ArgMin")
        for last in (0, 1)
    ]
    assert_as_the_file(side_by_side(nodes, {"x": x}), {"x": x}, tmp_path)


def test_axes_that_are_computed_are_refused_by_a_sentence() -> None:
    inputs = {"x": np.ones((2, 3), "float32"), "axes": np.array([1])}
    proto = side_by_side([node("ReduceSum", ["x", "axes"], ["y"], name="sum")], inputs)
    with pytest.raises(ModelError, match="axes"):
        opened(proto)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int8", "uint8", "int32"])
def test_of_nothing_a_maximum_is_what_it_begins_with(dtype: str, tmp_path: Path) -> None:
    limits = np.iinfo(dtype) if np.dtype(dtype).kind in "iu" else None
    least, most = (limits.min, limits.max) if limits else (-np.inf, np.inf)
    inputs = {"other": np.ones((2, 1, 3), dtype)}
    expected = {
        "high": np.full((2, 1, 3), least, dtype),
        "low": np.full((2, 1, 3), most, dtype),
        "both": np.ones((2, 1, 3), dtype),
    }
    nodes = [
        helper.make_node("Slice", ["other", "none", "none", "axis"], ["x"]),
        helper.make_node("ReduceMax", ["x", "axis"], ["high"]),
        helper.make_node("ReduceMin", ["x", "axis"], ["low"]),
        helper.make_node("Max", ["high", "other"], ["both"]),
    ]
    constants = {"axis": np.array([1]), "none": np.array([0])}
    proto = side_by_side(nodes, inputs, constants, judge=lambda *given: expected)
    assert_as_the_file(proto, inputs, tmp_path, expected)
