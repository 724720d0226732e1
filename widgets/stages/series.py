"""A schedule as bars over time: its stages with their lanes, and the sequential program."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from engine.records.schedule import FoundSchedule, Stage, Strategy

SEQUENTIAL_LANE = -1


@dataclass(frozen=True, slots=True)
class StageBar:
    """Operators over time, in seconds: one, or several that are merged.

    `stage` is the place of its stage, `lane` that of its group in it; a bar of the sequential
    program is in SEQUENTIAL_LANE.
    """

    operators: tuple[int, ...]
    stage: int
    lane: int
    start_s: float
    end_s: float

    @property
    def merged(self) -> bool:
        """Whether several operators run as one."""
        return len(self.operators) > 1


@dataclass(frozen=True, slots=True)
class StageColumn:
    """One stage over time; `alone_s` is what its operators take one after another."""

    place: int
    stage: Stage
    start_s: float
    end_s: float
    alone_s: float

    @property
    def latency_s(self) -> float:
        return self.end_s - self.start_s

    @property
    def gain(self) -> float:
        """How many times faster than its operators one after another."""
        return self.alone_s / self.latency_s if self.latency_s > 0 else math.nan

    @property
    def merged(self) -> bool:
        """Whether it runs as one merged operator."""
        return self.stage.strategy is Strategy.MERGE


@dataclass(frozen=True, slots=True)
class Timeline:
    """A schedule and the sequential program, both from 0 on, in seconds."""

    columns: tuple[StageColumn, ...] = ()
    bars: tuple[StageBar, ...] = ()
    sequential: tuple[StageBar, ...] = ()

    @property
    def lanes(self) -> int:
        """How many groups run at once, at most."""
        return max((bar.lane for bar in self.bars), default=-1) + 1

    @property
    def schedule_s(self) -> float:
        """The sum of the stages."""
        return self.columns[-1].end_s if self.columns else 0.0

    @property
    def sequential_s(self) -> float:
        """The sum of the operators alone."""
        return self.sequential[-1].end_s if self.sequential else 0.0

    @property
    def end_s(self) -> float:
        """Where the longer of the two ends."""
        return max(self.schedule_s, self.sequential_s)


def build_timeline(found: FoundSchedule) -> Timeline:
    """The bars of a schedule; what its latencies do not cover is left out."""
    alone = found.alone_s
    stages = [
        (stage, latency)
        for stage, latency in zip(found.schedule.stages, found.stage_s, strict=False)
        if all(0 <= operator < len(alone) for operator in stage.operators)
    ]
    ends = list(accumulate((latency for _, latency in stages), initial=0.0))
    columns = tuple(
        StageColumn(place, stage, ends[place], ends[place + 1], _sum(stage.operators, alone))
        for place, (stage, _) in enumerate(stages)
    )
    bars = tuple(bar for column in columns for bar in stage_bars(column, alone))
    stage_of = {o: column.place for column in columns for o in column.stage.operators}
    return Timeline(columns, bars, _sequential(alone, stage_of))


def stage_bars(column: StageColumn, alone_s: Sequence[float]) -> Iterator[StageBar]:
    """The bars of one stage, group by group.

    When an operator starts within a concurrent stage is not measured: each has its share of its
    group by its latency alone, scaled so that the longest group fills the stage.
    """
    if column.merged:
        operators = tuple(sorted(column.stage.operators))
        yield StageBar(operators, column.place, 0, column.start_s, column.end_s)
        return
    groups = column.stage.groups
    longest = max(_sum(group, alone_s) for group in groups)
    for lane, group in enumerate(groups):
        ends = list(accumulate((alone_s[operator] for operator in group), initial=0.0))
        whole = longest
        if not longest > 0:  # nothing is known of them: as wide as each other
            ends, whole = [float(n) for n in range(len(group) + 1)], float(len(group))
        places = [column.start_s + column.latency_s * (end / whole) for end in ends]
        for operator, (start, end) in zip(group, pairwise(places), strict=True):
            yield StageBar((operator,), column.place, lane, start, end)


def _sequential(alone_s: Sequence[float], stage_of: dict[int, int]) -> tuple[StageBar, ...]:
    ends = list(accumulate(alone_s, initial=0.0))
    return tuple(
        StageBar((operator,), stage_of.get(operator, 0), SEQUENTIAL_LANE, start, end)
        for operator, (start, end) in enumerate(pairwise(ends))
    )


def _sum(operators: frozenset[int] | Sequence[int], alone_s: Sequence[float]) -> float:
    return math.fsum(alone_s[operator] for operator in operators)
