"""Inter-operator schedules: stages that follow one another, and how a search found them."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated

from msgspec import Meta

from engine.records.options import Checked, Count, Index, Latency, Positive, Seconds, Share, one_of
from engine.records.sentences import Sentence

_Group = Annotated[tuple[Index, ...], Meta(min_length=1)]


class Strategy(StrEnum):
    """How a stage runs: its groups side by side, or all of it as one merged operator."""

    CONCURRENT = "concurrent"
    MERGE = "merge"


@dataclass(frozen=True, slots=True)
class Stage:
    """Operators that run between two barriers.

    `groups` are sequences of operators, by the index of their step in the lowered program; they
    run side by side, each in its order. A merged stage has one group of the operators that are
    merged.
    """

    strategy: Strategy
    groups: Annotated[tuple[_Group, ...], Meta(min_length=1)]

    @property
    def operators(self) -> frozenset[int]:
        return frozenset(operator for group in self.groups for operator in group)


@dataclass(frozen=True, slots=True)
class Schedule:
    """All operators of a program, each in one stage. `latency_s` is the sum of the stages' in
    seconds, as it was measured; `batch` and `device` (its title) are what it was made for."""

    stages: tuple[Stage, ...]
    latency_s: Latency
    batch: Index
    device: str


_Most = Annotated[int, Meta(ge=1, le=100_000)]


@dataclass(frozen=True, slots=True)
class IosOptions(Checked, what=Sentence("A schedule")):
    """What a person chooses.

    At most `r` operators a group and `s` groups a stage; `strategies` is "parallel", "merge" or
    "both"; the search ends after `seconds`, measurements included, with the best so far.
    """

    r: _Most = 3
    s: _Most = 8
    strategies: Annotated[str, one_of("both", "parallel", "merge")] = "both"
    seconds: Positive = 300.0


@dataclass(frozen=True, slots=True)
class WayResult:
    """A way to schedule the program (engine.ios.options.Way, or "sequential_eager").

    `predicted_s` is the sum of its stages' latencies, `measured_s` the whole program's, in turns
    with all other ways; None where it cannot be told. `stages` counts them, `peak_bytes` is what
    its intermediates take. `load` is what other programs had meanwhile of the cores that it needs.
    """

    way: str
    stages: Index
    predicted_s: Seconds | None = None
    measured_s: Seconds | None = None
    peak_bytes: Index | None = None
    load: Share | None = None


@dataclass(frozen=True, slots=True)
class TradeOff:
    """What a search within `r` and `s` finds from the measured stages alone, and what it costs:
    the states and pairs (S, S') that it visits and the stages that it would measure."""

    r: Count
    s: Count
    latency_s: Seconds
    states: Index
    pairs: Index
    stages: Index


@dataclass(frozen=True, slots=True)
class SearchState:
    """How far a search is: counts as in engine.ios.scheduler.Progress, seconds since it began."""

    states: Index = 0
    pairs: Index = 0
    bound: Annotated[float, Meta(ge=0)] = 0.0
    measured: Index = 0
    open_stages: Index = 0
    sequential_s: Seconds | None = None
    best_s: Seconds | None = None
    floor_s: Seconds = 0.0
    exact: bool = True
    seconds: Seconds = 0.0
    seconds_left: Seconds | None = None


@dataclass(frozen=True, slots=True)
class FoundSchedule:
    """The schedule of least measured latency, and how it came about.

    `stage_s` are its stages' latencies, `alone_s` each operator's by itself, in seconds. `kernels`
    name each operator's kernel: other records make other kernels, for which this schedule was not
    measured. `way` is the member of `ways` that it is. `ended` is "exact", "time" or "stopped".
    """

    schedule: Schedule
    way: str
    stage_s: tuple[Latency, ...]
    alone_s: tuple[Latency, ...]
    kernels: tuple[str, ...]
    options: IosOptions
    search: SearchState
    ended: Annotated[str, one_of("exact", "time", "stopped")]
    created_at: Seconds
    ways: tuple[WayResult, ...] = ()
    tradeoffs: tuple[TradeOff, ...] = field(default=())

    def way_named(self, way: str) -> WayResult | None:
        return next((item for item in self.ways if item.way == way), None)
