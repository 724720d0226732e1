"""One block of a transformer encoder as an ONNX model, with seeded random weights.

`python -m tests.benchmarks.networks.encoder_block FILE.onnx` writes it as large as the recordings'.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

_OPSET = 17


class _Graph:
    """Nodes and weights as they are added; every method returns the name of its result."""

    def __init__(self, seed: int) -> None:
        self.nodes: list[NodeProto] = []
        self.weights: dict[str, NDArray[np.float32] | NDArray[np.int64]] = {}
        self._rng = np.random.default_rng(seed)

    def node(self, kind: str, *inputs: str, **attributes: object) -> str:
        name = f"{kind.lower()}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], name=name, **attributes))
        return name

    def constant(self, value: NDArray[np.float32] | NDArray[np.int64]) -> str:
        name = f"weight_{len(self.weights)}"
        self.weights[name] = value
        return name

    def number(self, value: float) -> str:
        return self.constant(np.array([value], np.float32))

    def linear(self, value: str, size: int, result: int) -> str:
        scale = 1 / np.sqrt(size)
        weight = self._rng.normal(0, scale, (size, result)).astype(np.float32)
        bias = self._rng.normal(0, 0.1, result).astype(np.float32)
        product = self.node("MatMul", value, self.constant(weight))
        return self.node("Add", product, self.constant(bias))

    def normalise(self, value: str, size: int) -> str:
        gain = self._rng.normal(1, 0.1, size).astype(np.float32)
        shift = self._rng.normal(0, 0.1, size).astype(np.float32)
        inputs = (value, self.constant(gain), self.constant(shift))
        return self.node("LayerNormalization", *inputs, axis=-1, epsilon=1e-5)

    def gelu(self, value: str) -> str:
        scaled = self.node("Mul", value, self.number(np.sqrt(0.5)))
        shifted = self.node("Add", self.node("Erf", scaled), self.number(1.0))
        product = self.node("Mul", value, shifted)
        return self.node("Mul", product, self.number(0.5))


def encoder_block(
    width: int = 256, heads: int = 4, length: int = 128, hidden: int = 1024, seed: int = 0
) -> ModelProto:
    """x (1, length, width) -> self-attention and a feed-forward of `hidden` -> y, same shape."""
    graph = _Graph(seed)
    attended = _attention(graph, "x", width, heads, length)
    first = graph.normalise(graph.node("Add", "x", attended), width)
    inner = graph.gelu(graph.linear(first, width, hidden))
    second = graph.node("Add", first, graph.linear(inner, hidden, width))
    result = graph.normalise(second, width)
    graph.nodes.append(helper.make_node("Identity", [result], ["y"], name="result"))
    shape = (TensorProto.FLOAT, [1, length, width])
    made = helper.make_graph(
        graph.nodes,
        "encoder_block",
        [helper.make_tensor_value_info("x", *shape)],
        [helper.make_tensor_value_info("y", *shape)],
        [numpy_helper.from_array(value, name) for name, value in graph.weights.items()],
    )
    return helper.make_model(made, opset_imports=[helper.make_opsetid("", _OPSET)], ir_version=8)


def _attention(graph: _Graph, value: str, width: int, heads: int, length: int) -> str:
    size = width // heads
    split = graph.constant(np.array([1, length, heads, size], np.int64))
    joined = graph.constant(np.array([1, length, width], np.int64))

    def parts(order: list[int]) -> str:
        linear = graph.linear(value, width, width)
        return graph.node("Transpose", graph.node("Reshape", linear, split), perm=order)

    query, key, content = parts([0, 2, 1, 3]), parts([0, 2, 3, 1]), parts([0, 2, 1, 3])
    product = graph.node("MatMul", query, key)
    scores = graph.node("Mul", product, graph.number(1 / np.sqrt(size)))
    mixed = graph.node("MatMul", graph.node("Softmax", scores, axis=-1), content)
    back = graph.node("Transpose", mixed, perm=[0, 2, 1, 3])
    return graph.linear(graph.node("Reshape", back, joined), width, width)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.parse_args().file.write_bytes(encoder_block().SerializeToString())
