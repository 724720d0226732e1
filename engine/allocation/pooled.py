"""What a slot gains by experience: one law, scaled to the run, the class and the task."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from engine.allocation.progress import Progress

FIRST = 0.5
"""What part of the untuned latency a first slot takes away, before any is known."""

SCALE = 0.1
"""What part of its latency a task's second slot takes away, before any is known."""

_JUMP = 0.3
_MADE_UP = 4.0
_FIRST_WEIGHT = 1.0  # a word about second slots that is soon overruled by those that were seen
_MOST = 0.9


def chance(slots: int, dry: int) -> float:
    """How much a slot is expected to gain after `slots` others, of which the last `dry` gained
    nothing: 1 for a second slot after a good first one.

    Of n equal draws the last is the best in one case of n; and of a search whose last improvement
    is `dry` + 1 slots ago all that is known is that it improves once in so many.
    """
    return 1.0 / (max(1, slots) * (1 + dry))


@dataclass(frozen=True, slots=True)
class Typical:
    """A slot's reduction of its task's latency: mean and standard deviation, parts of it."""

    gain: float
    spread: float


@dataclass(frozen=True, slots=True)
class Past:
    """What the completed slots of one task amount to.

    `first` is the part of the untuned latency that the first took away, NaN where that is unknown.
    `gained` is the sum of the parts that the later ones took away, `squares` that of their squares,
    `exposure` that of their chances.
    """

    op_class: str
    first: float = math.nan
    gained: float = 0.0
    squares: float = 0.0
    exposure: float = 0.0

    @staticmethod
    def of(op_class: str, progress: Progress) -> Past:
        """The past of a task as it stands."""
        parts, dry = progress.reductions(), progress.dry()
        if not len(parts):
            return Past(op_class)
        known = [slot for slot in range(1, len(parts)) if math.isfinite(parts[slot])]
        later = parts[known]
        exposure = math.fsum(chance(slot, dry[slot]) for slot in known)
        return Past(
            op_class, float(parts[0]), float(later.sum()), float((later**2).sum()), exposure
        )


class Pool:
    """What slots typically take away of their task's latency.

    A first slot: the mean over the first slots of all tasks and four made-up ones that take away
    half, then that over the class's with the former counted four times more.

    A later one: a `chance`, which falls as 1 / slots and as 1 / (1 + slots without improvement),
    times a scale: the sum of what slots took away over the sum of their chances. The scale is that
    of all tasks with a made-up one worth one chance, then that of the class where the former
    counts as four chances more, then that of the task itself, which its class joins likewise.
    (The posterior mean of a rate under a gamma prior.)

    Slots bring nothing or a jump, whose mean size, weighed by itself, is J: a slot that is
    expected to gain g has variance g J - g^2.
    """

    def __init__(self, pasts: Iterable[Past]) -> None:
        """`pasts`: of every task of the run."""
        everything = list(pasts)
        members: dict[str, list[Past]] = defaultdict(list)
        for past in everything:
            members[past.op_class].append(past)
        made_up = Typical(FIRST, FIRST)
        self._first = _mean(everything, made_up)
        self._firsts = {name: _mean(those, self._first) for name, those in members.items()}
        self._scale = _scale(everything, SCALE, _FIRST_WEIGHT)
        self._scales = {name: _scale(those, self._scale) for name, those in members.items()}
        squares = math.fsum(past.squares for past in everything) + _FIRST_WEIGHT * SCALE * _JUMP
        gained = math.fsum(past.gained for past in everything) + _FIRST_WEIGHT * SCALE
        self._jump = squares / gained

    def first(self, op_class: str, headroom: float = 1.0) -> Typical:
        """What its first slot gives a task of the class; `headroom` is that of `peers`."""
        known = self._firsts.get(op_class, self._first)
        return Typical(min(_MOST, known.gain * headroom), min(_MOST, known.spread * headroom))

    def later(self, past: Past, slots: int, dry: int, headroom: float = 1.0) -> Typical:
        """What one more gives a task after `slots`, the last `dry` of them in vain."""
        scale = _scale([past], self._scales.get(past.op_class, self._scale))
        gain = min(_MOST, scale * chance(slots, dry) * headroom)
        return Typical(gain, math.sqrt(max(0.0, gain * self._jump - gain**2)))


def _scale(pasts: Iterable[Past], prior: float, weight: float = _MADE_UP) -> float:
    gained, exposure = weight * prior, weight
    for past in pasts:
        gained += past.gained
        exposure += past.exposure
    return gained / exposure


def _mean(pasts: Iterable[Past], prior: Typical) -> Typical:
    values = np.array([past.first for past in pasts], np.float64)
    values = values[np.isfinite(values)]
    total = len(values) + _MADE_UP
    gain = (float(values.sum()) + _MADE_UP * prior.gain) / total
    square = float((values**2).sum()) + _MADE_UP * (prior.gain**2 + prior.spread**2)
    return Typical(gain, math.sqrt(max(0.0, square / total - gain**2)))
