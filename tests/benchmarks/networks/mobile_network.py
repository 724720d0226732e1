"""Mobile classifiers in the manner of MobileNet v2 (Sandler et al. 2018) and of the small MobileNet
v3 (Howard et al. 2019), with seeded weights.

Inverted residuals: a pointwise convolution widens, a depthwise one filters, a pointwise one narrows
without a rectifier, and blocks of equal shape add what they were given. In v3 most blocks weigh
their channels by what is in all of them.
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
# Of v3: kernel, widened channels, channels, whether they are weighed, hard swish, stride.
_SMALL = (
    (3, 16, 16, True, False, 2),
    (3, 72, 24, False, False, 2),
    (3, 88, 24, False, False, 1),
    (5, 96, 40, True, True, 2),
    (5, 240, 40, True, True, 1),
    (5, 240, 40, True, True, 1),
    (5, 120, 48, True, True, 1),
    (5, 144, 48, True, True, 1),
    (5, 288, 96, True, True, 2),
    (5, 576, 96, True, True, 1),
    (5, 576, 96, True, True, 1),
)
_SMALL_LAST, _SMALL_HIDDEN = 576, 1024


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


def mobilenet_v3_like(batch: int = 1, size: int = 224, seed: int = 0) -> ModelProto:
    """x (batch, 3, size, size) to y, its classes' scores (batch, 1000, 1, 1), as means of maps."""
    network, width = Network(16, seed), 16
    value = _swish(network, network.conv("x", 3, inputs=3, stride=2))
    for kernel, wide, channels, weighed, swish, stride in _SMALL:
        bend = _swish if swish else _rectified
        inner = bend(network, network.conv(value, 1, inputs=width, outputs=wide))
        inner = network.conv(
            inner, kernel, inputs=wide, outputs=wide, stride=stride, depthwise=True
        )
        inner = bend(network, inner)
        inner = _weighed(network, inner, wide) if weighed else inner
        narrow = network.conv(inner, 1, inputs=wide, outputs=channels)
        same = stride == 1 and width == channels
        value, width = network.node("Add", narrow, value) if same else narrow, channels
    value = _swish(network, network.conv(value, 1, inputs=width, outputs=_SMALL_LAST))
    pooled = network.node("GlobalAveragePool", value)
    hidden = network.conv(pooled, 1, inputs=_SMALL_LAST, outputs=_SMALL_HIDDEN)
    scores = network.conv(_swish(network, hidden), 1, inputs=_SMALL_HIDDEN, outputs=CLASSES)
    return network.model("mobilenet_v3_like", scores, (batch, 3, size, size), outputs=CLASSES)


def _weighed(network: Network, value: str, channels: int) -> str:
    """Each channel times a weight between 0 and 1, which all channels' means decide."""
    pooled = network.node("GlobalAveragePool", value)
    few = network.conv(pooled, 1, inputs=channels, outputs=channels // 4)
    many = network.conv(_rectified(network, few), 1, inputs=channels // 4, outputs=channels)
    return network.node("Mul", value, _gate(network, many))


def _gate(network: Network, value: str) -> str:
    return network.node("HardSigmoid", value, alpha=1 / 6, beta=0.5)


def _swish(network: Network, value: str) -> str:
    return network.node("Mul", value, _gate(network, value))


def _rectified(network: Network, value: str) -> str:
    return network.node("Relu", value)


def _clipped(network: Network, value: str) -> str:
    return network.node("Clip", value, network.scalar(0.0), network.scalar(6.0))
