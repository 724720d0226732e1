"""What lies next to a point: steps along one coordinate that are valid by construction."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from itertools import chain, zip_longest

from engine.passes.decisions import Choice, Coordinate, Location, Tile, Value, shown
from engine.passes.factors import divisors, prime_powers

SPECULATION = 3  # factors or places that a larger step moves at once


@dataclass(frozen=True, slots=True)
class Step:
    """A change of one coordinate to `value`.

    `line` is the direction, the same for each step along it from wherever; `size` counts the
    prime factors or places that it moves: 1 leads to a neighbour, more is speculation.
    """

    coordinate: Coordinate
    value: Value
    line: Hashable
    size: int

    @property
    def axis(self) -> str:
        """For a person: the coordinate, what it was, what it becomes."""
        now = self.coordinate
        before = now.factors if isinstance(now, Tile) else now.chosen
        return f"{now.name}: {shown(now, before)} to {shown(now, self.value)}"


def steps(coordinate: Coordinate, largest: int = SPECULATION) -> tuple[Step, ...]:
    """All steps along a coordinate, neighbours first.

    A tile moves factors from one level to another, as far as the innermost level's limit allows. A
    choice goes along its values by their size, and one that is written in the trace to the end of
    them. A location goes along its valid places.
    """
    if largest > 1 and isinstance(coordinate, Choice) and coordinate.written:
        largest = len(coordinate.values)
    found = _moves(coordinate, largest) if isinstance(coordinate, Tile) else _walk(coordinate)
    return tuple(sorted((s for s in found if s.size <= largest), key=lambda step: step.size))


def neighbours(coordinate: Coordinate) -> tuple[Step, ...]:
    """The steps of size 1; a neighbour's neighbours contain the point."""
    return steps(coordinate, 1)


def around(coordinates: tuple[Coordinate, ...]) -> tuple[Step, ...]:
    """The steps along all coordinates, one of each in turn, neighbours before larger ones."""
    by_axis = [steps(coordinate) for coordinate in coordinates]
    turns = chain.from_iterable(zip_longest(*by_axis))
    return tuple(sorted((step for step in turns if step), key=lambda step: step.size))


def _moves(tile: Tile, largest: int) -> Iterator[Step]:
    levels = range(len(tile.factors))
    pairs = [(source, to) for source in levels for to in levels if source != to]
    for source, to in sorted(pairs, key=lambda pair: abs(pair[0] - pair[1])):
        for part, size in _parts(tile.factors[source], largest):
            factors = list(tile.factors)
            factors[source] //= part
            factors[to] *= part
            if to < levels[-1] or not tile.limit or factors[to] <= tile.limit:
                yield Step(tile, tuple(factors), (tile.at, source, to), size)


def _parts(factor: int, largest: int) -> list[tuple[int, int]]:
    """The divisors of at most `largest` prime factors, each with their count."""
    counted = ((part, _count(part)) for part in divisors(factor))
    return [(part, count) for part, count in counted if 0 < count <= largest]


def _count(number: int) -> int:
    return sum(power for _, power in prime_powers(number))


def _walk(coordinate: Choice | Location) -> Iterator[Step]:
    if isinstance(coordinate, Choice):
        by_size = range(len(coordinate.values))
        order = sorted(by_size, key=lambda index: coordinate.values[index])
    else:
        order = list(coordinate.valid)
    if coordinate.chosen not in order:
        return
    here = order.index(coordinate.chosen)
    for place, value in enumerate(order):
        if place != here:
            ahead = place > here
            yield Step(coordinate, value, (coordinate.at, ahead), abs(place - here))
