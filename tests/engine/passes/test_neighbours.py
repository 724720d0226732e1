"""Neighbours: valid by construction, symmetric, and none of them the point itself."""

from __future__ import annotations

from dataclasses import replace
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.passes.decisions import Choice, Coordinate, Location, Tile, read_decisions
from engine.passes.droplet import SPECULATION, Step, around, neighbours, steps
from engine.passes.factors import prime_powers
from tests.engine.passes.landscape import make_trace

factor = st.sampled_from([1, 1, 2, 3, 4, 5, 6, 7, 8, 12, 14, 16, 28, 32, 64])
tiles = st.builds(
    Tile,
    at=st.just(3),
    name=st.just("tile"),
    factors=st.lists(factor, min_size=1, max_size=5).map(tuple),
    limit=st.sampled_from([0, 64]),
)
choices = st.lists(st.integers(0, 600), min_size=1, max_size=8, unique=True).flatmap(
    lambda values: st.builds(
        Choice,
        at=st.just(4),
        name=st.just("unroll"),
        values=st.just(tuple(values)),
        chosen=st.integers(0, len(values) - 1),
        written=st.booleans(),
    )
)
locations = st.sets(st.integers(-2, 20), min_size=1, max_size=8).flatmap(
    lambda places: st.builds(
        Location,
        at=st.just(5),
        name=st.just("place"),
        chosen=st.sampled_from(sorted(places)),
        valid=st.just(tuple(sorted(places))),
    )
)
coordinates = tiles | choices | locations


def moved(step: Step) -> Coordinate:
    """The coordinate after a step."""
    now, value = step.coordinate, step.value
    if isinstance(now, Tile):
        assert isinstance(value, tuple)
        return replace(now, factors=value)
    assert isinstance(value, int)
    return replace(now, chosen=value)


def count(number: int) -> int:
    """Its prime factors, with repeats."""
    return sum(power for _, power in prime_powers(number))


@given(tiles)
def test_the_factors_of_every_step_make_up_the_extent(tile: Tile) -> None:
    for step in steps(tile):
        assert isinstance(step.value, tuple)
        assert len(step.value) == len(tile.factors)
        assert prod(step.value) == tile.extent


@given(tiles)
def test_a_step_never_takes_the_innermost_factor_over_its_limit(tile: Tile) -> None:
    for step in steps(tile):
        assert isinstance(step.value, tuple)
        assert not tile.limit or step.value[-1] <= max(tile.limit, tile.factors[-1])


@given(tiles)
def test_a_step_of_a_tile_moves_prime_factors_between_two_levels(tile: Tile) -> None:
    for step in steps(tile):
        assert isinstance(step.value, tuple)
        pairs = list(zip(tile.factors, step.value, strict=True))
        given_up = [old // new for old, new in pairs if old > new]
        taken = [new // old for old, new in pairs if new > old]
        assert given_up == taken
        assert [count(part) for part in taken] == [step.size]


@given(coordinates)
def test_no_step_stands_still_and_none_comes_twice(coordinate: Coordinate) -> None:
    found = steps(coordinate)
    reached = [moved(step) for step in found]
    assert coordinate not in reached
    assert len(set(reached)) == len(reached)


@given(coordinates)
def test_a_neighbours_neighbours_contain_the_point(coordinate: Coordinate) -> None:
    for step in neighbours(coordinate):
        assert step.size == 1
        assert coordinate in [moved(back) for back in neighbours(moved(step))]


@given(choices)
def test_a_choice_goes_to_the_next_value_up_or_down(choice: Choice) -> None:
    order = sorted(choice.values)
    here = order.index(choice.values[choice.chosen])
    reached = {choice.values[s.value] for s in neighbours(choice) if isinstance(s.value, int)}
    assert reached == set(order[max(0, here - 1) : here + 2]) - {order[here]}


@given(coordinates)
def test_larger_steps_go_on_along_the_lines_of_neighbours(coordinate: Coordinate) -> None:
    found = steps(coordinate)
    assert [step for step in found if step.size == 1] == list(neighbours(coordinate))
    assert [step.size for step in found] == sorted(step.size for step in found)
    if not isinstance(coordinate, Choice):
        assert all(step.size <= SPECULATION for step in found)
    if not isinstance(coordinate, Tile):  # a tile's limit may stop one factor and not another
        near = {step.line for step in found if step.size == 1}
        assert {step.line for step in found} == near


def test_the_line_of_a_step_back_is_another() -> None:
    forth = neighbours(Tile(0, "tile", (2, 1)))[0]
    back = neighbours(moved(forth))[0]
    assert back.value == (2, 1)
    assert back.line != forth.line


def test_a_location_without_known_places_is_left_alone() -> None:
    assert not steps(Location(0, "place", 3))
    assert not steps(Location(0, "place", 3, (1, 2)))


def test_a_factor_over_the_limit_may_only_leave() -> None:
    reached = {step.value for step in neighbours(Tile(0, "tile", (2, 128), 64))}
    assert reached == {(4, 64)}


@pytest.mark.parametrize("factors", [(1,), (64,), (1, 1, 1), ()])
def test_a_tile_that_cannot_change_has_no_neighbours(factors: tuple[int, ...]) -> None:
    assert not steps(Tile(0, "tile", factors))


def test_all_axes_take_turns_and_neighbours_come_first() -> None:
    found = around(read_decisions(make_trace(((8, 1), (27, 1)))))
    assert [step.axis for step in found[:4]] == [
        "tile dense loop 1: 8x1 to 4x2",
        "tile dense loop 2: 27x1 to 9x3",
        "unroll explicit of dense: 0 to 16",
        "tile dense loop 1: 8x1 to 2x4",
    ]
    assert [step.size for step in found] == [1, 1, 1, 2, 2, 2, 3, 3, 3]
