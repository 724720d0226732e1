"""Inter-operator schedules: stages that follow one another, and how a search found them."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


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
    groups: tuple[tuple[int, ...], ...]

    @property
    def operators(self) -> frozenset[int]:
        """All of them."""
        return frozenset(operator for group in self.groups for operator in group)


@dataclass(frozen=True, slots=True)
class Schedule:
    """All operators of a program, each in one stage. `latency_s` is the sum of the stages' in
    seconds, as it was measured; `batch` and `device` (its title) are what it was made for."""

    stages: tuple[Stage, ...]
    latency_s: float
    batch: int
    device: str


@dataclass(frozen=True, slots=True)
class IosOptions:
    """What a person chooses.

    At most `r` operators a group and `s` groups a stage; `strategies` is "parallel", "merge" or
    "both"; the search ends after `seconds`, measurements included, with the best so far.
    """

    r: int = 3
    s: int = 8
    strategies: str = "both"
    seconds: float = 300.0


@dataclass(frozen=True, slots=True)
class WayResult:
    """A way to schedule the program (engine.ios.options.Way, or "sequential_eager").

    `predicted_s` is the sum of its stages' latencies, `measured_s` the whole program's, in turns
    with all other ways; None where it cannot be told. `stages` counts them, `peak_bytes` is what
    its intermediates take.
    """

    way: str
    stages: int
    predicted_s: float | None = None
    measured_s: float | None = None
    peak_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class TradeOff:
    """What a search within `r` and `s` finds from the measured stages alone, and what it costs:
    the states and pairs (S, S') that it visits and the stages that it would measure."""

    r: int
    s: int
    latency_s: float
    states: int
    pairs: int
    stages: int


@dataclass(frozen=True, slots=True)
class SearchState:
    """How far a search is: counts as in engine.ios.scheduler.Progress, seconds since it began."""

    states: int = 0
    pairs: int = 0
    bound: float = 0.0
    measured: int = 0
    open_stages: int = 0
    sequential_s: float | None = None
    best_s: float | None = None
    floor_s: float = 0.0
    exact: bool = True
    seconds: float = 0.0
    seconds_left: float | None = None


@dataclass(frozen=True, slots=True)
class FoundSchedule:
    """The schedule of least measured latency, and how it came about.

    `stage_s` are its stages' latencies, `alone_s` each operator's by itself, in seconds. `kernels`
    name each operator's kernel: other records make other kernels, for which this schedule was not
    measured. `way` is the member of `ways` that it is. `ended` is "exact", "time" or "stopped".
    """

    schedule: Schedule
    way: str
    stage_s: tuple[float, ...]
    alone_s: tuple[float, ...]
    kernels: tuple[str, ...]
    options: IosOptions
    search: SearchState
    ended: str
    created_at: float
    ways: tuple[WayResult, ...] = ()
    tradeoffs: tuple[TradeOff, ...] = field(default=())

    def way_named(self, way: str) -> WayResult | None:
        """One of the ways."""
        return next((item for item in self.ways if item.way == way), None)
