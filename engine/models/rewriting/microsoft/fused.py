"""Products and convolutions of ONNX Runtime with what its optimizer has put into them."""

from __future__ import annotations

from typing import Any

from engine.models.rewriting.emit import Declined, Emitter
from engine.models.rewriting.microsoft.activations import activated, convolution_activation

_OWN = ("activation", "activation_params", "channels_last")


def conv(emit: Emitter) -> None:
    """Conv, a sum with Z, an activation."""
    sums = _convolved(emit, emit.input(0))
    if emit.input(3):
        sums = emit("Add", sums, emit.input(3), part="sum")
    convolution_activation(emit, sums, emit.output(0))


def nhwc_conv(emit: Emitter) -> None:
    """The same, with the channels of data and result last."""
    rank = len(emit.shape(emit.input(1)))
    sums = channels_last(emit, _convolved(emit, channels_first(emit, emit.input(0), rank)), rank)
    if emit.input(3):
        sums = emit("Add", sums, emit.input(3), part="sum")
    convolution_activation(emit, sums, emit.output(0))


def nhwc_max_pool(emit: Emitter) -> None:
    """MaxPool with the channels last."""
    rank = len(emit.shape(emit.input(0)))
    x = channels_first(emit, emit.input(0), rank)
    channels_last(emit, emit("MaxPool", x, part="pool", **_attributes(emit)), rank, emit.output(0))


def nhwc_qlinear_conv(emit: Emitter) -> None:
    """QLinearConv, which has the channels last where an attribute says so."""
    x, *others = emit.node.input
    if not emit.attribute("channels_last", 0):
        emit("QLinearConv", x, *others, out=emit.output(0), **_attributes(emit))
        return
    rank = len(emit.shape(emit.input(3)))
    x = channels_first(emit, x, rank)
    sums = emit("QLinearConv", x, *others, part="convolved", **_attributes(emit))
    channels_last(emit, sums, rank, emit.output(0))


def dynamic_pads(emit: Emitter) -> None:
    """ConvTranspose whose padding is an input."""
    x, w, pads, bias = (emit.input(place) for place in range(4))
    options = _attributes(emit)
    if pads:
        options["pads"] = [int(pad) for pad in emit.value(pads, "its padding").reshape(-1)]
    emit("ConvTranspose", x, w, *([bias] if bias else []), out=emit.output(0), **options)


def gemm(emit: Emitter) -> None:
    """Gemm and an activation, whose attributes are called "activation_alpha" and the like."""
    names = ("alpha", "beta", "gamma")
    given = {name: emit.attribute(f"activation_{name}", None) for name in names}
    numbers = {name: value for name, value in given.items() if value is not None}
    kept = ("alpha", "beta", "transA", "transB")
    options = {name: value for name, value in _attributes(emit).items() if name in kept}
    sums = emit("Gemm", *emit.node.input, part="gemm", **options)
    activated(emit, sums, emit.attribute("activation", ""), numbers, emit.output(0))


def matmul(emit: Emitter) -> None:
    """alpha * A * B, each turned round before."""
    a, b = (_turned(emit, emit.input(place), side) for place, side in enumerate("AB"))
    alpha = emit.attribute("alpha", 1.0)
    if alpha == 1:
        emit("MatMul", a, b, out=emit.output(0))
        return
    factor = emit.scalar(alpha, emit.input(0), "alpha")
    emit("Mul", emit("MatMul", a, b, part="product"), factor, out=emit.output(0), part="scaled")


def _turned(emit: Emitter, x: str, side: str) -> str:
    """x with its first axis before the last one, and with the last two axes exchanged."""
    matrix, batch = (emit.attribute(f"trans{kind}{side}", 0) for kind in ("", "Batch"))
    if not matrix and not batch:
        return x
    axes = list(range(len(emit.shape(x))))
    if len(axes) < 2:
        return x
    if batch:
        axes = [*axes[1:-1], 0, axes[-1]]
    if matrix:
        axes[-2:] = axes[:-3:-1]
    return emit("Transpose", x, perm=axes, part=f"turned_{side.lower()}")


def matmul_integer16(emit: Emitter) -> None:
    """A product of integers of 16 bits, summed in 32."""
    a, b = (emit.cast(emit.input(place), "int32", part="wide") for place in range(2))
    emit("MatMul", a, b, out=emit.output(0))


def bias_softmax(emit: Emitter) -> None:
    """Softmax of a sum, over the last axis."""
    rank = len(emit.shape(emit.input(0)))
    if emit.attribute("axis", 1) % rank != rank - 1:
        raise Declined("its axis is not the last one")
    biased = emit("Add", emit.input(0), emit.input(1), part="biased")
    emit("Softmax", biased, axis=-1, out=emit.output(0))


def channels_first(emit: Emitter, x: str, rank: int) -> str:
    """x, whose channels are last, with the channels after the batch."""
    return emit("Transpose", x, perm=[0, rank - 1, *range(1, rank - 1)], part="channels_first")


def channels_last(emit: Emitter, x: str, rank: int, out: str = "") -> str:
    """The way back."""
    return emit("Transpose", x, perm=[0, *range(2, rank), 1], out=out, part="channels_last")


def _convolved(emit: Emitter, x: str) -> str:
    inputs = [x, emit.input(1), *([emit.input(2)] if emit.input(2) else [])]
    return emit("Conv", *inputs, part="convolved", **_attributes(emit))


def _attributes(emit: Emitter) -> dict[str, Any]:
    names = (attribute.name for attribute in emit.node.attribute)
    return {name: emit.attribute(name, None) for name in names if name not in _OWN}
