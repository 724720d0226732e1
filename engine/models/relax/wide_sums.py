"""Sums of halves in float32, rounded once: in float16 a sum of ones ends at 2048."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.models.relax.binding_names import bindings_of, is_named, name_bindings
from engine.models.relax.calls import operator_name, with_main

_HALF, _SINGLE = "float16", "float32"

_SUMS = frozenset(
    f"relax.{name}"
    for name in (
        *("sum", "mean", "variance", "prod", "cumsum", "nn.softmax", "nn.log_softmax"),
        *(f"nn.{kind}avg_pool{rank}d" for kind in ("", "adaptive_") for rank in (1, 2, 3)),
    )
)
_PRODUCTS = ("relax.matmul", "relax.nn.conv")
_OPTIONS = ("strides", "padding", "dilation", "groups", "data_layout", "kernel_layout")

_Write = Callable[[Any], Any]
"""Of a call that gives halves, one that gives float32."""


def with_wide_sums(module: Any) -> Any:
    """The module whose sums of float16 take float32, as ONNX Runtime's do."""
    return _widened(module, lambda name: _with_single_input if name in _SUMS else None)


def with_wide_products(module: Any) -> Any:
    """The module whose products of float16 matrices and convolutions are summed in float32."""
    made = _widened(module, lambda name: wide_product if name.startswith(_PRODUCTS) else None)
    return name_bindings(made) if made is not module and is_named(module) else made


def _widened(module: Any, rule: Callable[[str], _Write | None]) -> Any:
    from tvm.relax import PyExprMutator, op
    from tvm.relax.expr_functor import mutator

    if not any(_is_half(binding.var) for binding in bindings_of(module["main"])):
        return module

    @mutator
    class Wide(PyExprMutator):  # type: ignore[misc]  # TVM has no types
        """Changes the calls that the rule knows."""

        def visit_call_(self, call: Any) -> Any:
            narrow = _is_half(call)
            call = super().visit_call_(call)
            write = rule(operator_name(call)) if narrow and _is_half(call.args[0]) else None
            return call if write is None else op.astype(self.builder_.emit(write(call)), _HALF)

    return with_main(module, Wide(module).visit_expr(module["main"]))


def _with_single_input(call: Any) -> Any:
    from tvm.relax import Call, op

    given = [op.astype(call.args[0], _SINGLE), *call.args[1:]]
    return Call(call.op, given, call.attrs, call.ty_args, call.span)


def wide_product(call: Any) -> Any:
    """A convolution or matrix product of the same operands, which gives float32."""
    from tvm.relax import op

    name = operator_name(call)
    if name == "relax.matmul":
        return op.matmul(*call.args, out_dtype=_SINGLE)
    names = (*_OPTIONS, "output_padding") if "transpose" in name else _OPTIONS
    options = {key: getattr(call.attrs, key) for key in names}
    function = getattr(op.nn, name.removeprefix("relax.nn."))
    return function(*call.args, **options, out_dtype=_SINGLE)


def _is_half(x: Any) -> bool:
    from tvm import relax

    return isinstance(x.ty, relax.TensorType) and str(x.ty.dtype.dtype) == _HALF
