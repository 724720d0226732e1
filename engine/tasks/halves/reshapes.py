"""Reshapes moved behind elementwise operators, which fuse with what comes before them.

Exporters write a layer of neurons as a product of matrices between two reshapes. What follows the
product in three dimensions, such as an activation or a residual, would be a kernel of its own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from engine.models.relax.binding_names import bindings_of, is_named, name_added
from engine.models.relax.calls import operator_name, with_main
from engine.tasks.halves.ranges import PRODUCTS, is_constant, is_result

Shape = tuple[int, ...]

RESHAPES = tuple(f"relax.{name}" for name in ("reshape", "flatten", "squeeze", "expand_dims"))
ELEMENTWISE = frozenset(
    f"relax.{name}"
    for name in (
        *("add", "subtract", "multiply", "divide", "power", "maximum", "minimum", "where", "isnan"),
        *("abs", "negative", "sign", "floor", "ceil", "round", "exp", "log", "sqrt", "rsqrt"),
        *("erf", "sigmoid", "tanh", "sin", "cos", "square", "clip", "astype", "nn.relu"),
        *("nn.relu6", "nn.leakyrelu", "nn.gelu", "nn.gelu_tanh", "nn.silu", "nn.softplus"),
    )
)
BY_ROWS = frozenset(f"relax.nn.{name}" for name in ("softmax", "layer_norm", "rms_norm"))
"""What treats each row by itself, where it is told the last axis alone."""


def with_late_reshapes(module: Any) -> Any:
    """The module whose elementwise operators, softmaxes and normalisations of rows that read a
    reshape of what a product or one of them gives read that itself, and are reshaped."""
    from tvm import relax
    from tvm.relax.expr_functor import mutator

    if not any(operator_name(binding.value) in RESHAPES for binding in bindings_of(module["main"])):
        return module

    @mutator
    class Late(relax.PyExprMutator):  # type: ignore[misc]  # TVM has no types
        """Changes the calls that read reshapes."""

        def visit_var_binding_(self, binding: Any) -> None:
            same = self._unshaped(binding)
            if same is None:
                super().visit_var_binding_(binding)
            else:
                self.set_var_remap(binding.var, same)

        def visit_call_(self, call: Any) -> Any:
            shape = shape_of(call)
            call = super().visit_call_(call)
            if shape is None:
                return call
            if operator_name(call) in RESHAPES:
                source = self._source(call.args[0])
                return call if source is None else relax.op.reshape(source, shape)
            early = self._early(call, shape)
            made = None if early is None else self._made(call, shape, early)
            return call if made is None else relax.op.reshape(self.builder_.emit(made), shape)

        def _unshaped(self, binding: Any) -> Any:
            """What there is already in the shape that a binding would give it."""
            value = binding.value
            if operator_name(value) not in RESHAPES or is_result(binding.var):
                return None
            item = self.visit_expr(value.args[0])
            source = self._source(item)
            source = item if source is None else source
            return source if shape_of(source) == shape_of(value) else None

        def _bound(self, item: Any) -> Any:
            return self.lookup_binding(item) if isinstance(item, relax.Var) else None

        def _source(self, item: Any) -> Any:
            """What an operand is a reshape of, if it is one."""
            bound = self._bound(item)
            return bound.args[0] if operator_name(bound) in RESHAPES else None

        def _early(self, call: Any, shape: Shape) -> Any:
            """What a call may read in place of a reshape of it."""
            name = operator_name(call)
            if name not in ELEMENTWISE and not _is_by_rows(call):
                return None
            for item in call.args[:1] if name in BY_ROWS else call.args:
                source = self._source(item)
                if source is not None and shape_of(item) == shape and self._fuses(source):
                    return source
            return None

        def _fuses(self, source: Any) -> bool:
            name = operator_name(self._bound(source))
            return name in ELEMENTWISE or name in BY_ROWS or name.startswith(PRODUCTS)

        def _made(self, call: Any, shape: Shape, early: Any) -> Any:
            """A call in the shape of `early`; None where one of its operands has no such shape."""
            groups = _groups(_sizes(early), shape)
            if operator_name(call) in BY_ROWS:
                alone = [len(axes) for axes in groups[-1]] == [1, 1]
                return _by_rows(call, early) if alone else None
            given = []
            for item in call.args:
                own = shape_of(item)
                if own is None or math.prod(own) == 1:
                    given.append(item)
                    continue
                wanted = _in_groups(own, groups, _sizes(early), shape)
                if wanted is None:
                    return None
                given.append(self._reshaped(item, wanted))
            return relax.Call(call.op, given, call.attrs, call.ty_args, call.span)

        def _reshaped(self, item: Any, shape: Shape) -> Any:
            if is_constant(item):
                return relax.const(item.value._create_view(shape, str(item.value.dtype)))
            source = self._source(item)
            if source is None:
                source = item
            return (
                source
                if shape_of(source) == shape
                else self.builder_.emit(relax.op.reshape(source, shape))
            )

    changed = with_main(module, Late(module).visit_expr(module["main"]))
    changed = relax.transform.DeadCodeElimination()(changed)
    return name_added(module, changed) if is_named(module) else changed


Group = tuple[range, range]
"""Axes before and after a reshape that hold the same elements."""


def _groups(before: Shape, after: Shape) -> list[Group]:
    """The smallest groups of the axes of two shapes of as many elements, of which there are some;
    an axis of one element may be a group by itself."""
    groups = []
    i = j = 0
    while i < len(before) or j < len(after):
        left, right = before[i : i + 1], after[j : j + 1]
        rows = 0 if right == (1,) and left != (1,) else len(left)
        columns = 0 if left == (1,) and right != (1,) else len(right)
        while (p := math.prod(before[i : i + rows])) != (q := math.prod(after[j : j + columns])):
            rows, columns = (rows + 1, columns) if p < q else (rows, columns + 1)
        groups.append((range(i, i + rows), range(j, j + columns)))
        i, j = i + rows, j + columns
    return groups


def _in_groups(own: Shape, groups: Sequence[Group], before: Shape, after: Shape) -> Shape | None:
    """The shape before a reshape of an operand that has the shape `own` after it, where it is
    repeated along axes of one element; None where it is repeated along a part of a group."""
    full = (1,) * (len(after) - len(own)) + own
    made: list[int] = []
    for old, new in groups:
        sizes = [full[axis] for axis in new]
        if all(size == 1 for size in sizes):
            made += [1] * len(old)
        elif sizes == [after[axis] for axis in new]:
            made += [before[axis] for axis in old]
        else:
            return None
    return tuple(made)


def _is_by_rows(call: Any) -> bool:
    """Whether a call is a softmax or normalisation of the last axis."""
    if operator_name(call) not in BY_ROWS:
        return False
    axes = [call.attrs.axis] if hasattr(call.attrs, "axis") else list(call.attrs.axes)
    rank = int(call.args[0].ty.ndim)
    return [int(axis) % rank for axis in axes] == [rank - 1]


def _by_rows(call: Any, item: Any) -> Any:
    """Such a call, of an item of another rank."""
    from tvm.relax.op import nn

    name, rest, attrs = operator_name(call), call.args[1:], call.attrs
    if name == "relax.nn.softmax":
        return nn.softmax(item, axis=-1)
    if name == "relax.nn.rms_norm":
        return nn.rms_norm(item, *rest, axes=[-1], epsilon=attrs.epsilon)
    more = {"epsilon": attrs.epsilon, "center": attrs.center, "scale": attrs.scale}
    return nn.layer_norm(item, *rest, axes=[-1], **more)


def _sizes(item: Any) -> Shape:
    shape = shape_of(item)
    assert shape is not None
    return shape


def shape_of(item: Any) -> Shape | None:
    """The shape of a tensor that has elements; None for what else there is."""
    from tvm import relax

    ty = getattr(item, "ty", None)
    if not isinstance(ty, relax.TensorType) or ty.shape is None:
        return None
    try:
        shape = tuple(int(size) for size in ty.shape)
    except TypeError:
        return None
    return None if 0 in shape else shape
