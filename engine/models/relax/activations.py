"""Activations and functions of one tensor in every float type, where TVM's own know float32."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from engine.models.relax.context import Attributes, Context, Expr, built_in


def _elu(context: Context, inputs: list[Expr], attributes: Attributes) -> Expr:
    return _bent(inputs[0], float(attributes.get("alpha", 1.0)))


def _selu(context: Context, inputs: list[Expr], attributes: Attributes) -> Expr:
    from tvm import relax

    (x,) = inputs
    alpha = float(attributes.get("alpha", 1.67326319217681884765625))
    gamma = float(attributes.get("gamma", 1.05070102214813232421875))
    return relax.op.multiply(_like(x, gamma), _bent(x, alpha))


def _celu(context: Context, inputs: list[Expr], attributes: Attributes) -> Expr:
    from tvm import relax

    (x,) = inputs
    alpha = float(attributes.get("alpha", 1.0))
    return _bent(x, alpha, relax.op.divide(x, _like(x, alpha)))


def _bent(x: Expr, alpha: float, exponent: Expr | None = None) -> Expr:
    """x above 0, alpha (e^exponent - 1) below; the exponent is x by default."""
    from tvm import relax
    from tvm.relax import op

    missing = op.subtract(_like(x, 1.0), op.exp(x if exponent is None else exponent))
    below = op.multiply(_like(x, -alpha), op.nn.relu(missing))
    return op.add(below, relax.op.nn.relu(x))


def _thresholded_relu(context: Context, inputs: list[Expr], attributes: Attributes) -> Expr:
    """A product with the truth value would make NaN of infinities."""
    from tvm.relax import op

    (x,) = inputs
    above = op.greater(x, _like(x, float(attributes.get("alpha", 1.0))))
    return op.where(above, x, _like(x, 0.0))


def _sign(context: Context, inputs: list[Expr], attributes: Attributes) -> Expr:
    """What is neither above nor below 0 is 0, or no number, which is 0 in ONNX Runtime's halves."""
    from tvm import relax
    from tvm.relax import op

    (x,) = inputs
    dtype = _dtype(x)
    if dtype.startswith("uint"):
        return op.astype(op.greater(x, relax.const(0, dtype)), dtype)
    if dtype not in ("float32", "float64"):
        return built_in("Sign", context, inputs, attributes)
    zero = _like(x, 0.0)
    below = op.where(op.less(x, zero), _like(x, -1.0), x)
    return op.where(op.greater(x, zero), _like(x, 1.0), below)


def _equal(context: Context, inputs: list[Expr], attributes: Attributes) -> Expr:
    """LLVM compares truth values as floats, and fails."""
    from tvm.relax import op

    if _dtype(inputs[0]) != "bool":
        return built_in("Equal", context, inputs, attributes)
    return op.logical_not(op.logical_xor(*inputs))


def _in_single(name: str, context: Context, inputs: list[Expr], attributes: Attributes) -> Expr:
    """Halves by way of float32: LLVM has no such function of them."""
    from tvm.relax import op

    (x,) = inputs
    if _dtype(x) not in ("float16", "bfloat16"):
        return built_in(name, context, inputs, attributes)
    single = context.typed(op.astype(x, "float32"))
    return op.astype(built_in(name, context, [single], attributes), _dtype(x))


def _like(x: Expr, value: float) -> Expr:
    from tvm import relax

    return relax.const(value, _dtype(x))


def _dtype(x: Expr) -> str:
    return str(x.ty.dtype.dtype)


_OF_SINGLES = ("Asin", "Acos", "Atan", "Sinh", "Cosh", "Asinh", "Acosh", "Atanh", "Tan", "Erf")

FUNCTIONS: dict[str, Callable[[Context, list[Expr], Attributes], Expr]] = {
    "Celu": _celu,
    "Elu": _elu,
    "Equal": _equal,
    "Selu": _selu,
    "Sign": _sign,
    "ThresholdedRelu": _thresholded_relu,
    **{name: partial(_in_single, name) for name in _OF_SINGLES},
}
