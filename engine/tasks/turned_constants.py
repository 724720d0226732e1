"""Constants that a model turns round before it uses them, turned here."""

from __future__ import annotations

from typing import Any

from engine.models.relax.binding_names import bindings_of
from engine.models.relax.calls import operator_name, with_main

_TURN = "relax.permute_dims"


def with_turned_constants(module: Any) -> Any:
    """The module without transpositions of constants, such as those of dense layers' weights.

    TVM folds them, too, by compiling a kernel for each: 0.1 s, and a deep network has thousands.
    """
    if not any(_turns(binding.value) for binding in bindings_of(module["main"])):
        return module
    from tvm.relax import PyExprMutator
    from tvm.relax.expr_functor import mutator

    made: dict[tuple[Any, tuple[int, ...]], Any] = {}

    @mutator
    class Turned(PyExprMutator):  # type: ignore[misc]  # TVM has no types
        """Puts constants in the place of calls."""

        def visit_call_(self, call: Any) -> Any:
            call = super().visit_call_(call)
            if not _turns(call):
                return call
            key = (call.args[0], _axes(call))
            if key not in made:
                made[key] = _turned(*key)
            return made[key]

    return with_main(module, Turned(module).visit_expr(module["main"]))


def _turns(value: Any) -> bool:
    from tvm.ir import GenericConst

    return operator_name(value) == _TURN and isinstance(value.args[0], GenericConst)


def _axes(call: Any) -> tuple[int, ...]:
    rank = len(call.args[0].value.shape)
    axes = call.attrs.axes
    return tuple(reversed(range(rank))) if axes is None else tuple(int(axis) for axis in axes)


def _turned(constant: Any, axes: tuple[int, ...]) -> Any:
    import numpy as np
    from tvm import relax

    values = np.ascontiguousarray(np.transpose(constant.value.numpy(), axes))
    return relax.const(values, str(constant.value.dtype))
