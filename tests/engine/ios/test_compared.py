"""All ways to schedule a program over one table."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.ios.baselines import greedy, latency_of, price, sequential
from engine.ios.block_search import Mergeable
from engine.ios.cost_table import StageCosts
from engine.ios.graph import OperatorGraph
from engine.ios.options import SearchOptions, Way
from engine.ios.scheduler import Scheduler
from engine.records.schedule import Schedule, Stage, Strategy
from tests.engine.ios.dags import FIRE, Device, dags, devices
from tests.engine.ios.test_scheduler import always, measure_all

OPTIONS = SearchOptions(tolerance=0.0)


def compared(
    graph: OperatorGraph, costs: StageCosts, options: SearchOptions, mergeable: Mergeable
) -> dict[Way, Schedule | None]:
    """The best schedule of each way that the table can tell, None where it lacks stages of it.

    A way is only as good as its own search was: run a Scheduler for each over the same table first,
    which measures what the ones before left out.
    """
    found = {
        Way.SEQUENTIAL: price(sequential(graph), costs),
        Way.GREEDY: price(greedy(graph), costs),
    }
    for way in Way:
        if way.strategies is not None:
            made = Scheduler(graph, costs, replace(options, strategies=way.strategies), mergeable)
            for _ in made.run():
                pass
            found[way] = made.best()
    return found


@settings(max_examples=40, deadline=None)
@given(dags(7), st.data())
def test_both_strategies_beat_every_other_way_once_each_was_searched(
    graph: OperatorGraph, data: st.DataObject
) -> None:
    device = data.draw(devices(graph.n))
    costs = device.costs()
    for way in Way:
        if way.strategies is not None:
            options = replace(OPTIONS, strategies=way.strategies)
            measure_all(Scheduler(graph, costs, options, always), costs, device.latency)
    found = compared(graph, costs, OPTIONS, always)
    latencies = {way: schedule.latency_s for way, schedule in found.items() if schedule}
    assert set(latencies) == set(Way)
    assert latencies[Way.SEQUENTIAL] == pytest.approx(sum(device.seconds))
    assert min(latencies.values()) == pytest.approx(latencies[Way.IOS_BOTH])
    for way in (Way.IOS_PARALLEL, Way.IOS_MERGE):
        assert latencies[way] <= latencies[Way.SEQUENTIAL] * (1 + 1e-9)
    assert latencies[Way.IOS_PARALLEL] <= latencies[Way.GREEDY] * (1 + 1e-9)


def test_a_way_whose_stages_were_never_measured_is_missing() -> None:
    device = Device((1.0,) * 6, (0.5,) * 6)
    costs = device.costs()
    assert set(compared(FIRE, costs, OPTIONS, always).values()) == {None}
    for operator in range(6):
        costs.put(Stage(Strategy.CONCURRENT, ((operator,),)), 1.0)
    found = compared(FIRE, costs, OPTIONS, always)
    assert found[Way.GREEDY] is None
    assert found[Way.IOS_BOTH] == found[Way.SEQUENTIAL]


def test_a_sequence_takes_the_sum_of_its_operators_unless_it_was_measured() -> None:
    device = Device((1.0, 2.0), (0.5,) * 2)
    costs = device.costs()
    sequence = Stage(Strategy.CONCURRENT, ((0, 1),))
    assert latency_of(sequence, costs) is None
    for operator, seconds in enumerate(device.seconds):
        costs.put(Stage(Strategy.CONCURRENT, ((operator,),)), seconds)
    assert latency_of(sequence, costs) == 3.0
    costs.put(sequence, 2.5)
    schedule = price([sequence], costs)
    assert schedule is not None
    assert (schedule.latency_s, schedule.batch, schedule.device) == (2.5, 1, "made up")
