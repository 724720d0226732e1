"""The networks have as many nodes as asked for and open; growth is an exponent."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.benchmarks.open_scale.__main__ import growth, seconds_of
from tests.benchmarks.open_scale.graphs import KINDS


@pytest.mark.parametrize("power", [0.5, 1.0, 2.0])
def test_growth_is_the_power_of_the_nodes_that_the_seconds_are(power: float) -> None:
    sizes = (10, 30, 100)
    found = growth(sizes, [0.01 * size**power for size in sizes])
    assert found == pytest.approx([power, power])


@pytest.mark.parametrize("kind", KINDS)
def test_a_network_has_the_nodes_that_are_asked_for_and_opens(kind: str, tmp_path: Path) -> None:
    proto = KINDS[kind](12)
    assert len(proto.graph.node) == 12
    assert seconds_of(proto, tmp_path) > 0
