"""Small ONNX models for tests."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

Dim = int | str | None
Value = tuple[str, int, Sequence[Dim] | None]


def model(
    nodes: Sequence[NodeProto],
    inputs: Sequence[Value],
    outputs: Sequence[Value],
    weights: dict[str, np.ndarray] | None = None,
    *,
    opset: int = 17,
    domains: Sequence[str] = (),
) -> ModelProto:
    """A model of these parts; values are (name, element type, shape)."""
    graph = helper.make_graph(
        list(nodes),
        "test",
        [helper.make_tensor_value_info(*value) for value in inputs],
        [helper.make_tensor_value_info(*value) for value in outputs],
        [numpy_helper.from_array(array, name) for name, array in (weights or {}).items()],
    )
    imports = [helper.make_opsetid("", opset), *(helper.make_opsetid(d, 1) for d in domains)]
    return helper.make_model(graph, opset_imports=imports, ir_version=8 if opset < 20 else 10)


def conv_relu_model(channels: int = 4) -> ModelProto:
    """x (1, 3, 8, 8) -> Conv -> Relu -> y (1, channels, 8, 8)."""
    return _conv_relu((1, 3, 8, 8), (1, channels, 8, 8), channels)


def two_convs_model(first: int = 64, second: int = 64, size: int = 8) -> ModelProto:
    """x (1, 3, size, size) -> Conv, Relu -> Conv, Relu; the two convolutions are of one class.

    They are dilated: others of 3x3 may be computed in another way, as three tasks.
    """
    rng = np.random.default_rng(0)
    weights = {
        "w1": rng.standard_normal((first, 3, 3, 3), np.float32),
        "b1": rng.standard_normal(first, np.float32),
        "w2": rng.standard_normal((second, first, 3, 3), np.float32),
        "b2": rng.standard_normal(second, np.float32),
    }
    apart = {"pads": [2] * 4, "dilations": [2] * 2}
    nodes = [
        helper.make_node("Conv", ["x", "w1", "b1"], ["c1"], **apart),
        helper.make_node("Relu", ["c1"], ["r1"]),
        helper.make_node("Conv", ["r1", "w2", "b2"], ["c2"], **apart),
        helper.make_node("Relu", ["c2"], ["y"]),
    ]
    x: Value = ("x", TensorProto.FLOAT, (1, 3, size, size))
    y: Value = ("y", TensorProto.FLOAT, (1, second, size, size))
    return model(nodes, [x], [y], weights)


def joined_branches_model(
    kernels: Sequence[int] = (3, 1), widths: Sequence[int] = (8, 8)
) -> ModelProto:
    """As `branches_model`, with a 1x1 convolution after the Concat."""
    proto = branches_model(kernels, widths=widths)
    weight = np.random.default_rng(1).standard_normal((4, sum(widths), 1, 1), np.float32)
    proto.graph.initializer.append(numpy_helper.from_array(weight, "last"))
    proto.graph.node[-1].output[0] = "joined"
    proto.graph.node.append(helper.make_node("Conv", ["joined", "last"], ["y"]))
    proto.graph.output[0].type.tensor_type.shape.dim[1].dim_value = 4
    return proto


def branches_model(
    kernels: Sequence[int] = (3, 1),
    channels: int = 16,
    size: int = 8,
    widths: Sequence[int] | None = None,
) -> ModelProto:
    """x (1, channels, size, size) -> a Conv, Relu for each kernel -> Concat -> y.

    `widths` are the output channels of the convolutions, `channels` where they are not given.
    """
    rng = np.random.default_rng(0)
    widths = widths or [channels] * len(kernels)
    weights, nodes = {}, []
    for index, (kernel, width) in enumerate(zip(kernels, widths, strict=True)):
        shape = (width, channels, kernel, kernel)
        weights[f"w{index}"] = rng.standard_normal(shape, np.float32) / (channels * kernel)
        pads = [kernel // 2] * 4
        nodes.append(helper.make_node("Conv", ["x", f"w{index}"], [f"c{index}"], pads=pads))
        nodes.append(helper.make_node("Relu", [f"c{index}"], [f"r{index}"]))
    branches = [f"r{index}" for index in range(len(kernels))]
    nodes.append(helper.make_node("Concat", branches, ["y"], axis=1))
    x: Value = ("x", TensorProto.FLOAT, (1, channels, size, size))
    y: Value = ("y", TensorProto.FLOAT, (1, sum(widths), size, size))
    return model(nodes, [x], [y], weights)


def dynamic_model(dims: Sequence[Dim] = ("batch", 3, "height", "width")) -> ModelProto:
    """The same with an input of the given dimensions; None is a dimension without a name."""
    return _conv_relu(dims, ("b", 4, "h", "w"), 4)


def two_input_model(first: Sequence[Dim], second: Sequence[Dim]) -> ModelProto:
    """a + b."""
    nodes = [helper.make_node("Add", ["a", "b"], ["y"])]
    inputs: list[Value] = [("a", TensorProto.FLOAT, first), ("b", TensorProto.FLOAT, second)]
    return model(nodes, inputs, [("y", TensorProto.FLOAT, None)])


def unsupported_model() -> ModelProto:
    """Two operators that nobody knows; my.ops::Fold is in one branch of an If alone."""
    value = helper.make_tensor_value_info
    branches = {
        "then_branch": helper.make_graph(
            [helper.make_node("Fold", ["x"], ["t"], domain="my.ops")],
            "then",
            [],
            [value("t", 1, [])],
        ),
        "else_branch": helper.make_graph(
            [helper.make_node("ReduceSum", ["x"], ["e"], keepdims=0)],
            "else",
            [],
            [value("e", 1, [])],
        ),
    }
    nodes = [
        helper.make_node("If", ["c"], ["z"], name="choose", **branches),
        helper.make_node("Twist", ["z"], ["y"], domain="my.ops"),
    ]
    inputs: list[Value] = [("x", TensorProto.FLOAT, [4, 4]), ("c", TensorProto.BOOL, [])]
    return model(nodes, inputs, [("y", TensorProto.FLOAT, [])], domains=["my.ops"])


def unary_model(*operators: str, opset: int = 17, domain: str = "") -> ModelProto:
    """x (2, 8) through a chain of operators with one input."""
    names = ["x", *(f"v{i}" for i in range(len(operators) - 1)), "y"]
    nodes = [
        helper.make_node(operator, [names[i]], [names[i + 1]], domain=domain, name=f"n{i}")
        for i, operator in enumerate(operators)
    ]
    shape = (TensorProto.FLOAT, [2, 8])
    domains = [domain] if domain else []
    return model(nodes, [("x", *shape)], [("y", *shape)], opset=opset, domains=domains)


def save(proto: ModelProto, path: Path) -> Path:
    """Write a model as it is."""
    path.write_bytes(proto.SerializeToString())
    return path


def save_external(folder: Path) -> Path:
    """conv_relu_model with its weight in the file "weights.bin" beside it."""
    path = folder / "external.onnx"
    onnx.save_model(
        conv_relu_model(),
        str(path),
        save_as_external_data=True,
        location="weights.bin",
        size_threshold=0,
    )
    return path


def set_external(path: Path, **entries: str) -> None:
    """Change where a saved model says that its weights are."""
    proto = ModelProto.FromString(path.read_bytes())
    for tensor in proto.graph.initializer:
        kept = {entry.key: entry.value for entry in tensor.external_data} | entries
        del tensor.external_data[:]
        for key, value in kept.items():
            tensor.external_data.add(key=key, value=value)
    save(proto, path)


def _conv_relu(source: Sequence[Dim], result: Sequence[Dim], channels: int) -> ModelProto:
    weight = np.random.default_rng(0).standard_normal((channels, 3, 3, 3), dtype=np.float32)
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["c"], pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["c"], ["y"]),
    ]
    inputs: list[Value] = [("x", TensorProto.FLOAT, source)]
    return model(nodes, inputs, [("y", TensorProto.FLOAT, result)], {"w": weight})
