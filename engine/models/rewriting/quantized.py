"""ONNX Runtime's own quantized operators, by those of the standard.

Elementwise ones become DequantizeLinear, the float operator and QuantizeLinear, as they are
defined; products of matrices stay products of integers.
"""

from __future__ import annotations

from typing import Any

from engine.models.rewriting.emit import Declined, Emitter
from engine.models.rewriting.products import Matrix, multiply, scaled, trimmed

_UNARY = {
    "QLinearSigmoid": "Sigmoid",
    "QLinearLeakyRelu": "LeakyRelu",
    "QLinearSoftmax": "Softmax",
    "QLinearAveragePool": "AveragePool",
    "QLinearGlobalAveragePool": "GlobalAveragePool",
    "QLinearReduceMean": "ReduceMean",
}
_NOT_PASSED_ON = {"channels_last", "opset"}


def same_name(emit: Emitter) -> None:
    """An operator that the standard has as well, under the same name and with the same inputs."""
    attributes = _attributes(emit)
    emit(emit.node.op_type, *emit.node.input, out=list(emit.node.output), **attributes)


def unary(emit: Emitter) -> None:
    """Of X, its scale and zero point, and those of the result."""
    if emit.attribute("channels_last", 0):
        raise Declined("its channels come last")
    op = _UNARY[emit.node.op_type]
    attributes = _attributes(emit)
    if op == "ReduceMean" and emit.facts.opset >= 18:
        raise Declined("its axes are an attribute")
    x = dequantize(emit, 0)
    quantize(emit, emit(op, x, **attributes), 3)


def binary(emit: Emitter) -> None:
    """QLinearAdd and QLinearMul: A and B with their scales, and those of the result."""
    op = emit.node.op_type.removeprefix("QLinear")
    quantize(emit, emit(op, dequantize(emit, 0), dequantize(emit, 3)), 6)


def concat(emit: Emitter) -> None:
    """The result's scale and zero point come first."""
    parts = [dequantize(emit, place) for place in range(2, len(emit.node.input), 3)]
    axis = emit.attribute("axis", 0)
    quantize(emit, emit("Concat", *parts, axis=axis), 0)


def where(emit: Emitter) -> None:
    """The condition, then X and Y with their scales, and those of the result."""
    chosen = emit("Where", emit.input(0), dequantize(emit, 1), dequantize(emit, 4))
    quantize(emit, chosen, 7)


def gemm(emit: Emitter) -> None:
    """QGemm: a product of integers, a bias in units of both scales, one rounding."""
    a, b = emit.input(0), emit.input(3)
    if emit.attribute("transA", 0):
        a = emit("Transpose", a, perm=[1, 0], part="a")
    if emit.attribute("transB", 0):
        b = emit("Transpose", b, perm=[1, 0], part="b")
    sums = emit("MatMulInteger", a, b, emit.input(2), emit.input(5), part="sums")
    if emit.input(6):
        sums = emit("Add", sums, emit.input(6), part="biased")
    alpha = emit.constant(emit.attribute("alpha", 1.0), "float32", "alpha")
    scales = (emit.input(1), emit.input(4), alpha)
    if emit.input(7):
        quantize(emit, scaled(emit, sums, scales, "scaled"), 7)
    else:
        scaled(emit, sums, scales, "scaled", emit.output(0))


def matmul_to_float(emit: Emitter) -> None:
    """MatMulIntegerToFloat: A, B, their scales, their zero points, a bias."""
    a, b, a_scale, b_scale, a_zero, b_zero, bias = (emit.input(place) for place in range(7))
    sums = emit("MatMulInteger", *trimmed(a, b, a_zero, b_zero), part="sums")
    product = scaled(emit, sums, (a_scale, b_scale), "scaled", "" if bias else emit.output(0))
    if bias:
        emit("Add", product, bias, out=emit.output(0), part="biased")


def dynamic_matmul(emit: Emitter) -> None:
    """DynamicQuantizeMatMul: A in float, an integer B, its scale and zero point, a bias."""
    a, b, b_scale, b_zero, bias = (emit.input(place) for place in range(5))
    matrix = Matrix(b, b_scale, b_zero)
    product = multiply(emit, a, matrix, "product", "" if bias else emit.output(0))
    if bias:
        emit("Add", product, bias, out=emit.output(0), part="biased")


def dequantize(emit: Emitter, place: int) -> str:
    """The float value of an input, whose scale and zero point follow it."""
    inputs = [emit.input(place + more) for more in range(3)]
    return emit("DequantizeLinear", *trimmed(*inputs), part=f"input{place}")


def quantize(emit: Emitter, x: str, place: int) -> None:
    """Give x to the node's output, with the scale and the zero point that stand at `place`."""
    inputs = trimmed(x, emit.input(place), emit.input(place + 1))
    emit("QuantizeLinear", *inputs, out=emit.output(0), part="quantized")


def _attributes(emit: Emitter) -> dict[str, Any]:
    names = (attribute.name for attribute in emit.node.attribute)
    return {name: emit.attribute(name, None) for name in names if name not in _NOT_PASSED_ON}
