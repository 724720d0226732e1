"""A float product of what DequantizeLinear gives, as a product of integers.

Behind it often comes QuantizeLinear, perhaps after a rectifier: all of that becomes one operator of
integers with one rounding, as in ONNX Runtime. Otherwise the sums are turned into floats.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.models.rewriting.emit import Declined, Emitter
from engine.models.rewriting.operands import (
    STAY,
    Quantized,
    bias,
    operands,
    option,
    size,
    value,
    zero_point,
)
from engine.models.rewriting.products import scaled
from engine.models.rewriting.widths import refuse_result

if TYPE_CHECKING:
    from onnx import NodeProto

_PRODUCTS = ("Conv", "Gemm", "MatMul")
_RECTIFIERS = ("Clip", "Relu")


def quantize_linear(emit: Emitter) -> None:
    """QuantizeLinear behind a product, perhaps with a rectifier between."""
    refuse_result(emit)
    node = _maker(emit, emit.input(0))
    rectifier = node if node.op_type in _RECTIFIERS else None
    if rectifier:
        node = _maker(emit, rectifier.input[0])
    if node.op_type not in _PRODUCTS:
        raise Declined(STAY)
    x, w = operands(emit, node)
    if not _fits(emit, x, emit.node):
        raise Declined(STAY)
    zero = zero_point(emit, emit.node, emit.output(0))
    limits = _limits(emit, rectifier, zero) if rectifier else {}
    emit.absorb(rectifier, node, *map(emit.facts.maker, node.input))
    out = emit.name("unclipped") if limits else emit.output(0)
    if node.op_type == "Gemm":
        emit("QuantizeLinear", _gemm(emit, node, x, w), emit.input(1), zero, out=out)
    else:
        _qlinear(emit, node, [emit.input(1), zero], x, w, out)
    if limits:
        ends = [limits.get(end, "") for end in ("low", "high")]
        emit("Clip", out, *ends, out=emit.output(0), part="clipped")


def product(emit: Emitter) -> None:
    """Conv, MatMul and Gemm whose result stays in float."""
    node = emit.node
    x, w = operands(emit, node)
    quantizer = _quantizer(emit)
    if quantizer and _fits(emit, x, quantizer):
        raise Declined(STAY)
    emit.absorb(*map(emit.facts.maker, node.input[:2]))
    if node.op_type == "Gemm":
        _gemm(emit, node, x, w, emit.output(0))
        return
    operator = f"{node.op_type}Integer"
    sums = emit(operator, x.name, w.name, x.zero_point, _single(emit, node, w), part="sums")
    emit.nodes[-1].attribute.extend(node.attribute)
    added = node.input[2] if len(node.input) > 2 else ""
    out = "" if added else emit.output(0)
    around = [1, -1] + [1] * (len(emit.shape(w.name)) - 2)
    per_channel = node.op_type == "Conv" and size(emit, w.scale) > 1
    scale = emit.reshape(w.scale, *around, part="scale") if per_channel else w.scale
    result = scaled(emit, sums, (x.scale, scale), "scaled", out)
    if added:
        emit("Add", result, emit.reshape(added, *around, part="bias"), out=emit.output(0))


def _maker(emit: Emitter, name: str) -> NodeProto:
    """The node that makes a value which nothing else reads."""
    node = emit.facts.maker(name)
    if node is None or emit.facts.uses(name) != 1 or node.domain not in ("", "ai.onnx"):
        raise Declined(STAY)
    return node


def _quantizer(emit: Emitter) -> NodeProto | None:
    """The QuantizeLinear that alone reads a product, perhaps behind a rectifier."""
    reader = emit.facts.reader(emit.output(0))
    if reader is not None and reader.op_type in _RECTIFIERS:
        reader = emit.facts.reader(reader.output[0])
    return reader if reader is not None and reader.op_type == "QuantizeLinear" else None


def _fits(emit: Emitter, x: Quantized, quantizer: NodeProto) -> bool:
    """Whether a product may be quantized so at once: to the data's type, by one scale."""
    named = len(quantizer.input) > 2 and quantizer.input[2]
    dtype = emit.dtype(quantizer.input[2] if named else quantizer.output[0])
    return dtype == emit.dtype(x.name) and size(emit, quantizer.input[1]) == 1


def _qlinear(
    emit: Emitter, node: NodeProto, result: list[str], x: Quantized, w: Quantized, out: str
) -> None:
    inputs = [x.name, x.scale, x.zero_point, w.name, w.scale, w.zero_point, *result]
    if len(node.input) > 2 and node.input[2]:
        inputs.append(bias(emit, node.input[2], x, w))
    emit(f"QLinear{node.op_type}", *inputs, out=out)
    emit.nodes[-1].attribute.extend(node.attribute)


def _gemm(emit: Emitter, node: NodeProto, x: Quantized, w: Quantized, out: str = "") -> str:
    """Sums of integers, a bias in their unit, in float."""
    factors = [option(node, name, 1) for name in ("alpha", "beta")]
    if factors != [1, 1] or option(node, "transA", 0):
        raise Declined(STAY)
    added = bias(emit, node.input[2], x, w) if len(node.input) > 2 and node.input[2] else ""
    turned = option(node, "transB", 0)
    matrix = emit("Transpose", w.name, perm=[1, 0], part="weights") if turned else w.name
    sums = emit("MatMulInteger", x.name, matrix, x.zero_point, w.zero_point, part="sums")
    if added:
        sums = emit("Add", sums, added, part="biased")
    return scaled(emit, sums, (x.scale, w.scale), "scaled", out)


def _single(emit: Emitter, node: NodeProto, w: Quantized) -> str:
    """The weights' zero point, of which ConvInteger takes one."""
    if node.op_type != "Conv" or size(emit, w.zero_point) == 1:
        return w.zero_point
    if value(emit, w.zero_point).any():
        raise Declined(STAY)
    return emit.constant(0, emit.dtype(w.name), "no_zero")


def _limits(emit: Emitter, rectifier: NodeProto, zero: str) -> dict[str, str]:
    """The integers between which a rectifier keeps the result, where the type's own are wider.

    Rounding keeps the order of values, so that it may come before the rectifier.
    """
    import numpy as np

    ends = {"low": 0.0} if rectifier.op_type == "Relu" else _bounds(emit, rectifier)
    scale, middle = value(emit, emit.input(1)).item(), value(emit, zero)
    least, most = np.iinfo(middle.dtype).min, np.iinfo(middle.dtype).max
    places = {end: np.rint(np.float32(at) / scale) + middle.item() for end, at in ends.items()}
    found = {end: place for end, place in places.items() if least < place < most}
    outside = places.get("low", least) >= most or places.get("high", most) <= least
    if outside or (found and emit.facts.opset < 12):
        raise Declined(STAY)
    return {end: emit.constant(place, middle.dtype, end) for end, place in found.items()}


def _bounds(emit: Emitter, clip: NodeProto) -> dict[str, float]:
    """Those limits of Clip that are given, by "low" and "high"."""
    if emit.facts.opset < 11:
        raise Declined(STAY)
    given = zip(("low", "high"), clip.input[1:3], strict=False)
    return {end: float(value(emit, name).item()) for end, name in given if name}
