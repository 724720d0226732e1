"""The endings of a set of operators: what may run as its last stage."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from engine.ios.graph import OperatorGraph, bits


@dataclass(frozen=True, slots=True)
class Pruning:
    """At most `r` operators a group and `s` groups a stage; None: any number.

    `one_start`: a group begins with one operator that all others of it wait for. The published
    scheduler looks at such groups only, and the published counts are of them.
    """

    r: int | None = 3
    s: int | None = 8
    one_start: bool = False


def endings(
    graph: OperatorGraph, state: int, pruning: Pruning
) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Every ending of `state` within the limits, once, with its groups, in no order of theirs.

    `state` holds all that its operators wait for. No edge leads from an ending back into the rest,
    so each connected group of an ending is an ending itself, and endings are exactly the unions of
    disjoint groups.
    """
    most = graph.n if pruning.s is None else pruning.s
    alone = []
    for group in connected(graph, state, pruning):
        alone.append(group)
        yield group, (group,)
    waiting: list[tuple[int, tuple[int, ...], list[int]]] = [(0, (), alone)]
    while waiting:
        ending, chosen, groups = waiting.pop()
        for place, group in enumerate(groups):
            larger, longer = ending | group, (*chosen, group)
            if chosen:
                yield larger, longer
            if len(longer) < most:
                rest = [other for other in groups[place + 1 :] if not other & group]
                if rest:
                    waiting.append((larger, longer, rest))


def connected(graph: OperatorGraph, state: int, pruning: Pruning) -> Iterator[int]:
    """The connected endings of `state` with at most r operators, each once.

    The smallest ending with an operator is that operator with all that waits for it. Connected
    endings are unions of these that overlap, and every part of such a union is no larger.
    """
    most = graph.n if pruning.r is None else pruning.r
    cones = [(graph.below[operator] & state) | 1 << operator for operator in bits(state)]
    cones = [cone for cone in cones if cone.bit_count() <= most]
    if pruning.one_start:
        yield from cones
        return
    seen = set(cones)
    found = list(cones)
    for group in found:
        yield group
        for cone in cones:
            if cone & group and cone & ~group:
                union = cone | group
                if union not in seen and union.bit_count() <= most:
                    seen.add(union)
                    found.append(union)


def relaxed_bound(n: int, d: int) -> float:
    """(n/d + 1)^(2d), the looser bound that is usually given; infinite beyond all floats."""
    try:
        return float((n / d + 1) ** (2 * d)) if d else 1.0
    except OverflowError:
        return math.inf
