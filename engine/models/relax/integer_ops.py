"""Converters of quantized ONNX operators into Relax with integer arithmetic.

Values are 8 bits wide; with their zero points taken off they fit in 16, and their products are
summed in 32, as the operators' definitions want. Only then come the scales, in float32, and one
rounding, so that results are those of ONNX Runtime.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from engine.models.relax.context import Attributes, Context, Expr, built_in
from engine.models.relax.convolutions import convolved

if TYPE_CHECKING:
    import numpy as np


def _conv_integer(context: Context, inputs: list[Expr], attributes: Attributes) -> Expr:
    x, w, x_zero, w_zero = (*inputs, None, None)[:4]
    data, weight = _centred(context, x, x_zero), _centred(context, w, w_zero)
    return convolved(context, data, weight, attributes, "int32")


def _matmul_integer(context: Context, inputs: list[Expr], attributes: Attributes) -> Expr:
    """TVM's own has the weights in int32, once for each operator that reads them."""
    from tvm.relax import op

    a, b, a_zero, b_zero = (*inputs, None, None)[:4]
    rows, columns = _centred(context, a, a_zero, -2), _centred(context, b, b_zero, -1)
    return op.matmul(rows, columns, out_dtype="int32")


def _qlinear_conv(context: Context, inputs: list[Expr], attributes: Attributes) -> Expr:
    from tvm.relax import op

    x, x_scale, x_zero, w, w_scale, w_zero, y_scale, y_zero, bias = (*inputs, None)[:9]
    data, weight = _centred(context, x, x_zero), _centred(context, w, w_zero)
    sums = convolved(context, data, weight, attributes, "int32")
    channels = [1, -1] + [1] * (len(sums.ty.shape.values) - 2)
    if bias is not None:
        sums = op.add(sums, op.reshape(bias, channels))
    scale = op.divide(op.multiply(x_scale, w_scale), y_scale)
    if _size(w_scale) > 1:
        scale = op.reshape(context.typed(scale), channels)
    return _requantized(sums, scale, y_zero)


def _qlinear_matmul(context: Context, inputs: list[Expr], attributes: Attributes) -> Expr:
    from tvm.relax import op

    a, a_scale, a_zero, b, b_scale, b_zero, y_scale, y_zero = inputs
    a_scale, b_scale, y_scale = (
        context.typed(op.astype(scale, "float32")) if scale.ty.dtype.dtype == "float16" else scale
        for scale in (a_scale, b_scale, y_scale)
    )
    sums = _matmul_integer(context, [a, b, a_zero, b_zero], attributes)
    if _size(a_scale) > 1 and len(a_scale.ty.shape.values) == 1:
        a_scale = op.reshape(a_scale, [-1, 1])
    scale = op.divide(op.multiply(a_scale, b_scale), y_scale)
    return _requantized(sums, scale, y_zero)


def _dynamic_quantize(context: Context, inputs: list[Expr], attributes: Attributes) -> Expr:
    """TVM's own divides by zero where all values are zero."""
    from tvm import relax
    from tvm.relax import op

    zero, most, one = (relax.const(value, "float32") for value in (0, 255, 1))
    x = inputs[0]
    low, high = op.minimum(zero, op.min(x)), op.maximum(zero, op.max(x))
    span = op.subtract(high, low)
    scale = op.where(op.equal(span, zero), one, op.divide(span, most))
    place = op.clip(op.round(op.divide(op.negative(low), scale)), 0, 255)
    zero_point = op.astype(place, "uint8")
    scale, zero_point = context.block.emit(scale), context.block.emit(zero_point)
    values = op.quantize(x, scale, zero_point, axis=0, out_dtype="uint8")
    return relax.Tuple([context.block.emit(values), scale, zero_point])


def _quantize(context: Context, inputs: list[Expr], attributes: Attributes) -> Expr:
    """By one scale, in operators that TVM can lay out and fuse; else as TVM does it.

    Halves are divided as ONNX Runtime does, in float32.
    """
    from tvm.relax import op

    x, scale, zero = (*inputs, None)[:3]
    if x.ty.dtype.dtype == "float16":
        x, scale = (context.typed(op.astype(part, "float32")) for part in (x, scale))
        inputs = [x, scale, *inputs[2:]]
    if zero is None or not _is_single(scale, zero):
        return built_in("QuantizeLinear", context, inputs, attributes)
    return _rounded(op.divide(x, scale), zero)


def _dequantize(context: Context, inputs: list[Expr], attributes: Attributes) -> Expr:
    from tvm.relax import op

    x, scale, zero = (*inputs, None)[:3]
    if not _is_single(scale, zero):
        return built_in("DequantizeLinear", context, inputs, attributes)
    values = op.astype(x, "int32")
    if not _is_zero(zero):
        values = op.subtract(values, op.astype(zero, "int32"))
    return op.multiply(op.astype(values, "float32"), scale)


def _is_single(scale: Expr, zero: Expr) -> bool:
    """Whether one scale and one zero point of no dimension serve all values."""
    shapes = [part.ty.shape.values for part in (scale, zero) if part is not None]
    return scale.ty.dtype.dtype == "float32" and not any(len(shape) for shape in shapes)


def _centred(context: Context, x: Expr, zero: Expr, axis: int = 0) -> Expr:
    """x less its zero point, in int16; x itself where that is 0.

    Zero points in a list belong to the places along `axis` of x.
    """
    from tvm import ir, relax
    from tvm.relax import op

    if _is_zero(zero):
        return x
    if isinstance(zero, ir.GenericConst):
        zeros = zero.value.numpy()
        if isinstance(x, ir.GenericConst):
            key = f"tunewright/centred {id(x)} {id(zero)}"
            if key not in context.values:
                values = x.value.numpy().astype("int16") - _along(zeros, x, axis)
                context.values[key] = relax.const(values, "int16")
            return context.values[key]
        return op.subtract(op.astype(x, "int16"), relax.const(_along(zeros, x, axis), "int16"))
    wide = op.astype(zero, "int16")
    if len(zero.ty.shape.values) == 1:
        wide = op.reshape(context.typed(wide), _around(x, axis))
    return op.subtract(op.astype(x, "int16"), wide)


def _along(zeros: np.ndarray, x: Expr, axis: int) -> np.ndarray:
    wide = zeros.astype("int16")
    return wide.reshape(_around(x, axis)) if wide.ndim == 1 else wide


def _around(x: Expr, axis: int) -> list[int]:
    """The shape of a list that lies along an axis of x."""
    shape = [1] * len(x.ty.shape.values)
    shape[axis] = -1
    return shape


def _size(x: Expr) -> int:
    return math.prod(int(size) for size in x.ty.shape.values)


def _requantized(sums: Expr, scale: Expr, zero: Expr) -> Expr:
    """Sums times a scale, rounded, within the type's range."""
    from tvm.relax import op

    return _rounded(op.multiply(op.astype(sums, "float32"), scale), zero)


def _rounded(x: Expr, zero: Expr) -> Expr:
    """x rounded to even, about the zero point, within the type's range."""
    from tvm import relax, tirx
    from tvm.relax import op

    dtype = str(zero.ty.dtype.dtype)
    values = op.round(x)
    if not _is_zero(zero):
        values = op.add(values, op.astype(zero, "float32"))
    low, high = (limit(dtype).value for limit in (tirx.min_value, tirx.max_value))
    # TVM knows no layouts of clip, which would keep it apart from the convolution before it
    values = op.maximum(values, relax.const(low, "float32"))
    return op.astype(op.minimum(values, relax.const(high, "float32")), dtype)


def _is_zero(zero: Expr) -> bool:
    from tvm import ir

    return zero is None or (isinstance(zero, ir.GenericConst) and not zero.value.numpy().any())


FUNCTIONS = {
    "ConvInteger": _conv_integer,
    "DequantizeLinear": _dequantize,
    "DynamicQuantizeLinear": _dynamic_quantize,
    "MatMulInteger": _matmul_integer,
    "QLinearConv": _qlinear_conv,
    "QLinearMatMul": _qlinear_matmul,
    "QuantizeLinear": _quantize,
}
