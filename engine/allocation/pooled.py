"""What a slot gains by experience: the run's own tasks, those of the same class first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]

FIRST = 0.5
"""What part of the untuned latency a first slot takes away, before any is known."""

_FADING = 1.25
_MADE_UP = 4.0
_OF_CLASS = 4.0


@dataclass(frozen=True, slots=True)
class Typical:
    """A slot's reduction of its task's latency: mean and standard deviation, parts of it."""

    gain: float
    spread: float


class Pool:
    """Typical reductions of a task's first slot, its second one, and so on.

    Each is the mean over the tasks that had that slot and four made-up ones, whose first slot
    takes away half, and whose slot n + 1 what slot n typically does times (n / (n + 1))^1.25. (Of
    n + 1 equal draws the last is the best in one case of n + 1, and what it is better by shrinks
    too.) A class's own mean counts the mean of all as four tasks more.
    """

    def __init__(self, tasks: Iterable[tuple[str, Floats]]) -> None:
        """`tasks`: each one's class and the reductions of its slots, NaN where unknown."""
        self._all: list[Typical] = []
        found = list(tasks)
        self._tables: dict[str, list[Floats]] = {"": _columns(rows for _, rows in found)}
        for name in {name for name, _ in found}:
            self._tables[name] = _columns(rows for owner, rows in found if owner == name)

    def typical(self, op_class: str, slot: int) -> Typical:
        """What the slot of this 0-based number gives a task of the class."""
        of_all = self._of_all(slot)
        values = _column(self._tables.get(op_class, []), slot)
        return _mean(values, of_all, _OF_CLASS)

    def _of_all(self, slot: int) -> Typical:
        for number in range(len(self._all), slot + 1):
            fading = (number / (number + 1)) ** _FADING
            gain = self._all[-1].gain * fading if number else FIRST
            values = _column(self._tables[""], number)
            self._all.append(_mean(values, Typical(gain, gain), _MADE_UP))
        return self._all[slot]


def _columns(rows: Iterable[Floats]) -> list[Floats]:
    kept = list(rows)
    depth = max((len(row) for row in kept), default=0)
    columns = [np.array([row[slot] for row in kept if len(row) > slot]) for slot in range(depth)]
    return [column[np.isfinite(column)] for column in columns]


def _column(columns: list[Floats], slot: int) -> Floats:
    return columns[slot] if slot < len(columns) else np.zeros(0)


def _mean(values: Floats, prior: Typical, count: float) -> Typical:
    total = len(values) + count
    gain = (float(values.sum()) + count * prior.gain) / total
    square = float((values**2).sum()) + count * (prior.gain**2 + prior.spread**2)
    return Typical(gain, max(0.0, square / total - gain**2) ** 0.5)
