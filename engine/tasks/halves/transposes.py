"""Transposes moved behind elementwise operators, until one undoes another.

A network for channels first, whose convolutions are turned to channels last, has transposes round
what is between them, such as a residual; so has one that normalises channels last.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.models.relax.binding_names import bindings_of, is_named, name_added
from engine.models.relax.calls import operator_name, with_main
from engine.tasks.halves.ranges import PRODUCTS, is_constant, is_result
from engine.tasks.halves.reshapes import BY_ROWS, ELEMENTWISE, RESHAPES, Shape, shape_of

Order = tuple[int, ...]
"""For each axis of a transpose's result the axis that it was."""

_TURN = "relax.permute_dims"
_REDUCTIONS = tuple(f"relax.{name}" for name in ("mean", "sum", "max", "min"))


def with_late_transposes(module: Any) -> Any:
    """The module whose elementwise operators and means of a transpose of what an operator gives
    read that itself, and are turned; without transposes that come to nothing."""
    from tvm import relax
    from tvm.relax.expr_functor import mutator

    if not any(operator_name(binding.value) == _TURN for binding in bindings_of(module["main"])):
        return module

    @mutator
    class Late(relax.PyExprMutator):  # type: ignore[misc]  # TVM has no types
        """Changes the calls that read transposes."""

        def visit_var_binding_(self, binding: Any) -> None:
            same = self._unturned(binding)
            if same is None:
                super().visit_var_binding_(binding)
            else:
                self.set_var_remap(binding.var, same)

        def visit_call_(self, call: Any) -> Any:
            shape = shape_of(call)
            call = super().visit_call_(call)
            name = operator_name(call)
            if shape is None:
                return call
            if name == _TURN:
                return self._turn(*self._whole(call))
            if name in _REDUCTIONS:
                return self._reduced(call)
            if name not in ELEMENTWISE:
                return call
            for item in call.args:
                source, order = self._source(item)
                if source is not None and shape_of(item) == shape and self._fuses(source):
                    made = self._made(call, order)
                    return call if made is None else self._turn(self.builder_.emit(made), order)
            return call

        def _unturned(self, binding: Any) -> Any:
            """What there is already of a transpose."""
            if operator_name(binding.value) != _TURN or is_result(binding.var):
                return None
            item, order = self._whole(binding.value, self.visit_expr(binding.value.args[0]))
            return item if list(order) == sorted(order) else None

        def _whole(self, call: Any, item: Any = None) -> tuple[Any, Order]:
            """What a transpose turns, and how, with a transpose before it in the same."""
            item = call.args[0] if item is None else item
            order = _order(call, item)
            source, first = self._source(item)
            return (item, order) if source is None else (source, tuple(first[a] for a in order))

        def _turn(self, item: Any, order: Order) -> Any:
            shape = _sizes(item)
            moved = [axis for axis in order if shape[axis] != 1]
            if moved == sorted(moved):  # in memory nothing moves
                return relax.op.reshape(item, tuple(shape[axis] for axis in order))
            return relax.op.permute_dims(item, list(order))

        def _source(self, item: Any) -> tuple[Any, Order]:
            """What an operand is a transpose of, and how; None where it is none."""
            bound = self._bound(item)
            if operator_name(bound) != _TURN:
                return None, ()
            return bound.args[0], _order(bound, bound.args[0])

        def _bound(self, item: Any) -> Any:
            return self.lookup_binding(item) if isinstance(item, relax.Var) else None

        def _fuses(self, source: Any) -> bool:
            bound = self._bound(source)
            while operator_name(bound) in RESHAPES:
                bound = self._bound(bound.args[0])
            name = operator_name(bound)
            return name in ELEMENTWISE or name in BY_ROWS or name.startswith(PRODUCTS)

        def _reduced(self, call: Any) -> Any:
            """A reduction that keeps its axes, of what is not turned yet."""
            source, order = self._source(call.args[0])
            if source is None or not call.attrs.keepdims or call.attrs.axis is None:
                return call
            axes = [order[int(axis)] for axis in call.attrs.axis]
            function = getattr(relax.op, operator_name(call).removeprefix("relax."))
            return self._turn(self.builder_.emit(function(source, axes, keepdims=True)), order)

        def _made(self, call: Any, order: Order) -> Any:
            """A call of operands that are not turned yet; None where one of them has to be."""
            given = []
            for item in call.args:
                source, own = self._source(item)
                if source is None or own != order:
                    source = self._back(item, order)
                if source is None:
                    return None
                given.append(source)
            return relax.Call(call.op, given, call.attrs, call.ty_args, call.span)

        def _back(self, item: Any, order: Order) -> Any:
            """An operand with its axes where they were before a transpose, by no kernel."""
            shape = shape_of(item)
            if shape is None or set(shape) <= {1}:
                return item
            full = (1,) * (len(order) - len(shape)) + shape
            axes = [order.index(axis) for axis in range(len(order))]
            if is_constant(item):
                return relax.const(_turned(item, full, axes), str(item.value.dtype))
            kept = [axis for axis in axes if full[axis] != 1]
            if kept != sorted(kept):
                return None
            return self.builder_.emit(relax.op.reshape(item, tuple(full[axis] for axis in axes)))

    changed = with_main(module, Late(module).visit_expr(module["main"]))
    changed = relax.transform.DeadCodeElimination()(changed)
    return name_added(module, changed) if is_named(module) else changed


def _order(call: Any, item: Any) -> Order:
    axes, rank = call.attrs.axes, len(_sizes(item))
    return tuple(range(rank))[::-1] if axes is None else tuple(int(axis) % rank for axis in axes)


def _turned(constant: Any, shape: Shape, axes: Sequence[int]) -> Any:
    import numpy as np

    return np.ascontiguousarray(np.transpose(constant.value.numpy().reshape(shape), axes))


def _sizes(item: Any) -> Shape:
    shape = shape_of(item)
    assert shape is not None
    return shape
