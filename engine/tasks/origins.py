"""Which nodes of the ONNX model each binding of a fused module came of.

Before fusion the bindings' names tell it (`engine.models.relax.binding_names`); fusion forgets
them and shares functions between calls. So each computation inside a fused function is looked up
among those of the module before: the same kernel of the same inputs is the same computation.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any

from engine.graph.feeding import Owners, consumers_share
from engine.models.relax.binding_names import bindings_of, is_added, owners_of, places_read

ORIGINS = "tunewright.origins"
"""The attribute of `main` that holds, for each binding, the places of nodes, as JSON."""

Value = Hashable
"""A number for what is computed, equal for equal computations, or a tuple of such."""


@dataclass(frozen=True, slots=True)
class Origins:
    """For each binding the places of the ONNX model's nodes that it computes, or a part of them.

    `lost` are the places of those whose computation was there before fusion and not found after.
    """

    bindings: tuple[Owners, ...]
    lost: Owners


def note_origins(before: Any, fused: Any, lowered: Any) -> Any:
    """`lowered` with the origins of its bindings.

    `before` is the module as FuseOps takes it, `fused` as FuseOps gives it; `lowered` has the
    bindings of `fused` in the same order.
    """
    if _names(fused) != _names(lowered):
        return lowered
    followed = _Followed(before)
    found = followed.origins(fused)
    lost = followed.all.difference(*found)
    data = {"bindings": [sorted(owners) for owners in found], "lost": sorted(lost)}
    text = json.dumps(data, separators=(",", ":"))
    lowered.update_func(lowered.get_global_var("main"), lowered["main"].with_attr(ORIGINS, text))
    return lowered


def read_origins(module: Any) -> Origins | None:
    """The origins of `main`'s bindings, None where they were not noted."""
    attrs = module["main"].attrs
    if attrs is None or ORIGINS not in attrs:
        return None
    data = json.loads(str(attrs[ORIGINS]))
    return Origins(tuple(map(frozenset, data["bindings"])), frozenset(data["lost"]))


class _Followed:
    """The computations of a module before fusion, each with the nodes that it came of."""

    def __init__(self, before: Any) -> None:
        self._numbers: dict[Hashable, int] = {}
        self._owners: defaultdict[int, Owners] = defaultdict(frozenset)
        values: dict[Any, Value] = _inputs(before["main"])
        bindings = list(bindings_of(before["main"]))
        owned = consumers_share(
            [owners_of(binding.var) for binding in bindings], places_read(bindings)
        )
        for binding, owners in zip(bindings, owned, strict=True):
            value = self._value(binding.value, values, new=True)
            values[binding.var] = value
            if isinstance(value, int) and not is_added(binding.var):
                self._owners[value] |= owners

    @property
    def all(self) -> Owners:
        """The places of all nodes that came so far."""
        return frozenset[int]().union(*self._owners.values())

    def origins(self, fused: Any) -> list[Owners]:
        """For each binding of the fused module's `main` the places of nodes."""
        values = _inputs(fused["main"])
        found = []
        for binding in bindings_of(fused["main"]):
            inside: list[Value] = []
            values[binding.var] = self._through(fused, binding.value, values, inside)
            owners = (self._owners[value] for value in inside if isinstance(value, int))
            found.append(frozenset[int]().union(*owners))
        return found

    def _through(
        self, fused: Any, expr: Any, values: dict[Any, Value], inside: list[Value]
    ) -> Value:
        """The value of a binding; `inside` gets all that are computed on the way."""
        import tvm
        from tvm import relax

        callee = expr.op if isinstance(expr, relax.Call) else None
        if not isinstance(callee, tvm.ir.GlobalVar):
            value = self._value(expr, values)
            inside.append(value)
            return value
        function = fused[callee]
        given = [self._value(argument, values) for argument in expr.args]
        local = dict(zip(function.params, given, strict=True))
        for binding in bindings_of(function):
            local[binding.var] = self._value(binding.value, local)
            inside.append(local[binding.var])
        return self._value(function.body.body, local)

    def _value(self, expr: Any, values: dict[Any, Value], *, new: bool = False) -> Value:
        """What an expression computes; None where it is not known, unless it is `new`."""
        import tvm
        from tvm import relax

        if isinstance(expr, relax.Tuple):
            return tuple(self._value(item, values, new=new) for item in expr.fields)
        if isinstance(expr, relax.TupleGetItem):
            whole = self._value(expr.tuple_value, values, new=new)
            if isinstance(whole, tuple):
                part: Value = whole[int(expr.index)]
                return part
            return self._number(("item", whole, int(expr.index)), new)
        if isinstance(expr, relax.Call):
            parts = tuple(self._value(argument, values, new=new) for argument in expr.args)
            return self._number((str(getattr(expr.op, "name", expr.op)), *parts), new)
        if isinstance(expr, relax.Var):
            return values.get(expr)
        constant = isinstance(expr, tvm.ir.GenericConst)
        return _Constant(expr) if constant else str(expr)

    def _number(self, key: Hashable, new: bool) -> int | None:
        if new:
            return self._numbers.setdefault(key, len(self._numbers))
        return self._numbers.get(key)


class _Constant:
    """A constant, which is equal to itself only."""

    __slots__ = ("_expr",)

    def __init__(self, expr: Any) -> None:
        self._expr = expr

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Constant) and bool(self._expr.same_as(other._expr))

    def __hash__(self) -> int:
        return hash(self._expr)


def _names(module: Any) -> list[str]:
    return [str(binding.var.name) for binding in bindings_of(module["main"])]


def _inputs(main: Any) -> dict[Any, Value]:
    params: Iterable[Any] = main.params
    return {parameter: f"input {place}" for place, parameter in enumerate(params)}
