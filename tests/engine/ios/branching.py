"""Tiny networks whose operators share inputs, and a GPU target that needs no GPU."""

from __future__ import annotations

import json

import numpy as np
from onnx import ModelProto

from engine.records.machine import TargetSpec
from tests.engine.models.build import model
from tests.engine.tasks.networks import FLOAT, conv, node, outputs, weight

GPU = TargetSpec(
    json.dumps(
        {
            "kind": "cuda",
            "arch": "sm_80",
            "max_num_threads": 1024,
            "max_threads_per_block": 1024,
            "max_shared_memory_per_block": 49152,
            "thread_warp_size": 32,
        }
    ),
    "cuda of no machine",
    "cuda:0",
    1,
)


def convolutions(batch: int = 1) -> ModelProto:
    """One convolution, then six of its output.

    1x1, 3x3 and 1x1 again, the last without a bias; a dilated 3x3; one with stride 2; one that
    ends in a sigmoid: of 8, 4, 6, 10, 12 and 14 channels.
    """
    nodes = [
        conv("x w", "c"),
        node("Relu", "c", "r"),
        node("Conv", "r w0 b0", "c0"),
        node("Relu", "c0", "y0"),
        conv("r w1 b1", "c1"),
        node("Relu", "c1", "y1"),
        node("Conv", "r w2", "c2"),
        node("Relu", "c2", "y2"),
        node("Conv", "r w3 b3", "c3", pads=[2, 2, 2, 2], dilations=[2, 2]),
        node("Relu", "c3", "y3"),
        node("Conv", "r w4", "c4", strides=[2, 2]),
        node("Relu", "c4", "y4"),
        node("Conv", "r w5", "c5"),
        node("Sigmoid", "c5", "y5"),
    ]
    sizes = {8: 1, 4: 3, 6: 1, 10: 3, 12: 1, 14: 1}  # of the windows, by output channels
    weights = {
        f"w{place}": weight(channels, 16, size, size, seed=place)
        for place, (channels, size) in enumerate(sizes.items())
    }
    biases = {
        f"b{place}": weight(channels, seed=9 + place)
        for place, channels in enumerate(sizes)
        if place in (0, 1, 3)
    }
    names = tuple(f"y{place}" for place in range(len(sizes)))
    return model(
        nodes,
        [("x", FLOAT, [batch, 8, 6, 6])],
        outputs(*names),
        {"w": weight(16, 8, 3, 3), **weights, **biases},
    )


def twins() -> ModelProto:
    """One convolution, then two of its output that are one task."""
    nodes = [conv("x w", "c"), conv("c w0", "y0"), conv("c w1", "y1")]
    weights = {
        "w": weight(16, 8, 3, 3),
        "w0": weight(8, 16, 3, 3),
        "w1": weight(8, 16, 3, 3, seed=1),
    }
    return model(nodes, [("x", FLOAT, [1, 8, 6, 6])], outputs("y0", "y1"), weights)


def matmuls() -> ModelProto:
    """Three matmuls of one tensor, two of them with a bias."""
    nodes = [
        node("Relu", "x", "r"),
        node("MatMul", "r q", "q0"),
        node("Add", "q0 qb", "yq"),
        node("MatMul", "r k", "k0"),
        node("Add", "k0 kb", "yk"),
        node("MatMul", "r v", "yv"),
    ]
    sizes = {"q": 8, "k": 8, "v": 24}
    weights = {name: weight(16, size, seed=size) for name, size in sizes.items()}
    weights["k"] = weight(16, 8, seed=1)
    weights |= {"qb": weight(8), "kb": weight(8, seed=2)}
    return model(nodes, [("x", FLOAT, [6, 16])], outputs("yq", "yk", "yv"), weights)


def no_layers() -> ModelProto:
    """What looks like a convolution, a matmul or a bias, and is none: grouped, computed, added."""
    nodes = [
        node("Relu", "x", "r"),
        conv("r g", "c0", group=4),
        conv("r w", "c1"),
        node("Add", "c1 r", "y1"),
        node("Reshape", "r s", "m"),
        node("Transpose", "m", "t", perm=[1, 0]),
        node("MatMul", "m t", "y2"),
        node("Relu", "c0", "y0"),
    ]
    weights = {
        "g": weight(16, 4, 3, 3),
        "w": weight(16, 16, 3, 3),
        "s": np.array([16, 16]),
    }
    return model(nodes, [("x", FLOAT, [1, 16, 4, 4])], outputs("y0", "y1", "y2"), weights)
