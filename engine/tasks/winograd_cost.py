"""Whether a convolution gains by Winograd's filtering, from its sizes alone."""

from __future__ import annotations

import math
from collections.abc import Callable

from engine.tasks.winograd_kernels import Tiling
from engine.tasks.winograd_matrices import FILTER, KERNEL

_LEAST_GAIN = 1.15
_LEAST_OF_LARGE = 1.1
"""The larger tile's weights take 2.25 times the memory."""
_PER_BYTE = 6.0
"""Operations in the time of a byte that a transform reads or writes."""
_PER_WEIGHT_BYTE = 5.5
"""The same for weights, which come from memory once."""
_SLOWER = 1.05
"""The products of small matrices against one convolution, operation by operation."""


def best_tiling(tiling_of: Callable[[int], Tiling]) -> Tiling | None:
    """The tiling (by m) that costs least; None where the convolution as it is costs less.

    The same on every machine, so that a project has the same tasks wherever it is opened.
    """
    small, large = map(tiling_of, sorted(FILTER))
    best = large if cost(large) * _LEAST_OF_LARGE < cost(small) else small
    return best if cost(best) * _LEAST_GAIN < direct_cost(best) else None


def cost(tiling: Tiling) -> float:
    """In operations."""
    moved = sum(map(math.prod, (tiling.data, tiling.spread, tiling.products, tiling.result)))
    weights = tiling.points * tiling.data[3] * tiling.channels
    return (
        _SLOWER * 2.0 * weights * tiling.tiles
        + 4 * _PER_BYTE * moved
        + 4 * _PER_WEIGHT_BYTE * weights
    )


def direct_cost(tiling: Tiling) -> float:
    """That of the convolution as it is."""
    weights = KERNEL**2 * tiling.data[3] * tiling.channels
    places = tiling.data[0] * math.prod(tiling.size)
    return 2.0 * weights * places + 4 * _PER_WEIGHT_BYTE * weights
