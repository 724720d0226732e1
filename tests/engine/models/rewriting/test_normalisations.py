"""Normalisations over types, axes, scales that broadcast and data far from zero."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import NodeProto, TensorProto, helper

from engine.models.reference import reference_outputs
from tests.engine.deploy.compiled import compiled
from tests.engine.models.build import model
from tests.engine.models.relax.test_converters import exact_outputs
from tests.engine.models.relax.whole import Arrays, assert_as_the_file, side_by_side
from tests.engine.tasks.programs import opened

node = helper.make_node

TYPES = ["float16", "float32", pytest.param("float64", marks=pytest.mark.long)]


def draws(dtype: str, **shapes: tuple[int, ...]) -> Arrays:
    random = np.random.default_rng(0)
    return {name: random.standard_normal(shape).astype(dtype) for name, shape in shapes.items()}


@pytest.mark.parametrize("dtype", TYPES)
def test_layers_are_normalised_by_any_scale_that_broadcasts(dtype: str, tmp_path: Path) -> None:
    x = draws(dtype, x=(2, 4, 6, 5))
    parts = draws(dtype, s5=(5,), b5=(5,), s65=(6, 5), one=(1,), tall=(4, 1, 5), wide=(1, 6, 1))
    parts |= draws(dtype, whole=(2, 4, 6, 5))
    kinds: list[tuple[list[str], dict[str, Any]]] = [
        (["s5", "b5"], {}),
        (["s5"], {"axis": -1}),
        (["s65"], {"axis": 2, "epsilon": 1e-2}),
        (["s5", "b5"], {"axis": 2}),
        (["one"], {"axis": 2}),
        (["tall", "wide"], {"axis": 1}),
        (["s65"], {"axis": -2}),
        (["whole"], {"axis": 0}),
    ]
    nodes = [
        node("LayerNormalization", ["x", *names], [f"y{at}"], **attributes)
        for at, (names, attributes) in enumerate(kinds)
    ]
    nodes += [
        node("RMSNormalization", ["x", names[0]], [f"r{at}"], **attributes)
        for at, (names, attributes) in enumerate(kinds)
        if names[0] != "tall"
    ]
    assert_as_the_file(side_by_side(nodes, x, parts, opset=23), x, tmp_path)


@pytest.mark.parametrize("dtype", TYPES)
def test_mean_and_deviation_of_a_layer_are_told(dtype: str, tmp_path: Path) -> None:
    x, parts = draws(dtype, x=(2, 3, 5)), draws(dtype, s=(5,))
    nodes = [
        node("LayerNormalization", ["x", "s"], ["y", "mean", "inverse"]),
        node("Identity", ["mean"], ["told_mean"]),
        node("Identity", ["inverse"], ["told_inverse"]),
    ]
    assert_as_the_file(side_by_side(nodes, x, parts), x, tmp_path)


@pytest.mark.parametrize("dtype", TYPES)
def test_channels_and_groups_are_normalised(dtype: str, tmp_path: Path) -> None:
    x = draws(dtype, x=(2, 4, 6, 6), line=(2, 4, 7), point=(3, 4))
    judge = exact_outputs if dtype == "float64" else reference_outputs
    parts = draws(dtype, s=(4,), b=(4,), m=(4,)) | {"v": np.full(4, 0.5, dtype)}
    nodes: list[NodeProto] = []
    for name in ("x", "line"):
        nodes += [
            node("GroupNormalization", [name, "s", "b"], [f"g{name}"], num_groups=2),
            node("InstanceNormalization", [name, "s", "b"], [f"i{name}"], epsilon=1e-3),
            node("BatchNormalization", [name, "s", "b", "m", "v"], [f"b{name}"]),
        ]
    nodes.append(node("GroupNormalization", ["point", "s", "b"], ["gp"], num_groups=2, epsilon=0.1))
    training = [f"trained_{part}" for part in ("y", "mean", "variance")]
    given = ["x", "s", "b", "m", "v"]
    nodes.append(
        node("BatchNormalization", given, training, training_mode=1, momentum=0.7, epsilon=1e-2)
    )
    nodes += [node("Identity", [name], [f"told_{name}"]) for name in training[1:]]
    proto = side_by_side(nodes, x, parts, opset=21, judge=judge)
    assert_as_the_file(proto, x, tmp_path, judge(proto, x))


def test_groups_far_from_zero_keep_their_figures(tmp_path: Path) -> None:
    """ONNX Runtime's own do not: it takes a square from a mean of squares."""
    far = (draws("float64", x=(2, 4, 16, 16))["x"] * 0.1 + 30).astype("float32")
    groups = far.astype("float64").reshape(2, 2, -1)
    deviation = np.sqrt(groups.var(-1, keepdims=True) + 1e-5)
    right = ((groups - groups.mean(-1, keepdims=True)) / deviation).reshape(far.shape)
    parts = {"s": np.ones(4, "float32"), "b": np.zeros(4, "float32")}
    made = node("GroupNormalization", ["x", "s", "b"], ["y"], num_groups=2)
    proto = side_by_side([made], {"x": far}, parts, opset=21)
    found = compiled(opened(proto), {}, tmp_path).run({"x": far})["y"]
    assert np.abs(found - right).max() < 2e-3


def test_a_groups_shape_is_its_inputs_though_nothing_declares_it(tmp_path: Path) -> None:
    parts = draws("float32", w=(4, 3, 3, 3), s=(4,), b=(4,))
    x = draws("float32", x=(1, 3, 5, 5))
    nodes = [
        node("Conv", ["x", "w"], ["c"]),
        node("GroupNormalization", ["c", "s", "b"], ["g"], num_groups=2),
        node("Relu", ["g"], ["y"]),
    ]
    given = ("x", TensorProto.FLOAT, (1, 3, 5, 5))
    proto = model(nodes, [given], [("y", TensorProto.FLOAT, None)], parts, opset=21)
    assert_as_the_file(proto, x, tmp_path)


def test_mean_and_variance_are_taken_off_over_any_axes(tmp_path: Path) -> None:
    x = draws("float32", x=(1, 4, 8, 8))
    nodes = [
        node("MeanVarianceNormalization", ["x"], ["y"]),
        node("MeanVarianceNormalization", ["x"], ["last"], axes=[2, -1]),
    ]
    assert_as_the_file(side_by_side(nodes, x, opset=13), x, tmp_path)


def test_data_far_from_zero_keep_their_figures_and_constant_ones_are_zero(tmp_path: Path) -> None:
    near = draws("float64", x=(1, 4, 16, 16))["x"] * 0.02
    far = (1000 + near).astype("float32")
    same = np.full((1, 4, 16, 16), 1000.1, "float32")
    exact = far.astype("float64")
    centred = exact - exact.mean((0, 2, 3), keepdims=True)
    deviation = np.sqrt((centred**2).mean((0, 2, 3), keepdims=True)) + 1e-9
    nodes = [node("MeanVarianceNormalization", [name], [f"y_{name}"]) for name in ("far", "same")]
    expected = {"y_far": (centred / deviation).astype("float32"), "y_same": np.zeros_like(same)}
    inputs = {"far": far, "same": same}
    assert_as_the_file(side_by_side(nodes, inputs, opset=13), inputs, tmp_path, expected)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_neighbouring_channels_are_summed_in_every_type(dtype: str, tmp_path: Path) -> None:
    x = draws(dtype, x=(2, 6, 4, 4))
    squares = x["x"].astype("float64") ** 2
    expected, nodes = {}, []
    for size in (2, 3, 5) if dtype != "float16" else (3, 5):
        name = f"y{size}"
        nodes.append(node("LRN", ["x"], [name], size=size, alpha=0.1, beta=0.6, bias=1.5))
        sums = [
            squares[:, max(0, c - (size - 1) // 2) : c + size // 2 + 1].sum(1) for c in range(6)
        ]
        divisor = (1.5 + 0.1 / size * np.stack(sums, 1)) ** 0.6
        expected[name] = (x["x"].astype("float64") / divisor).astype(dtype)
    proto = side_by_side(nodes, x, judge=lambda *_: expected)
    assert_as_the_file(proto, x, tmp_path, expected)


@pytest.mark.parametrize("opset", [11, 13])
@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_the_first_of_the_largest_values_is_hard(dtype: str, opset: int, tmp_path: Path) -> None:
    x = {"x": np.round(draws(dtype, x=(3, 4, 5))["x"])}
    x["x"][0] = -np.inf
    axes = (0, 1, 2)
    nodes = [node("Hardmax", ["x"], [f"y{axis}"], axis=axis) for axis in axes]
    nodes.append(node("Hardmax", ["x"], ["default"]))
    if dtype == "float16":
        x = {"x": x["x"].astype("float32")}
        nodes = [node("Cast", ["x"], ["h"], to=TensorProto.FLOAT16), *nodes]
        for made in nodes[1:]:
            made.input[0] = "h"
    assert_as_the_file(side_by_side(nodes, x, opset=opset), x, tmp_path)
