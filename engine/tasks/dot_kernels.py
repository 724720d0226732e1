"""Kernels of sums of products, unsigned by signed bytes, over packed weights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

LANES = 16
"""Outputs that one instruction adds to."""

WIDTH = 4
"""Products that it adds to each of them."""


BLOCK = "dot_products"
"""The block that a schedule has to look for."""


@dataclass(frozen=True, slots=True)
class Window:
    """A convolution's outputs and groups, and by axis its kernel, strides and dilation.

    `padding` is before both axes, then after them.
    """

    outputs: int
    kernel: tuple[int, ...]
    strides: tuple[int, ...]
    padding: tuple[int, ...]
    dilation: tuple[int, ...]
    groups: int = 1


def convolution(data: Any, weights: Any, zero: Any = None, *, window: Window, fill: Any) -> Any:
    """Sums (n, h, w, outputs) of data (n, h, w, c) by packed weights (o, kh, kw, c, 16, 4).

    Data is padded by the number `fill`, or by the scalar tensor `zero`.
    """
    from tvm import te

    edge = fill if zero is None else zero().astype("uint8")
    padded = _padded(data, window.padding, edge)
    batch, height, width, _ = (int(size) for size in padded.shape)
    sizes = [
        (size - (kernel - 1) * dilation - 1) // stride + 1
        for size, kernel, dilation, stride in zip(
            (height, width), window.kernel, window.dilation, window.strides, strict=True
        )
    ]
    blocks, rows, columns, inputs, lanes, bytes_ = (int(size) for size in weights.shape)
    down, right = te.reduce_axis((0, rows), "ry"), te.reduce_axis((0, columns), "rx")
    outer, inner = te.reduce_axis((0, inputs), "rc"), te.reduce_axis((0, bytes_), "rb")
    own = window.outputs // window.groups  # outputs of a group

    def sums(image: Any, y: Any, x: Any, output: Any) -> Any:
        channel = outer * WIDTH + inner
        if window.groups > 1:
            channel = te.indexdiv(output, own) * (inputs * WIDTH) + channel
        value = padded[
            image,
            y * window.strides[0] + down * window.dilation[0],
            x * window.strides[1] + right * window.dilation[1],
            channel,
        ]
        weight = weights[
            te.indexdiv(output, lanes), down, right, outer, te.indexmod(output, lanes), inner
        ]
        return te.sum(
            value.astype("int32") * weight.astype("int32"), axis=[down, right, outer, inner]
        )

    made = te.compute((batch, *sizes, blocks * lanes), sums, name=BLOCK)
    return _first(made, window.outputs)


def product(data: Any, weights: Any, *, outputs: int) -> Any:
    """Sums (..., outputs) of data (..., k) by packed weights (outputs / 16, k / 4, 16, 4)."""
    from tvm import te

    padded = _padded(data, (), 0)
    blocks, inputs, lanes, bytes_ = (int(size) for size in weights.shape)
    outer, inner = te.reduce_axis((0, inputs), "rk"), te.reduce_axis((0, bytes_), "rb")

    def sums(*places: Any) -> Any:
        *rows, output = places
        value = padded[(*rows, outer * WIDTH + inner)]
        weight = weights[te.indexdiv(output, lanes), outer, te.indexmod(output, lanes), inner]
        return te.sum(value.astype("int32") * weight.astype("int32"), axis=[outer, inner])

    made = te.compute((*padded.shape[:-1], blocks * lanes), sums, name=BLOCK)
    return _first(made, outputs)


def _padded(data: Any, padding: tuple[int, ...], edge: Any) -> Any:
    """Data with a border, its last axis filled up to whole instructions; itself where all fits.

    What fills the last axis meets weights of zero.
    """
    from tvm import te, tirx

    shape = [int(size) for size in data.shape]
    half = len(padding) // 2
    before = [0, *padding[:half], 0] if padding else [0] * len(shape)
    after = [0, *padding[half:], 0] if padding else [0] * len(shape)
    after[-1] = -shape[-1] % WIDTH
    if not any((*before, *after)):
        return data
    edge = tirx.const(edge, "uint8") if isinstance(edge, int) else edge

    def value(*places: Any) -> Any:
        inner = [place - first for place, first in zip(places, before, strict=True)]
        within = []
        for place, size, first, last in zip(places, shape, before, after, strict=True):
            if first:
                within.append(place >= first)
            if last:
                within.append(place < first + size)
        return tirx.if_then_else(tirx.all(*within), data[tuple(inner)], edge)

    full = [size + first + last for size, first, last in zip(shape, before, after, strict=True)]
    return te.compute(full, value, name="pad_temp")


def _first(sums: Any, outputs: int) -> Any:
    """The outputs that there are, without those that fill up an instruction."""
    from tvm import te

    if int(sums.shape[-1]) == outputs:
        return sums
    return te.compute((*sums.shape[:-1], outputs), lambda *places: sums[places], name="outputs")
