"""Decisions as coordinates: read by name, changed one at a time."""

from __future__ import annotations

import json

import pytest

from engine.passes.decisions import (
    Choice,
    Location,
    Tile,
    point_key,
    read_decisions,
    shown,
)
from engine.search.trace_text import parse
from tests.engine.passes.landscape import make_trace, with_decision

TRACE = make_trace(((1, 4, 2, 8), (3, 1)), unroll=2, place=4, parallel=48)


def test_each_kind_of_decision_is_read_with_its_name() -> None:
    first, second, jobs, unroll, place = read_decisions(TRACE)
    assert first == Tile(2, "tile dense loop 1", (1, 4, 2, 8), 64)
    assert isinstance(first, Tile)
    assert first.extent == 64
    assert second == Tile(4, "tile dense loop 2", (3, 1), 64)
    assert isinstance(jobs, Choice)
    assert (jobs.name, jobs.values[jobs.chosen]) == ("parallel limit", 48)
    assert unroll == Choice(7, "unroll explicit of dense", (0, 16, 64, 512), 2)
    assert place == Location(9, "place of dense", 4)


def test_names_are_unique() -> None:
    names = [item.name for item in read_decisions(TRACE)]
    assert len(set(names)) == len(names)


def test_locations_that_are_known_to_be_valid_are_taken_along() -> None:
    *_, place = read_decisions(TRACE, {9: (-1, 2, 4), 3: (7,)})
    assert place == Location(9, "place of dense", 4, (-1, 2, 4))


@pytest.mark.parametrize(("index", "value"), [(0, (2, 2, 2, 8)), (2, 3), (3, 0), (4, -1)])
def test_a_changed_decision_is_read_back_and_no_other_changes(
    index: int, value: tuple[int, ...] | int
) -> None:
    before = read_decisions(TRACE)
    after = read_decisions(with_decision(TRACE, before[index], value))
    for place, (old, new) in enumerate(zip(before, after, strict=True)):
        if place != index:
            assert new == old
        elif isinstance(new, Tile):
            assert new.factors == value
        elif isinstance(new, Choice) and isinstance(old, Choice) and isinstance(value, int):
            assert new.values[new.chosen] == old.values[value]
        else:
            assert isinstance(new, Location)
            assert new.chosen == value


def test_a_changed_trace_has_lost_its_postprocessors() -> None:
    moved = with_decision(TRACE, read_decisions(TRACE)[0], (8, 1, 1, 8))
    assert "EnterPostproc" not in moved
    assert parse(moved).text == moved


def test_a_point_is_known_by_its_decisions_whatever_postprocessors_did() -> None:
    first = read_decisions(TRACE)[0]
    assert isinstance(first, Tile)
    assert point_key(with_decision(TRACE, first, first.factors)) == point_key(TRACE)
    assert point_key(with_decision(TRACE, first, (2, 2, 2, 8))) != point_key(TRACE)


def test_what_is_undecided_or_unknown_is_left_out() -> None:
    instructions, _ = json.loads(make_trace())
    assert not read_decisions(json.dumps([instructions, []]))
    dynamic = make_trace(((-1, 4), (3, 1)))  # a loop without a constant extent
    assert [item.name for item in read_decisions(dynamic)] == [
        "tile dense loop 2",
        "unroll explicit of dense",
    ]


@pytest.mark.parametrize("text", ["", "[]", "[[], 1]", '[[["Split", [], [], []]], []]'])
def test_a_text_that_is_no_trace_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match="trace"):
        read_decisions(text)


@pytest.mark.parametrize("what", ["outputs", "inputs", "attributes"])
def test_an_instruction_with_parts_missing_is_a_value_error(what: str) -> None:
    instructions, decisions = json.loads(make_trace())
    index = ("inputs", "attributes", "outputs").index(what) + 1
    for place in range(len(instructions) - 2):
        broken = [list(item) for item in instructions]
        broken[place][index] = []
        try:
            read_decisions(json.dumps([broken, decisions]))
        except ValueError as error:
            assert "trace" in str(error)


def test_values_are_shown_for_a_person() -> None:
    tile, _, jobs, unroll, place = read_decisions(TRACE)
    assert shown(tile, (2, 2, 2, 8)) == "2x2x2x8"
    assert shown(jobs, 0) == "1"
    assert shown(unroll, 3) == "512"
    assert [shown(place, value) for value in (-2, -1, 0)] == ["inlined", "its own", "loop 1"]
