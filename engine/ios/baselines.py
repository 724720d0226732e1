"""Schedules that take no search: one operator after another, and greedy by levels."""

from __future__ import annotations

import math
from collections.abc import Sequence

from engine.ios.cost_table import StageCosts, single
from engine.ios.graph import OperatorGraph
from engine.records.schedule import Schedule, Stage, Strategy


def sequential(graph: OperatorGraph) -> tuple[Stage, ...]:
    """Every operator alone, in the program's order."""
    return tuple(single(operator) for operator in range(graph.n))


def greedy(graph: OperatorGraph) -> tuple[Stage, ...]:
    """Every operator as early as it can, beside all others of its topological level."""
    return tuple(
        Stage(Strategy.CONCURRENT, tuple((operator,) for operator in level))
        for level in graph.levels()
    )


def price(stages: Sequence[Stage], costs: StageCosts) -> Schedule | None:
    """The schedule of these stages by the table, None where it lacks one.

    A sequence of several operators that was not measured itself takes the sum of theirs.
    """
    latencies = [latency_of(stage, costs) for stage in stages]
    known = [latency for latency in latencies if latency is not None]
    if len(known) < len(stages):
        return None
    return Schedule(tuple(stages), math.fsum(known), costs.table.batch, costs.table.device)


def latency_of(stage: Stage, costs: StageCosts) -> float | None:
    """Seconds by the table, None where it cannot tell."""
    latency = costs.get(stage)
    if latency is None and stage.strategy is Strategy.CONCURRENT and len(stage.groups) == 1:
        alone = [costs.alone(operator) for operator in stage.groups[0]]
        known = [seconds for seconds in alone if seconds is not None]
        return math.fsum(known) if len(known) == len(alone) else None
    return latency
