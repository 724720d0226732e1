"""Many step curves by their change points, and as much of them as a screen can show."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cached_property

import numpy as np

from engine.history.history import Floats, Ints
from widgets.plots.convergence_series import Steps

FEW = 20_000
_DEEPEST = 40
_NO_NUMBERS = np.empty(0, np.int64)


class StepSet:
    """Curves one after another: change points `x` ascending in each, `y` in seconds.

    `counts` says how many points each curve has, `owners` whose it is, `ends` until where its last
    value holds. Curves have at least one point. What is made of a set is kept; sets never change.
    """

    def __init__(self, x: Floats, y: Floats, counts: Ints, owners: Ints, ends: Floats) -> None:
        self.x, self.y, self.counts, self.owners, self.ends = x, y, counts, owners, ends
        self._levels: dict[int, StepSet] = {}

    @staticmethod
    def of(parts: Mapping[int, tuple[Floats, Floats]], end: float) -> StepSet:
        """The curves of `parts` by their owners, each lasting until `end` or its last point."""
        known = {owner: part for owner, part in parts.items() if len(part[0])}
        if not known:
            return NO_CURVES
        counts = np.array([len(x) for x, _ in known.values()])
        x = np.concatenate([x for x, _ in known.values()])
        y = np.concatenate([y for _, y in known.values()])
        ends = np.maximum(x[np.cumsum(counts) - 1], end)
        return StepSet(x, y, counts, np.array(list(known)), ends)

    @cached_property
    def firsts(self) -> Ints:
        return np.cumsum(self.counts) - self.counts

    @cached_property
    def lasts(self) -> Ints:
        """The last point of each curve."""
        return np.cumsum(self.counts) - 1

    @cached_property
    def steps(self) -> Steps:
        """All of it as vertices: level from each point to the next, then upright; gaps between."""
        curves, points = len(self.counts), len(self.x)
        curve = np.repeat(np.arange(curves), self.counts)
        place = 2 * np.arange(points) + curve
        x, y = np.full(2 * points + curves, np.nan), np.full(2 * points + curves, np.nan)
        until = np.append(self.x[1:], np.nan)[:points]
        until[self.lasts] = self.ends
        x[place], x[place + 1] = self.x, until
        y[place] = y[place + 1] = self.y
        owners = np.repeat(self.owners, 2 * self.counts + 1)
        return Steps(x[:-1], y[:-1], owners[:-1])

    def seen(
        self, low: float, high: float, columns: int, row_of: Callable[[Floats], Ints]
    ) -> Steps:
        """The vertices that tell on a screen with `columns` pixels between `low` and `high`.

        `row_of` gives the pixel row of values. Of several changes within a pixel the last counts.
        """
        if len(self.x) <= FEW or not high > low:
            return self.steps
        found = self._level((high - low) / max(columns, 1)).clipped(low, high)
        return found.thinned(row_of(found.y)).steps

    def clipped(self, low: float, high: float) -> StepSet:
        """Only what is between two places; the value that holds at `low` comes with it."""
        low, high = (min(max(at, self._begin), self._begin + self._room - 1) for at in (low, high))
        base = np.arange(len(self.counts)) * self._room - self._begin
        after = np.searchsorted(self._key, high + base, "right")
        first = np.searchsorted(self._key, low + base, "right") - 1
        first = np.maximum(first, self.firsts)
        counts = np.maximum(np.minimum(after, self.lasts + 1) - first, 0)
        there = counts > 0
        first, counts, last = first[there], counts[there], (first + counts - 1)[there]
        rows = np.repeat(first - (np.cumsum(counts) - counts), counts) + np.arange(counts.sum())
        following = self.x[np.minimum(last + 1, len(self.x) - 1)]
        ends = np.where(last < self.lasts[there], following, self.ends[there])
        return StepSet(self.x[rows], self.y[rows], counts, self.owners[there], ends)

    def thinned(self, groups: Ints) -> StepSet:
        """Of points in a row with the same number in `groups`, the first of each."""
        return self._kept(np.append(True, groups[1:] != groups[:-1])[: len(groups)])

    def _level(self, width: float) -> StepSet:
        """The last change in each bin of at most `width`; bins halve from level to level."""
        level = min(max(math.ceil(math.log2(self._room / width)), 0), _DEEPEST)
        if level not in self._levels:
            finer = [known for known in self._levels if known > level]
            source = self._levels[min(finer)] if finer else self
            bins = np.floor((source.x - self._begin) * (2.0**level / self._room))
            last = np.append(bins[1:] != bins[:-1], True)[: len(bins)]
            last[source.lasts] = True
            self._levels[level] = source._kept(last)
        return self._levels[level]

    def _kept(self, kept: np.ndarray) -> StepSet:
        """Only some points, and always the first of each curve."""
        kept[self.firsts] = True
        counts = np.add.reduceat(kept, self.firsts, dtype=np.int64) if len(kept) else self.counts
        return StepSet(self.x[kept], self.y[kept], counts, self.owners, self.ends)

    @cached_property
    def _begin(self) -> float:
        return float(self.x.min()) if len(self.x) else 0.0

    @cached_property
    def _room(self) -> float:
        """More than the whole width, so that curves have keys of their own."""
        return (float(self.x.max()) if len(self.x) else 0.0) - self._begin + 1.0

    @cached_property
    def _key(self) -> Floats:
        """The points of all curves as one ascending series."""
        curve = np.repeat(np.arange(float(len(self.counts))), self.counts) * self._room
        key: Floats = self.x - self._begin + curve
        return key


NO_CURVES = StepSet(np.empty(0), np.empty(0), _NO_NUMBERS, _NO_NUMBERS, np.empty(0))
