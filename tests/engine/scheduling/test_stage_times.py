"""Learned seconds: means that forget, peers as a prior, and a form that can be stored."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.scheduling.stage_times import StageTimes
from engine.storage.fields import Malformed

lessons = st.lists(
    st.tuples(st.sampled_from(["build", "run"]), st.sampled_from(["", "a", "b"]), st.floats(0, 100))
)


def taught(*rows: tuple[str, str, float]) -> StageTimes:
    times = StageTimes()
    for row in rows:
        times.add(*row)
    return times


def test_nothing_is_expected_of_an_unknown_kind() -> None:
    assert taught(("build", "a", 1.0)).expected("run", "a") is None


def test_an_unknown_task_takes_what_its_kind_takes() -> None:
    assert taught(("build", "a", 1.0), ("build", "b", 3.0)).expected("build", "c") == 2.0


def test_a_task_is_drawn_to_its_kind_until_it_is_known() -> None:
    rows = [("build", f"t{n}", 1.0) for n in range(200)]
    expected = [
        taught(*rows, *[("build", "slow", 9.0)] * count).expected("build", "slow") or 0.0
        for count in (0, 1, 4, 40)
    ]
    assert expected == sorted(expected)
    assert expected[0] == pytest.approx(1.0)
    assert expected[1] == pytest.approx((9.0 + 4 * 1.4) / 5)
    assert expected[3] > 8.0


def test_what_was_long_ago_is_forgotten() -> None:
    times = taught(*[("run", "a", 10.0)] * 50, *[("run", "a", 1.0)] * 100)
    assert times.expected("run", "a") == pytest.approx(1.0, rel=0.02)


@given(lessons)
def test_an_expectation_lies_between_what_was_seen(rows: list[tuple[str, str, float]]) -> None:
    times = taught(*rows)
    for kind in {kind for kind, _, _ in rows}:
        seen = [seconds for name, _, seconds in rows if name == kind]
        for task in ("", "a", "b", "c"):
            expected = times.expected(kind, task)
            assert expected is not None
            assert min(seen) - 1e-9 <= expected <= max(seen) + 1e-9


@given(lessons)
def test_it_comes_back_from_json_as_it_was(rows: list[tuple[str, str, float]]) -> None:
    times = taught(*rows)
    again = StageTimes.from_dict(json.loads(json.dumps(times.as_dict())))
    assert again.as_dict() == times.as_dict()


@pytest.mark.parametrize("seconds", [-1.0, float("nan"), float("inf")])
def test_what_is_no_time_is_refused(seconds: float) -> None:
    with pytest.raises(ValueError, match="cannot take"):
        taught(("run", "a", seconds))


@pytest.mark.parametrize(
    "change",
    [
        {"format": 2},
        {"kinds": []},
        {"kinds": {"run": [0, 1.0]}},
        {"kinds": {"run": [True, 1.0]}},
        {"kinds": {"run": [1, -1.0]}},
        {"kinds": {"run": [1, float("nan")]}},
        {"kinds": {"run": [1, "1"]}},
        {"kinds": {"run": [1]}},
        {"kinds": {1: [1, 1.0]}},
        {"kinds": {}},
        {"tasks": {"run": {"a": None}}},
        {"tasks": {"run": []}},
        {"tasks": None},
    ],
)
def test_a_strangers_numbers_are_refused(change: dict[str, Any]) -> None:
    good = taught(("run", "a", 1.0)).as_dict()
    with pytest.raises(Malformed):
        StageTimes.from_dict(good | change)
    with pytest.raises(Malformed):
        StageTimes.from_dict("times")
