"""One-hot rows, identities, the largest, kept places, padding."""

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
from tests.engine.models.build import Value, model, save
from tests.engine.models.relax.whole import assert_as_the_file, side_by_side
from tests.engine.models.rewriting.same import draw, operators, rewritten

FLOAT, INT64, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL
X: Value = ("x", FLOAT, (2, 3, 4))

node = helper.make_node


@pytest.mark.parametrize("kind", ["int64", "int32", "float32"])
@pytest.mark.parametrize("axis", [0, 1, -1, -2])
@pytest.mark.parametrize("depth", [np.array(5), np.array([5])], ids=["scalar", "list"])
def test_indices_become_rows_from_either_end(kind: str, axis: int, depth: np.ndarray) -> None:
    element = helper.np_dtype_to_tensor_dtype(np.dtype(kind))
    weights = {"d": depth.astype(kind), "v": np.array([2, 7], "float32")}
    nodes = [node("OneHot", ["x", "d", "v"], ["y"], axis=axis)]
    proto = model(nodes, [("x", element, (2, 3))], [("y", FLOAT, None)], weights)
    places = np.array([[-5, -1, 0], [4, 5, -6]]).astype(kind)  # the last two are outside
    rewritten(proto, "OneHot", {"x": places})


def test_values_of_a_one_hot_may_be_computed() -> None:
    nodes = [node("OneHot", ["x", "d", "v"], ["y"])]
    inputs: list[Value] = [("x", INT64, (3,)), ("v", FLOAT, (2,))]
    proto = model(nodes, inputs, [("y", FLOAT, None)], {"d": np.array(3)})
    rewritten(proto, "OneHot", {"x": np.array([0, 2, -1]), "v": np.array([1, 9], "float32")})


@pytest.mark.parametrize("kind", ["", "float32", "int32", "float64"])
@pytest.mark.parametrize("k", [0, 1, -2, 9])
def test_a_diagonal_has_the_type_that_is_asked_for(kind: str, k: int) -> None:
    options: dict[str, Any] = {"k": k}
    if kind:
        options["dtype"] = helper.np_dtype_to_tensor_dtype(np.dtype(kind))
    made = node("EyeLike", ["x"], ["y"], **options)
    proto = model([made], [("x", INT64, (3, 5))], [("y", options.get("dtype", INT64), (3, 5))])
    rewritten(proto, "EyeLike")


@pytest.mark.parametrize("largest", [0, 1])
def test_the_largest_in_any_order_are_given_in_order(largest: int) -> None:
    nodes = [node("TopK", ["x", "k"], ["v", "i"], sorted=0, largest=largest, axis=1)]
    outputs: list[Value] = [("v", FLOAT, None), ("i", INT64, None)]
    proto = model(nodes, [X], outputs, {"k": np.array([2])})
    x = draw(proto)["x"]
    rewrite(proto)
    (left,) = proto.graph.node
    assert {attribute.name for attribute in left.attribute} == {"largest", "axis"}
    order = np.sort(x, axis=1)
    expected = order[:, ::-1][:, :2] if largest else order[:, :2]
    np.testing.assert_array_equal(reference_outputs(proto, {"x": x})["v"], expected)


@pytest.mark.parametrize("axis", [None, 0, 1, -1])
def test_a_constant_condition_keeps_places(axis: int | None) -> None:
    options = {} if axis is None else {"axis": axis}
    nodes = [node("Compress", ["x", "c"], ["y"], **options)]
    weights = {"c": np.array([False, True])}
    rewritten(model(nodes, [X], [("y", FLOAT, None)], weights), "Compress")


def padded(mode: str, pads: list[int], axes: list[int] | None = None) -> ModelProto:
    weights = {"p": np.array(pads)}
    inputs = ["x", "p"]
    if axes is not None:
        weights["a"] = np.array(axes)
        inputs += ["", "a"]
    made = node("Pad", inputs, ["y"], mode=mode, name="n")
    return model([made], [X], [("y", FLOAT, None)], weights, opset=19)


@pytest.mark.parametrize(
    ("pads", "axes", "told"),
    [
        ([0, 3, 0, 0, 0, 0], None, "3 places of an axis that has 3"),
        ([0, 0, 0, 0, 0, 4], None, "4 places of an axis that has 4"),
        ([0, 0, -1, 0, 0, 3], None, "3 places of an axis that has 3"),
        ([2, 0], [0], "2 places of an axis that has 2"),
        ([0, 5], [-1], "5 places of an axis that has 4"),
    ],
)
def test_a_reflection_of_more_than_there_is_is_refused(
    pads: list[int], axes: list[int] | None, told: str, tmp_path: Path
) -> None:
    path = save(padded("reflect", pads, axes), tmp_path / "pad.onnx")
    with pytest.raises(ModelError, match=rf"Pad \(n\): it reflects {told}"):
        prepare(ModelSource("file", str(path)))


@pytest.mark.parametrize(
    ("mode", "pads"),
    [
        ("reflect", [0, 2, 3, 1, 2, 3]),
        ("reflect", [0, 2, -1, 0, 0, 2]),
        ("edge", [0, 9, 9, 9, 9, 9]),
        ("constant", [9, 9, 9, 9, 9, -1]),
    ],
)
def test_other_padding_stays(mode: str, pads: list[int]) -> None:
    proto = padded(mode, pads)
    done = rewrite(proto)
    assert operators(proto) == ["Pad"]
    assert not done.refused


@pytest.mark.parametrize(
    ("operator", "inputs", "told"),
    [
        ("Pad", ["x", "p"], "its padding is not constant"),
        ("TopK", ["x", "k"], "its k is not constant"),
        ("Compress", ["x", "c"], "its condition is not constant"),
        ("OneHot", ["i", "k", "v"], "its depth is not constant"),
        ("Tile", ["x", "t"], "its number of repeats is not constant"),
        ("ConstantOfShape", ["t"], "its shape is not constant"),
        ("Expand", ["x", "t"], "its shape is not constant"),
        ("Range", ["n", "n", "n"], "its length is not constant"),
        ("Reshape", ["x", "t"], "its shape is not constant"),
        ("Squeeze", ["x", "k"], "its list of axes is not constant"),
        ("Split", ["x", "k"], "its split is not constant"),
    ],
)
def test_what_must_be_constant_is_named(operator: str, inputs: list[str], told: str) -> None:
    kinds: dict[str, Value] = {
        "x": X,
        "p": ("p", INT64, (6,)),
        "k": ("k", INT64, (1,)),
        "t": ("t", INT64, (3,)),
        "c": ("c", BOOL, (2,)),
        "i": ("i", INT64, (3,)),
        "n": ("n", INT64, ()),
        "v": ("v", FLOAT, (2,)),
    }
    outputs: list[Value] = [("y", FLOAT, None)] + [("z", INT64, None)] * (operator == "TopK")
    made = node(operator, inputs, [name for name, *_ in outputs], name="n")
    done = rewrite(model([made], [kinds[name] for name in inputs], outputs))
    assert done.notes == {"n": told}
    assert done.refused == {"n"}


@pytest.mark.parametrize("sizes", [[2, 0, 1], [0, 3], [3, 0]])
@pytest.mark.parametrize("axis", [1, -2])
def test_empty_parts_are_cut_off(sizes: list[int], axis: int) -> None:
    outputs: list[Value] = [(f"y{place}", FLOAT, None) for place in range(len(sizes))]
    names = [name for name, *_ in outputs]
    proto = model(
        [node("Split", ["x", "s"], names, axis=axis)], [X], outputs, {"s": np.array(sizes)}
    )
    rewritten(proto, "Split")


@pytest.mark.parametrize("operator", ["Squeeze", "Unsqueeze"])
def test_a_single_axis_is_a_list_of_one(operator: str) -> None:
    x: Value = ("x", FLOAT, (2, 1, 4))
    nodes = [node(operator, ["x", "a"], ["y"])]
    proto = model(nodes, [x], [("y", FLOAT, None)], {"a": np.array(1)})
    rewrite(proto)
    assert operators(proto) == [operator]
    assert [list(tensor.dims) for tensor in proto.graph.initializer] == [[1]]


@pytest.mark.parametrize("wanted", [[3, 4, 0], [0, 7]])
def test_a_size_of_zero_may_be_meant(wanted: list[int]) -> None:
    x: Value = ("x", FLOAT, (2, 0, 4))
    nodes = [node("Reshape", ["x", "s"], ["y"], allowzero=1)]
    proto = model(nodes, [x], [("y", FLOAT, None)], {"s": np.array(wanted)})
    rewritten(proto, "Reshape")


def test_a_size_of_zero_is_copied_otherwise() -> None:
    nodes = [node("Reshape", ["x", "s"], ["y"])]
    proto = model(nodes, [X], [("y", FLOAT, None)], {"s": np.array([0, 12])})
    rewritten(proto, "")
    assert operators(proto) == ["Reshape"]


@pytest.mark.parametrize("dtype", ["float32", "int64", "bool"])
def test_tiles_are_those_of_the_file_on_every_axis(dtype: str, tmp_path: Path) -> None:
    x = np.random.default_rng(3).integers(0, 2, (2, 1, 4, 5)).astype(dtype)
    counts = [
        (1, 1, 2, 2),
        (7, 6, 4, 2),
        (1, 5, 1, 1),
        (2, 3, 1, 13),
        (1, 1, 1, 1),
        (3, 1, 8, 1),
        (1, 1, 37, 1),
    ]
    nodes = [node("Tile", ["x", f"r{at}"], [f"y{at}"]) for at in range(len(counts))]
    constants = {f"r{at}": np.array(count) for at, count in enumerate(counts)}
    proto = side_by_side(nodes, {"x": x}, constants)
    assert_as_the_file(proto, {"x": x}, tmp_path)
