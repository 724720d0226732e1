"""Small models of many kinds, and random damage to their structure."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
from onnx import AttributeProto, ModelProto, TensorProto, helper

from tests.engine.models import build
from tests.engine.tasks.networks import NETWORKS

OPERATORS = (
    "Add", "Cast", "Concat", "Conv", "ConvTranspose", "Expand", "Gather", "Gemm", "LSTM", "MatMul",
    "MaxPool", "NonZero", "Pad", "Range", "ReduceSum", "Relu", "Reshape", "Resize", "ScatterND",
    "Slice", "Softmax", "Split", "Squeeze", "Tile", "TopK", "Transpose", "Unsqueeze", "Where",
)  # fmt: skip

SIZES = (-(2**63), -(2**31), -2, -1, 0, 1, 2, 3, 7, 65_536, 2**31 - 1, 2**40, 2**63 - 1)


def arithmetic_model() -> ModelProto:
    """Shapes that are computed: Shape, Gather, Concat, Reshape; then Pad, Slice and Expand."""
    node = helper.make_node
    nodes = [
        node("Shape", ["x"], ["shape"]),
        node("Gather", ["shape", "zero"], ["first"], axis=0),
        node("Concat", ["first", "rest"], ["wanted"], axis=0),
        node("Reshape", ["x", "wanted"], ["flat"]),
        node("Pad", ["flat", "pads"], ["padded"]),
        node("Slice", ["padded", "zero", "four", "one"], ["cut"]),
        node("Gemm", ["cut", "w"], ["y"]),
    ]
    return build.model(
        nodes,
        [("x", TensorProto.FLOAT, [2, 2, 4])],
        [("y", TensorProto.FLOAT, [2, 3])],
        {
            "zero": np.array([0]),
            "one": np.array([1]),
            "four": np.array([4]),
            "rest": np.array([8]),
            "pads": np.array([0, 0, 0, 0]),
            "w": np.ones((4, 3), np.float32),
        },
    )


SEEDS: tuple[Callable[[], ModelProto], ...] = (
    build.conv_relu_model,
    build.branches_model,
    arithmetic_model,
    *NETWORKS.values(),
)


def damaged(dice: random.Random) -> bytes:
    """The bytes of a small model with one to three kinds of damage."""
    proto = dice.choice(SEEDS)()
    for _ in range(dice.randint(1, 3)):
        dice.choice(_DAMAGES)(dice, proto)
    data = bytearray(proto.SerializeToString())
    if dice.randint(0, 3) == 0:
        for _ in range(dice.randint(1, 3)):
            data[dice.randrange(len(data))] = dice.randint(0, 255)
    return bytes(data)


def _node(dice: random.Random, proto: ModelProto) -> Any:
    return dice.choice(list(proto.graph.node))


def _operator(dice: random.Random, proto: ModelProto) -> None:
    _node(dice, proto).op_type = dice.choice(OPERATORS)


def _inputs(dice: random.Random, proto: ModelProto) -> None:
    node, other = _node(dice, proto), _node(dice, proto)
    names = [*node.input, *node.output, *other.input, *other.output, "", "nowhere"]
    del node.input[:]
    node.input.extend(dice.choices(names, k=dice.randint(0, 5)))


def _attribute(dice: random.Random, proto: ModelProto) -> None:
    attributes = [a for node in proto.graph.node for a in node.attribute]
    if not attributes:
        return
    attribute = dice.choice(attributes)
    if attribute.type == AttributeProto.INT:
        attribute.i = dice.choice(SIZES)
    elif attribute.type == AttributeProto.INTS:
        sizes = dice.choices(SIZES, k=dice.randint(0, 6))
        del attribute.ints[:]
        attribute.ints.extend(sizes)
    else:
        attribute.type = dice.randint(0, 14)


def _lost_node(dice: random.Random, proto: ModelProto) -> None:
    if len(proto.graph.node) > 1:
        del proto.graph.node[dice.randrange(len(proto.graph.node))]


def _weight(dice: random.Random, proto: ModelProto) -> None:
    if not proto.graph.initializer:
        return
    tensor = dice.choice(list(proto.graph.initializer))
    kind = dice.choice(("dims", "type", "values"))
    if kind == "dims":
        dims = dice.choices(SIZES, k=dice.randint(0, 4))
        del tensor.dims[:]
        tensor.dims.extend(dims)
    elif kind == "type":
        tensor.data_type = dice.randint(0, 24)
    elif tensor.data_type == TensorProto.INT64:
        count = len(tensor.raw_data) // 8
        values = dice.choices(SIZES, k=count)
        tensor.raw_data = np.array(values, np.int64).tobytes()


def _shape(dice: random.Random, proto: ModelProto) -> None:
    value = dice.choice([*proto.graph.input, *proto.graph.output])
    kind = value.type.tensor_type
    kind.elem_type = dice.choice((kind.elem_type, kind.elem_type, 0, 6, 7, 9, 10, 11))
    if kind.shape.dim:
        dim = kind.shape.dim[dice.randrange(len(kind.shape.dim))]
        dim.dim_value = dice.choice(SIZES)


def _opset(dice: random.Random, proto: ModelProto) -> None:
    proto.opset_import[0].version = dice.choice((0, 1, 6, 9, 11, 13, 18, 25, 2**40))


_DAMAGES = (_operator, _inputs, _attribute, _attribute, _lost_node, _weight, _shape, _opset)
