"""Graphs of operators as bit masks, against a library of graphs."""

from __future__ import annotations

from collections.abc import Iterable

import networkx as nx
import pytest
from hypothesis import given, settings

from engine.ios.graph import OperatorGraph, bits, mask_of
from tests.engine.ios.dags import FIRE, chains, dags, network


@settings(max_examples=80, deadline=None)
@given(dags(9))
def test_what_waits_for_what_is_the_transitive_closure(graph: OperatorGraph) -> None:
    known = network(graph)
    for operator in range(graph.n):
        assert set(bits(graph.above[operator])) == nx.ancestors(known, operator)
        assert set(bits(graph.below[operator])) == nx.descendants(known, operator)


@settings(max_examples=80, deadline=None)
@given(dags(8))
def test_the_width_is_the_size_of_the_largest_antichain(graph: OperatorGraph) -> None:
    assert graph.width() == max(map(len, nx.antichains(network(graph))))


def test_known_graphs_have_their_widths() -> None:
    assert FIRE.width() == 3
    assert chains(8, 8).width() == 8
    assert OperatorGraph.of([], 5).width() == 5
    assert OperatorGraph.of([], 0).width() == 0


@settings(max_examples=60, deadline=None)
@given(dags(9))
def test_levels_are_topological_generations(graph: OperatorGraph) -> None:
    assert graph.levels() == [sorted(level) for level in nx.topological_generations(network(graph))]


@settings(max_examples=60, deadline=None)
@given(dags(8))
def test_groups_are_connected_components(graph: OperatorGraph) -> None:
    for stage in (graph.all, graph.all & 0b10110101):
        part = network(graph).subgraph(list(bits(stage)))
        components: Iterable[set[int]] = nx.weakly_connected_components(part)
        assert graph.groups(stage) == [mask_of(group) for group in sorted(components, key=min)]


def test_an_edge_that_leads_back_or_out_of_the_graph_is_refused() -> None:
    for edge in ((1, 0), (1, 1), (0, 3), (-1, 2)):
        with pytest.raises(ValueError, match="edge"):
            OperatorGraph.of([edge], 3)
