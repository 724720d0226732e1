"""How alike two tasks' design spaces are, by one of several metrics."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import gcd, prod, sqrt

import numpy as np
from numpy.typing import NDArray

from engine.passes.factors import count_tiles, tiles
from engine.records.errors import UsageError
from engine.records.sentences import Sentence
from engine.records.space import DesignSpace, Knob, KnobKind, Sketch

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


def candidates_in_common(one: Knob, other: Knob) -> float:
    """The Jaccard index of two knobs' candidate sets, from 0 (disjoint) to 1 (equal).

    A tile's candidates are its factors but the outermost, which is what they leave: those that
    two extents share are those of their greatest common divisor. Source: the sharing slides and
    the change to TVM that goes with them.
    """
    if one.kind is KnobKind.TILE:
        shared = _count(gcd(one.extent, other.extent), one)
        return shared / (_count(one.extent, one) + _count(other.extent, other) - shared)
    if one.kind is KnobKind.CATEGORICAL:
        return shared_choices(one, other)
    return 1.0


def shared_choices(one: Knob, other: Knob) -> float:
    """The Jaccard index of two categoricals' choices."""
    ours, theirs = set(one.choices), set(other.choices)
    return len(ours & theirs) / len(ours | theirs) if ours or theirs else 1.0


def _count(extent: int, knob: Knob) -> int:
    return count_tiles(extent, knob.parts, knob.innermost)


Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Metric:
    """A way to compare two tasks: `compare` gives the similarity, in [0, 1], of two knobs that
    are the same choice; a task's is the product. `threshold` is what its clusters start from."""

    name: str
    title: str
    description: str
    compare: Callable[[Knob, Knob], float]
    threshold: float


METRICS: dict[str, Metric] = {
    metric.name: metric
    for metric in (
        Metric(
            "replay",
            "What a replay keeps",
            "How near the tiles of one task come to those of the other once they are fitted to "
            "its extents: about the share of a schedule's speed that is left.",
            what_survives,
            0.6,
        ),
        Metric(
            "jaccard",
            "Common candidates (published)",
            "The share of tile sizes and choices that the two tasks have in common.",
            candidates_in_common,
            0.01,
        ),
    )
}
DEFAULT_METRIC = "replay"
DEFAULT_THRESHOLD = METRICS[DEFAULT_METRIC].threshold


def find_metric(name: str) -> Metric:
    """The metric of that name; UsageError names the known ones."""
    if name in METRICS:
        return METRICS[name]
    raise UsageError(
        Sentence("There is no metric '{name}'.", name=name),
        Sentence("Choose one of: {names}.", names=", ".join(METRICS)),
    )


def similarity_matrix(spaces: Sequence[DesignSpace], metric: str = DEFAULT_METRIC) -> Floats:
    """Similarities of all pairs, by position: (n, n), symmetric, with ones on the diagonal.

    It is 0 where a trace of one task cannot replay on the other: another operator class, or other
    instructions, in whatever order the sketches come. Takes up to a second for 200 tasks.
    """
    compare = find_metric(metric).compare
    matrix = np.eye(len(spaces))
    alike = defaultdict[object, list[int]](list)
    for place, space in enumerate(spaces):
        if space.sketches:
            alike[space.op_class, _structures(space)].append(place)
    for group in alike.values():
        ordered = [_ordered(spaces[place]) for place in group]
        for (i, ours), (j, theirs) in combinations(zip(group, ordered, strict=True), 2):
            matrix[i, j] = matrix[j, i] = _similarity(ours, theirs, compare)
    return matrix


def _structures(space: DesignSpace) -> tuple[str, ...]:
    return tuple(sorted(sketch.structure for sketch in space.sketches))


def _ordered(space: DesignSpace) -> list[Sketch]:
    return sorted(space.sketches, key=lambda sketch: (sketch.structure, str(sketch.knobs)))


def _similarity(
    ours: list[Sketch], theirs: list[Sketch], compare: Callable[[Knob, Knob], float]
) -> float:
    """The mean over the sketches; most tasks have several that differ in no knob."""
    pairs = zip(ours, theirs, strict=True)
    return min(1.0, sum(_product(one, other, compare) for one, other in pairs) / len(ours))


def _product(one: Sketch, other: Sketch, compare: Callable[[Knob, Knob], float]) -> float:
    if [_identity(knob) for knob in one.knobs] != [_identity(knob) for knob in other.knobs]:
        return 0.0
    pairs = zip(one.knobs, other.knobs, strict=True)
    return prod(compare(first, second) for first, second in pairs)


def _identity(knob: Knob) -> tuple[object, ...]:
    return knob.name, knob.kind, knob.parts, knob.innermost
