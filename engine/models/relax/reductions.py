"""Reductions as ONNX Runtime has them: over no axes, of integers, with infinities and NaN."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from engine.models.relax.context import Attributes, CannotConvert, Context, Expr, built_in

_MOST = {"float16": 65504.0, "float32": 3.4028234663852886e38, "float64": 1.7976931348623157e308}

_Axes = list[int] | None
_Reduce = Callable[[Context, Expr, _Axes, bool], Expr]
"""Of a tensor, along axes (None: all), keeping them with size 1 or not."""


def _log_sum_exp(context: Context, x: Expr, axes: _Axes, keep: bool) -> Expr:
    """The largest is taken off first, within what is finite: infinities have no difference."""
    from tvm import relax
    from tvm.relax import op

    dtype = _dtype(x)
    if dtype not in _MOST:
        return _log_sum_of_integers(x, axes, keep)
    most, least = (relax.const(sign * _MOST[dtype], dtype) for sign in (1, -1))
    high = op.minimum(op.maximum(op.max(x, axes, True), least), most)
    terms = op.exp(op.subtract(x, high))
    result = op.add(op.log(op.sum(terms, axes, True)), high)
    return result if keep else op.squeeze(result, axes)


def _log_sum_of_integers(x: Expr, axes: _Axes, keep: bool) -> Expr:
    """ONNX Runtime's exponentials are integers, too: 1 for the largest, 0 for all others."""
    from tvm.relax import op

    high = op.max(x, axes, True)
    count = op.sum(op.astype(op.equal(x, high), "float64"), axes, True)
    result = op.add(op.astype(op.log(count), _dtype(x)), high)
    return result if keep else op.squeeze(result, axes)


def _extreme(name: str, context: Context, x: Expr, axes: _Axes, keep: bool) -> Expr:
    """NaN is passed over, but what is found is compared with the first value, which keeps NaN."""
    from tvm.relax import op

    found = getattr(op, name)(x, axes, keep)
    along = list(range(_rank(x))) if axes is None else axes
    if any(int(x.ty.shape.values[axis]) == 0 for axis in along):
        return _of_nothing(name, context.typed(found))
    if not _dtype(x).startswith("float"):
        return found
    zeros, ones = [0] * len(along), [1] * len(along)
    first = op.strided_slice(x, along, zeros, ones)
    first = first if keep else op.squeeze(first, axes)
    return (op.maximum if name == "max" else op.minimum)(found, first)


def _of_nothing(name: str, found: Expr) -> Expr:
    """What a maximum or minimum begins with, of the shape of what TVM would find: that is 0."""
    import numpy as np
    from tvm import relax

    dtype = _dtype(found)
    if dtype.startswith("float"):
        least, most = -np.inf, np.inf
    else:
        least, most = (0, 1) if dtype == "bool" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    shape = [int(size) for size in found.ty.shape.values]
    return relax.const(np.full(shape, least if name == "max" else most, dtype), dtype)


def _of(function: str, inner: str = "", outer: str = "") -> _Reduce:
    """An operator of Relax after and before functions of one value."""

    def reduce(context: Context, x: Expr, axes: _Axes, keep: bool) -> Expr:
        from tvm.relax import op

        value = getattr(op, function)(_applied(inner, x), axes, keep)
        return _applied(outer, value)

    return reduce


def _applied(name: str, x: Expr) -> Expr:
    from tvm.relax import op

    if name == "square":
        return op.multiply(x, x)
    return getattr(op, name)(x) if name else x


_REDUCTIONS: dict[str, tuple[_Reduce, str]] = {
    "ReduceL1": (_of("sum", "abs"), "abs"),
    "ReduceL2": (_of("sum", "square", "sqrt"), "abs"),
    "ReduceLogSum": (_of("sum", outer="log"), "log"),
    "ReduceLogSumExp": (_log_sum_exp, ""),
    "ReduceMax": (partial(_extreme, "max"), ""),
    "ReduceMean": (_of("mean"), ""),
    "ReduceMin": (partial(_extreme, "min"), ""),
    "ReduceProd": (_of("prod"), ""),
    "ReduceSum": (_of("sum"), ""),
    "ReduceSumSquare": (_of("sum", "square"), "square"),
}
"""With what is left of each over no axes."""

_FLOATING = {"ReduceL2", "ReduceLogSum", "ReduceMean"}


def _reduced(name: str, context: Context, inputs: list[Expr], attributes: Attributes) -> Expr:
    from tvm import relax
    from tvm.relax import op

    x = inputs[0]
    if not isinstance(x.ty, relax.TensorType):
        return built_in(name, context, inputs, attributes)
    reduce, elementwise = _REDUCTIONS[name]
    dtype = _dtype(x)
    floating = name in _FLOATING and not dtype.startswith(("float", "bfloat"))
    if floating:
        x = context.typed(op.astype(x, "float64"))
    axes = _axes(inputs, attributes, _rank(x))
    if axes is None and attributes.get("noop_with_empty_axes", 0):
        result = _applied(elementwise, x)
    else:
        result = reduce(context, x, axes, bool(attributes.get("keepdims", 1)))
    return op.astype(result, dtype) if floating else result


def _axes(inputs: list[Expr], attributes: Attributes, rank: int) -> _Axes:
    """The axes from 0 on, an input's or an attribute's; None for all."""
    from tvm import ir

    given: Any = attributes.get("axes")
    if len(inputs) > 1 and inputs[1] is not None:
        if not isinstance(inputs[1], ir.GenericConst):
            raise CannotConvert("its axes are computed, and must be constant")
        given = inputs[1].value.numpy().reshape(-1)
    return None if given is None or len(given) == 0 else [int(axis) % rank for axis in given]


def _place(name: str, context: Context, inputs: list[Expr], attributes: Attributes) -> Expr:
    """TVM's own finds no place where all values are the least, and the place of NaN elsewhere."""
    from tvm import relax
    from tvm.relax import op

    (x,) = inputs
    axis = attributes.get("axis", 0) % max(_rank(x), 1)
    dtype, size = _dtype(x), int(x.ty.shape.values[axis])
    floats = dtype in _MOST
    values = context.typed(_without_nan(x, name)) if floats else x
    place = context.typed(built_in(name, context, [values], attributes))
    low, high = (relax.const(value, _dtype(place)) for value in (0, max(size - 1, 0)))
    place = op.minimum(op.maximum(place, low), high)
    if not floats or size == 0:
        return place
    first = op.strided_slice(x, [axis], [0], [1])
    first = first if attributes.get("keepdims", 1) else op.squeeze(first, [axis])
    return op.where(op.isnan(first), low, place)


def _without_nan(x: Expr, name: str) -> Expr:
    """x with the infinity that is never chosen in the place of NaN."""
    from tvm import relax
    from tvm.relax import op

    least, compared = (
        (float("-inf"), op.greater_equal) if name == "ArgMax" else (float("inf"), op.less_equal)
    )
    never = relax.const(least, _dtype(x))
    return op.where(compared(x, never), x, never)


def _rank(x: Expr) -> int:
    return len(x.ty.shape.values)


def _dtype(x: Expr) -> str:
    return str(x.ty.dtype.dtype)


FUNCTIONS: dict[str, Callable[[Context, list[Expr], Attributes], Expr]] = {
    **{name: partial(_reduced, name) for name in _REDUCTIONS},
    **{name: partial(_place, name) for name in ("ArgMax", "ArgMin")},
}
