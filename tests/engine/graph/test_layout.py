"""Layered layout: properties that hold for every DAG, and the look of known shapes."""

from __future__ import annotations

from itertools import pairwise

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.graph.layering import make_grid
from engine.graph.layout import GAP_ACROSS, Layout, count_crossings, layered_layout

Sizes = dict[int, tuple[float, float]]
WIDE = (100.0, 40.0)


@st.composite
def dags(draw: st.DrawFn) -> tuple[nx.DiGraph, Sizes]:
    """A DAG of up to 40 nodes, any number of parts, with nodes of different sizes."""
    count = draw(st.integers(1, 40))
    ids = draw(st.permutations(range(count)))
    places = st.tuples(st.integers(0, count - 1), st.integers(0, count - 1))
    graph = nx.DiGraph()
    graph.add_nodes_from(ids)
    for a, b in draw(st.lists(places, max_size=90)):
        if a != b:
            graph.add_edge(ids[min(a, b)], ids[max(a, b)])
    side = st.floats(10, 200)
    return graph, {node: (draw(side), draw(side)) for node in ids}


def overlapping(layout: Layout, sizes: Sizes) -> list[tuple[int, int]]:
    """Pairs of nodes whose rectangles meet, by brute force."""
    found = []
    nodes = list(layout.positions)
    for place, a in enumerate(nodes):
        for b in nodes[place + 1 :]:
            (ax, ay), (bx, by) = layout.positions[a], layout.positions[b]
            across = abs(ax - bx) < (sizes[a][0] + sizes[b][0]) / 2 - 1e-6
            down = abs(ay - by) < (sizes[a][1] + sizes[b][1]) / 2 - 1e-6
            if across and down:
                found.append((a, b))
    return found


@settings(max_examples=60, deadline=None)
@given(dags())
def test_no_two_nodes_overlap_and_all_fit_in_the_size(made: tuple[nx.DiGraph, Sizes]) -> None:
    graph, sizes = made
    layout = layered_layout(graph, sizes)
    assert set(layout.positions) == set(graph)
    assert overlapping(layout, sizes) == []
    for node, (x, y) in layout.positions.items():
        width, height = sizes[node]
        assert x - width / 2 >= -1e-6 and x + width / 2 <= layout.width + 1e-6
        assert y - height / 2 >= -1e-6 and y + height / 2 <= layout.height + 1e-6


@settings(max_examples=60, deadline=None)
@given(dags())
def test_every_edge_is_drawn_downwards_from_its_source_to_its_target(
    made: tuple[nx.DiGraph, Sizes],
) -> None:
    graph, sizes = made
    layout = layered_layout(graph, sizes)
    assert set(layout.edges) | {(s.source, s.target) for s in layout.stubs} == set(graph.edges)
    for (a, b), points in layout.edges.items():
        assert all(high[1] < low[1] for high, low in pairwise(points))
        (ax, ay), (bx, by) = layout.positions[a], layout.positions[b]
        assert points[0] == pytest.approx((ax, ay + sizes[a][1] / 2))
        assert points[-1] == pytest.approx((bx, by - sizes[b][1] / 2))


@settings(max_examples=30, deadline=None)
@given(dags())
def test_the_same_graph_gives_the_same_drawing(made: tuple[nx.DiGraph, Sizes]) -> None:
    graph, sizes = made
    again = nx.DiGraph()
    again.add_nodes_from(reversed(list(graph)))
    again.add_edges_from(reversed(list(graph.edges)))
    assert layered_layout(graph, sizes) == layered_layout(again, sizes)


def sizes_of(graph: nx.DiGraph) -> Sizes:
    return dict.fromkeys(graph, WIDE)


def inception() -> nx.DiGraph:
    """A stem, four branches of 1, 2, 2 and 2 nodes, and their concatenation."""
    branches = [(0, 1, 8), (0, 2, 3, 8), (0, 4, 5, 8), (0, 6, 7, 8)]
    graph = nx.DiGraph()
    for branch in branches:
        nx.add_path(graph, branch)
    return graph


def test_a_chain_is_one_straight_column() -> None:
    graph = nx.path_graph(12, create_using=nx.DiGraph)
    layout = layered_layout(graph, sizes_of(graph))
    assert {x for x, _ in layout.positions.values()} == {50.0}
    assert all(len(points) == 2 for points in layout.edges.values())


def test_parallel_branches_stand_side_by_side_round_their_axis() -> None:
    graph = inception()
    layout = layered_layout(graph, sizes_of(graph))
    assert len({layout.positions[node][1] for node in (1, 2, 4, 6)}) == 1
    across = sorted(layout.positions[node][0] for node in (1, 2, 4, 6))
    assert all(b - a >= WIDE[0] + GAP_ACROSS - 1e-6 for a, b in pairwise(across))
    assert layout.positions[0][0] == pytest.approx(sum(across) / 4, abs=30)
    for top, low in ((2, 3), (4, 5), (6, 7)):
        assert layout.positions[top][0] == pytest.approx(layout.positions[low][0], abs=1)


def test_a_skip_connection_passes_beside_the_nodes_it_skips() -> None:
    graph = nx.path_graph(5, create_using=nx.DiGraph)
    graph.add_edge(0, 4)
    layout = layered_layout(graph, sizes_of(graph))
    for x, y in layout.edges[0, 4][1:-1]:
        for node in (1, 2, 3):
            at_x, at_y = layout.positions[node]
            assert abs(x - at_x) > WIDE[0] / 2 or abs(y - at_y) > WIDE[1] / 2


def test_branches_that_need_not_cross_do_not() -> None:
    graph = nx.DiGraph()
    for branch in ((0, 1, 11, 9), (0, 2, 12, 9), (0, 3, 13, 9)):
        nx.add_path(graph, branch)
    layout = layered_layout(graph, sizes_of(graph))
    grid = make_grid(graph)
    place = [0] * len(grid.layer_of)
    for ids in layout.layers:
        for position, node in enumerate(ids):
            place[grid.nodes.index(node)] = position
    assert count_crossings(grid, place) == 0


def test_crossings_are_counted_pair_by_pair() -> None:
    graph = nx.DiGraph([(0, 3), (1, 2), (0, 2)])
    grid = make_grid(graph)
    grid.layers[:] = [[grid.nodes.index(n) for n in row] for row in ((0, 1), (2, 3))]
    place = [0] * 4
    for row in grid.layers:
        for position, number in enumerate(row):
            place[number] = position
    assert count_crossings(grid, place) == 1


def test_a_second_input_stands_just_above_what_it_feeds() -> None:
    graph = nx.path_graph(6, create_using=nx.DiGraph)
    graph.add_edge(100, 5)
    layout = layered_layout(graph, sizes_of(graph))
    assert layout.positions[100][1] == layout.positions[4][1]


def test_an_edge_over_many_layers_becomes_a_stub_at_both_ends() -> None:
    graph = nx.path_graph(100, create_using=nx.DiGraph)
    graph.add_edge(0, 99)
    layout = layered_layout(graph, sizes_of(graph))
    (stub,) = layout.stubs
    assert (stub.source, stub.target) == (0, 99)
    assert stub.leaves[0][1] < stub.leaves[1][1] < stub.enters[0][1] < stub.enters[1][1]
    assert (0, 99) not in layout.edges


def test_bend_points_stay_in_proportion_to_the_nodes() -> None:
    graph = nx.path_graph(300, create_using=nx.DiGraph)
    graph.add_edges_from((a, b) for a in range(300) for b in range(a + 2, min(a + 30, 300)))
    grid = make_grid(graph)
    assert len(grid.layer_of) <= 300 + 4000
    assert len(grid.cut) + len(grid.chains) == graph.number_of_edges()


def test_an_empty_graph_has_an_empty_layout() -> None:
    layout = layered_layout(nx.DiGraph(), {})
    assert layout == Layout({}, {}, (), (), 0.0, 0.0)


def test_a_cycle_is_refused() -> None:
    with pytest.raises(ValueError, match="cycles"):
        layered_layout(nx.DiGraph([(0, 1), (1, 0)]), dict.fromkeys((0, 1), WIDE))


def test_a_cancelled_layout_is_still_free_of_overlaps() -> None:
    graph = inception()
    sizes = sizes_of(graph)
    assert overlapping(layered_layout(graph, sizes, cancelled=lambda: True), sizes) == []
