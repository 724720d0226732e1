"""How long a stage takes: learned by kind and task, and from its peers until it is known."""

from __future__ import annotations

import math
from typing import Any

from engine.storage.fields import Malformed

_FORMAT = 1
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
        """What was learned, JSON-ready."""
        tasks: dict[str, dict[str, list[float]]] = {}
        for (kind, task), mean in self._tasks.items():
            tasks.setdefault(kind, {})[task] = [mean.count, mean.seconds]
        kinds = {kind: [mean.count, mean.seconds] for kind, mean in self._kinds.items()}
        return {"format": _FORMAT, "kinds": kinds, "tasks": tasks}

    @staticmethod
    def from_dict(data: Any) -> StageTimes:
        """What `as_dict` gave; Malformed where it is something else."""
        made = StageTimes()
        if _mapping(data).get("format") != _FORMAT:
            raise Malformed("format")
        for kind, value in _mapping(data.get("kinds")).items():
            made._kinds[kind] = _mean(value)
        for kind, tasks in _mapping(data.get("tasks")).items():
            if kind not in made._kinds:
                raise Malformed("tasks")
            for task, value in _mapping(tasks).items():
                made._tasks[kind, task] = _mean(value)
        return made


def _mapping(value: Any) -> dict[str, Any]:
    if type(value) is not dict or not all(type(key) is str for key in value):
        raise Malformed("an object")
    return value


def _mean(value: Any) -> _Mean:
    if type(value) is not list or len(value) != 2:
        raise Malformed("a count and seconds")
    count, seconds = value
    if type(count) is not int or count < 1 or type(seconds) not in (int, float):
        raise Malformed("a count and seconds")
    if not 0 <= seconds < math.inf:
        raise Malformed("seconds")
    return _Mean(count, float(seconds))
