"""Measured latencies of stages by what they contain, which a search can be replayed from."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from engine.records.schedule import Stage, Strategy


class Contents(NamedTuple):
    """What decides a stage's latency: its groups' kernels by key, in their order, groups sorted."""

    strategy: Strategy
    groups: tuple[tuple[str, ...], ...]


class CostTable:
    """Latencies in seconds on one device at one batch size; infinite: it cannot run."""

    def __init__(self, device: str, batch: int) -> None:
        self.device = device
        self.batch = batch
        self._latencies: dict[Contents, float] = {}

    @staticmethod
    def of(rows: Iterable[dict[str, Any]], device: str, batch: int) -> CostTable:
        """What `rows` (of any tables) hold for a device and batch size; the last of equal ones."""
        table = CostTable(device, batch)
        for row in rows:
            if (row["device"], row["batch"]) == (device, batch):
                groups = tuple(tuple(group) for group in row["groups"])
                latency = row["latency_s"]
                table.put(
                    Contents(Strategy(row["strategy"]), groups),
                    math.inf if latency is None else float(latency),
                )
        return table

    def __len__(self) -> int:
        return len(self._latencies)

    def get(self, contents: Contents) -> float | None:
        """Seconds, None where it was never measured."""
        return self._latencies.get(contents)

    def put(self, contents: Contents, latency_s: float) -> None:
        """Store a latency in seconds, infinite where the stage cannot run."""
        if not latency_s > 0:
            raise ValueError(f"a latency of {latency_s} s")
        self._latencies[contents] = latency_s

    def rows(self) -> list[dict[str, Any]]:
        """Everything in it, ready for JSON: a latency is null where the stage cannot run."""
        return [
            {
                "device": self.device,
                "batch": self.batch,
                "strategy": contents.strategy.value,
                "groups": [list(group) for group in contents.groups],
                "latency_s": latency if math.isfinite(latency) else None,
            }
            for contents, latency in self._latencies.items()
        ]


@dataclass(frozen=True, slots=True)
class StageCosts:
    """A table seen from one program: `keys` names each operator's kernel by what it computes and
    how, so that equal keys mean equal latency; `merged` those of merged operators."""

    table: CostTable
    keys: Sequence[str]
    merged: Mapping[tuple[int, ...], str] = field(default_factory=dict)

    def contents(self, stage: Stage) -> Contents:
        """The stage's row in the table. The members of a merged operator are in no order, behind
        its own kernel where that is known."""
        groups = [tuple(self.keys[operator] for operator in group) for group in stage.groups]
        if stage.strategy is Strategy.MERGE:
            own = [self.merged[group] for group in stage.groups if group in self.merged]
            groups = [(*own, *sorted(group)) for group in groups]
        return Contents(stage.strategy, tuple(sorted(groups)))

    def get(self, stage: Stage) -> float | None:
        """Seconds, None where it was never measured."""
        return self.table.get(self.contents(stage))

    def put(self, stage: Stage, latency_s: float) -> None:
        """Store a measured latency in seconds, infinite where the stage cannot run."""
        self.table.put(self.contents(stage), latency_s)

    def alone(self, operator: int) -> float | None:
        """The latency of one operator by itself."""
        return self.get(single(operator))

    def missing(self, stages: Iterable[Stage]) -> tuple[Stage, ...]:
        """Those that were never measured, one of each contents, in their order."""
        found = {self.contents(stage): stage for stage in reversed(list(stages))}
        return tuple(
            stage for contents, stage in reversed(found.items()) if self.table.get(contents) is None
        )


def single(operator: int) -> Stage:
    """The stage of one operator."""
    return Stage(Strategy.CONCURRENT, ((operator,),))
