"""Narrower searches over what was measured."""

from __future__ import annotations

from itertools import count

import pytest

from engine.ios.finding import ScheduleSearch
from engine.ios.tradeoffs import limits, tradeoffs
from engine.records.schedule import IosOptions
from tests.engine.ios.dags import FIRE, Device
from tests.engine.ios.test_finding import measure
from tests.engine.ios.test_scheduler import always

DEVICE = Device((1.0, 2.0, 1.5, 0.5, 1.0, 0.7), (0.3,) * 6)


def test_limits_go_up_to_the_options_and_include_them() -> None:
    assert limits(IosOptions(2, 5)) == [
        (1, 1), (1, 2), (2, 1), (1, 4), (2, 2), (1, 5), (2, 4), (2, 5),
    ]  # fmt: skip
    assert limits(IosOptions(1, 1)) == [(1, 1)]
    assert limits(IosOptions(3, 8))[-1] == (3, 8)


def test_wider_limits_cost_more_and_end_where_the_search_did() -> None:
    options = IosOptions(3, 8, "both", 1e9)
    costs = DEVICE.costs()
    search = ScheduleSearch(FIRE, costs, options, always)
    asked = measure(search, costs, DEVICE.latency)
    rows = len(costs.table)
    found = tradeoffs(FIRE, costs, options, always, seconds=60)
    assert [(item.r, item.s) for item in found] == sorted(limits(options))
    assert len(costs.table) == rows == asked
    widest, best = found[-1], search.best()
    assert best is not None
    assert widest.latency_s <= best.latency_s * 1.011
    assert found[0].pairs < widest.pairs
    assert found[0].stages <= widest.stages <= asked
    assert all(widest.latency_s <= item.latency_s * 1.011 for item in found)


def test_what_is_within_no_limit_is_not_told_of_it() -> None:
    parallel = IosOptions(2, 4, "parallel", 1e9)
    costs = DEVICE.costs()
    measure(ScheduleSearch(FIRE, costs, parallel, always), costs, DEVICE.latency)
    found = {(item.r, item.s): item for item in tradeoffs(FIRE, costs, parallel, always, 60)}
    alone = sum(costs.alone(operator) or 0.0 for operator in range(FIRE.n))
    assert found[1, 1].latency_s == pytest.approx(alone)  # one operator after another
    assert found[2, 4].latency_s < 0.99 * alone


def test_the_time_leaves_out_the_widest() -> None:
    costs = DEVICE.costs()
    options = IosOptions(3, 8, "both", 1e9)
    measure(ScheduleSearch(FIRE, costs, options, always), costs, DEVICE.latency)
    ticks = count()
    found = tradeoffs(FIRE, costs, options, always, 20, lambda: float(next(ticks)))
    assert 0 < len(found) < len(limits(options))
    assert (3, 8) not in [(item.r, item.s) for item in found]


def test_nothing_measured_gives_nothing() -> None:
    assert tradeoffs(FIRE, DEVICE.costs(), IosOptions(), always) == ()
