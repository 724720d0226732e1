"""Kernels of graphs in 16 bits: how few there are, and that they answer what float32 does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from onnx import ModelProto, NodeProto, helper

from engine.records.precision import HALVES
from engine.targets.targets import TargetSpec
from engine.tasks import lower as lowering
from tests.engine.models.build import model
from tests.engine.search.test_replayer import CUDA
from tests.engine.tasks.halves.lowered import lowered, lowered_on
from tests.engine.tasks.networks import FLOAT, HALF, conv, node, outputs, weight
from tests.engine.tasks.programs import cpu

in_each_type = pytest.mark.parametrize("dtype", HALVES)
in_either_type = pytest.mark.parametrize(
    "dtype", [HALVES[0], *(pytest.param(dtype, marks=pytest.mark.long) for dtype in HALVES[1:])]
)

WIDTH = 24
RANKS = {1: [6], 2: [1, 6], 3: [1, 2, 3]}  # the axes before the last one, by their number
ROWS = 6


def layer(way: str, ahead: Sequence[int], x: str, y: str, w: str = "w") -> list[NodeProto]:
    """A layer of neurons as exporters write it: a product of matrices between reshapes, or one of
    all axes; with its bias."""
    if way == "matmul":
        return [node("MatMul", f"{x} {w}", f"{y}_m"), node("Add", f"{y}_m b", y)]
    return [
        node("Reshape", f"{x} flat", f"{x}_{y}_2"),
        node("Gemm", f"{x}_{y}_2 {w} b", f"{y}_2"),
        node("Reshape", f"{y}_2 full", y),
    ]


def made(
    nodes: Sequence[NodeProto],
    ahead: Sequence[int],
    results: Sequence[str] = ("y",),
    **more: Any,
) -> ModelProto:
    """A model of an input x whose last axis is WIDTH wide."""
    weights = {
        "w": weight(WIDTH, WIDTH),
        "v": weight(WIDTH, WIDTH, seed=3),
        "b": weight(WIDTH, seed=1),
        "g": 1 + weight(WIDTH, seed=2),
        "flat": np.array([-1, WIDTH]),
        "full": np.array([*ahead, WIDTH]),
        "root": np.float32(2**0.5),
        "one": np.float32(1),
        "half": np.float32(0.5),
        **more,
    }
    used = {name for one in nodes for name in one.input}
    kept = {name: array for name, array in weights.items() if name in used}
    return model(nodes, [("x", FLOAT, [*ahead, WIDTH])], outputs(*results), kept)


def normalised(x: str, y: str) -> NodeProto:
    return node("LayerNormalization", f"{x} g b", y, axis=-1)


def gelu(x: str, y: str) -> list[NodeProto]:
    return [
        node("Div", f"{x} root", f"{y}_d"),
        node("Erf", f"{y}_d", f"{y}_e"),
        node("Add", f"{y}_e one", f"{y}_a"),
        node("Mul", f"{x} {y}_a", f"{y}_m"),
        node("Mul", f"{y}_m half", y),
    ]


def swish(x: str, y: str) -> list[NodeProto]:
    return [node("Sigmoid", x, f"{y}_s"), node("Mul", f"{x} {y}_s", y)]


def hard_swish(x: str, y: str) -> list[NodeProto]:
    return [node("HardSwish", x, y)]


def rectified(x: str, y: str) -> list[NodeProto]:
    return [node("Relu", x, y)]


def squared(x: str, y: str) -> list[NodeProto]:
    return [node("Mul", f"{x} {x}", y)]


def scaled(x: str, y: str) -> list[NodeProto]:
    return [node("Mul", f"{x} g", y)]


ACTIVATIONS = (gelu, swish, hard_swish, rectified, squared, scaled)


@in_either_type
@pytest.mark.parametrize(("rank", "way"), [(1, "matmul"), (2, "gemm"), (3, "gemm")])
def test_a_layer_with_its_bias_and_activation_is_one_kernel(
    dtype: str, rank: int, way: str
) -> None:
    ahead = RANKS[rank]
    nodes = layer(way, ahead, "x", "a0")
    for place, act in enumerate(ACTIVATIONS):
        nodes += act(f"a{place}", f"h{place}")
        nodes += layer(way, ahead, f"h{place}", f"a{place + 1}", "wv"[place % 2])
    found = lowered(made(nodes, ahead, [f"a{len(ACTIVATIONS)}"]), dtype, run=rank == 2)
    cast, *products = found.kernels
    assert cast == "cast" and len(products) == len(ACTIVATIONS) + 1
    assert {name.split("_")[0] for name in products} == {"matmul"}
    assert found.stored == [dtype] * len(products) + ["float32"]
    if rank == 2:
        found.assert_agrees()


@in_each_type
@pytest.mark.parametrize(("way", "first"), [("matmul", False), ("gemm", True)])
def test_blocks_of_residuals_and_normalisations_have_a_kernel_for_each_product_and_norm(
    dtype: str, way: str, first: bool
) -> None:
    """As in transformers, whose layers normalise what they read, or what they give."""
    ahead = RANKS[2]
    nodes = layer(way, ahead, "x", "a0")
    for place in range(2):
        x, y = f"a{place}", f"a{place + 1}"
        into = f"n{place}" if first else x
        nodes += [normalised(x, into)] if first else []
        nodes += [*layer(way, ahead, into, f"u{place}"), *gelu(f"u{place}", f"h{place}")]
        nodes += layer(way, ahead, f"h{place}", f"d{place}", "v")
        nodes += [node("Add", f"d{place} {x}", y if first else f"s{place}")]
        nodes += [] if first else [normalised(f"s{place}", y)]
    found = lowered(made(nodes, ahead, ["a2"]), dtype)
    norms = [name for name in found.kernels if "layer_norm" in name]
    products = [name for name in found.kernels if name.startswith("matmul")]
    assert (len(norms), len(products)) == (2, 5)
    assert len(found.kernels) == 8  # and the cast of the input
    assert found.stored == [dtype] * 7 + ["float32"]
    found.assert_agrees()


@in_either_type
@pytest.mark.parametrize(
    ("others", "kernels"),
    [
        (["Relu"], 1),  # an output more, which stays float32: its kernel reads the halves
        (["Softmax"], 1),
        (["Softmax", "Exp"], 2),
    ],
)
def test_values_with_several_readers_are_stored_once(
    dtype: str, others: list[str], kernels: int
) -> None:
    nodes = [*layer("matmul", [6], "x", "a"), *gelu("a", "h")]
    nodes += layer("matmul", [6], "h", "y", "v")
    nodes += [node(other, "h", f"o{place}") for place, other in enumerate(others)]
    results = ["y", *(f"o{place}" for place in range(len(others)))]
    found = lowered(made(nodes, [6], results), dtype)
    assert len(found.kernels) == 3 + kernels
    assert sorted(found.stored) == sorted([dtype] * 2 + ["float32"] * (1 + kernels))
    found.assert_agrees()


@in_either_type
def test_a_value_that_is_an_output_stays_in_single_precision_for_its_caller(dtype: str) -> None:
    nodes = [*layer("matmul", [6], "x", "h"), *layer("matmul", [6], "h", "y", "v")]
    found = lowered(made(nodes, [6], ["h", "y"]), dtype)
    assert found.stored.count("float32") == 2
    found.assert_agrees()


@in_either_type
@pytest.mark.parametrize("axis", [-1, 1])
@pytest.mark.parametrize("kind", ["Softmax", "LogSoftmax", "ReduceMean", "ReduceMax", "ReduceMin"])
def test_what_reduces_takes_halves_in_its_own_kernel(dtype: str, kind: str, axis: int) -> None:
    ahead = RANKS[2]
    options: dict[str, Any] = {"axes": [axis]} if kind.startswith("Reduce") else {"axis": axis}
    nodes = [*layer("matmul", ahead, "x", "a"), node(kind, "a", "y", **options)]
    found = lowered(made(nodes, ahead), dtype)
    assert "cast" not in found.kernels[1:]
    assert found.kernels[1].startswith("matmul") and found.stored[1] == dtype
    assert len(found.kernels) <= 4
    found.assert_agrees()


BIG = {"Exp": 1.0, "Mul": 300.0, "ReduceSum": 4000.0, "ReduceSumSquare": 300.0, "Pow": 300.0}


@in_either_type
@pytest.mark.parametrize("kind", BIG)
def test_what_may_leave_the_range_of_a_half_is_not_stored_in_one(dtype: str, kind: str) -> None:
    """Values near 300 have squares that no half holds; their root is one again."""
    inputs = {"Mul": "a a", "Pow": "a two"}.get(kind, "a")
    big = [node(kind, inputs, "p"), node("Log" if kind == "Exp" else "Sqrt", "p", "r")]
    nodes = [
        node("Relu", "x", "x_r"),
        *layer("matmul", [6], "x_r", "l"),
        node("Abs", "l", "l_a"),
        node("Add", "l_a size", "a"),
        *big,
        node("MatMul", "r s" if kind.startswith("Reduce") else "r w", "y"),
    ]
    sizes = {"size": np.float32(12.0 if kind == "Exp" else BIG[kind]), "two": np.float32(2)}
    found = lowered(made(nodes, [6], ["y"], s=weight(1, WIDTH), **sizes), dtype)
    assert np.isfinite(found.expected["y"]).all()
    found.assert_agrees()


@in_either_type
@pytest.mark.parametrize("big", [-3.4028235e38, 1e5])
def test_constants_beyond_a_half_are_not_rounded_to_infinities(dtype: str, big: float) -> None:
    """Such as those of a mask."""
    mask = np.where(np.tri(6, dtype=bool), 0, big if big < 0 else -big).astype(np.float32)
    nodes = [
        *layer("matmul", [6], "x", "a"),
        node("Transpose", "a", "t", perm=[1, 0]),
        node("MatMul", "a t", "s"),
        node("Add", "s mask", "m"),
        node("Softmax", "m", "p"),
        node("MatMul", "p a", "y"),
    ]
    found = lowered(made(nodes, [6], mask=mask), dtype)
    found.assert_agrees()


@in_each_type
def test_inputs_that_are_halves_need_no_cast(dtype: str) -> None:
    nodes = [node("Cast", "x", "f", to=FLOAT), *layer("matmul", [6], "f", "a"), *gelu("a", "y")]
    proto = made(nodes, [6])
    proto.graph.input[0].type.tensor_type.elem_type = HALF
    found = lowered(proto, dtype)
    assert len(found.kernels) == (1 if dtype == "float16" else 2)
    found.assert_agrees()


OURS = (
    *("in_half", "with_attention", "with_late_reshapes"),
    *("with_late_transposes", "with_outer_views", "with_joined_casts", "without_round_trips"),
    "with_half_biases",
)


@pytest.mark.parametrize(
    ("target", "precision"),
    [(CUDA, "float32"), (cpu(), "float32")],
    ids=["gpu", "cpu"],
)
def test_single_precision_is_lowered_as_ever(
    target: TargetSpec, precision: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the records of projects would belong to other tasks."""

    def refuse(*_: object) -> None:
        raise AssertionError("This is for 16 bits.")

    for name in OURS:
        monkeypatch.setattr(lowering, name, refuse)
    nodes = [*layer("gemm", RANKS[2], "x", "a"), *gelu("a", "h"), normalised("h", "y")]
    found = lowered_on(made(nodes, RANKS[2]), precision, target)
    first, _, last = (operator.op_class for operator in found.operators)
    assert (first, last) == ("matmul_add", "layer_norm")
    assert {operator.output.dtype for operator in found.operators} == {"float32"}


@pytest.mark.parametrize("rank", RANKS)
@pytest.mark.parametrize("way", ["matmul", "gemm"])
def test_layers_in_tf32_have_the_kernels_of_those_in_halves(way: str, rank: int) -> None:
    ahead = RANKS[rank]
    nodes = [*layer(way, ahead, "x", "a"), *gelu("a", "h"), *layer(way, ahead, "h", "d", "v")]
    nodes += [node("Add", "d x", "s"), normalised("s", "y")]
    found = lowered(made(nodes, ahead), "tf32")
    kinds = [name.split("_")[0] for name in found.kernels if name != "add"]
    assert kinds == ["matmul", "matmul", "layer"]
    assert set(found.stored) == {"float32"}
    found.assert_agrees()


def convnext_block(x: str, y: str, w: str) -> list[NodeProto]:
    """Depthwise convolution channels first, neurons channels last, the residual channels first."""
    return [
        node("Conv", f"{x} k{w}", f"{y}_c", group=WIDTH, pads=[1, 1, 1, 1]),
        node("Transpose", f"{y}_c", f"{y}_t", perm=[0, 2, 3, 1]),
        normalised(f"{y}_t", f"{y}_n"),
        *layer("gemm", IMAGE_ROWS, f"{y}_n", f"{y}_u"),
        *gelu(f"{y}_u", f"{y}_h"),
        *layer("gemm", IMAGE_ROWS, f"{y}_h", f"{y}_d", "v"),
        node("Transpose", f"{y}_d", f"{y}_b", perm=[0, 3, 1, 2]),
        node("Mul", f"{y}_b scale", f"{y}_s"),
        node("Add", f"{x} {y}_s", y),
    ]


IMAGE_ROWS = (1, 4, 5)


@in_either_type
def test_transposes_that_undo_each_other_are_no_kernels(dtype: str) -> None:
    nodes = [
        conv("x k", "o"),
        *convnext_block("o", "p", "1"),
        *convnext_block("p", "q", "2"),
        node("GlobalAveragePool", "q", "y"),
    ]
    kernels: dict[str, Any] = {f"k{n}": weight(WIDTH, 1, 3, 3, seed=n) for n in (1, 2)}
    scale = weight(WIDTH, seed=9).reshape(WIDTH, 1, 1)
    proto = made(nodes, IMAGE_ROWS, ["y"], scale=scale, k=weight(WIDTH, WIDTH, 3, 3), **kernels)
    proto.graph.input[0].CopyFrom(helper.make_tensor_value_info("x", FLOAT, [1, WIDTH, 4, 5]))
    found = lowered(proto, dtype)
    kinds = [name.removeprefix("cast_").split("_")[0] for name in found.kernels]
    block = ["conv2d", "layer", "matmul", "matmul"]
    assert kinds == ["transpose", "conv2d", *block, *block, "mean"]
    found.assert_agrees()


@in_either_type
def test_windows_are_cut_and_joined_by_one_kernel_each(dtype: str) -> None:
    """As a Swin transformer has them, with rolled rows."""
    windows, image = np.array([1, 2, 2, 2, 3, WIDTH]), np.array([1, 4, 6, WIDTH])
    nodes = [
        *layer("matmul", [1, 4, 6], "x", "a"),
        node("Slice", "a from2 to4 rows", "low"),
        node("Slice", "a from0 to2 rows", "top"),
        node("Concat", "low top", "r", axis=1),
        node("Reshape", "r windows", "s"),
        node("Transpose", "s", "t", perm=[0, 1, 3, 2, 4, 5]),
        node("Reshape", "t flat", "f"),
        node("MatMul", "f v", "q"),
        node("Reshape", "q cut", "h"),
        node("Transpose", "h", "i", perm=[0, 1, 3, 2, 4, 5]),
        node("Reshape", "i image", "j"),
        node("Add", "j a", "k"),
        node("MatMul", "k w", "y"),
    ]
    more: dict[str, Any] = {"windows": windows, "image": image, "cut": windows[[0, 1, 3, 2, 4, 5]]}
    more |= {f"from{n}": np.array([n]) for n in (0, 2)} | {f"to{n}": np.array([n]) for n in (2, 4)}
    found = lowered(made(nodes, [1, 4, 6], ["y"], rows=np.array([1]), **more), dtype)
    assert len(found.kernels) == 6  # the cast, the products and what is between them
    assert found.stored == [dtype] * 5 + ["float32"]
    found.assert_agrees()
