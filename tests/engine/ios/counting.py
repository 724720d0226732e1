"""How large the search for a schedule is, counted exactly."""

from __future__ import annotations

from dataclasses import dataclass

from engine.ios.endings import Pruning, endings
from engine.ios.graph import OperatorGraph

UNPRUNED = Pruning(None, None)


@dataclass(frozen=True, slots=True)
class Counts:
    """Sets of operators that may be left to run, pairs of one with an ending, and sequences of
    stages (strategies do not count)."""

    states: int
    pairs: int
    sequences: int


def count(
    graph: OperatorGraph, pruning: Pruning = UNPRUNED, most_pairs: int | None = None
) -> Counts | None:
    """The exact counts for a graph as one block, None where there are more than `most_pairs`."""
    ways_after = {graph.all: 1}
    pairs = 0
    for size in range(graph.n, 0, -1):
        for state in [state for state in ways_after if state.bit_count() == size]:
            for ending, _ in endings(graph, state, pruning):
                pairs += 1
                if most_pairs is not None and pairs > most_pairs:
                    return None
                rest = state ^ ending
                ways_after[rest] = ways_after.get(rest, 0) + ways_after[state]
    return Counts(len(ways_after) - 1, pairs, ways_after[0])


def pairs_bound(n: int, d: int) -> float:
    """At most so many pairs for n operators and width d, without pruning, the empty ones included:
    d chains of n/d operators, each cut twice."""
    chain = n / d if d else 0.0
    return float(((chain + 2) * (chain + 1) / 2) ** d)
