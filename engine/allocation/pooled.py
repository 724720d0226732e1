"""What slots gain: one law, whose scale is learnt of the run, then the class, then the task."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from engine.allocation.progress import Progress

FIRST = 0.5
"""What part of the untuned latency a first slot takes away, before any is known."""

SCALE = 0.1
"""What part of its latency a task's second slot takes away, before any is known."""

_JUMP = 0.3
_TAIL = 0.1
_TAIL_AT = NormalDist().inv_cdf(1.0 - _TAIL)
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
    """What a slot is expected to take away of its task's latency, and how unsure that is.

    Both are parts of the latency; `spread` is a standard deviation.
    """

    gain: float
    spread: float


@dataclass(frozen=True, slots=True)
class Outlook(Typical):
    """The same with the central 80 % range, `low` to `high`, of what will really come."""

    low: float
    high: float

    def scaled(self, by: float) -> Outlook:
        """All of it times a number in [0, 1]."""
        return Outlook(by * self.gain, by * self.spread, by * self.low, by * self.high)


@dataclass(frozen=True, slots=True)
class Rate:
    """How fast a task improves: the posterior of a Poisson rate under its conjugate Gamma prior.

    A slot takes away a jump of the latency or nothing. Jumps come at random, `chance` says how
    densely, and their sizes are exponential with mean `jump` / 2, so that `jump` is E[S^2] / E[S].
    What was gained over `jump` stands for the number of jumps seen: a sum of such jumps has the
    mean and the variance of `jump` times a Poisson variable (a quasi-likelihood: Wedderburn, 1974).
    Then the rate has a Gamma distribution (Gelman et al., Bayesian Data Analysis, 2.6), with
    `shape` jumps seen, made-up ones included, over `exposure` chances.
    """

    shape: float
    exposure: float
    jump: float

    def nothing(self, chances: float) -> float:
        """How likely it is that nothing comes of so many chances: a negative binomial's zero."""
        return math.pow(self.exposure / (self.exposure + 2.0 * chances), self.shape)

    def outlook(self, chances: float) -> Outlook:
        """What so many chances take away.

        The expectation is linear in the rate, so its standard deviation is the Gamma's:
        1 / sqrt(`shape`) of it. What comes is nothing, with that probability, or exponential with
        the mean that keeps the expectation: exact for one jump, near enough for two or three, and
        too wide for more.
        """
        gain = min(_MOST, self.jump * self.shape / self.exposure * chances)
        nothing = self.nothing(chances)
        size = gain / (1.0 - nothing) if nothing < 1.0 else 0.0

        def at(part: float) -> float:
            left = (1.0 - part) / (1.0 - nothing) if nothing < part else 1.0
            return min(_MOST, size * math.log(1.0 / left))

        return Outlook(gain, gain / math.sqrt(self.shape), at(_TAIL), at(1.0 - _TAIL))

    def chances(self, slots: int, dry: int, ahead: int) -> list[float]:
        """The sums of chances of the next 1, 2, ... `ahead` slots after `slots`, `dry` in vain.

        A slot's chance depends on which of those before it will have been in vain: this is the
        mean over that.
        """
        total, sums, likely = 0.0, [], {dry: 1.0}
        for slot in range(slots, slots + ahead):
            then: dict[int, float] = defaultdict(float)
            for vain, part in likely.items():
                here = chance(slot, vain)
                none = self.nothing(here)
                total += part * here
                then[vain + 1] += part * none
                then[0] += part * (1.0 - none)
            sums.append(total)
            likely = then
        return sums


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
    That is the posterior mean of a `Rate` whose prior has its class's mean, as the class's has the
    run's: empirical Bayes, which takes these means for known.

    `jump` is the size of jumps that were seen, the mean weighed by itself.
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
        self.jump = squares / gained

    def first(self, op_class: str, headroom: float = 1.0) -> Outlook:
        """What its first slot gives a task of the class; `headroom` is that of `peers`.

        Of a task without a slot all is unknown in which tasks differ, so the spread is that among
        first slots, and the range that of a normal variable, cut to what is possible.
        """
        known = self._firsts.get(op_class, self._first)
        gain, spread = (min(_MOST, part * headroom) for part in (known.gain, known.spread))
        low, high = max(0.0, gain - _TAIL_AT * spread), min(1.0, gain + _TAIL_AT * spread)
        return Outlook(gain, spread, low, high)

    def rate(self, past: Past) -> Rate:
        """What is believed of a task after its first slot."""
        prior = self._scales.get(past.op_class, self._scale)
        shape = (_MADE_UP * prior + past.gained) / self.jump
        return Rate(shape, _MADE_UP + past.exposure, self.jump)


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
