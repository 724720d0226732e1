"""Exponentials and their kin as arithmetic on whole vectors, for kernels on a CPU.

LLVM makes of each of them a call of the C library for every element, which is 20 to 50 times
slower. Registered, they serve whatever this process builds; tasks and records know nothing of it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

_LEVEL = 11
"""One above that of TVM's own rules."""

_LOG2_E = 1.44269504088896341
_LN2 = (0.693359375, -2.12194440e-4)
"""Its high part, whose products with an exponent are exact, and the rest."""

_EXP_RANGE = (-104.0, 89.0)
"""Outside, the result is 0 or infinite."""

_EXP = (
    *(1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3),
    *(4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1),
)
_TANH = (
    *(-5.70498872745e-3, 2.06390887954e-2, -5.37397155531e-2),
    *(1.33314422036e-1, -3.33332819422e-1),
)
_TANH_SMALL = 0.625
"""The coefficients and the bound are those of `expf` and `tanhf` in Cephes (Moshier, 1989)."""

_ERF_NUMERATOR = (
    *(-2.72614225801306e-10, 2.77068142495902e-08, -2.10102402082508e-06),
    *(-5.69250639462346e-05, -7.34990630326855e-04, -2.95459980854025e-03, -1.60960333262415e-02),
)
_ERF_DENOMINATOR = (
    *(-1.45660718464996e-05, -2.13374055278905e-04, -1.68282697438203e-03),
    *(-7.37332916720468e-03, -1.42647390514189e-02),
)
_ERF_ONE = 4.0
"""The rational approximation that Eigen has; from here on erf is 1 in float32."""


_BEFORE = ("llvm.FLowerIntrinsic", "default.FLowerIntrinsic")

Keep = Callable[[Any], Any]
"""Gives a value that is used more than once a name."""


@functools.cache
def register() -> None:
    """Have TVM use these in what this process builds from now on."""
    from tvm.ir import Op
    from tvm.tirx import register_intrin_lowering

    for name, rule in (("tirx.exp", _exp), ("tirx.tanh", _tanh), ("tirx.erf", _erf)):
        before = next(filter(None, map(Op.get(name).get_attr, _BEFORE)), lambda call: call)
        register_intrin_lowering(name, target="llvm", f=_lowering(rule, before), level=_LEVEL)


def _lowering(
    rule: Callable[[Keep, Any], Any], before: Callable[[Any], Any]
) -> Callable[[Any], Any]:
    """What TVM is given; other numbers than float32 are lowered as `before`."""

    def lowered(call: Any) -> Any:
        from tvm import tirx

        (x,) = call.args
        if not str(x.ty.dtype).startswith("float32"):
            return before(call)
        names: list[tuple[Any, Any]] = []

        def keep(value: Any) -> Any:
            names.append((tirx.Var(f"m{len(names)}", value.ty), value))
            return names[-1][0]

        result = rule(keep, keep(x))
        for var, value in reversed(names):
            result = tirx.Let(var, value, result)
        return result

    return lowered


def _exp(keep: Keep, x: Any) -> Any:
    """2^n e^r with r of half of ln 2 at most; n in two steps, so that what is near 0 stays."""
    from tvm import tirx

    low, high = _EXP_RANGE
    bounded = keep(_between(x, low, high))
    n = keep(tirx.floor(bounded * _like(x, _LOG2_E) + _like(x, 0.5)))
    r = keep(bounded - n * _like(x, _LN2[0]) - n * _like(x, _LN2[1]))
    power = keep(tirx.Cast(_kind(x, "int32"), n))
    half = keep(tirx.shift_right(power, _like(power, 1)))
    value = _polynomial(r, _EXP) * r * r + r + _like(x, 1.0)
    return value * _power_of_two(half) * _power_of_two(power - half)


def _tanh(keep: Keep, x: Any) -> Any:
    from tvm import tirx

    one, size = _like(x, 1.0), keep(tirx.abs(x))
    square = keep(x * x)
    small = x + x * square * _polynomial(square, _TANH)
    large = keep(one - _like(x, 2.0) / (keep(_exp(keep, keep(size + size))) + one))
    signed = tirx.Select(tirx.LT(x, _like(x, 0.0)), _like(x, 0.0) - large, large)
    return tirx.Select(tirx.LT(size, _like(x, _TANH_SMALL)), small, signed)


def _erf(keep: Keep, x: Any) -> Any:
    bounded = keep(_between(x, -_ERF_ONE, _ERF_ONE))
    square = keep(bounded * bounded)
    above = bounded * _polynomial(square, _ERF_NUMERATOR)
    return above / _polynomial(square, _ERF_DENOMINATOR)


def _between(x: Any, low: float, high: float) -> Any:
    """The bounds come first: where a comparison fails, as with what is no number, the second of a
    pair is taken."""
    from tvm import tirx

    return tirx.Min(_like(x, high), tirx.Max(_like(x, low), x))


def _polynomial(x: Any, factors: Sequence[float]) -> Any:
    """By Horner's rule, the factor of the highest power first."""
    value = _like(x, factors[0])
    for factor in factors[1:]:
        value = value * x + _like(x, factor)
    return value


def _power_of_two(n: Any) -> Any:
    """2^n as the bits of a float32; n from -126 to 127."""
    from tvm import tirx

    bits = tirx.shift_left(n + _like(n, 127), _like(n, 23))
    return tirx.reinterpret(_kind(n, "float32"), bits)


def _like(x: Any, number: float) -> Any:
    """A constant with as many lanes."""
    from tvm import tirx

    base = str(x.ty.dtype).partition("x")[0]
    constant = tirx.const(number, base)
    lanes = _lanes(x)
    return constant if lanes == 1 else tirx.Broadcast(constant, lanes)


def _kind(x: Any, base: str) -> str:
    return base if _lanes(x) == 1 else f"{base}x{_lanes(x)}"


def _lanes(x: Any) -> int:
    return int(str(x.ty.dtype).partition("x")[2] or 1)
