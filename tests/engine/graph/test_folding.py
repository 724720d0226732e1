"""Folding of repeated blocks: what is found, and that folding keeps the graph's order."""

from __future__ import annotations

import networkx as nx
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.graph.folding import Block, around, find_blocks, fold, to_open
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


def test_a_folded_row_says_what_it_stands_for() -> None:
    nodes = network("s", *"abcd" * 3, "e")
    blocks = find_blocks(nodes)
    first, row, last = fold(nodes, blocks, ())
    assert (first.id, last.id) == (0, 13)
    assert row.name == "3 × block of 4"
    assert row.folded == row.operators == tuple(range(1, 13))
    assert (row.inputs, last.inputs) == ((0,), (row.id,))


def test_an_opened_row_shows_its_blocks_and_an_opened_block_its_nodes() -> None:
    nodes = network("s", *"abcd" * 3, "e")
    blocks = find_blocks(nodes)
    row, second = blocks[0], blocks[2]
    assert len(fold(nodes, blocks, {row.id})) == 5
    opened = {row.id, second.id}
    assert len(fold(nodes, blocks, opened)) == 8
    assert around(blocks, second.start, opened) == second
    assert around(blocks, 1, opened) == row
    assert around(blocks, 0, opened) is None
    assert to_open(blocks, [second.start]) == opened


@settings(max_examples=80, deadline=None)
@given(networks(), st.randoms(use_true_random=False))
def test_folding_keeps_every_node_once_and_makes_no_cycle(
    nodes: tuple[ShownNode, ...], dice: object
) -> None:
    blocks = find_blocks(nodes)
    opened = {block.id for block in blocks if dice.random() < 0.5}  # type: ignore[attr-defined]
    shown = fold(nodes, blocks, opened)
    inside = [member for node in shown for member in (node.folded or (node.id,))]
    assert inside == [node.id for node in nodes]
    graph = nx.DiGraph()
    graph.add_nodes_from(Links(shown))
    graph.add_edges_from((source, node.id) for node in shown for source in node.inputs)
    assert nx.is_directed_acyclic_graph(graph)
    assert set(graph) == {node.id for node in shown}
    everything = {block.id for block in blocks}
    assert fold(nodes, blocks, everything) == nodes


@settings(max_examples=60, deadline=None)
@given(networks())
def test_rows_never_overlap_and_their_blocks_are_equal(nodes: tuple[ShownNode, ...]) -> None:
    blocks = find_blocks(nodes)
    taken = [place for start, stop, _ in rows(blocks) for place in range(start, stop)]
    assert len(taken) == len(set(taken))
    for row in (block for block in blocks if block.parent is None):
        inner = [block for block in blocks if block.parent == row.id]
        kinds = {tuple(node.kind for node in nodes[b.start : b.stop]) for b in inner}
        assert len(kinds) == 1
        assert len(inner) == row.count
