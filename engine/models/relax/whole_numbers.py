"""Arithmetic of integers that no processor traps on and that C leaves undefined; remainders."""

from __future__ import annotations

from collections.abc import Callable

from engine.models.relax.context import Attributes, Context, Expr, built_in


def _div(context: Context, inputs: list[Expr], attributes: Attributes) -> Expr:
    """Of integers: by 0 it gives the dividend, where ONNX Runtime stops; by -1 what is left of the
    least integer's opposite."""
    from tvm import relax
    from tvm.relax import op

    a, b = inputs
    if not _needs_care(b):
        return built_in("Div", context, inputs, attributes)
    quotient = built_in("Div", context, [a, context.typed(_safe(b))], attributes)
    if _dtype(b).startswith("uint"):
        return quotient
    zero, last = (relax.const(value, _dtype(b)) for value in (0, -1))
    return op.where(op.equal(b, last), op.subtract(zero, a), quotient)


def _mod(context: Context, inputs: list[Expr], attributes: Attributes) -> Expr:
    from tvm import relax

    a, b = inputs
    if not _needs_care(b):
        floats = isinstance(b.ty, relax.TensorType) and _dtype(b).startswith("float")
        if floats and not attributes.get("fmod", 0):
            return _floored(a, b)
        return built_in("Mod", context, inputs, attributes)
    return built_in("Mod", context, [a, context.typed(_safe(b))], attributes)


def _floored(a: Expr, b: Expr) -> Expr:
    """The remainder with the divisor's sign; TVM's own is NaN where the divisor is infinite."""
    from tvm import relax
    from tvm.relax import op

    zero = relax.const(0, _dtype(b))
    rest = op.mod(a, b)
    other_sign = op.logical_xor(op.less(rest, zero), op.less(b, zero))
    return op.where(op.logical_and(op.not_equal(rest, zero), other_sign), op.add(rest, b), rest)


def _needs_care(divisor: Expr) -> bool:
    """Whether it is of integers, and computed or with a -1 in it."""
    from tvm import ir, relax

    if not isinstance(divisor.ty, relax.TensorType):
        return False
    if not _dtype(divisor).startswith(("int", "uint")):
        return False
    return not isinstance(divisor, ir.GenericConst) or bool((divisor.value.numpy() == -1).any())


def _safe(divisor: Expr) -> Expr:
    """1 in place of 0 and -1."""
    from tvm import relax
    from tvm.relax import op

    dtype = _dtype(divisor)
    bad = op.equal(divisor, relax.const(0, dtype))
    if not dtype.startswith("uint"):
        bad = op.logical_or(bad, op.equal(divisor, relax.const(-1, dtype)))
    return op.where(bad, relax.const(1, dtype), divisor)


def _bit_shift(context: Context, inputs: list[Expr], attributes: Attributes) -> Expr:
    """By as many places as there are bits, or more, nothing is left, or the sign alone."""
    import numpy as np
    from tvm import ir, relax
    from tvm.relax import op

    x, places = inputs
    dtype = _dtype(x)
    last = np.iinfo(dtype).bits - 1
    if isinstance(places, ir.GenericConst):
        known = places.value.numpy()
        if ((known >= 0) & (known <= last)).all():
            return built_in("BitShift", context, inputs, attributes)
    limit, zero = relax.const(last, dtype), relax.const(0, dtype)
    inside = op.logical_and(op.greater_equal(places, zero), op.less_equal(places, limit))
    fewer = context.typed(op.where(inside, places, limit))
    shifted = built_in("BitShift", context, [x, fewer], attributes)
    if attributes["direction"] == b"RIGHT" and not dtype.startswith("uint"):
        return shifted
    return op.where(inside, shifted, zero)


def _dtype(x: Expr) -> str:
    return str(x.ty.dtype.dtype)


FUNCTIONS: dict[str, Callable[[Context, list[Expr], Attributes], Expr]] = {
    "BitShift": _bit_shift,
    "Div": _div,
    "Mod": _mod,
}
