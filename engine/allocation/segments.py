"""Where a search's progress jumps, and which part of it a curve is fitted to."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]


def segment_starts(best: Floats, jump: float) -> Ints:
    """Indices at which segments of a best-so-far curve begin, the first one 0.

    `best` (n,) is performance, so it never falls. A new segment begins where it improves by more
    than the fraction `jump` at once (0.2: a fifth); `jump` of 0 or less leaves one segment.
    """
    if not len(best):
        return np.zeros(0, np.int64)
    if jump <= 0:
        return np.zeros(1, np.int64)
    jumps = np.flatnonzero(best[1:] > (1.0 + jump) * best[:-1]) + 1
    return np.concatenate([[0], jumps]).astype(np.int64)


def last_segment(best: Floats, jump: float) -> int:
    """Where the last segment of a non-empty best-so-far curve begins."""
    return int(segment_starts(best, jump)[-1])


def thinned(values: Floats, most: int) -> Ints:
    """At most `most` indices that keep a rising curve's shape: its ends, changes, evenly spread.

    Changes count more than plateaus: they get up to half of the places, the later of them first.
    The rest is spread evenly. Indices rise and are unique.
    """
    count = len(values)
    if count <= most:
        return np.arange(count)
    changes = np.flatnonzero(np.diff(values) > 0) + 1
    kept = changes[-(most // 2) :]
    spread = np.linspace(0, count - 1, most - len(kept)).round().astype(np.int64)
    return np.unique(np.concatenate([kept, spread]))
