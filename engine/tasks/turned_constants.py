"""Constants that a model turns round or reshapes before it uses them, so made here."""

from __future__ import annotations

from typing import Any

from engine.models.relax.binding_names import bindings_of
from engine.models.relax.calls import operator_name, with_main

_TURN = "relax.permute_dims"
_RESHAPE = "relax.reshape"


def with_turned_constants(module: Any) -> Any:
    """The module without transpositions and reshapes of constants, such as those of the weights of
    dense layers and of what convolutions add.

    TVM folds them, too, by compiling a kernel for each: 0.1 s, and a deep network has thousands.
    """
    found = {operator_name(binding.value) for binding in bindings_of(module["main"])}
    if found.isdisjoint((_TURN, _RESHAPE)):
        return module
    from tvm.ir import GenericConst
    from tvm.relax import PyExprMutator
    from tvm.relax.expr_functor import mutator

    made: dict[tuple[Any, str, tuple[int, ...]], Any] = {}

    @mutator
    class Turned(PyExprMutator):  # type: ignore[misc]  # TVM has no types
        """Puts constants in the place of calls."""

        def visit_call_(self, call: Any) -> Any:
            declared: Any = getattr(call.ty, "shape", None)
            call = super().visit_call_(call)
            operator = operator_name(call)
            if operator not in (_TURN, _RESHAPE):
                return call
            constant = self._constant(call.args[0])
            if constant is None or 0 in map(int, constant.value.shape):
                return call
            numbers = _axes(call, constant) if operator == _TURN else tuple(map(int, declared))
            key = (constant, operator, numbers)
            if key not in made:
                made[key] = (_turned if operator == _TURN else _reshaped)(constant, numbers)
            return made[key]

        def _constant(self, value: Any) -> Any:
            """The constant that a value is, or that a variable was given before; None without."""
            if not isinstance(value, GenericConst):
                value = self.lookup_binding(value) if _is_variable(value) else None
            return value if isinstance(value, GenericConst) else None

    return with_main(module, Turned(module).visit_expr(module["main"]))


def _is_variable(value: Any) -> bool:
    from tvm.relax import Var

    return isinstance(value, Var)


def _axes(call: Any, constant: Any) -> tuple[int, ...]:
    rank = len(constant.value.shape)
    axes = call.attrs.axes
    return tuple(reversed(range(rank))) if axes is None else tuple(int(axis) for axis in axes)


def _turned(constant: Any, axes: tuple[int, ...]) -> Any:
    import numpy as np
    from tvm import relax

    values = np.array(np.transpose(constant.value.numpy(), axes), order="C")
    return relax.const(values, str(constant.value.dtype))


def _reshaped(constant: Any, shape: tuple[int, ...]) -> Any:
    from tvm import relax

    return relax.const(constant.value._create_view(shape, str(constant.value.dtype)))
