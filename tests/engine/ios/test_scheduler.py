"""The scheduler against brute force, under every limit, and wherever its caller stops."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from itertools import count as numbers
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.ios.baselines import greedy, price, sequential
from engine.ios.cost_table import CostTable, StageCosts
from engine.ios.endings import Pruning
from engine.ios.graph import OperatorGraph, bits
from engine.ios.options import SearchOptions, Strategies
from engine.ios.scheduler import Progress, Scheduler
from engine.records.schedule import Schedule, Stage, Strategy
from tests.engine.ios.counting import UNPRUNED
from tests.engine.ios.dags import (
    FIRE,
    Device,
    Latency,
    chains,
    dags,
    devices,
    least_latency,
    prunings,
)

EXACT = SearchOptions(tolerance=0.0)


def never(_: tuple[int, ...]) -> bool:
    """Nothing merges."""
    return False


def always(_: tuple[int, ...]) -> bool:
    """Whatever is independent merges."""
    return True


def search(
    graph: OperatorGraph,
    costs: StageCosts,
    latency: Latency,
    options: SearchOptions = EXACT,
    mergeable: Callable[[tuple[int, ...]], bool] = never,
) -> Schedule:
    """The schedule that is found when every wanted stage is measured."""
    scheduler = Scheduler(graph, costs, options, mergeable)
    measure_all(scheduler, costs, latency)
    best = scheduler.best()
    assert best is not None
    return best


def measure_all(scheduler: Scheduler, costs: StageCosts, latency: Latency) -> list[Stage]:
    """Run a search to its end; returns what was measured."""
    measured = []
    for turn in scheduler.run():
        for stage in turn.wanted:
            costs.put(stage, latency(stage))
            measured.append(stage)
    return measured


def check(schedule: Schedule, graph: OperatorGraph) -> None:
    """Every operator runs once, after all that it waits for."""
    done = 0
    for stage in schedule.stages:
        ran = 0
        for group in stage.groups:
            before = 0
            for operator in group:
                assert not (done | ran) >> operator & 1
                assert not graph.before[operator] & ~(done | before)
                if stage.strategy is Strategy.CONCURRENT:
                    before |= 1 << operator
                ran |= 1 << operator
        done |= ran
    assert done == graph.all


@settings(max_examples=80, deadline=None)
@given(dags(), prunings, st.integers(0, 1 << 16))
def test_without_bounds_any_latencies_give_the_schedule_of_brute_force(
    graph: OperatorGraph, pruning: Pruning, seed: int
) -> None:
    random = Random(seed)
    drawn: dict[Stage, float] = {}

    def latency(stage: Stage) -> float:
        return drawn.setdefault(stage, random.uniform(0.2, 1) * len(stage.operators))

    costs = StageCosts(CostTable("made up", 1), [str(operator) for operator in range(graph.n)])
    found = search(graph, costs, latency, SearchOptions(pruning=pruning, bounds=False))
    start = price(greedy(graph), costs)
    assert start is not None
    least = min(least_latency(graph, pruning, latency), start.latency_s)
    assert found.latency_s == pytest.approx(least)
    check(found, graph)


@settings(max_examples=150, deadline=None)
@given(dags(), prunings, st.data())
def test_with_bounds_the_schedule_is_as_good_as_that_of_brute_force(
    graph: OperatorGraph, pruning: Pruning, data: st.DataObject
) -> None:
    device = data.draw(devices(graph.n))
    costs = device.costs()
    found = search(graph, costs, device.latency, SearchOptions(pruning=pruning, tolerance=0.0))
    start = price(greedy(graph), costs)
    assert start is not None
    least = min(least_latency(graph, pruning, device.latency), start.latency_s)
    assert found.latency_s == pytest.approx(least)
    check(found, graph)


@settings(max_examples=80, deadline=None)
@given(dags(7), st.sampled_from(Strategies), st.sampled_from([0.0, 0.1]), st.data())
def test_merging_included_bounds_lose_no_more_than_the_tolerance(
    graph: OperatorGraph, strategies: Strategies, tolerance: float, data: st.DataObject
) -> None:
    device = data.draw(devices(graph.n))
    kinds = data.draw(st.lists(st.booleans(), min_size=graph.n, max_size=graph.n))

    def mergeable(operators: tuple[int, ...]) -> bool:
        return len({kinds[operator] for operator in operators}) == 1

    full, few = (
        SearchOptions(UNPRUNED, strategies, bounds=bounds, tolerance=tolerance)
        for bounds in (False, True)
    )
    best = search(graph, device.costs(), device.latency, full, mergeable)
    found = search(graph, device.costs(), device.latency, few, mergeable)
    check(found, graph)
    assert found.latency_s * (1 - tolerance) <= best.latency_s * (1 + 1e-9)
    assert best.latency_s <= found.latency_s * (1 + 1e-9)


@settings(max_examples=50, deadline=None)
@given(dags(7), st.data())
def test_a_schedule_holds_only_what_its_strategies_allow(
    graph: OperatorGraph, data: st.DataObject
) -> None:
    device = data.draw(devices(graph.n))
    merges = SearchOptions(UNPRUNED, Strategies.MERGE)
    for stage in search(graph, device.costs(), device.latency, merges, always).stages:
        assert stage.strategy is Strategy.MERGE or len(stage.operators) == 1
    parallel = SearchOptions(UNPRUNED, Strategies.PARALLEL)
    for stage in search(graph, device.costs(), device.latency, parallel, always).stages:
        assert stage.strategy is Strategy.CONCURRENT


@settings(max_examples=50, deadline=None)
@given(dags(7), prunings, st.booleans(), st.data())
def test_what_is_needed_is_all_that_is_ever_wanted(
    graph: OperatorGraph, pruning: Pruning, bounds: bool, data: st.DataObject
) -> None:
    device = data.draw(devices(graph.n))
    costs = device.costs()
    options = SearchOptions(pruning, bounds=bounds, tolerance=0.0)
    scheduler = Scheduler(graph, costs, options, always)
    needed = scheduler.needed()
    measured = measure_all(scheduler, costs, device.latency)
    assert len(set(measured)) == len(measured)
    assert set(measured) <= set(needed)
    if not bounds:
        assert set(measured) == set(needed)
        assert scheduler.needed() == ()


@settings(max_examples=40, deadline=None)
@given(dags(7), st.data())
def test_a_search_may_stop_after_any_turn(graph: OperatorGraph, data: st.DataObject) -> None:
    device = data.draw(devices(graph.n))
    costs = device.costs()
    scheduler = Scheduler(graph, costs, EXACT, always)
    assert scheduler.best() is None
    last: Progress | None = None
    for turn in scheduler.run():
        for stage in turn.wanted:
            costs.put(stage, device.latency(stage))
        best = scheduler.best()
        assert best is not None
        check(best, graph)
        assert best.latency_s <= sum(device.seconds) * (1 + 1e-9)
        now = scheduler.progress
        assert now.floor_s <= best.latency_s * (1 + 1e-9)
        assert now.exact
        if last is not None and last.best_s is not None:
            assert best.latency_s <= last.best_s
            assert now.floor_s >= last.floor_s * (1 - 1e-9)
        last = now
    assert scheduler.progress.open_stages == 0


def test_a_schedule_replays_from_its_table_without_a_device() -> None:
    device = Device(tuple(1 + 0.1 * place for place in range(9)), (0.5,) * 9)
    graph, costs = chains(3, 3), device.costs()
    found = search(graph, costs, device.latency)
    assert found.latency_s < sum(device.seconds)
    rows = json.loads(json.dumps(costs.table.rows()))
    again = StageCosts(CostTable.of(rows, "made up", 1), costs.keys)
    scheduler = Scheduler(graph, again, EXACT)
    assert [turn.wanted for turn in scheduler.run() if turn.wanted] == []
    assert scheduler.best() == found


def test_a_stage_that_was_wanted_but_cannot_run_is_not_used() -> None:
    device = Device((1.0,) * 4, (0.1,) * 4)
    graph = OperatorGraph.of([], 4)

    def failing(stage: Stage) -> float:
        return math.inf if len(stage.groups) > 2 else device.latency(stage)

    found = search(graph, device.costs(), failing)
    assert found.latency_s == 2.0
    assert [len(stage.groups) for stage in found.stages] == [2, 2]


def test_a_stage_that_its_caller_could_not_measure_is_not_used() -> None:
    device = Device((1.0,) * 3, (0.1,) * 3)
    graph, costs = OperatorGraph.of([], 3), device.costs()
    scheduler = Scheduler(graph, costs, EXACT)
    for turn in scheduler.run():
        for stage in turn.wanted:
            if len(stage.operators) == 1:
                costs.put(stage, 1.0)
    assert scheduler.best() == price(sequential(graph), costs)


def test_a_chain_takes_no_search() -> None:
    device = Device((1.0,) * 30, (0.5,) * 30)
    graph, costs = chains(1, 30), device.costs()
    scheduler = Scheduler(graph, costs, EXACT)
    assert len(measure_all(scheduler, costs, device.latency)) == 30
    assert (scheduler.progress.pairs, scheduler.progress.bound) == (0, 0)
    assert scheduler.best() == price(sequential(graph), costs)


def test_equal_blocks_are_explored_and_measured_once() -> None:
    edges, n, keys = [], 1, ["join"]
    for _ in range(4):
        edges += [(n - 1, n + place) for place in range(3)] + [
            (n + place, n + 3) for place in range(3)
        ]
        keys += ["a", "b", "c", "join"]
        n += 4
    graph, costs = OperatorGraph.of(edges, n), StageCosts(CostTable("made up", 1), keys)
    times = {"a": 1.0, "b": 0.5, "c": 0.4, "join": 0.1}
    device = Device(tuple(times[key] for key in keys), (0.4,) * n)
    scheduler = Scheduler(graph, costs, EXACT)
    measured = measure_all(scheduler, costs, device.latency)
    assert len(measured) == 4 + 1  # all three beside one another are optimal
    assert scheduler.progress.pairs == 19  # of one block
    best = scheduler.best()
    assert best is not None
    assert best.latency_s == pytest.approx(5 * 0.1 + 4 * 1.0)


def test_it_is_never_worse_than_greedy_even_where_its_limits_forbid_that() -> None:
    device = Device((1.0,) * 6, (0.1,) * 6)
    graph, costs = OperatorGraph.of([], 6), device.costs()
    found = search(graph, costs, device.latency, SearchOptions(Pruning(1, 2)))
    assert found == price(greedy(graph), costs)


def test_few_of_the_stages_of_a_larger_graph_are_measured() -> None:
    device = Device(tuple(1 + 0.1 * place for place in range(12)), (0.4,) * 12)
    graph, costs = chains(4, 3), device.costs()
    scheduler = Scheduler(graph, costs)
    needed = len(scheduler.needed())
    assert len(measure_all(scheduler, costs, device.latency)) < needed / 4


class Wide:
    """Eight chains of eight operators: 43 million sets of operators."""

    graph = chains(8, 8)
    device = Device(tuple(1 + place % 7 / 10 for place in range(64)), (0.6,) * 64)
    options = SearchOptions(Pruning(1, 2), most_states=8_000)


def test_a_wide_graph_is_searched_in_parts() -> None:
    costs = Wide.device.costs()
    scheduler = Scheduler(Wide.graph, costs, Wide.options)
    for turns, turn in enumerate(scheduler.run(), 1):
        for stage in turn.wanted:
            costs.put(stage, Wide.device.latency(stage))
        if turns == 60:
            break
    progress, best = scheduler.progress, scheduler.best()
    assert best is not None
    check(best, Wide.graph)
    assert not progress.exact
    assert progress.bound == 9.0**16
    assert best.latency_s < sum(Wide.device.seconds)


def test_a_search_ends_when_its_time_is_over_and_keeps_the_best() -> None:
    costs = Wide.device.costs()
    clock: Iterator[int] = numbers()
    options = SearchOptions(Pruning(1, 2), seconds=5)
    scheduler = Scheduler(Wide.graph, costs, options, clock=lambda: float(next(clock)))
    measure_all(scheduler, costs, Wide.device.latency)
    best = scheduler.best()
    assert best is not None
    check(best, Wide.graph)
    assert best.latency_s <= sum(Wide.device.seconds)


def test_an_empty_program_has_an_empty_schedule() -> None:
    graph = OperatorGraph.of([], 0)
    scheduler = Scheduler(graph, StageCosts(CostTable("made up", 1), []))
    assert list(scheduler.run()) == []
    best = scheduler.best()
    assert best is not None
    assert best.stages == ()


def test_merging_wins_where_it_is_faster_and_a_merge_is_asked_by_its_operators() -> None:
    device = Device((1.0, 1.0, 1.0, 0.5, 0.5, 0.5), (1.0,) * 6, merged=0.6)
    asked = []

    def mergeable(operators: tuple[int, ...]) -> bool:
        asked.append(operators)
        return operators == (1, 2)

    found = search(FIRE, device.costs(), device.latency, EXACT, mergeable)
    assert Stage(Strategy.MERGE, ((1, 2),)) in found.stages
    for operators in asked:
        assert len(operators) > 1
        assert all(not FIRE.below[a] >> b & 1 for a in operators for b in operators)
    assert set(asked) >= {(1, 2), (0, 4), (1, 4), (1, 2, 4)}
    assert list(bits(FIRE.all)) == sorted(
        operator for stage in found.stages for operator in stage.operators
    )
