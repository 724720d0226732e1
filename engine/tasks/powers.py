"""Powers with a constant exponent as products and square roots, which a CPU computes in vectors.

For any other exponent TVM calls the C library element by element: a third of what two
normalisations of Inception took was this.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.models.relax.calls import operator_name, with_main

_FLOATS = ("float32", "float64")
_Emit = Callable[[Any], Any]


def with_plain_powers(module: Any) -> Any:
    """The module whose powers of floats by a multiple of a quarter, from -1 to 3, are spelt out.

    No step on the way exceeds the larger of the base and the result, so none overflows alone.
    """
    from tvm.relax import PyExprMutator
    from tvm.relax.expr_functor import mutator

    @mutator
    class Powers(PyExprMutator):  # type: ignore[misc]  # TVM has no types
        """Changes the calls of the operator."""

        def visit_call_(self, call: Any) -> Any:
            call = super().visit_call_(call)
            if operator_name(call) != "relax.power":
                return call
            base, exponent = call.args
            write = _RULES.get(_number(exponent)) if _fits(base, call) else None
            return call if write is None else write(self.builder_.emit, base)

    return with_main(module, Powers(module).visit_expr(module["main"]))


def _root(x: Any) -> Any:
    from tvm import relax

    return relax.op.sqrt(x)


def _product(x: Any, y: Any) -> Any:
    from tvm import relax

    return relax.op.multiply(x, y)


def _inverse(emit: _Emit, x: Any) -> Any:
    from tvm import relax

    x = emit(x)
    return relax.op.divide(relax.const(1, x.ty.dtype.dtype), x)


def _three_quarters(emit: _Emit, x: Any) -> Any:
    half = emit(_root(x))
    return _product(half, emit(_root(half)))


_RULES: Mapping[float | None, Callable[[_Emit, Any], Any]] = {
    -1.0: _inverse,
    -0.75: lambda emit, x: _inverse(emit, _three_quarters(emit, x)),
    -0.5: lambda emit, x: _inverse(emit, _root(x)),
    0.25: lambda emit, x: _root(emit(_root(x))),
    0.5: lambda emit, x: _root(x),
    0.75: _three_quarters,
    1.5: lambda emit, x: _product(x, emit(_root(x))),
    2.0: lambda emit, x: _product(x, x),
    3.0: lambda emit, x: _product(emit(_product(x, x)), x),
}


def _fits(base: Any, call: Any) -> bool:
    """Whether base and result are floats of one shape: an exponent may have broadcast it."""
    import tvm_ffi

    if str(base.ty.dtype) not in _FLOATS:
        return False
    return bool(tvm_ffi.structural_equal(base.ty.shape, call.ty.shape))


def _number(exponent: Any) -> float | None:
    """The one value of a constant."""
    from tvm.ir import GenericConst

    if not isinstance(exponent, GenericConst):
        return None
    values = exponent.value.numpy().reshape(-1)
    return float(values[0]) if values.size and (values == values[0]).all() else None
