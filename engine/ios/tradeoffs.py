"""What narrower searches would have found, replayed from the measured stages."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import takewhile

from engine.ios.block_search import Mergeable
from engine.ios.cost_table import CostTable, StageCosts
from engine.ios.endings import Pruning
from engine.ios.graph import OperatorGraph
from engine.ios.options import SearchOptions, Strategies
from engine.ios.scheduler import Scheduler
from engine.records.schedule import IosOptions, TradeOff


def limits(options: IosOptions) -> list[tuple[int, int]]:
    """All r up to the options', each with s in powers of two up to theirs; small ones first."""
    powers = takewhile(lambda s: s < options.s, (2**power for power in range(63)))
    widths = [*powers, options.s]
    return sorted(
        ((r, s) for r in range(1, options.r + 1) for s in widths),
        key=lambda limit: (limit[0] * limit[1], limit),
    )


def tradeoffs(
    graph: OperatorGraph,
    costs: StageCosts,
    options: IosOptions,
    mergeable: Mergeable,
    seconds: float = 4.0,
    clock: Callable[[], float] = time.monotonic,
) -> tuple[TradeOff, ...]:
    """A search within each of `limits` that measures nothing; as many as `seconds` allow."""
    until = clock() + seconds
    found: list[TradeOff] = []
    for r, s in limits(options):
        search = SearchOptions(Pruning(r, s), Strategies(options.strategies), wide_greedy=False)
        item = _replayed(graph, costs, search, mergeable, lambda: clock() >= until)
        if item is None:
            break
        found.append(item)
    return tuple(sorted(found, key=lambda item: (item.r, item.s)))


def _replayed(
    graph: OperatorGraph,
    costs: StageCosts,
    options: SearchOptions,
    mergeable: Mergeable,
    is_over: Callable[[], bool],
) -> TradeOff | None:
    """A search that knows nothing at first; what was never measured cannot run for it."""
    own = StageCosts(CostTable(costs.table.device, costs.table.batch), costs.keys, costs.merged)
    scheduler, asked = Scheduler(graph, own, options, mergeable), 0
    for turn in scheduler.run():
        if is_over():
            return None
        asked += len(turn.wanted)
        for stage in turn.wanted:
            latency = costs.get(stage)
            if latency is not None:
                own.put(stage, latency)
    best, progress, pruning = scheduler.best(), scheduler.progress, options.pruning
    if best is None or pruning.r is None or pruning.s is None:
        return None
    return TradeOff(pruning.r, pruning.s, best.latency_s, progress.states, progress.pairs, asked)
