"""Small DAGs, what is true of them by trying everything, and a device that is made up."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

import networkx as nx
from hypothesis import strategies as st

from engine.ios.cost_table import CostTable, StageCosts
from engine.ios.endings import Pruning
from engine.ios.graph import OperatorGraph, bits
from engine.records.schedule import Stage, Strategy

FIVE = OperatorGraph.of([(0, 3), (1, 4), (2, 4), (3, 4)], 5)
# SqueezeNet's: a squeeze, two expansions, their concatenation, a bypass, their sum.
FIRE = OperatorGraph.of([(0, 1), (0, 2), (1, 3), (2, 3), (3, 5), (4, 5)], 6)

Latency = Callable[[Stage], float]


@st.composite
def dags(draw: st.DrawFn, most: int = 6) -> OperatorGraph:
    """A DAG of up to `most` operators, connected or not."""
    n = draw(st.integers(1, most))
    pairs = [(a, b) for b in range(n) for a in range(b)]
    return OperatorGraph.of([pair for pair in pairs if draw(st.booleans())], n)


prunings = st.builds(
    Pruning, st.none() | st.integers(1, 4), st.none() | st.integers(1, 4), st.booleans()
)


def chains(count: int, length: int) -> OperatorGraph:
    """Chains of equal length that have nothing to do with each other."""
    edges = [
        (first + place, first + place + 1)
        for first in range(0, count * length, length)
        for place in range(length - 1)
    ]
    return OperatorGraph.of(edges, count * length)


def network(graph: OperatorGraph) -> nx.DiGraph:
    """The same graph for a library to judge."""
    result = nx.DiGraph()
    result.add_nodes_from(range(graph.n))
    result.add_edges_from((a, b) for a in range(graph.n) for b in bits(graph.after[a]))
    return result


def tried_endings(graph: OperatorGraph, state: int, pruning: Pruning) -> Iterator[int]:
    """Every ending of `state` within the limits, from all of its subsets."""
    whole = network(graph)
    for ending in range(1, state + 1):
        if ending & ~state or any(graph.after[a] & state & ~ending for a in bits(ending)):
            continue
        part = whole.subgraph(list(bits(ending)))
        groups = list(nx.weakly_connected_components(part))
        if pruning.one_start and any(
            sum(not set(part.predecessors(a)) for a in group) > 1 for group in groups
        ):
            continue
        if pruning.r is not None and max(map(len, groups)) > pruning.r:
            continue
        if pruning.s is None or len(groups) <= pruning.s:
            yield ending


def tried_counts(graph: OperatorGraph, pruning: Pruning) -> tuple[int, int, int]:
    """States, pairs and sequences, by trying."""
    pairs: dict[int, int] = {}

    @cache
    def sequences(state: int) -> int:
        if not state:
            return 1
        endings = list(tried_endings(graph, state, pruning))
        pairs[state] = len(endings)
        return sum(sequences(state ^ ending) for ending in endings)

    total = sequences(graph.all)
    return len(pairs), sum(pairs.values()), total


def concurrent(graph: OperatorGraph, ending: int) -> Stage:
    """The stage that runs an ending's groups side by side."""
    return Stage(Strategy.CONCURRENT, tuple(tuple(bits(group)) for group in graph.groups(ending)))


def least_latency(graph: OperatorGraph, pruning: Pruning, latency: Latency) -> float:
    """The latency of the best schedule without merging, by trying all of them."""

    @cache
    def least(state: int) -> float:
        if not state:
            return 0.0
        return min(
            least(state ^ ending) + latency(concurrent(graph, ending))
            for ending in tried_endings(graph, state, pruning)
        )

    return least(graph.all)


@dataclass(frozen=True)
class Device:
    """Runs groups side by side at the speed of the longest, or of what they occupy together."""

    seconds: tuple[float, ...]
    share: tuple[float, ...]  # of the device that an operator occupies
    merged: float = 0.8  # what merged operators take, of their sum

    def latency(self, stage: Stage) -> float:
        """Seconds of a stage."""
        sums = [sum(self.seconds[operator] for operator in group) for group in stage.groups]
        longest = max(self.seconds[operator] for operator in stage.operators)
        if stage.strategy is Strategy.MERGE:
            return max(longest, self.merged * sum(sums))
        busy = sum(self.seconds[operator] * self.share[operator] for operator in stage.operators)
        return max(*sums, busy)

    def costs(self) -> StageCosts:
        """An empty table for it, every operator a kernel of its own."""
        return StageCosts(
            CostTable("made up", 1), [f"k{operator}" for operator in range(len(self.seconds))]
        )


@st.composite
def devices(draw: st.DrawFn, n: int) -> Device:
    """A device for a graph of n operators."""
    seconds = st.floats(0.1, 2)
    share = st.floats(0.1, 1)
    return Device(
        tuple(draw(seconds) for _ in range(n)),
        tuple(draw(share) for _ in range(n)),
        draw(st.floats(0.3, 1.2)),
    )
