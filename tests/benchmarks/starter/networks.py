"""What the starter library is made from: networks in common manners, none of them a known one.

Widths and sizes lie between those of published networks, so that the library's records are near to
many tasks and, but for the commonest, the very same as few.
"""

from __future__ import annotations

from collections.abc import Callable

from onnx import ModelProto

from tests.benchmarks.networks.encoder_block import encoder_block
from tests.benchmarks.networks.random_networks import Network

SIZE = 224


def plain(widths: tuple[int, ...] = (64, 128, 256, 512), size: int = SIZE) -> ModelProto:
    """Pairs of 3x3 convolutions between poolings, as in VGG."""
    network, value, inputs = Network(widths[0], 0), "x", 3
    for width in widths:
        for _ in range(2):
            value = network.node("Relu", network.conv(value, 3, inputs=inputs, outputs=width))
            inputs = width
        value = _pool(network, value)
    return network.model("plain", value, (1, 3, size, size), widths[-1])


def residual(widths: tuple[int, ...] = (64, 128, 256, 512), size: int = SIZE) -> ModelProto:
    """A 7x7 stem and basic residual blocks, as in the smaller ResNets."""
    network = Network(widths[0], 1)
    value = network.conv("x", 7, inputs=3, outputs=widths[0], stride=2)
    value, inputs = _pool(network, network.node("Relu", value), 3), widths[0]
    for width in widths:
        for stride in (1 if width == inputs else 2, 1):
            inner = network.conv(value, 3, inputs=inputs, outputs=width, stride=stride)
            inner = network.conv(network.node("Relu", inner), 3, inputs=width, outputs=width)
            if stride > 1:
                value = network.conv(value, 1, inputs=inputs, outputs=width, stride=stride)
            value, inputs = network.node("Relu", network.node("Add", inner, value)), width
    return network.model("residual", value, (1, 3, size, size), widths[-1])


def bottleneck(
    widths: tuple[int, ...] = (48, 104, 208, 440), wide: int = 4, size: int = SIZE
) -> ModelProto:
    """Residual blocks that narrow by 1x1 convolutions, filter by 3x3 and widen again."""
    network = Network(widths[0], 2)
    value = network.node("Relu", network.conv("x", 3, inputs=3, outputs=32, stride=2))
    inputs = 32
    for width in widths:
        for stride in (2, 1):
            inner = network.node("Relu", network.conv(value, 1, inputs=inputs, outputs=width))
            inner = network.conv(inner, 3, inputs=width, outputs=width, stride=stride)
            inner = network.node("Relu", inner)
            inner = network.conv(inner, 1, inputs=width, outputs=wide * width)
            if stride > 1:
                value = network.conv(value, 1, inputs=inputs, outputs=wide * width, stride=stride)
            value, inputs = network.node("Relu", network.node("Add", inner, value)), wide * width
    return network.model("bottleneck", value, (1, 3, size, size), inputs)


def mobile(
    widths: tuple[int, ...] = (20, 28, 48, 88, 136, 224),
    kernels: tuple[int, ...] = (3, 3, 5, 3, 5, 5),
    activation: str = "Clip",
    squeezed: bool = False,
    size: int = SIZE,
) -> ModelProto:
    """Inverted residuals with depthwise 3x3 and 5x5 filters, maybe with squeeze-and-excite."""
    network, inputs = Network(widths[0], 3), 16
    value = network.conv("x", 3, inputs=3, outputs=inputs, stride=2)
    value = _active(network, value, activation)
    for width, kernel in zip(widths, kernels, strict=True):
        for stride in (2 if width != widths[-2] else 1, 1):
            wide = 6 * inputs if width > widths[0] else 3 * inputs
            inner = network.conv(value, 1, inputs=inputs, outputs=wide)
            inner = _active(network, inner, activation)
            inner = network.conv(
                inner, kernel, inputs=wide, outputs=wide, stride=stride, depthwise=True
            )
            inner = _active(network, inner, activation)
            if squeezed:
                inner = _excited(network, inner, wide)
            inner = network.conv(inner, 1, inputs=wide, outputs=width)
            value = network.node("Add", inner, value) if inputs == width and stride == 1 else inner
            inputs = width
    value = _active(network, network.conv(value, 1, inputs=inputs, outputs=960), activation)
    return network.model("mobile", value, (1, 3, size, size), 960)


def branched(size: int = 28) -> ModelProto:
    """Branches of 1x1, 3x3, 5x5, 1x7 and 7x1 convolutions and pools, joined, as in Inception."""
    network, value, inputs = Network(160, 4), "x", 160
    for one, three, five in ((64, 112, 32), (96, 144, 48), (128, 208, 64)):
        reduced = network.node("Relu", network.conv(value, 1, inputs=inputs, outputs=three // 2))
        thin = network.node("Relu", network.conv(value, 1, inputs=inputs, outputs=five // 2))
        pooled = network.node("MaxPool", value, kernel_shape=[3, 3], pads=[1] * 4)
        branches = [
            network.conv(value, 1, inputs=inputs, outputs=one),
            network.conv(reduced, 3, inputs=three // 2, outputs=three),
            network.conv(thin, 5, inputs=five // 2, outputs=five),
            network.conv(pooled, 1, inputs=inputs, outputs=five),
        ]
        rectified = [network.node("Relu", branch) for branch in branches]
        value, inputs = network.node("Concat", *rectified, axis=1), one + three + 2 * five
        value = _pool(network, value)
    return network.model("branched", value, (1, 160, size, size), inputs)


def _pool(network: Network, value: str, kernel: int = 2) -> str:
    options = {
        "kernel_shape": [kernel] * 2,
        "strides": [2, 2],
        "pads": [kernel // 2 - (kernel == 2)] * 4,
    }
    return network.node("MaxPool", value, **options)


def _active(network: Network, value: str, activation: str) -> str:
    if activation == "Clip":
        return network.node("Clip", value, network.scalar(0.0), network.scalar(6.0))
    options = {"alpha": 1 / 6} if activation == "HardSigmoid" else {}
    return network.node("Mul", value, network.node(activation, value, **options))


def _excited(network: Network, value: str, width: int) -> str:
    """Squeeze-and-excite by convolutions of the channels' means."""
    narrow = max(8, width // 24 * 4)
    mean = network.node("GlobalAveragePool", value)
    inner = network.node("Relu", network.conv(mean, 1, inputs=width, outputs=narrow))
    gate = network.conv(inner, 1, inputs=narrow, outputs=width)
    return network.node("Mul", value, network.node("Sigmoid", gate))


NETWORKS: dict[str, Callable[[], ModelProto]] = {
    "residual": residual,
    "plain": lambda: plain((48, 96, 192, 384)),
    "bottleneck": bottleneck,
    "bottleneck-wide": lambda: bottleneck((64, 128, 256, 512)),
    "mobile": mobile,
    "mobile-squeezed": lambda: mobile(
        (24, 40, 64, 112, 160, 192), (3, 5, 3, 5, 5, 3), "HardSigmoid", True
    ),
    "mobile-silu": lambda: mobile((32, 36, 56, 96, 144, 240), (5, 3, 5, 3, 3, 5), "Sigmoid", True),
    "branched": branched,
    "encoder-192": lambda: encoder_block(192, 3, 196, 768),
    "encoder-320": lambda: encoder_block(320, 5, 64, 1280),
    "encoder-512": lambda: encoder_block(512, 8, 128, 2048),
    "encoder-640": lambda: encoder_block(640, 10, 256, 2560),
}
"""Each by a name, which its records carry as that of their model."""
