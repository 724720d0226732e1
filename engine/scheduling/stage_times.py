"""How long a stage takes: learned by kind and task, and from its peers until it is known."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

from engine.records.options import Count, Seconds
from engine.storage.fields import Malformed, read

_MADE_UP = 4.0  # a task's first seconds say little: its kind's count as so many more
_TASK_SHARE, _KIND_SHARE = 0.2, 0.05


class _Mean:
    """A mean that forgets: plain at first, then each value has at least this share of it."""

    __slots__ = ("count", "seconds")

    def __init__(self, count: int = 0, seconds: float = 0.0) -> None:
        self.count, self.seconds = count, seconds

    def add(self, seconds: float, share: float) -> None:
        self.count += 1
        self.seconds += (seconds - self.seconds) * max(share, 1 / self.count)


class StageTimes:
    """Expected seconds of stages. Taking one in costs the same whatever is known.

    A kind is any text. One that takes another time on another target should say so in its name,
    for tasks of one kind are each other's peers.
    """

    def __init__(self) -> None:
        self._kinds: dict[str, _Mean] = {}
        self._tasks: dict[tuple[str, str], _Mean] = {}

    def add(self, kind: str, task: str, seconds: float) -> None:
        """A stage took so long; ValueError where that is no time."""
        if not 0 <= seconds < math.inf:
            raise ValueError(f"A stage cannot take {seconds} seconds.")
        self._kinds.setdefault(kind, _Mean()).add(seconds, _KIND_SHARE)
        if task:
            self._tasks.setdefault((kind, task), _Mean()).add(seconds, _TASK_SHARE)

    def expected(self, kind: str, task: str = "") -> float | None:
        """The seconds that a stage will take, by its task and kind; None for an unknown kind."""
        peers = self._kinds.get(kind)
        if peers is None:
            return None
        own = self._tasks.get((kind, task))
        if own is None:
            return peers.seconds
        total = own.count * own.seconds + _MADE_UP * peers.seconds
        return total / (own.count + _MADE_UP)

    def as_dict(self) -> dict[str, Any]:
        tasks: dict[str, dict[str, list[float]]] = {}
        for (kind, task), mean in self._tasks.items():
            tasks.setdefault(kind, {})[task] = [mean.count, mean.seconds]
        kinds = {kind: [mean.count, mean.seconds] for kind, mean in self._kinds.items()}
        return {"format": 1, "kinds": kinds, "tasks": tasks}

    @staticmethod
    def from_dict(data: Any) -> StageTimes:
        """What `as_dict` gave; Malformed where it is something else."""
        made, stored = StageTimes(), read(data, _Stored)
        for kind, mean in stored.kinds.items():
            made._kinds[kind] = _Mean(*mean)
        for kind, tasks in stored.tasks.items():
            if kind not in made._kinds:
                raise Malformed("tasks")
            for task, mean in tasks.items():
                made._tasks[kind, task] = _Mean(*mean)
        return made


@dataclass(frozen=True, slots=True)
class _Stored:
    format: Literal[1]
    kinds: dict[str, tuple[Count, Seconds]]
    tasks: dict[str, dict[str, tuple[Count, Seconds]]]
