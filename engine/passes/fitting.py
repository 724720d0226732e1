"""A donor's traces fitted to another task: each tile becomes one of that task's extent."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import accumulate
from math import log, prod
from operator import mul

from engine.passes.factors import count_tiles, tiles
from engine.records.space import DesignSpace, KnobKind
from engine.search.sketches import live_places, read_sketch
from engine.search.trace_text import TraceText, parse

_TOGETHER = 0.5  # what the product of the inner factors counts, beside each by itself
_OUTERMOST = 0.1  # what the number of rounds counts
_MANY = 20_000  # tiles; among more the nearest is not looked for

Tile = tuple[int, ...]
_Fit = Callable[[Tile, int, int], Tile]


def candidates(traces: Iterable[str], space: DesignSpace) -> Iterator[tuple[int, str]]:
    """What to measure on a task of this space, the most promising first, each once.

    `traces` are a donor's (TVM's JSON text), fastest first; what comes out is their ranks, from
    0, with fitted traces. Each is fitted both ways: on SqueezeNet's convolutions four candidates
    of two donors kept 97 % of the speed on average, four donors as TVM fits them 88 %.
    """
    seen: set[str] = set()
    for rank, trace in enumerate(traces):
        for text in fits(trace, space):
            if text not in seen:
                seen.add(text)
                yield rank, text


def fits(trace: str, space: DesignSpace) -> tuple[str, ...]:
    """The trace, without its postprocessors, with the nearest tiles, then with TVM's.

    One where they are the same; the trace as it is where the space has no sketch of its
    structure. ValueError where it is no trace.
    """
    parsed = parse(trace)
    structure = read_sketch(parsed.text).structure
    sketch = next((known for known in space.sketches if known.structure == structure), None)
    if sketch is None:
        return (parsed.text,)
    limits = [(k.extent, k.innermost) for k in sketch.knobs if k.kind is KnobKind.TILE]
    both = (_fitted(parsed, limits, fit) for fit in (nearest_tile, kept_tile))
    return tuple(dict.fromkeys(both))


def _fitted(parsed: TraceText, limits: list[tuple[int, int]], fit: _Fit) -> str:
    tiled = [
        place
        for place in live_places(parsed.instructions)
        if parsed.instructions[place][0] == "SamplePerfectTile"
    ]
    decisions = dict(parsed.decisions)
    for place, (extent, innermost) in zip(tiled, limits, strict=True):
        if place in decisions and extent:
            factors = tuple(map(int, decisions[place]))
            decisions[place] = list(fit(factors, extent, innermost))
    return replace(parsed, decisions=decisions).text


def kept_tile(factors: Tile, extent: int, innermost: int = 0) -> Tile:
    """What TVM makes of a tile on another extent: from the innermost out, a factor that does not
    divide what is left becomes all of it. It may exceed `innermost`."""
    left, inner = extent, list[int]()
    for factor in factors[:0:-1]:
        inner.append(factor if left % factor == 0 else left)
        left //= inner[-1]
    return (left, *reversed(inner))


@lru_cache(maxsize=4096)
def nearest_tile(factors: tuple[int, ...], extent: int, innermost: int = 0) -> tuple[int, ...]:
    """The tile of a loop of `extent` that is most like `factors`; themselves where they fit.

    By the logarithms of the ratios of the inner factors, and of their products from the
    innermost out. Of equals, the one with the smaller inner factors. TVM's, where there are
    too many to look through.
    """
    if prod(factors) == extent:
        return factors
    if count_tiles(extent, len(factors), innermost) > _MANY:
        return kept_tile(factors, extent)
    options = tiles(extent, len(factors), innermost)
    return min(options, key=lambda tile: (_distance(factors, tile), tile[::-1]))


def _distance(one: tuple[int, ...], other: tuple[int, ...]) -> float:
    inner = _apart(one[1:], other[1:])
    together = _apart(_products(one), _products(other))
    return inner + _TOGETHER * together + _OUTERMOST * _apart(one[:1], other[:1])


def _apart(one: tuple[int, ...], other: tuple[int, ...]) -> float:
    return sum(abs(log(a / b)) for a, b in zip(one, other, strict=True))


def _products(tile: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(accumulate(reversed(tile[1:]), mul))
