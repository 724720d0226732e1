"""Every way to schedule a program, by one table of latencies and without a device."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum

from engine.ios.baselines import greedy, price, sequential
from engine.ios.block_search import Mergeable
from engine.ios.cost_table import StageCosts
from engine.ios.graph import OperatorGraph
from engine.ios.options import SearchOptions, Strategies
from engine.ios.scheduler import Scheduler
from engine.records.schedule import Schedule


class Way(StrEnum):
    """How a schedule comes about."""

    SEQUENTIAL = "sequential"
    GREEDY = "greedy"
    IOS_PARALLEL = "ios_parallel"
    IOS_MERGE = "ios_merge"
    IOS_BOTH = "ios_both"

    @property
    def strategies(self) -> Strategies | None:
        """What a search for it may use, None where it takes no search."""
        return _STRATEGIES.get(self)


_STRATEGIES = {
    Way.IOS_PARALLEL: Strategies.PARALLEL,
    Way.IOS_MERGE: Strategies.MERGE,
    Way.IOS_BOTH: Strategies.BOTH,
}


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
    for way, strategies in _STRATEGIES.items():
        found[way] = replayed(graph, costs, replace(options, strategies=strategies), mergeable)
    return found


def replayed(
    graph: OperatorGraph, costs: StageCosts, options: SearchOptions, mergeable: Mergeable
) -> Schedule | None:
    """The best schedule from measured stages alone."""
    scheduler = Scheduler(graph, costs, options, mergeable)
    for _ in scheduler.run():
        pass
    return scheduler.best()
