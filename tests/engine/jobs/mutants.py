"""Small models of many kinds, and random damage to their structure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import strategies as st
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


@st.composite
def mutants(draw: st.DrawFn) -> bytes:
    """The bytes of a small model with one to three kinds of damage."""
    proto = draw(st.sampled_from(SEEDS))()
    for _ in range(draw(st.integers(1, 3))):
        draw(st.sampled_from(_DAMAGES))(draw, proto)
    data = bytearray(proto.SerializeToString())
    if draw(st.integers(0, 3)) == 0:
        for _ in range(draw(st.integers(1, 3))):
            data[draw(st.integers(0, len(data) - 1))] = draw(st.integers(0, 255))
    return bytes(data)


def _node(draw: st.DrawFn, proto: ModelProto) -> Any:
    return draw(st.sampled_from(list(proto.graph.node)))


def _operator(draw: st.DrawFn, proto: ModelProto) -> None:
    _node(draw, proto).op_type = draw(st.sampled_from(OPERATORS))


def _inputs(draw: st.DrawFn, proto: ModelProto) -> None:
    node, other = _node(draw, proto), _node(draw, proto)
    names = [*node.input, *node.output, *other.input, *other.output, "", "nowhere"]
    del node.input[:]
    node.input.extend(draw(st.lists(st.sampled_from(names), max_size=5)))


def _attribute(draw: st.DrawFn, proto: ModelProto) -> None:
    attributes = [a for node in proto.graph.node for a in node.attribute]
    if not attributes:
        return
    attribute = draw(st.sampled_from(attributes))
    if attribute.type == AttributeProto.INT:
        attribute.i = draw(st.sampled_from(SIZES))
    elif attribute.type == AttributeProto.INTS:
        sizes = draw(st.lists(st.sampled_from(SIZES), max_size=6))
        del attribute.ints[:]
        attribute.ints.extend(sizes)
    else:
        attribute.type = draw(st.integers(0, 14))


def _lost_node(draw: st.DrawFn, proto: ModelProto) -> None:
    if len(proto.graph.node) > 1:
        del proto.graph.node[draw(st.integers(0, len(proto.graph.node) - 1))]


def _weight(draw: st.DrawFn, proto: ModelProto) -> None:
    if not proto.graph.initializer:
        return
    tensor = draw(st.sampled_from(list(proto.graph.initializer)))
    kind = draw(st.sampled_from(("dims", "type", "values")))
    if kind == "dims":
        dims = draw(st.lists(st.sampled_from(SIZES), max_size=4))
        del tensor.dims[:]
        tensor.dims.extend(dims)
    elif kind == "type":
        tensor.data_type = draw(st.integers(0, 24))
    elif tensor.data_type == TensorProto.INT64:
        count = len(tensor.raw_data) // 8
        values = draw(st.lists(st.sampled_from(SIZES), min_size=count, max_size=count))
        tensor.raw_data = np.array(values, np.int64).tobytes()


def _shape(draw: st.DrawFn, proto: ModelProto) -> None:
    value = draw(st.sampled_from([*proto.graph.input, *proto.graph.output]))
    kind = value.type.tensor_type
    kind.elem_type = draw(st.sampled_from((kind.elem_type, kind.elem_type, 0, 6, 7, 9, 10, 11)))
    if kind.shape.dim:
        dim = kind.shape.dim[draw(st.integers(0, len(kind.shape.dim) - 1))]
        dim.dim_value = draw(st.sampled_from(SIZES))


def _opset(draw: st.DrawFn, proto: ModelProto) -> None:
    proto.opset_import[0].version = draw(st.sampled_from((0, 1, 6, 9, 11, 13, 18, 25, 2**40)))


_DAMAGES = (_operator, _inputs, _attribute, _attribute, _lost_node, _weight, _shape, _opset)
