"""Tasks in clusters: who tunes for whom."""

from __future__ import annotations

from dataclasses import dataclass

from engine.records.options import Index, Share


@dataclass(frozen=True, slots=True)
class Cluster:
    """Tasks that use one schedule: `members`, sorted, with the representative among them."""

    representative: Index
    members: tuple[Index, ...]

    @property
    def dependants(self) -> tuple[int, ...]:
        """The members that are not tuned themselves."""
        return tuple(task for task in self.members if task != self.representative)


@dataclass(frozen=True, slots=True)
class Clustering:
    """A partition of a project's tasks, by `metric` (its name in the registry of metrics) with
    edges from `threshold` in [0, 1]; `edited` once a person has changed it."""

    metric: str
    threshold: Share
    clusters: tuple[Cluster, ...]
    edited: bool = False
