"""Repeats are found by structure: in every family of networks, whatever nodes are called."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.graph.repeats import Row, find_rows, gathered
from engine.graph.shown import ShownNode
from engine.records.task import TensorSpec


class Maker:
    """Writes a network down, node by node."""

    def __init__(self) -> None:
        self.nodes: list[ShownNode] = []

    def op(self, kind: str, *inputs: int, width: int = 8, constant: bool = False) -> int:
        """A node that reads these; its id."""
        key, spec = len(self.nodes), TensorSpec((1, width), "float32")
        node = ShownNode(key, f"{kind}_{key}", kind, spec, inputs, (key,), constant=constant)
        self.nodes.append(node)
        return key

    def chain(self, kinds: str, last: int, width: int = 8) -> int:
        """One node after another."""
        for kind in kinds:
            last = self.op(kind, last, width=width)
        return last


def transformer(layers: int) -> Maker:
    """Each layer reads a mask that the first one makes among its own nodes, as exporters do."""
    net = Maker()
    last, given = net.op("gather"), net.op("cast")
    mask = -1
    for layer in range(layers):
        query, key, value = (net.chain("mrt", last) for _ in range(3))
        scores = net.op("matmul", query, key)
        if layer == 0:
            mask = net.op("where", given)
        weights = net.chain("s", net.op("add", scores, mask))
        attention = net.chain("tm", net.op("matmul", weights, value))
        last = net.chain("n", net.op("add", attention, last))
        last = net.chain("n", net.op("add", net.chain("mgm", last), last))
    net.op("pool", last)
    return net


def swin(depths: Sequence[int]) -> Maker:
    """Pairs of blocks, a wider stage after each narrower one; weights come by way of nodes."""
    net = Maker()
    weights = [net.op("identity", constant=True) for _ in range(sum(depths) + len(depths))]
    last = net.op("conv")
    for stage, depth in enumerate(depths):
        width = 8 << stage
        last = net.op("merge", last, weights.pop(), width=width)
        for _ in range(depth):
            own = weights.pop()
            for kinds in ("wsmat", "rwsmatr"):
                inner = net.op("norm", last, own, width=width)
                last = net.op("add", last, net.chain(kinds, inner, width), width=width)
    return net


def resnet(depths: Sequence[int]) -> Maker:
    """Bottlenecks, the first of each stage with a convolution beside it."""
    net = Maker()
    last = net.op("stem")
    for stage, depth in enumerate(depths):
        width = 8 << stage
        for block in range(depth):
            short = last if block else net.op("conv", last, width=width)
            last = net.op("addrelu", net.chain("abc", last, width), short, width=width)
    return net


def experts(layers: int, each: int) -> Maker:
    """Layers, each with a row of equal branches one after another: rows in a row."""
    net = Maker()
    last = net.op("stem")
    for _ in range(layers):
        last = net.chain("xy", last)
        for _ in range(each):
            last = net.op("add", net.chain("abc", last), last)
        last = net.chain("z", last)
    return net


def parts(rows: Sequence[Row]) -> list[tuple[int, int]]:
    """Nodes of a part and number of parts of each row."""
    return [(row.period, row.count) for row in rows]


@pytest.mark.parametrize("layers", [3, 4, 12, 24])
def test_each_layer_of_a_transformer_is_found(layers: int) -> None:
    (row,) = find_rows(gathered(transformer(layers).nodes))
    assert (row.period, row.count) == (22, layers)


def test_stages_of_other_widths_are_rows_of_their_own() -> None:
    assert parts(find_rows(gathered(swin((2, 2, 6, 2)).nodes)))[1:] == [
        (16, n) for n in (2, 2, 6, 2)
    ]
    assert parts(find_rows(gathered(resnet((3, 4, 6, 3)).nodes))) == [(4, n) for n in (2, 3, 5, 2)]


def test_rows_within_the_parts_of_a_row_are_found() -> None:
    (row,) = find_rows(gathered(experts(5, 4).nodes))
    assert (row.period, row.count) == (19, 5)
    assert parts(row.inner) == [(4, 4)]


@pytest.mark.parametrize("period", [1, 2, 5, 40, 700])
def test_a_chain_of_ten_thousand_nodes_is_one_row(period: int) -> None:
    net = Maker()
    dice = random.Random(period)
    kinds = [f"k{dice.randrange(9)}" for _ in range(period - 1)] + ["last"]
    last = net.op("stem")
    for turn in range(10_000):
        last = net.op(kinds[turn % period], last)
    (row,) = find_rows(gathered(net.nodes))
    assert row.period == period and row.count >= 10_000 // period - 1


FAMILIES: tuple[Callable[[], Maker], ...] = (
    lambda: transformer(6),
    lambda: swin((2, 2, 6, 2)),
    lambda: resnet((3, 4, 6, 3)),
    lambda: experts(5, 4),
)


@pytest.mark.parametrize("make", FAMILIES)
def test_names_and_ids_mean_nothing(make: Callable[[], Maker]) -> None:
    nodes = make().nodes
    ids = random.Random(1).sample(range(10_000), len(nodes))
    renamed = [
        ShownNode(
            ids[node.id],
            "x",
            node.kind,
            node.output,
            tuple(ids[i] for i in node.inputs),
            (),
            constant=node.constant,
        )
        for node in nodes
    ]
    assert find_rows(gathered(renamed)) == find_rows(gathered(nodes))


@pytest.mark.parametrize("make", FAMILIES)
@pytest.mark.parametrize("change", ["kind", "width", "input"])
def test_a_block_that_differs_is_in_no_row(make: Callable[[], Maker], change: str) -> None:
    nodes = list(make().nodes)
    row = max(find_rows(nodes), key=lambda row: row.period * row.count)
    place = row.start + row.period * (row.count // 2) + row.period // 2
    node = nodes[place]
    nodes[place] = ShownNode(
        node.id,
        node.name,
        "other" if change == "kind" else node.kind,
        TensorSpec((1, 5), "float32") if change == "width" else node.output,
        (place - 2, *node.inputs[1:]) if change == "input" else node.inputs,
        node.operators,
    )
    for found in find_rows(nodes):
        assert not found.start <= place < found.stop or found.count < row.count


@st.composite
def networks(draw: st.DrawFn) -> list[ShownNode]:
    """Up to 90 nodes with repeated parts, some of which read far back."""
    net = Maker()
    part = draw(st.lists(st.tuples(st.sampled_from("abc"), st.integers(1, 9)), min_size=1))[:9]
    for kind, back in [*draw(st.lists(st.tuples(st.sampled_from("abc"), st.integers(1, 9))))[:9]]:
        net.op(kind, *{max(0, len(net.nodes) - back)} if net.nodes else ())
    for kind, back in part * draw(st.integers(1, 9)):
        near = max(0, len(net.nodes) - 1)
        net.op(kind, *dict.fromkeys((near, max(0, near - back))) if net.nodes else ())
    return net.nodes


@settings(max_examples=80, deadline=None)
@given(networks())
def test_gathering_keeps_the_nodes_and_their_order_topological(nodes: list[ShownNode]) -> None:
    order = gathered(nodes)
    assert sorted(order, key=lambda node: node.id) == nodes
    place = {node.id: at for at, node in enumerate(order)}
    assert all(place[i] < place[node.id] for node in order for i in node.inputs)


@settings(max_examples=80, deadline=None)
@given(networks())
def test_parts_of_a_row_are_equal_within(nodes: list[ShownNode]) -> None:
    for row in find_rows(nodes):
        found = {
            tuple(
                (node.kind, node.output, tuple(i - begin for i in node.inputs if i >= begin))
                for node in nodes[begin : begin + row.period]
            )
            for begin in range(row.start, row.stop, row.period)
        }
        assert len(found) == 1
        assert row.count >= 2
        assert all(0 <= one.start - row.start <= row.period - one.period for one in row.inner)
