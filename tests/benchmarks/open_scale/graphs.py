"""Networks of as many nodes as are asked for, of kinds that grow in different directions."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

_CHANNELS = 8
_IMAGE = [1, _CHANNELS, 8, 8]
_UNARY = ("Relu", "Sigmoid", "Tanh", "Abs")


def elementwise(count: int) -> ModelProto:
    """A chain of operators of one input."""
    nodes, last = [], "x"
    for place in range(count):
        nodes.append(_node(_UNARY[place % len(_UNARY)], [last], f"v{place}"))
        last = f"v{place}"
    return _model(nodes, [1, 64], [last], {})


def convolutions(count: int) -> ModelProto:
    """A chain of convolutions, each with weights of its own."""
    random = np.random.default_rng(0)
    nodes, weights, last = [], {}, "x"
    for place in range(count):
        weights[f"w{place}"] = _weight(random, 1)
        nodes.append(_node("Conv", [last, f"w{place}"], f"v{place}"))
        last = f"v{place}"
    return _model(nodes, _IMAGE, [last], weights)


def wide(count: int) -> ModelProto:
    """As many products of one input, each of which is an output."""
    names = [f"v{place}" for place in range(count)]
    weights = {f"c{place}": np.full(64, place + 0.5, np.float32) for place in range(count)}
    nodes = [_node("Mul", ["x", f"c{place}"], name) for place, name in enumerate(names)]
    return _model(nodes, [1, 64], names, weights)


def residual(count: int) -> ModelProto:
    """Blocks of a convolution with a bias, a rectifier, what went in added, another rectifier."""
    random = np.random.default_rng(0)
    nodes: list[NodeProto] = []
    weights: dict[str, np.ndarray] = {}
    last = "x"
    for place in range(max(1, count // 4)):
        weights[f"w{place}"] = _weight(random, 3)
        weights[f"b{place}"] = random.standard_normal(_CHANNELS, np.float32)
        nodes += [
            _node("Conv", [last, f"w{place}", f"b{place}"], f"c{place}", pads=[1] * 4),
            _node("Relu", [f"c{place}"], f"r{place}"),
            _node("Add", [f"r{place}", last], f"a{place}"),
            _node("Relu", [f"a{place}"], f"v{place}"),
        ]
        last = f"v{place}"
    return _model(nodes, _IMAGE, [last], weights)


KINDS: Mapping[str, Callable[[int], ModelProto]] = {
    "elementwise": elementwise,
    "convolutions": convolutions,
    "wide": wide,
    "residual": residual,
}


def _weight(random: np.random.Generator, kernel: int) -> np.ndarray:
    values = random.standard_normal((_CHANNELS, _CHANNELS, kernel, kernel), np.float32)
    return values / np.float32(kernel * 3)


def _node(operator: str, inputs: list[str], output: str, **attributes: list[int]) -> NodeProto:
    return helper.make_node(operator, inputs, [output], name=f"n_{output}", **attributes)


def _model(
    nodes: list[NodeProto], shape: list[int], outputs: list[str], weights: Mapping[str, np.ndarray]
) -> ModelProto:
    kind = TensorProto.FLOAT
    graph = helper.make_graph(
        nodes,
        "generated",
        [helper.make_tensor_value_info("x", kind, shape)],
        [helper.make_tensor_value_info(name, kind, None) for name in outputs],
        [numpy_helper.from_array(array, name) for name, array in weights.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
