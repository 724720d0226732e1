"""Where graphs are cut: nothing is lost, and every block follows from all before it."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings

from engine.ios.blocks import Block, cut, halve, whole
from engine.ios.graph import OperatorGraph, mask_of
from tests.engine.ios.dags import FIRE, chains, dags


def members(blocks: list[Block]) -> list[tuple[int, ...]]:
    """The operators of each block."""
    return [block.operators for block in blocks]


@settings(max_examples=100, deadline=None)
@given(dags(9))
def test_blocks_hold_every_operator_once_and_follow_entirely_from_one_another(
    graph: OperatorGraph,
) -> None:
    blocks = cut(graph)
    assert sorted(sum(members(blocks), ())) == list(range(graph.n))
    for before, after in pairwise(blocks):
        needed = mask_of(before.operators)
        assert all(graph.above[operator] & needed == needed for operator in after.operators)


@settings(max_examples=100, deadline=None)
@given(dags(9))
def test_an_operator_that_every_path_passes_is_a_block_of_its_own(graph: OperatorGraph) -> None:
    alone = {block.operators[0] for block in cut(graph) if len(block.operators) == 1}
    for operator in range(graph.n):
        related = graph.above[operator] | graph.below[operator] | 1 << operator
        assert (related == graph.all) == (operator in alone)


def test_a_chain_is_cut_into_single_operators() -> None:
    assert members(cut(chains(1, 5))) == [(0,), (1,), (2,), (3,), (4,)]


def test_branches_between_two_forks_are_one_block() -> None:
    graph = OperatorGraph.of([(0, 1), (0, 2), (1, 3), (2, 3), (3, 4), (3, 5)], 6)
    assert members(cut(graph)) == [(0,), (1, 2), (3,), (4, 5)]
    assert members(cut(FIRE)) == [(0, 1, 2, 3, 4), (5,)]


def test_layers_that_are_fully_connected_are_cut_though_no_operator_is_passed_by_all() -> None:
    graph = OperatorGraph.of([(0, 2), (0, 3), (1, 2), (1, 3)], 4)
    assert members(cut(graph)) == [(0, 1), (2, 3)]


def test_a_blocks_graph_has_the_edges_between_its_operators() -> None:
    first, _ = cut(FIRE)
    assert first.graph == OperatorGraph.of([(0, 1), (0, 2), (1, 3), (2, 3)], 5)


@settings(max_examples=100, deadline=None)
@given(dags(9))
def test_halves_run_one_after_the_other(graph: OperatorGraph) -> None:
    if graph.n < 2:
        return
    first, second = halve(whole(graph))
    assert first.operators
    assert sorted(first.operators + second.operators) == list(range(graph.n))
    later = mask_of(second.operators)
    assert not any(graph.above[operator] & later for operator in first.operators)


def test_a_wide_block_is_halved_between_its_levels() -> None:
    first, second = halve(whole(chains(3, 4)))
    assert first.operators == (0, 1, 4, 5, 8, 9)
    assert members([*halve(second)]) == [(2, 6, 10), (3, 7, 11)]
    one_level, _ = halve(whole(OperatorGraph.of([], 7)))
    assert one_level.operators == (0, 1, 2)
