"""Deep drawings in columns: nothing overlaps, nothing is lost, the whole has a window's shape."""

from __future__ import annotations

from itertools import combinations

import pytest

from engine.graph.layout import layered_layout
from engine.graph.links import Links
from engine.graph.shown import operators_shown
from engine.graph.wrapping import wrapped
from engine.records.network import Operator
from engine.records.task import TensorSpec

SPEC = TensorSpec((1, 64), "float32")


def deep_network(depth: int, branch: int) -> tuple[Operator, ...]:
    """A chain whose every `branch`-th operator also reads one some steps before it."""
    return tuple(
        Operator(
            n,
            f"op{n}",
            "conv2d",
            None,
            tuple(sorted({n - 1, n - 5}))
            if branch and n > 5 and not n % branch
            else (n - 1,) * (n > 0),
            SPEC,
        )
        for n in range(depth)
    )


@pytest.mark.parametrize("depth", [60, 100, 247, 272, 1000])
@pytest.mark.parametrize("branch", [0, 3, 7])
def test_a_deep_network_fills_a_window(depth: int, branch: int) -> None:
    shown = operators_shown(deep_network(depth, branch))
    sizes = {node.id: (150.0, 40.0) for node in shown}
    tall = layered_layout(Links(shown), sizes)
    layout = wrapped(tall, sizes)
    assert tall.width / tall.height < 0.1
    assert 1.2 < layout.width / layout.height < 4.5
    assert set(layout.positions) == set(tall.positions) and layout.layers == tall.layers
    drawn = {*layout.edges, *((stub.source, stub.target) for stub in layout.stubs)}
    assert drawn == {*tall.edges, *((stub.source, stub.target) for stub in tall.stubs)}
    for x, y in layout.positions.values():
        assert 74 <= x <= layout.width - 74 and 19 <= y <= layout.height - 19
    for first, second in combinations(sorted(layout.positions.values()), 2):
        if second[0] - first[0] >= 150:
            continue
        assert abs(first[1] - second[1]) >= 40


@pytest.mark.parametrize("depth", [1, 5, 30])
def test_what_is_not_deep_stays_as_it_is(depth: int) -> None:
    shown = operators_shown(deep_network(depth, 0))
    sizes = {node.id: (150.0, 40.0) for node in shown}
    layout = layered_layout(Links(shown), sizes)
    assert wrapped(layout, sizes) is layout
