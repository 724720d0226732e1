"""All the searches over one table: their order, their time, what they leave to each other."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.ios.cost_table import StageCosts
from engine.ios.finding import ScheduleSearch
from engine.ios.graph import OperatorGraph
from engine.ios.options import Way
from engine.records.errors import UsageError
from engine.records.schedule import IosOptions, Stage, Strategy
from tests.engine.ios.dags import FIRE, Device, Latency, chains, dags, devices
from tests.engine.ios.test_scheduler import always

OPTIONS = IosOptions(seconds=1e9)
EVEN = Device((1.0,) * 6, (0.5,) * 6)
# Where later searches measure what leads an earlier one on.
LED_ON = (
    OperatorGraph((0, 1, 2, 2, 0), (2, 12, 0, 0, 0), (0, 1, 3, 3, 0), (14, 12, 0, 0, 0)),
    Device((1.0, 0.3125, 0.125, 1.71875, 1.875), (1.0, 0.5, 0.5, 0.671875, 0.4375), 0.5),
)


def measure(
    search: ScheduleSearch, costs: StageCosts, latency: Latency, most: float = math.inf
) -> int:
    """Do what the search asks for, at most so many stages; how many those were."""
    done = 0
    for look in search.looks():
        for stage in look.wanted:
            if done >= most:
                return done
            costs.put(stage, latency(stage))
            done += 1
    return done


def ticking(step: float = 1.0) -> Callable[[], float]:
    """A clock that goes on by a step whenever somebody looks."""
    ticks = count()
    return lambda: next(ticks) * step


@settings(max_examples=15, deadline=None)
@given(dags(6).flatmap(lambda graph: st.tuples(st.just(graph), devices(graph.n))))
@example(LED_ON)
def test_one_search_finds_every_way_and_both_strategies_are_the_best(
    case: tuple[OperatorGraph, Device],
) -> None:
    graph, device = case
    costs = device.costs()
    search = ScheduleSearch(graph, costs, OPTIONS, always)
    measure(search, costs, device.latency)
    found = search.schedules()
    assert search.is_done
    assert list(found) == list(Way)
    least = min(schedule.latency_s for schedule in found.values())
    assert found[Way.IOS_BOTH].latency_s <= least * 1.011  # the search's own tolerance
    best = search.best()
    assert best is not None
    assert best.latency_s <= least * (1 + 1e-9)
    again = ScheduleSearch(graph, costs, OPTIONS, always)
    assert measure(again, costs, device.latency) == 0
    # The fuller table may lead a search on to a better schedule, by less than its tolerance.
    assert list(again.schedules()) == list(found)
    for way, schedule in again.schedules().items():
        least = found[way].latency_s / (1.011 if way.strategies else 1 + 1e-9)
        assert least <= schedule.latency_s <= found[way].latency_s * (1 + 1e-9)


@pytest.mark.parametrize(
    ("strategies", "ways"),
    [
        ("parallel", [Way.SEQUENTIAL, Way.GREEDY, Way.IOS_PARALLEL]),
        ("merge", [Way.SEQUENTIAL, Way.IOS_MERGE]),
        ("both", list(Way)),
    ],
)
def test_a_strategy_decides_which_ways_are_looked_at(strategies: str, ways: list[Way]) -> None:
    costs = EVEN.costs()
    search = ScheduleSearch(FIRE, costs, replace(OPTIONS, strategies=strategies), always)
    measure(search, costs, EVEN.latency)
    assert list(search.schedules()) == ways


def test_where_nothing_merges_both_is_side_by_side_and_merge_is_sequential() -> None:
    costs = EVEN.costs()
    search = ScheduleSearch(FIRE, costs, OPTIONS)
    measure(search, costs, EVEN.latency)
    found = search.schedules()
    assert found[Way.IOS_BOTH] == found[Way.IOS_PARALLEL]
    assert found[Way.IOS_MERGE] == found[Way.SEQUENTIAL]
    assert found[Way.IOS_PARALLEL].latency_s < found[Way.SEQUENTIAL].latency_s


def test_a_stage_that_cannot_run_is_in_no_schedule() -> None:
    costs = EVEN.costs()
    search = ScheduleSearch(FIRE, costs, OPTIONS, always)
    measure(
        search, costs, lambda stage: EVEN.latency(stage) if len(stage.operators) == 1 else math.inf
    )
    found = search.schedules()
    assert Way.GREEDY not in found
    assert {schedule.latency_s for schedule in found.values()} == {6.0}


def test_the_best_so_far_is_kept_whenever_the_search_is_left() -> None:
    whole = EVEN.costs()
    most = measure(ScheduleSearch(FIRE, whole, OPTIONS, always), whole, EVEN.latency)
    assert most > 6
    before = math.inf
    for limit in range(most + 1):
        costs = EVEN.costs()
        search = ScheduleSearch(FIRE, costs, OPTIONS, always)
        assert measure(search, costs, EVEN.latency, limit) == limit
        best = search.best()
        assert (best is None) == (limit < 6)
        if best is not None:
            assert not search.is_done or limit == most
            assert best.latency_s <= min(before, 6.0)
            before = best.latency_s


def test_the_time_ends_the_search_and_the_ways_that_it_did_not_reach_are_replayed() -> None:
    costs = EVEN.costs()
    search = ScheduleSearch(FIRE, costs, IosOptions(seconds=12.0), always, ticking())
    measure(search, costs, EVEN.latency)
    assert not search.is_done
    found = search.schedules()
    assert set(found) >= {Way.SEQUENTIAL, Way.IOS_BOTH, Way.IOS_PARALLEL, Way.IOS_MERGE}
    assert all(schedule.latency_s <= 6.0 for schedule in found.values())


def test_a_search_that_measured_nothing_has_nothing_to_tell() -> None:
    search = ScheduleSearch(FIRE, EVEN.costs(), OPTIONS, always)
    assert search.best() is None
    assert search.schedules() == {}


def test_a_wide_graph_takes_no_longer_than_its_time() -> None:
    device = Device((1.0,) * 54, (0.2,) * 54)
    costs = device.costs()
    options = IosOptions(2, 3, "parallel", 60.0)
    search = ScheduleSearch(chains(9, 6), costs, options, clock=ticking())
    measure(search, costs, device.latency)
    best = search.best()
    assert not search.is_done
    assert best is not None
    assert best.latency_s < 54
    assert search.state().bound > 1e12


def test_the_state_tells_counts_and_latencies() -> None:
    costs = EVEN.costs()
    search = ScheduleSearch(FIRE, costs, OPTIONS, always)
    assert search.state().states == 0
    done = measure(search, costs, EVEN.latency)
    state = search.state()
    assert state.measured == done
    assert state.sequential_s == 6.0
    assert state.best_s is not None
    assert 0 < state.floor_s <= state.best_s < 6.0
    assert state.states > 0
    assert 0 < state.pairs <= state.bound
    assert state.exact
    assert state.open_stages == 0


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"r": 0}, "A schedule's r is 0"),
        ({"s": -1}, "A schedule's s is -1"),
        ({"seconds": 0}, "seconds is 0. Give a number above 0"),
        ({"seconds": math.nan}, "seconds is nan"),
        ({"strategies": "all"}, "strategies is 'all'. Give one of both, parallel, merge"),
    ],
)
def test_options_that_make_no_sense_are_refused(options: dict[str, Any], what: str) -> None:
    with pytest.raises(UsageError, match=what):
        IosOptions(**options)


def test_merged_operators_are_told_apart_by_their_own_kernels() -> None:
    stage = Stage(Strategy.MERGE, ((1, 2),))
    costs = StageCosts(EVEN.costs().table, [f"k{place}" for place in range(6)], {(1, 2): "old"})
    costs.put(stage, 1.0)
    tuned = replace(costs, merged={(1, 2): "new"})
    assert costs.get(stage) == 1.0
    assert tuned.get(stage) is None
