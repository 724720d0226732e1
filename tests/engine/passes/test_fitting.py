"""A donor's traces on other extents."""

from __future__ import annotations

import json
from math import prod
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.passes.fitting import candidates, fits, kept_tile, nearest_tile
from engine.records.space import DesignSpace
from engine.search.sketches import read_sketch

factors = st.lists(st.integers(1, 8), min_size=2, max_size=4).map(tuple)


def trace(*tiles: list[int], post: bool = False) -> str:
    """Loops of one block, each with its tile."""
    loops = [f"l{i}" for i in range(1, len(tiles) + 1)]
    instructions: list[Any] = [
        ["GetSBlock", [], ["matmul", "main"], ["b0"]],
        ["GetLoops", ["b0"], [], loops],
    ]
    decisions: list[Any] = []
    for loop, tile in zip(loops, tiles, strict=True):
        decisions.append([len(instructions), tile])
        names = [f"v{loop}{i}" for i in range(len(tile))]
        instructions.append(["SamplePerfectTile", [loop], [len(tile), 64], names])
        split = [f"s{loop}{i}" for i in range(len(tile))]
        instructions.append(["Split", [loop, *names], [True, False], split])
    decisions.append([len(instructions), 1])
    instructions.append(["SampleCategorical", [], [[0, 16], [0.5, 0.5]], ["v9"]])
    instructions.append(["Annotate", ["b0", "v9"], ["meta_schedule.unroll_explicit"], []])
    if post:
        instructions.append(["EnterPostproc", [], [], []])
    return json.dumps([instructions, decisions])


def space_of(*tiles: list[int]) -> DesignSpace:
    """The space whose only sketch is that trace."""
    return DesignSpace(0, "matmul", (read_sketch(trace(*tiles)),))


def tiles_of(text: str) -> list[Any]:
    """The decisions of a fitted trace, the categorical's last."""
    return [value for _, value in json.loads(text)[1]]


# Tiles


@pytest.mark.parametrize(
    ("donor", "extent", "nearest", "kept"),
    [
        ((11, 5, 1, 1), 13, (1, 13, 1, 1), (1, 13, 1, 1)),
        ((27, 1, 1, 1), 55, (55, 1, 1, 1), (55, 1, 1, 1)),
        ((1, 9, 1, 3), 55, (1, 11, 1, 5), (1, 1, 1, 55)),
        ((13, 1, 1, 4), 26, (13, 1, 1, 2), (1, 1, 1, 26)),
        ((7, 2, 2, 2), 28, (7, 1, 2, 2), (1, 7, 2, 2)),
        ((4, 2, 2, 2), 32, (4, 2, 2, 2), (4, 2, 2, 2)),
    ],
)
def test_tiles_fit_another_extent_in_two_ways(
    donor: tuple[int, ...], extent: int, nearest: tuple[int, ...], kept: tuple[int, ...]
) -> None:
    assert nearest_tile(donor, extent) == nearest
    assert kept_tile(donor, extent) == kept


@given(factors, st.integers(1, 200))
@settings(deadline=None)
def test_a_fitted_tile_has_the_extent_and_its_own_is_left_alone(
    donor: tuple[int, ...], extent: int
) -> None:
    for fit in (nearest_tile, kept_tile):
        assert prod(fit(donor, extent)) == extent
        assert len(fit(donor, extent)) == len(donor)
        assert fit(donor, prod(donor)) == donor


def test_the_nearest_tile_keeps_the_limit() -> None:
    assert nearest_tile((2, 60), 2 * 90, 64)[-1] <= 64


def test_a_loop_with_too_many_tiles_is_fitted_as_tvm_does() -> None:
    many = 2**12 * 3 * 5 * 7
    assert nearest_tile((1, 1, 1, 1, 11), many) == kept_tile((1, 1, 1, 1, 11), many)


# Traces


def test_a_trace_is_fitted_both_ways_without_its_postprocessors() -> None:
    donor = trace([1, 9, 1, 3], [2, 2], post=True)
    near, kept = fits(donor, space_of([55, 1, 1, 1], [8, 1]))
    assert tiles_of(near) == [[1, 11, 1, 5], [4, 2], 1]
    assert tiles_of(kept) == [[1, 1, 1, 55], [4, 2], 1]
    assert "EnterPostproc" not in near + kept


def test_equal_fits_are_one() -> None:
    assert len(fits(trace([4, 2]), space_of([8, 2]))) == 1


def test_a_trace_of_another_structure_is_left_as_it_is() -> None:
    (text,) = fits(trace([4, 2]), space_of([4, 2, 1]))
    assert tiles_of(text) == [[4, 2], 1]
    assert len(fits(trace([4, 2]), DesignSpace(0, "matmul", ()))) == 1


def test_choices_that_nothing_uses_are_left_alone() -> None:
    instructions, decisions = json.loads(trace([9, 3]))
    decisions.append([len(instructions), [1, 5]])
    instructions.append(["SamplePerfectTile", ["l1"], [2, 64], ["v10", "v11"]])
    near, _ = fits(json.dumps([instructions, decisions]), space_of([55, 1]))
    assert tiles_of(near) == [[11, 5], 1, [1, 5]]


def test_candidates_come_by_rank_and_once() -> None:
    donors = [trace([9, 3]), trace([3, 9]), trace([9, 3])]
    found = list(candidates(donors, space_of([55, 1])))
    assert [rank for rank, _ in found] == [0, 0, 1]
    assert len({text for _, text in found}) == 3


@pytest.mark.parametrize("text", ["", "null", "[[], 3]", '[[["A"]], []]'])
def test_what_is_no_trace_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="trace"):
        fits(text, space_of([2, 2]))
