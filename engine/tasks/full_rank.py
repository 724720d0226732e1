"""Constants given the rank of what they meet, so that TVM can change the layout of both."""

from __future__ import annotations

import math
from typing import Any

from engine.models.relax.calls import operator_name, with_main

_BINARY = frozenset(
    f"relax.{name}"
    for name in (
        *("add", "subtract", "multiply", "divide", "floor_divide", "power", "mod", "floor_mod"),
        *("maximum", "minimum", "equal", "not_equal"),
        *("less", "less_equal", "greater", "greater_equal"),
    )
)

_COMMUTATIVE = frozenset(f"relax.{name}" for name in ("add", "multiply", "maximum", "minimum"))


def with_full_ranks(module: Any) -> Any:
    """The module whose elementwise operators of a tensor and a constant have both of one rank,
    the tensor first; a constant of one element has none.

    TVM turns the tensor round before and after an operator whose constant, (c, 1, 1) say, leaves
    axes out or comes first, whereas (1, c, 1, 1) it turns itself, once and for all.
    """
    from tvm.ir import GenericConst
    from tvm.relax import Call, PyExprMutator
    from tvm.relax.expr_functor import mutator

    @mutator
    class Ranks(PyExprMutator):  # type: ignore[misc]  # TVM has no types
        """Changes the calls of elementwise operators."""

        def visit_call_(self, call: Any) -> Any:
            call = super().visit_call_(call)
            if operator_name(call) not in _BINARY:
                return call
            ranks = [_rank(item) for item in call.args if not isinstance(item, GenericConst)]
            made = [
                _of_rank(item, max(ranks, default=0)) if isinstance(item, GenericConst) else item
                for item in call.args
            ]
            if isinstance(made[0], GenericConst) and call.op.name in _COMMUTATIVE:
                made.reverse()
            return Call(call.op, made, call.attrs, call.ty_args, call.span)

    return with_main(module, Ranks(module).visit_expr(module["main"]))


def _of_rank(constant: Any, rank: int) -> Any:
    from tvm import relax

    value = constant.value
    shape = tuple(int(size) for size in value.shape)
    if not 0 < len(shape) <= rank:
        return constant  # which may give the result its rank
    full = () if math.prod(shape) == 1 else (1,) * (rank - len(shape)) + shape
    return relax.const(value._create_view(full, str(value.dtype)))


def _rank(argument: Any) -> int:
    return int(getattr(argument.ty, "ndim", -1))
