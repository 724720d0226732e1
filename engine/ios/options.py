"""What a search for a schedule may try, and when it gives up."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from engine.ios.endings import Pruning


class Strategies(StrEnum):
    """Which strategies a schedule's stages may use, beside operators that run alone."""

    PARALLEL = "parallel"
    MERGE = "merge"
    BOTH = "both"

    @property
    def concurrent(self) -> bool:
        """Whether groups may run side by side."""
        return self is not Strategies.MERGE

    @property
    def merge(self) -> bool:
        """Whether operators may be merged."""
        return self is not Strategies.PARALLEL


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


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """How far a search goes.

    `bounds`: skip stages that cannot win, taking that a stage is no faster than its longest group
    or than any part of it, that a group by itself takes the sum of its operators, and that a merged
    operator is no faster than its longest member. Without, every stage is measured.
    `tolerance`: stop within this share of the optimum. `seconds`: stop after so long, measurements
    included. `wide_greedy`: never be worse than greedy, also where that is wider than the limits. A
    block with more than `most_states` sets or `most_pairs` pairs is searched in parts.
    """

    pruning: Pruning = field(default_factory=Pruning)
    strategies: Strategies = Strategies.BOTH
    bounds: bool = True
    tolerance: float = 0.01
    seconds: float | None = None
    wide_greedy: bool = True
    most_states: int = 100_000
    most_pairs: int = 2_000_000
