"""Models that are refused for whatever reason: in one sentence that names the node, in no library's
words."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

from engine.jobs.opening.open_worker import open_here
from engine.records.errors import ModelError
from engine.records.source import ModelSource
from engine.targets.targets import resolve
from tests.engine.models import build

FLOAT, HALF, DOUBLE = TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.DOUBLE
INT, LONG = TensorProto.INT32, TensorProto.INT64
NAME = "/model/layers.0/culprit"
FOREIGN = re.compile(
    r"\bR\.|\bT\.|span=|0x[0-9a-f]|<class|Expr\b|Traceback|ir\.|relax\.|tensor\(|\.(?:cc|h|py):\d|::\w+\("
)


def node(kind: str, inputs: list[str], outputs: str = "y", **attributes: Any) -> NodeProto:
    return helper.make_node(kind, inputs, outputs.split(), name=NAME, **attributes)


def one(
    made: NodeProto,
    inputs: dict[str, tuple[int, list[int]]],
    weights: dict[str, np.ndarray] | None = None,
    *,
    kind: int = FLOAT,
    shape: list[int] | None = None,
    opset: int = 17,
    domains: tuple[str, ...] = (),
) -> ModelProto:
    """A model of a Tanh, that there is something to tune, and one node."""
    nodes = [helper.make_node("Tanh", ["t"], ["z"]), made]
    values = [("t", FLOAT, [4]), *((name, *spec) for name, spec in inputs.items())]
    outputs = [("z", FLOAT, [4]), *((name, kind, shape) for name in made.output)]
    return build.model(nodes, values, outputs, weights, opset=opset, domains=domains)


def ints(*values: int) -> np.ndarray:
    return np.array(values, np.int64)


def elementwise(kind: str, element: int) -> ModelProto:
    return one(node(kind, ["x"]), {"x": (element, [8])}, kind=element)


def binary(kind: str, left: int, right: int, result: int) -> ModelProto:
    inputs = {"a": (left, [2, 3]), "b": (right, [3])}
    return one(node(kind, ["a", "b"]), inputs, kind=result)


def resize(shape: list[int], *scales: float, opset: int = 13, **attributes: Any) -> ModelProto:
    weights = {"s": np.array(scales, np.float32)}
    made = node("Resize", ["x", "", "s"], mode="linear", **attributes)
    return one(made, {"x": (FLOAT, shape)}, weights, opset=opset)


def sparse() -> ModelProto:
    proto = one(node("MatMul", ["x", "W"]), {"x": (FLOAT, [2, 4])})
    values = numpy_helper.from_array(np.ones(2, np.float32), "W")
    places = numpy_helper.from_array(ints(1, 5), "W_places")
    proto.graph.sparse_initializer.append(helper.make_sparse_tensor(values, places, [4, 3]))
    return proto


def branching() -> ModelProto:
    sides = {
        side: helper.make_graph(
            [helper.make_node(kind, ["x"], [side])],
            side,
            [],
            [helper.make_tensor_value_info(side, FLOAT, None)],
        )
        for side, kind in (("then_branch", "Relu"), ("else_branch", "NonZero"))
    }
    inputs = {"x": (FLOAT, [2, 3]), "c": (TensorProto.BOOL, [])}
    return one(helper.make_node("If", ["c"], ["y"], name=NAME, **sides), inputs)


def scattered() -> ModelProto:
    """The sum of a graph network: edges' values added up at their nodes."""
    weights = {"zero": np.zeros((3, 4), np.float32)}
    made = node("ScatterElements", ["zero", "i", "x"], axis=0, reduction="add")
    return one(made, {"i": (LONG, [5, 4]), "x": (FLOAT, [5, 4])}, weights, opset=18)


X = {"x": (FLOAT, [2, 6])}
IMAGE = {"x": (FLOAT, [1, 2, 6, 6])}
MODELS: dict[str, Callable[[], ModelProto]] = {
    **{
        f"{kind} of {name}": partial(elementwise, kind, element)
        for kind in ("Elu", "Selu", "Celu", "ThresholdedRelu", "Mish", "HardSwish", "Softplus")
        for name, element in (("halves", HALF), ("doubles", DOUBLE))
    },
    "Pow of a float and an integer": lambda: binary("Pow", FLOAT, INT, FLOAT),
    "Pow of an integer and a float": lambda: binary("Pow", INT, FLOAT, INT),
    "Add of two types": lambda: binary("Add", FLOAT, LONG, FLOAT),
    "Mod of floats": lambda: binary("Mod", FLOAT, FLOAT, FLOAT),
    "BitShift": lambda: one(
        node("BitShift", ["x", "x"], direction="UP"),
        {"x": (TensorProto.UINT8, [3])},
        kind=TensorProto.UINT8,
    ),
    "ReduceL2 of integers": lambda: one(node("ReduceL2", ["x"]), {"x": (INT, [2, 2])}, kind=INT),
    "ReduceMean of integers": lambda: one(
        node("ReduceMean", ["x"]), {"x": (INT, [2, 2])}, kind=INT
    ),
    "LayerNormalization of a small scale": lambda: one(
        node("LayerNormalization", ["x", "s"], axis=1),
        {"x": (FLOAT, [2, 3, 4])},
        {"s": np.ones(4, np.float32)},
    ),
    "EyeLike of a type": lambda: one(
        node("EyeLike", ["x"], dtype=FLOAT, k=1), {"x": (LONG, [3, 4])}
    ),
    "OneHot of a computed depth": lambda: one(
        node("OneHot", ["i", "d", "v"]),
        {"i": (LONG, [3]), "d": (LONG, []), "v": (LONG, [2])},
        kind=LONG,
    ),
    "OneHot of a depth with an axis": lambda: one(
        node("OneHot", ["i", "d", "v"], axis=0),
        {"i": (LONG, [3])},
        {"d": ints(10), "v": ints(2, 7)},
        kind=LONG,
    ),
    "TopK unsorted": lambda: one(node("TopK", ["x", "k"], "y i", sorted=0), X, {"k": ints(2)}),
    "TopK of a computed number": lambda: one(
        node("TopK", ["x", "k"], "y i"), {**X, "k": (LONG, [1])}, shape=[2, 3]
    ),
    "MaxPool with places": lambda: one(node("MaxPool", ["x"], "y i", kernel_shape=[2, 2]), IMAGE),
    "Slice 9": lambda: one(node("Slice", ["x"], axes=[0], starts=[0], ends=[1]), X, opset=9),
    "Slice by computed places": lambda: one(
        node("Slice", ["x", "b", "e"]), {**X, "b": (LONG, [1]), "e": (LONG, [1])}
    ),
    "Upsample 9": lambda: one(
        node("Upsample", ["x", "s"]), IMAGE, {"s": np.array([1, 1, 2, 2], np.float32)}, opset=9
    ),
    "Resize of two axes": lambda: resize([4, 5], 2, 2),
    "Resize symmetric": lambda: resize(
        [1, 1, 3, 3], 1, 1, 2, 2, opset=19, coordinate_transformation_mode="half_pixel_symmetric"
    ),
    "Resize of channels": lambda: resize([1, 2, 3, 3], 1, 2, 2, 2),
    "Resize of four axes": lambda: resize([1, 1, 2, 2, 2, 2], 1, 1, 2, 2, 2, 2),
    "a sparse weight": sparse,
    "a sparse constant": lambda: one(
        helper.make_node(
            "Constant",
            [],
            ["y"],
            name=NAME,
            sparse_value=helper.make_sparse_tensor(
                numpy_helper.from_array(np.ones(1, np.float32), "v"),
                numpy_helper.from_array(ints(1), "i"),
                [3],
            ),
        ),
        {},
    ),
    "Attention with a mask": lambda: one(
        node("Attention", ["x", "w", "b", "m"], domain="com.microsoft", num_heads=2),
        {"x": (FLOAT, [4, 4, 8]), "m": (INT, [4, 4])},
        {"w": np.ones((8, 24), np.float32), "b": np.ones(24, np.float32)},
        domains=("com.microsoft",),
    ),
    "an operator of nobody": lambda: one(
        node("Twist", ["x"], domain="my.ops"), X, domains=("my.ops",)
    ),
    "an operator of ONNX Runtime": lambda: one(
        node("QuickGelu", ["x"], domain="com.microsoft"), X, domains=("com.microsoft",)
    ),
    "DeformConv": lambda: one(
        node("DeformConv", ["x", "w", "o"]),
        {**IMAGE, "o": (FLOAT, [1, 18, 4, 4])},
        {"w": np.ones((2, 2, 3, 3), np.float32)},
        opset=19,
    ),
    "random numbers": lambda: one(node("RandomNormalLike", ["x"]), X),
    "NonZero": lambda: one(node("NonZero", ["x"]), X, kind=LONG),
    "Unique": lambda: one(node("Unique", ["x"], "y"), {"x": (FLOAT, [8])}),
    "Compress": lambda: one(node("Compress", ["x", "c"]), {**X, "c": (TensorProto.BOOL, [12])}),
    "a Range of data": lambda: one(
        node("Range", ["a", "b", "c"]), {name: (FLOAT, []) for name in "abc"}
    ),
    "an Expand to data": lambda: one(node("Expand", ["x", "s"]), {**X, "s": (LONG, [2])}),
    "a Reshape to data": lambda: one(node("Reshape", ["x", "s"]), {**X, "s": (LONG, [2])}),
    "a Pad by data": lambda: one(node("Pad", ["x", "p"]), {**X, "p": (LONG, [4])}),
    "a branch on data": branching,
    "a sum scattered into a constant": scattered,
    "an index out of bounds": lambda: one(node("Gather", ["x", "i"]), X, {"i": ints(9)}),
    "GroupNormalization of unknown shape": lambda: one(
        node("GroupNormalization", ["x", "s", "s"], num_groups=2),
        {"x": (FLOAT, [1, 4, 5, 5])},
        {"s": np.ones(4, np.float32)},
        opset=21,
    ),
    "a product that does not fit": lambda: one(
        node("MatMul", ["x", "w"]), X, {"w": np.ones((4, 5), np.float32)}
    ),
    "a Concat without its axis": lambda: one(node("Concat", ["x", "x"]), X),
    "an attribute that nobody knows": lambda: one(node("Relu", ["x"], colour=3), X),
    "an attribute of another type": lambda: one(node("Softmax", ["x"], axis="last"), X),
    "a value from nowhere": lambda: one(node("Relu", ["nowhere"]), X),
    "too few inputs": lambda: one(node("Add", ["x"]), X),
    "a Conv of another rank": lambda: one(
        node("Conv", ["x", "w"]),
        {"x": (FLOAT, [1, 3, 8])},
        {"w": np.ones((4, 3, 3, 3), np.float32)},
    ),
    "an Einsum of too many letters": lambda: one(node("Einsum", ["x"], equation="abc->a"), X),
    "a text as a value": lambda: one(
        node("LabelEncoder", ["x"], domain="ai.onnx.ml", keys_strings=["a"], values_int64s=[1]),
        {"x": (TensorProto.STRING, [2])},
        kind=LONG,
        domains=("ai.onnx.ml",),
    ),
}
NAMELESS = {"a text as a value"}  # the input is at fault


@pytest.mark.parametrize("kind", MODELS)
def test_a_model_is_opened_or_refused_in_a_sentence_that_names_the_node(
    kind: str, tmp_path: Path
) -> None:
    path = build.save(MODELS[kind](), tmp_path / "m.onnx")
    try:
        open_here(ModelSource("file", str(path)), resolve("cpu"))
    except ModelError as error:
        assert kind in NAMELESS or "culprit" in error.what
        assert_is_a_sentence(error)


def assert_is_a_sentence(error: ModelError) -> None:
    assert "\n" not in str(error)
    assert len(error.what) < 400
    assert len(error.todo) > 10
    assert error.what.endswith(".")
    assert not FOREIGN.search(str(error)), str(error)
