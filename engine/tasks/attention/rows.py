"""Conditions that say of rows of scores whether a mask leaves them any key."""

from __future__ import annotations

import math
from typing import Any

from engine.models.relax.calls import operator_name
from engine.tasks.attention.reading import Graph, shape_of

CAST = "relax.astype"
_NOT = "relax.logical_not"


def is_zero(graph: Graph, expr: Any) -> bool:
    """Whether an expression is 0 everywhere, by how it is written."""
    call = graph.value(expr)
    if operator_name(call) == "relax.full_like":
        return graph.scalar(call.args[1]) == 0
    return graph.scalar(expr) == 0


def kept_of(graph: Graph, choice: Any, masked: Any) -> Any:
    """What a choice leaves of the rows in which something of `masked` is more than -inf, where it
    makes the others 0; None where it is not such a choice."""
    if operator_name(choice) != "relax.where":
        return None
    condition, first, second = choice.args
    shape = shape_of(masked)
    if shape is None or shape_of(condition) != (*shape[:-1], 1):
        return None
    alive = _says_alive(graph, condition, masked)
    if alive is None:
        return None
    kept, zero = (first, second) if alive else (second, first)
    return kept if is_zero(graph, zero) else None


def _says_alive(graph: Graph, condition: Any, masked: Any) -> bool | None:
    """Whether a condition holds where a row has a key, or where it has none; None of others."""
    largest, turned = _stripped(graph, condition)
    if operator_name(largest) == "relax.maximum":  # with a part, which a NaN would not leave
        largest, part = (graph.value(item) for item in largest.args)
        if operator_name(part) != "relax.strided_slice" or not _same(graph, part, largest):
            return None
    if operator_name(largest) != "relax.max" or not largest.attrs.keepdims:
        return None
    rank = len(shape_of(masked) or ())
    if [int(axis) % rank for axis in largest.attrs.axis or ()] != [rank - 1]:
        return None
    test, inverted = _stripped(graph, largest.args[0])
    kept = {"relax.greater": False, "relax.equal": True}.get(operator_name(test))
    if kept is None or kept != inverted or graph.scalar(test.args[1]) != -math.inf:
        return None
    given, wanted = graph.value(test.args[0]), graph.value(masked)
    same = test.args[0].same_as(masked) or (given is not None and given.same_as(wanted))
    return not turned if same else None


def _same(graph: Graph, part: Any, largest: Any) -> bool:
    """Whether a part is of what the largest is looked for in."""
    return bool(part.args[0].same_as(largest.args[0]))


def _stripped(graph: Graph, expr: Any) -> tuple[Any, bool]:
    """The call before casts and negations, and whether it is negated."""
    call, turned = graph.value(expr), False
    while operator_name(call) in (CAST, _NOT):
        turned ^= operator_name(call) == _NOT
        call = graph.value(call.args[0])
    return call, turned
