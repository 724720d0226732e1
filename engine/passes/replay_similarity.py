"""How much of a choice survives a replay on another extent: the nearest tile that fits there."""

from __future__ import annotations

from functools import lru_cache
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from engine.passes.factors import count_tiles, tiles
from engine.passes.published_similarity import shared_choices
from engine.records.space import Knob, KnobKind

# What a factor's change costs: the ratio to this power. Measured on 60 pairs of SqueezeNet's
# convolutions on a CPU: pairs from 0.6 up kept 96 to 100 % of the speed with four candidates (the
# least 83 %), those below 66 % (the least 39 %).
_INNER = 0.25
# The outermost factor is mostly a number of rounds, which says little about speed.
_OUTER = 0.05 * _INNER
_MANY = 4000  # tiles; a loop that has more is compared by coarser ones


def what_survives(one: Knob, other: Knob) -> float:
    """The share, from 0 to 1, of what one knob chose that is left on the other, either way."""
    if one.kind is KnobKind.TILE:
        if one.extent == other.extent:
            return 1.0
        low, high = sorted((one.extent, other.extent))
        return _tiles_survive(low, high, one.parts, one.innermost) if low else 0.0
    if one.kind is KnobKind.CATEGORICAL:
        return shared_choices(one, other)
    return 1.0


@lru_cache(maxsize=65536)
def _tiles_survive(low: int, high: int, parts: int, innermost: int) -> float:
    """The geometric mean of both directions.

    Of each tile of the donor's, what the nearest tile of the other extent leaves: the product,
    over the factors, of the smaller over the larger to a power. The mean is over all tiles of the
    donor's.
    """
    while parts > 2 and max(count_tiles(n, parts, innermost) for n in (low, high)) > _MANY:
        parts -= 1
    ours, theirs = (_points(extent, parts, innermost) for extent in (low, high))
    return sqrt(_left(ours, theirs) * _left(theirs, ours))


def _left(donor: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    from scipy.spatial import cKDTree

    distances, _ = cKDTree(other).query(donor, p=1)
    return float(np.exp(-np.sort(distances)).mean())


def _points(extent: int, parts: int, innermost: int) -> NDArray[np.float64]:
    """Tiles as points whose distance along the axes is their cost."""
    logs = np.log(np.array(tiles(extent, parts, innermost), dtype=np.float64))
    logs[:, 0] *= _OUTER
    logs[:, 1:] *= _INNER
    return logs
