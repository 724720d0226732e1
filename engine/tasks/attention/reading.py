"""A Relax function's bindings as a graph, and the views in it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from engine.models.relax.binding_names import bindings_of, leaves
from engine.models.relax.calls import operator_name
from engine.tasks.attention.views import View, contiguous

FLOATS = frozenset(("float16", "bfloat16", "float32"))

RESHAPES = frozenset(f"relax.{name}" for name in ("reshape", "squeeze", "expand_dims", "flatten"))
TURN = "relax.permute_dims"
_SLICE = "relax.strided_slice"


@dataclass(frozen=True, slots=True)
class Seen:
    """A value as a view of another one (`root`), times a scale; `names` of the bindings between."""

    root: Any
    view: View
    scale: float = 1.0
    names: frozenset[str] = field(default=frozenset(), compare=False)


class Graph:
    """What defines each variable of `main`, and what reads it.

    `placed` says of variables where they will lie instead, as parts of merged products.
    """

    def __init__(self, main: Any, placed: Mapping[Any, Seen] | None = None) -> None:
        self.bindings = list(bindings_of(main))
        self._values = {binding.var: binding.value for binding in self.bindings}
        self._readers: dict[Any, list[Any]] = {}
        for binding in self.bindings:
            for leaf in leaves(binding.value):
                self._readers.setdefault(leaf, []).append(binding)
        self._seen: dict[Any, Seen] = dict(placed or {})

    def value(self, expr: Any) -> Any:
        """What a variable was given, of other variables' names for it the first; `expr` itself
        where it is no variable, None of an input."""
        from tvm import relax

        while isinstance(expr, relax.Var):
            expr = self._values.get(expr)
        return expr

    def readers(self, var: Any) -> list[Any]:
        """The bindings that read a variable, twice where they read it twice."""
        return self._readers.get(var, [])

    def read_once(self, var: Any) -> bool:
        """Whether nothing but one place in one binding needs a variable."""
        from tvm import relax

        return isinstance(var, relax.DataflowVar) and len(self.readers(var)) == 1

    def is_constant(self, expr: Any) -> bool:
        """Whether an expression depends on no input."""
        from tvm.ir import GenericConst

        return isinstance(self.value(expr), GenericConst)

    def constant(self, expr: Any) -> Any:
        """A copy of the array that an expression always is, None where it depends on inputs."""
        return self.value(expr).value.numpy() if self.is_constant(expr) else None

    def scalar(self, expr: Any) -> float | None:
        """The number that an expression always is; None where it is none."""
        shape = shape_of(expr)
        if shape is None or math.prod(shape) != 1:
            return None
        array = self.constant(expr)
        return None if array is None or array.dtype.kind not in "fi" else float(array.item())

    def seen(self, expr: Any) -> Seen:
        """An expression as a view of what lies farthest back."""
        from tvm import relax

        if not isinstance(expr, relax.Var):
            return Seen(expr, contiguous(shape_of(expr) or ()))
        if expr not in self._seen:
            self._seen[expr] = self._followed(expr) or Seen(expr, contiguous(shape_of(expr) or ()))
        return self._seen[expr]

    def _followed(self, var: Any) -> Seen | None:
        from tvm import relax

        value = self._values.get(var)
        if isinstance(value, relax.Var):
            return self.seen(value)
        if dtype_of(var) not in FLOATS or shape_of(var) is None:
            return None
        if isinstance(value, relax.TupleGetItem):
            return self._part(var, value)
        name, source = operator_name(value), _source(value)
        if source is None or shape_of(source) is None or dtype_of(source) not in FLOATS:
            return None
        if name in ("relax.multiply", "relax.divide"):
            return self._scaled(var, value)
        below = self.seen(source)
        view = self._applied(name, value, below.view, shape_of(var) or ())
        return None if view is None else _onto(below, view, var)

    def _applied(self, name: str, call: Any, view: View, shape: tuple[int, ...]) -> View | None:
        if name == "relax.astype":
            return view
        if name == TURN:
            return view.turned(turn_order(call))
        if name in RESHAPES:
            return view.reshaped(shape)
        if name == "relax.broadcast_to":
            return view.repeated(shape)
        if name == _SLICE:
            return _sliced(call, view, shape)
        return self._picked(call, view, shape) if name == "relax.take" else None

    def _picked(self, call: Any, view: View, shape: tuple[int, ...]) -> View | None:
        """One place of an axis."""
        index, axis = self.constant(call.args[1]), call.attrs.axis
        if index is None or index.size != 1 or axis is None:
            return None
        place = int(axis) % len(view.axes)
        made = view.sliced(place, int(index.item()) % view.shape[place], 1, 1)
        return None if made is None else made.reshaped(shape)

    def _scaled(self, var: Any, call: Any) -> Seen | None:
        for given, factor in scaled(self, call):
            below = self.seen(given)
            return replace(_onto(below, below.view, var), scale=below.scale * factor)
        return None

    def _part(self, var: Any, item: Any) -> Seen | None:
        """A part of what was split."""
        call = self.value(item.tuple_value)
        if operator_name(call) != "relax.split" or dtype_of(call.args[0]) not in FLOATS:
            return None
        place, below = int(call.attrs.axis), self.seen(call.args[0])
        sizes = [shape_of_type(part) for part in call.ty.fields]
        if any(size is None for size in sizes):
            return None
        place %= len(below.view.axes)
        extents = [size[place] for size in sizes if size is not None]
        index = int(item.index)
        view = below.view.sliced(place, sum(extents[:index]), extents[index], 1)
        return None if view is None else _onto(below, view, var)


def scaled(graph: Graph, call: Any) -> Iterator[tuple[Any, float]]:
    """A product or quotient of a tensor and a number as the tensor and the factor, if it is one."""
    name = operator_name(call)
    if name not in ("relax.multiply", "relax.divide"):
        return
    pairs = [tuple(call.args)] if name == "relax.divide" else [tuple(call.args), call.args[::-1]]
    for given, other in pairs:
        number = graph.scalar(other)
        if number is None or shape_of(given) != shape_of(call) or graph.scalar(given) is not None:
            continue
        if name == "relax.divide" and number == 0:
            return
        yield given, 1 / number if name == "relax.divide" else number
        return


def shape_of(expr: Any) -> tuple[int, ...] | None:
    """An expression's shape; None where it has none or not a fixed one."""
    return shape_of_type(getattr(expr, "ty", None))


def shape_of_type(kind: Any) -> tuple[int, ...] | None:
    from tvm import relax, tirx

    if not isinstance(kind, relax.TensorType):
        return None
    values = getattr(kind.shape, "values", None)
    if values is None or not all(isinstance(size, tirx.IntImm | int) for size in values):
        return None
    return tuple(int(size) for size in values)


def dtype_of(expr: Any) -> str:
    return str(getattr(getattr(expr, "ty", None), "dtype", ""))


def turn_order(call: Any) -> tuple[int, ...]:
    """The axes of a transposition."""
    axes, rank = call.attrs.axes, len(shape_of(call.args[0]) or ())
    return tuple(reversed(range(rank))) if axes is None else tuple(int(a) % rank for a in axes)


def names_of(variables: Iterable[Any]) -> frozenset[str]:
    return frozenset(str(var.name) for var in variables)


def _source(value: Any) -> Any:
    arguments = getattr(value, "args", None)
    return arguments[0] if arguments else None


def _onto(below: Seen, view: View, var: Any) -> Seen:
    return replace(below, view=view, names=below.names | {str(var.name)})


def _sliced(call: Any, view: View, shape: tuple[int, ...]) -> View | None:
    numbers = [_numbers(argument) for argument in call.args[1:]]
    if len(numbers) < 3 or any(part is None for part in numbers):
        return None
    axes, begins, *_ = (part or () for part in numbers)
    steps = (numbers[3] or ()) if len(numbers) > 3 else (1,) * len(axes)
    made: View | None = view
    for axis, begin, step in zip(axes, begins, steps, strict=True):
        if made is None or step < 1:
            return None
        place = axis % len(shape)
        size = view.shape[place]
        first = min(max(begin + size if begin < 0 else begin, 0), size)
        made = made.sliced(place, first, shape[place], step)
    return made


def _numbers(argument: Any) -> tuple[int, ...] | None:
    from tvm import relax

    fields = argument.fields if isinstance(argument, relax.Tuple) else argument
    try:
        return tuple(int(getattr(item, "value", item)) for item in fields)
    except (TypeError, ValueError):
        return None
