"""Converters of operators that bend or bound a tensor, in terms that keep a layout.

TVM makes kernels of some at once, or operators whose layout it cannot change: then a network whose
channels come last is turned round before and after each of them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, reduce
from typing import Any

from engine.models.relax.context import Attributes, Context, Expr, built_in


def _clip(context: Context, inputs: list[Expr], attributes: Attributes) -> Expr:
    bounds = [inputs[place] if len(inputs) > place else None for place in (1, 2)]
    x = inputs[0]
    known = [_known(bound) for bound in bounds if bound is not None]
    if any(value is None for value in known):
        return built_in("Clip", context, inputs, attributes)
    dtype = x.ty.dtype.dtype
    least, most = (
        attributes.get(name) if bound is None else _known(bound)
        for name, bound in zip(("min", "max"), bounds, strict=True)
    )
    return _between(x, least, most, dtype)


def _leaky_relu(context: Context, inputs: list[Expr], attributes: Attributes) -> Expr:
    from tvm import relax

    (x,) = inputs
    slope = float(attributes.get("alpha", 0.01))
    sloped = relax.op.multiply(x, relax.const(slope, x.ty.dtype.dtype))
    return (relax.op.maximum if slope <= 1 else relax.op.minimum)(x, sloped)


def _hard_sigmoid(context: Context, inputs: list[Expr], attributes: Attributes) -> Expr:
    return _ramp(inputs[0], attributes.get("alpha", 0.2), attributes.get("beta", 0.5))


def _hard_swish(context: Context, inputs: list[Expr], attributes: Attributes) -> Expr:
    from tvm import relax

    return relax.op.multiply(inputs[0], _ramp(inputs[0], 1 / 6, 0.5))


def _extreme(name: str, context: Context, inputs: list[Expr], attributes: Attributes) -> Expr:
    from tvm import relax

    operator = getattr(relax.op, name)
    return reduce(lambda one, other: context.typed(operator(one, other)), inputs)


def _ramp(x: Expr, slope: float, start: float) -> Expr:
    """The line through (0, `start`), between 0 and 1."""
    from tvm import relax

    dtype = x.ty.dtype.dtype
    line = relax.op.multiply(x, relax.const(float(slope), dtype))
    return _between(relax.op.add(line, relax.const(float(start), dtype)), 0.0, 1.0, dtype)


def _between(x: Expr, least: Any, most: Any, dtype: str) -> Expr:
    """ONNX Runtime takes a bound that is no number for none."""
    import numpy as np
    from tvm import relax

    for bound, operator in ((least, relax.op.maximum), (most, relax.op.minimum)):
        if bound is not None and not np.isnan(bound):
            x = operator(x, relax.const(bound, dtype))
    return x


def _known(bound: Expr) -> Any:
    """The number of a constant bound."""
    from tvm import ir

    if not isinstance(bound, ir.GenericConst):
        return None
    values = bound.value.numpy()
    return values.reshape(-1)[0] if values.size == 1 else None


FUNCTIONS: dict[str, Callable[[Context, list[Expr], Attributes], Expr]] = {
    "Clip": _clip,
    "HardSigmoid": _hard_sigmoid,
    "HardSwish": _hard_swish,
    "LeakyRelu": _leaky_relu,
    "Max": partial(_extreme, "maximum"),
    "Min": partial(_extreme, "minimum"),
}
