"""Networks of cells with many small branches, in the manner of NASNet and of RandWire, as ONNX.

`python -m tests.benchmarks.networks.random_networks FOLDER [--batch N]` writes both.

A cell of the NASNet-like one has 18 operators once it is lowered and fused, of which 8 wait for
none of each other, and as many pairs of a set and an ending as IOS's authors counted, 3.1e5. A
block of the RandWire-like one has 33 operators, 8 of them side by side. Its graph is a small world
(Watts and Strogatz 1998) with its edges directed upwards, as in Xie et al. 2019, "Exploring
Randomly Wired Neural Networks"; its seed was chosen for these counts. Weights come of seeds.
"""

from __future__ import annotations

import argparse
import math
import random
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

_OPSET = 13
_IR_VERSION = 8

CHANNELS = 80
SIZE = 14
CELLS = 3  # in a row, of the NASNet-like network
BLOCKS = 2  # of the RandWire-like one
_POINTS, _NEIGHBOURS, _REWIRED = 20, 4, 0.75
_WIRING = 1165


class Network:
    """Nodes and weights as they are added; every method returns the name of its result."""

    def __init__(self, channels: int, seed: int) -> None:
        self.channels = channels
        self.nodes: list[NodeProto] = []
        self.weights: dict[str, NDArray[np.float32]] = {}
        self._rng = np.random.default_rng(seed)

    def node(self, kind: str, *inputs: str, **attributes: object) -> str:
        name = f"{kind.lower()}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], name=name, **attributes))
        return name

    def conv(
        self,
        value: str,
        kernel: int,
        *,
        inputs: int | None = None,
        outputs: int | None = None,
        stride: int = 1,
        depthwise: bool = False,
    ) -> str:
        """A convolution with a bias, which keeps the size divided by the stride; where nothing else
        is said, from all channels to all."""
        inputs, outputs = inputs or self.channels, outputs or self.channels
        groups = outputs if depthwise else 1
        shape = (outputs, inputs // groups, kernel, kernel)
        weight = self.weight(shape, math.sqrt(2 / math.prod(shape[1:])))
        bias = self.weight((outputs,), 0.1)
        options = {"pads": [kernel // 2] * 4, "strides": [stride] * 2, "group": groups}
        return self.node("Conv", value, weight, bias, **options)

    def point(self, value: str, inputs: int | None = None) -> str:
        """A 1x1 convolution, rectified."""
        return self.node("Relu", self.conv(value, 1, inputs=inputs))

    def dense(self, value: str, kernel: int = 3) -> str:
        """A convolution of all channels, rectified."""
        return self.node("Relu", self.conv(value, kernel))

    def separable(self, value: str, kernel: int = 3) -> str:
        """A depthwise convolution and a pointwise one, rectified at the end."""
        return self.point(self.conv(value, kernel, depthwise=True))

    def total(self, values: Sequence[str]) -> str:
        """The sum of some values."""
        return values[0] if len(values) == 1 else self.node("Sum", *values)

    def scalar(self, value: float) -> str:
        """A constant without axes."""
        name = f"scalar_{value:g}"
        self.weights[name] = np.array(value, np.float32)
        return name

    def model(
        self, name: str, result: str, shape: Sequence[int], outputs: int | None = None
    ) -> ModelProto:
        """x of that shape, through the nodes, to the mean of each channel: y; there are `outputs`
        channels, as many as the input's where nothing is said."""
        self.nodes.append(helper.make_node("GlobalAveragePool", [result], ["y"], name="mean"))
        source = helper.make_tensor_value_info("x", TensorProto.FLOAT, list(shape))
        sizes = [shape[0], outputs or shape[1], 1, 1]
        sink = helper.make_tensor_value_info("y", TensorProto.FLOAT, sizes)
        tensors = [numpy_helper.from_array(value, name) for name, value in self.weights.items()]
        made = helper.make_graph(self.nodes, name, [source], [sink], tensors)
        opsets = [helper.make_opsetid("", _OPSET)]
        return helper.make_model(made, opset_imports=opsets, ir_version=_IR_VERSION)

    def weight(self, shape: tuple[int, ...], scale: float) -> str:
        name = f"weight_{len(self.weights)}"
        noise = self._rng.standard_normal(shape, dtype=np.float32)
        self.weights[name] = noise * np.float32(scale)
        return name


def nasnet_like(
    batch: int = 1, cells: int = CELLS, channels: int = CHANNELS, size: int = SIZE, seed: int = 0
) -> ModelProto:
    """x (batch, channels, size, size) through cells of four sums, joined."""
    network = Network(channels, seed)
    value, width = network.point("x"), channels
    for _ in range(cells):
        sums = _cell(network, value, width)
        value, width = network.node("Concat", *sums, axis=1), len(sums) * channels
    result = network.point(value, inputs=width)
    return network.model("nasnet_like", result, (batch, channels, size, size))


def _cell(network: Network, value: str, width: int) -> list[str]:
    """Sums of two separable convolutions each, of two adjusted inputs."""
    one, other = (network.point(value, inputs=width) for _ in range(2))
    separable, total = network.separable, network.total
    return [
        total([separable(one, 3), separable(other, 5)]),
        total([separable(other, 5), separable(one, 3)]),
        total([separable(one, 3), separable(other, 3)]),
        total([separable(other, 3), separable(one, 5)]),
    ]


def randwire_like(
    batch: int = 1,
    blocks: int = BLOCKS,
    channels: int = CHANNELS,
    size: int = SIZE,
    seed: int = 0,
    wiring: int = _WIRING,
) -> ModelProto:
    """x (batch, channels, size, size) through blocks wired alike, each behind a 1x1
    convolution."""
    network = Network(channels, seed)
    value = "x"
    for _ in range(blocks):
        value = _wired(network, network.point(value), wiring)
    result = network.point(value)
    return network.model("randwire_like", result, (batch, channels, size, size))


def _wired(network: Network, value: str, wiring: int) -> str:
    """Each point sums what leads to it and convolves; those that lead nowhere are summed."""
    dice = random.Random(wiring)
    edges = _small_world(_POINTS, _NEIGHBOURS, _REWIRED, dice)
    kinds = (network.separable, network.dense, network.point)
    results: list[str] = []
    for point in range(_POINTS):
        sources = [results[first] for first, last in edges if last == point] or [value]
        results.append(kinds[int(dice.random() * len(kinds))](network.total(sources)))
    inner = {first for first, _ in edges}
    return network.total([result for place, result in enumerate(results) if place not in inner])


def _small_world(
    points: int, neighbours: int, rewired: float, dice: random.Random
) -> list[tuple[int, int]]:
    """A ring with edges to the nearest `neighbours`, some of them rewired; smaller ends first.

    It draws by `random` alone, which all versions of Python draw alike.
    """
    edges = {
        _upwards(point, (point + step) % points)
        for point in range(points)
        for step in range(1, neighbours // 2 + 1)
    }
    for first, last in sorted(edges):
        if dice.random() >= rewired:
            continue
        free = [
            other
            for other in range(points)
            if other != first and _upwards(first, other) not in edges
        ]
        if free:
            edges.remove((first, last))
            edges.add(_upwards(first, free[int(dice.random() * len(free))]))
    return sorted(edges)


def _upwards(one: int, other: int) -> tuple[int, int]:
    return min(one, other), max(one, other)


NETWORKS: dict[str, Callable[[int], ModelProto]] = {
    "nasnet_like": nasnet_like,
    "randwire_like": randwire_like,
}


def write(name: str, folder: Path, batch: int = 1) -> Path:
    """The file of one of the networks, the same bytes each time."""
    path = folder / (f"{name}.onnx" if batch == 1 else f"{name}-batch{batch}.onnx")
    path.write_bytes(NETWORKS[name](batch).SerializeToString(deterministic=True))
    return path


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--batch", type=int, default=1)
    options = parser.parse_args()
    for network_name in NETWORKS:
        print(write(network_name, options.folder, options.batch))
