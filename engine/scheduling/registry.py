"""All scheduling policies by name."""

from __future__ import annotations

from typing import Any

from engine.records.errors import UsageError
from engine.records.options import made
from engine.records.sentences import Sentence
from engine.scheduling.free import Free
from engine.scheduling.in_order import InOrder
from engine.scheduling.interleaved import Interleaved
from engine.scheduling.parallel import Parallel
from engine.scheduling.policy import SchedulingPolicy
from engine.scheduling.predictive import Predictive
from engine.scheduling.sequential import Sequential
from engine.scheduling.stage_times import StageTimes

SCHEDULING: dict[str, type[SchedulingPolicy]] = {
    policy.name: policy for policy in (Interleaved, Predictive, Sequential, InOrder, Parallel)
}

DEFAULT_SCHEDULING = Interleaved.name


def make_scheduling(
    name: str,
    free: Free,
    options: dict[str, Any] | None = None,
    times: StageTimes | None = None,
) -> SchedulingPolicy:
    """A policy over `free`; UsageError for a name or an option that makes no sense."""
    if name not in SCHEDULING:
        raise UsageError(
            Sentence("There is no scheduling policy {name!r}.", name=name),
            Sentence("Choose one of {names}.", names=", ".join(SCHEDULING)),
        )
    kind = SCHEDULING[name]
    chosen = made(kind.Options, options or {}, Sentence("The scheduling policy {name}", name=name))
    return kind(free, chosen, times)
