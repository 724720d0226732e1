"""The table of stage latencies: what counts as equal, and its way through JSON."""

from __future__ import annotations

import json
import math

import pytest

from engine.ios.cost_table import CostTable, StageCosts, single
from engine.records.schedule import Stage, Strategy

KEYS = ["a", "b", "a", "c"]


def beside(*groups: tuple[int, ...]) -> Stage:
    """A stage of groups side by side."""
    return Stage(Strategy.CONCURRENT, groups)


def test_stages_of_equal_kernels_share_a_latency_in_any_order_of_groups() -> None:
    costs = StageCosts(CostTable("gpu", 1), KEYS)
    costs.put(beside((0, 1), (3,)), 2e-6)
    assert costs.get(beside((3,), (2, 1))) == 2e-6
    assert costs.get(beside((1, 0), (3,))) is None
    assert costs.get(beside((0,), (1,), (3,))) is None
    assert costs.get(Stage(Strategy.MERGE, ((0, 1, 3),))) is None


def test_the_members_of_a_merged_operator_have_no_order() -> None:
    costs = StageCosts(CostTable("gpu", 1), KEYS)
    costs.put(Stage(Strategy.MERGE, ((0, 1),)), 2e-6)
    assert costs.get(Stage(Strategy.MERGE, ((1, 2),))) == 2e-6


def test_one_of_each_missing_contents_is_named_in_order() -> None:
    costs = StageCosts(CostTable("gpu", 1), KEYS)
    costs.put(single(1), 1e-6)
    assert costs.missing(single(operator) for operator in range(4)) == (single(0), single(3))


def test_a_table_is_the_same_after_its_way_through_json() -> None:
    table = CostTable("gpu", 1)
    costs = StageCosts(table, KEYS)
    costs.put(beside((0, 1), (3,)), 2e-6)
    costs.put(Stage(Strategy.MERGE, ((0, 1),)), math.inf)
    rows = json.loads(json.dumps(table.rows(), allow_nan=False))
    again = StageCosts(CostTable.of(rows, "gpu", 1), KEYS)
    assert again.table.rows() == table.rows()
    assert again.get(Stage(Strategy.MERGE, ((0, 1),))) == math.inf


def test_latencies_of_another_device_or_batch_size_are_not_taken() -> None:
    table = CostTable("gpu", 1)
    StageCosts(table, KEYS).put(single(0), 1e-6)
    assert len(CostTable.of(table.rows(), "gpu", 1)) == 1
    assert len(CostTable.of(table.rows(), "gpu", 32)) == 0
    assert len(CostTable.of(table.rows(), "another", 1)) == 0


@pytest.mark.parametrize("latency", [0.0, -1.0, math.nan])
def test_a_latency_that_cannot_be_is_refused(latency: float) -> None:
    with pytest.raises(ValueError, match="latency"):
        StageCosts(CostTable("gpu", 1), KEYS).put(single(0), latency)
