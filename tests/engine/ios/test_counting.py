"""Endings and counts: the published figures, and brute force."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from engine.ios.endings import Pruning, endings, relaxed_bound
from engine.ios.graph import OperatorGraph
from tests.engine.ios.counting import UNPRUNED, Counts, count, pairs_bound
from tests.engine.ios.dags import FIRE, FIVE, chains, dags, prunings, tried_counts, tried_endings


@pytest.mark.parametrize(
    ("pruning", "pairs", "sequences"),
    [
        (Pruning(1, 1), 21, 12),
        (Pruning(1, 3), 34, 31),
        (Pruning(3, 8), 50, 84),
        (UNPRUNED, 54, 88),
    ],
)
def test_five_operators_have_the_published_counts(
    pruning: Pruning, pairs: int, sequences: int
) -> None:
    assert count(FIVE, pruning) == Counts(12, pairs, sequences)


def test_squeezenet_has_the_published_counts_where_a_group_has_one_start() -> None:
    counts = count(FIRE, Pruning(None, None, one_start=True))
    assert counts == Counts(12, 51, 131)  # published as 1.3e2
    assert pairs_bound(6, 3) == 216


def test_the_bounds_are_the_published_ones() -> None:
    assert pairs_bound(33, 8) == pytest.approx(3.7e9, rel=0.02)
    assert pairs_bound(18, 8) == pytest.approx(5.2e6, rel=0.02)
    assert relaxed_bound(18, 8) == pytest.approx((18 / 8 + 1) ** 16)
    assert pairs_bound(0, 0) == relaxed_bound(0, 0) == 1


@settings(max_examples=100, deadline=None)
@given(dags(), prunings)
def test_counts_are_those_of_brute_force(graph: OperatorGraph, pruning: Pruning) -> None:
    counts = count(graph, pruning)
    assert counts is not None
    assert (counts.states, counts.pairs, counts.sequences) == tried_counts(graph, pruning)


@settings(max_examples=100, deadline=None)
@given(dags(), prunings)
def test_every_ending_comes_once_with_its_groups(graph: OperatorGraph, pruning: Pruning) -> None:
    found = list(endings(graph, graph.all, pruning))
    assert sorted(ending for ending, _ in found) == list(tried_endings(graph, graph.all, pruning))
    for ending, groups in found:
        assert sorted(groups) == sorted(graph.groups(ending))
    assert list(endings(graph, graph.all, pruning)) == found


@settings(max_examples=60, deadline=None)
@given(dags(8))
def test_the_bounds_hold(graph: OperatorGraph) -> None:
    counts = count(graph)
    assert counts is not None
    with_empty_endings = counts.pairs + counts.states + 1
    width = graph.width()
    assert with_empty_endings <= pairs_bound(graph.n, width) * (1 + 1e-9)
    assert pairs_bound(graph.n, width) <= relaxed_bound(graph.n, width) * (1 + 1e-9)


def test_counting_gives_up_where_there_is_too_much() -> None:
    assert count(chains(8, 8), Pruning(1, 2), most_pairs=1_000) is None
    assert count(OperatorGraph.of([(a, 64) for a in range(64)], 65), UNPRUNED, 1_000) is None
    assert count(chains(1, 4), UNPRUNED, most_pairs=10) == Counts(4, 10, 8)


def test_pruned_endings_of_a_wide_graph_cost_only_what_they_are() -> None:
    wide = OperatorGraph.of([(a, 400) for a in range(400)], 401)
    assert len(list(endings(wide, wide.all, Pruning(2, 1)))) == 1 + 400
    assert len(list(endings(wide, (1 << 400) - 1, Pruning(1, 2)))) == 400 + 400 * 399 // 2
