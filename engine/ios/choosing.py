"""Which way of scheduling a program is the fastest, by latencies measured in turns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median

from engine.measure.significance import compare

_P_VALUE = 0.05
_LEAST_GAIN = 0.003  # a smaller one is worth no schedule, however sure
_DOUBTFUL = 0.05  # a larger one is taken though the rounds were too noisy to be sure


def fastest(rounds: Mapping[str, Sequence[float]]) -> str:
    """The way of least median latency, or the first, thus simplest, that is about as fast: within a
    few per cent, and not surely slower.

    `rounds` are the latencies of each way (s), one a round in which each had its turn.
    """
    best = min(rounds, key=lambda way: median(rounds[way]))
    return next(way for way in rounds if way == best or not _slower(rounds[way], rounds[best]))


def _slower(one: Sequence[float], best: Sequence[float]) -> bool:
    found = compare(one, best)
    gain = max(found.gain, median(one) / median(best) - 1)
    return gain > _DOUBTFUL or (found.p_value < _P_VALUE and found.gain > _LEAST_GAIN)
