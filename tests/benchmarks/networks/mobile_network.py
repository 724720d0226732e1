"""A mobile classifier in the manner of MobileNet v2 (Sandler et al. 2018), with seeded weights.

Inverted residuals: a pointwise convolution widens, a depthwise one filters, a pointwise one narrows
without a rectifier, and blocks of equal shape add what they were given.
"""

from __future__ import annotations

from onnx import ModelProto

from tests.benchmarks.networks.random_networks import Network

CLASSES = 1000
# Widening, channels, blocks, stride of the first: the table of the paper.
_STAGES = (
    (1, 16, 1, 1),
    (6, 24, 2, 2),
    (6, 32, 3, 2),
    (6, 64, 4, 2),
    (6, 96, 3, 1),
    (6, 160, 3, 2),
    (6, 320, 1, 1),
)
_LAST = 1280


def mobilenet_like(batch: int = 1, size: int = 224, seed: int = 0) -> ModelProto:
    """x (batch, 3, size, size) to y, its classes' scores (batch, 1000, 1, 1), as means of maps."""
    network = Network(32, seed)
    value = _clipped(network, network.conv("x", 3, inputs=3, stride=2))
    width = 32
    for widening, channels, blocks, first in _STAGES:
        for block in range(blocks):
            value = _inverted(network, value, width, channels, widening, 1 if block else first)
            width = channels
    value = _clipped(network, network.conv(value, 1, inputs=width, outputs=_LAST))
    pooled = network.node("GlobalAveragePool", value)
    scores = network.conv(pooled, 1, inputs=_LAST, outputs=CLASSES)
    return network.model("mobilenet_like", scores, (batch, 3, size, size), outputs=CLASSES)


def _inverted(
    network: Network, value: str, inputs: int, outputs: int, widening: int, stride: int
) -> str:
    wide, inner = inputs * widening, value
    if widening > 1:
        inner = _clipped(network, network.conv(inner, 1, inputs=inputs, outputs=wide))
    inner = network.conv(inner, 3, inputs=wide, outputs=wide, stride=stride, depthwise=True)
    narrow = network.conv(_clipped(network, inner), 1, inputs=wide, outputs=outputs)
    same = stride == 1 and inputs == outputs
    return network.node("Add", narrow, value) if same else narrow


def _clipped(network: Network, value: str) -> str:
    return network.node("Clip", value, network.scalar(0.0), network.scalar(6.0))
