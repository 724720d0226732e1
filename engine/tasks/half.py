"""A graph in mixed precision: heavy operators take halves and sum in float32."""

from __future__ import annotations

from typing import Any

from engine.models.relax.binding_names import is_named, name_added
from engine.models.relax.calls import operator_name, with_main

# Of a half, a square overflows from 256 on, an exponential from 12 on.
_WIDE = frozenset(
    f"relax.{name}"
    for name in (
        *("power", "square", "exp", "log", "sqrt", "rsqrt", "erf", "tan", "tanh", "sinh", "cosh"),
        *("sin", "cos", "asin", "acos", "atan", "sigmoid", "nn.silu", "nn.gelu", "nn.gelu_tanh"),
        *("nn.softplus", "nn.softmax", "nn.log_softmax"),
    )
)
_HEAVY = ("relax.nn.conv", "relax.matmul")


def in_half(module: Any) -> Any:
    """The module with float16 operands of convolutions and matrix products.

    What follows them takes what they give, rounded to float16, apart from softmax, sums, powers
    and other functions of large range, which are computed in float32. Inputs and outputs keep
    their types; a model whose operands are halves as they are stays what it is.
    """
    from tvm import relax

    if not _has_singles(module):
        return module
    before = _with_wide_functions(module)
    mixed = relax.transform.ToMixedPrecision(out_dtype="float32")(before)
    return name_added(module, mixed) if is_named(module) else mixed


def _has_singles(module: Any) -> bool:
    """Whether a heavy operator has operands in float32."""
    return any(
        operator_name(binding.value).startswith(_HEAVY)
        and any(_dtype(item) == "float32" for item in binding.value.args)
        for block in module["main"].body.blocks
        for binding in block.bindings
    )


def _with_wide_functions(module: Any) -> Any:
    """The module with casts, of float32 to itself, that the mixing of precisions leaves there."""
    from tvm import relax
    from tvm.ir import GenericConst
    from tvm.relax import PyExprMutator
    from tvm.relax.expr_functor import mutator

    @mutator
    class Wide(PyExprMutator):  # type: ignore[misc]  # TVM has no types
        """Changes the calls of some operators."""

        def visit_call_(self, call: Any) -> Any:
            call = super().visit_call_(call)
            if not _needs_range(call):
                return call
            arguments = [
                item
                if isinstance(item, GenericConst) or _dtype(item) != "float32"
                else self.builder_.emit(relax.op.astype(item, "float32"))
                for item in call.args
            ]
            return relax.Call(call.op, arguments, call.attrs, call.ty_args, call.span)

    return with_main(module, Wide(module).visit_expr(module["main"]))


def _needs_range(call: Any) -> bool:
    name = operator_name(call)
    if name == "relax.multiply":
        return bool(call.args[0].same_as(call.args[1]))
    return name in _WIDE


def _dtype(value: Any) -> str:
    return str(getattr(getattr(value, "ty", None), "dtype", ""))
