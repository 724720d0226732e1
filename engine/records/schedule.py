"""An inter-operator schedule as plain data: stages that follow one another."""

from __future__ import annotations

from dataclasses import dataclass
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
