"""Folding of repeated blocks: what is found, and that folding keeps the graph's order."""

from __future__ import annotations

from dataclasses import replace

import networkx as nx
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.graph.folding import (
    Block,
    around,
    find_blocks,
    fold,
    row_to_open,
    stands_at,
    to_open,
)
from engine.graph.links import Links
from engine.graph.shown import ShownNode
from engine.records.task import TensorSpec

SPEC = TensorSpec((1, 8), "float32")


def network(*kinds: str, skips: dict[int, int] | None = None) -> tuple[ShownNode, ...]:
    """A chain of operators; `skips` gives further inputs by node."""
    return tuple(
        ShownNode(
            place,
            f"{kind}{place}",
            kind,
            SPEC,
            tuple(
                ([place - 1] if place else []) + [v for k, v in (skips or {}).items() if k == place]
            ),
            (place,),
        )
        for place, kind in enumerate(kinds)
    )


@st.composite
def networks(draw: st.DrawFn) -> tuple[ShownNode, ...]:
    """Up to 60 nodes of three kinds, in topological order, with repeated parts."""
    part = draw(st.lists(st.sampled_from("abc"), min_size=1, max_size=6))
    kinds = [*draw(st.lists(st.sampled_from("abc"), max_size=9)), *part * draw(st.integers(1, 7))]
    nodes = []
    for place, kind in enumerate(kinds):
        back = draw(st.lists(st.integers(1, 5), max_size=2, unique=True))
        inputs = tuple(place - far for far in back if far <= place)
        nodes.append(ShownNode(place, kind, kind, SPEC, inputs, (place,)))
    return tuple(nodes)


def rows(blocks: tuple[Block, ...]) -> list[tuple[int, int, int]]:
    return [(block.start, block.stop, block.count) for block in blocks if block.parent is None]


def test_equal_blocks_in_a_row_are_found_and_counted() -> None:
    assert rows(find_blocks(network("s", *"abcd" * 3, "e"))) == [(1, 13, 3)]


def test_blocks_with_other_skips_are_not_equal() -> None:
    same = network("s", *"abcd" * 2, skips={4: 2, 8: 6})
    other = network("s", *"abcd" * 2, skips={4: 2, 8: 5})
    assert rows(find_blocks(same)) == [(1, 9, 2)]
    assert rows(find_blocks(other)) == []


def test_a_short_pair_is_not_worth_folding() -> None:
    assert find_blocks(network(*"xabaybcz")) == ()


def test_a_row_is_shown_once_and_says_what_it_stands_for() -> None:
    nodes = network("s", *"abcd" * 3, "e")
    blocks = find_blocks(nodes)
    folding = fold(nodes, blocks, ())
    first, *once, last = folding.nodes
    assert (first.id, last.id) == (0, 13)
    assert [node.kind for node in once] == list("abcd")
    assert [node.folded for node in once] == [(n, n + 4, n + 8) for n in range(1, 5)]
    assert all(node.folded == node.operators and node.part is None for node in once)
    assert [node.inputs for node in once] == [(0,), *((node.id,) for node in once[:3])]
    assert last.inputs == (once[-1].id,)
    assert [stands_at(blocks, node.id) for node in folding.nodes] == [None, 1, 2, 3, 4, None]
    (repeat,) = folding.repeats
    assert (repeat.count, repeat.members) == (3, tuple(node.id for node in once))


def test_an_opened_row_shows_its_blocks_and_an_opened_block_its_nodes() -> None:
    nodes = network("s", *"abcd" * 3, "e")
    blocks = find_blocks(nodes)
    row, second = blocks[0], blocks[2]
    shown = fold(nodes, blocks, {row.id})
    assert [node.part for node in shown.nodes] == [None, (1, 3), (2, 3), (3, 3), None]
    (repeat,) = shown.repeats  # its frame stays, round all blocks
    assert (repeat.row, repeat.members) == (row.id, tuple(node.id for node in shown.nodes[1:4]))
    opened = {row.id, second.id}
    assert len(fold(nodes, blocks, opened).nodes) == 8
    assert around(blocks, second.start, opened) == second
    assert around(blocks, 1, opened) == row
    assert around(blocks, 0, opened) is None
    assert to_open(blocks, [second.start]) == opened
    assert row_to_open(blocks, 3, ()) == row
    assert row_to_open(blocks, 3, opened) is None


def test_rows_in_blocks_are_shown_once_in_the_one_block_that_is_shown() -> None:
    nodes = network("x", *("st" + "abcd" * 3 + "uv") * 4)
    blocks = find_blocks(nodes)
    folding = fold(nodes, blocks, ())
    assert sorted(repeat.count for repeat in folding.repeats) == [3, 4]
    assert [len(node.folded) for node in folding.nodes] == [0, 4, 4, 12, 12, 12, 12, 4, 4]
    inner = {block.id for block in blocks if block.count == 3 and block.start < 16}
    opened = fold(nodes, blocks, inner)
    assert {node.part for node in opened.nodes if node.part} == {(1, 3), (2, 3), (3, 3)}
    assert {len(node.folded) for node in opened.nodes if node.part} == {16}  # four of each


def test_a_row_of_single_nodes_is_one_node_and_opens_into_its_nodes() -> None:
    nodes = network("s", *"a" * 50, "e")
    blocks = find_blocks(nodes)
    assert rows(blocks) == [(1, 51, 50)] and len(blocks) == 1
    assert [len(node.folded) for node in fold(nodes, blocks, ()).nodes] == [0, 50, 0]
    assert fold(nodes, blocks, {blocks[0].id}).nodes == nodes


def test_what_all_parts_read_and_what_is_read_of_each_stays_joined() -> None:
    kinds = ("s", *"abcd" * 3, "e")
    nodes = list(network(*kinds))
    for place in (2, 6, 10):  # all read the first
        nodes[place] = replace(nodes[place], inputs=(*nodes[place].inputs, 0))
    nodes[13] = replace(nodes[13], inputs=(4, 8, 12))
    first, a, b, _, d, last = fold(nodes, find_blocks(nodes), ()).nodes
    assert b.inputs == (a.id, first.id)
    assert last.inputs == (d.id,)


@settings(max_examples=80, deadline=None)
@given(networks(), st.randoms(use_true_random=False))
def test_folding_keeps_every_node_once_and_makes_no_cycle(
    nodes: tuple[ShownNode, ...], dice: object
) -> None:
    blocks = find_blocks(nodes)
    opened = {block.id for block in blocks if dice.random() < 0.5}  # type: ignore[attr-defined]
    folding = fold(nodes, blocks, opened)
    shown = folding.nodes
    inside = [member for node in shown for member in (node.folded or (node.id,))]
    assert sorted(inside) == [node.id for node in nodes]
    places = {node.id: place for place, node in enumerate(shown)}
    assert all(places[i] < places[node.id] for node in shown for i in node.inputs)
    assert all(places.keys() >= set(repeat.members) for repeat in folding.repeats)
    graph = nx.DiGraph()
    graph.add_nodes_from(Links(shown))
    graph.add_edges_from((source, node.id) for node in shown for source in node.inputs)
    assert nx.is_directed_acyclic_graph(graph)
    assert set(graph) == {node.id for node in shown}
    everything = {block.id for block in blocks}
    assert fold(nodes, blocks, everything).nodes == nodes


@settings(max_examples=60, deadline=None)
@given(networks())
def test_rows_never_overlap_and_their_blocks_are_equal(nodes: tuple[ShownNode, ...]) -> None:
    blocks = find_blocks(nodes)
    taken = [place for start, stop, _ in rows(blocks) for place in range(start, stop)]
    assert len(taken) == len(set(taken))
    for row in (block for block in blocks if block.parent is None):
        inner = [block for block in blocks if block.parent == row.id]
        kinds = {tuple(node.kind for node in nodes[b.start : b.stop]) for b in inner}
        assert len(kinds) == 1 or row.stop - row.start == row.count
        assert len(inner) == row.count or row.stop - row.start == row.count
