"""Segments of a history, and the points that are kept of one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.allocation.segments import last_segment, segment_starts, thinned


def test_a_jump_of_more_than_a_fifth_starts_a_segment_and_a_fifth_does_not() -> None:
    best = np.array([1.0, 1.1, 1.32, 1.60, 1.60, 1.91, 2.5])
    assert segment_starts(best, 0.2).tolist() == [0, 3, 6]
    assert last_segment(best, 0.2) == 6


def test_a_larger_jump_asks_for_more_and_none_leaves_one_segment() -> None:
    best = np.array([1.0, 1.5, 4.0, 4.0])
    assert segment_starts(best, 1.0).tolist() == [0, 2]
    assert segment_starts(best, 0.0).tolist() == [0]


def test_nothing_has_no_segments() -> None:
    assert segment_starts(np.zeros(0), 0.2).tolist() == []


def test_a_short_history_is_kept_whole() -> None:
    assert thinned(np.array([1.0, 1.0, 2.0]), 3).tolist() == [0, 1, 2]


def test_a_long_history_keeps_its_ends_its_late_changes_and_an_even_spread() -> None:
    best = np.maximum.accumulate(np.repeat([1.0, 2.0, 3.0], [10, 70, 20]))
    kept = thinned(best, 8)
    assert {0, 10, 80, 99} <= set(kept.tolist())
    assert np.diff(kept).max() <= 34


@pytest.mark.parametrize("most", [4, 16, 64])
@given(st.lists(st.floats(0.01, 1.0), min_size=1, max_size=300))
def test_thinning_keeps_no_more_than_allowed_each_once(most: int, values: list[float]) -> None:
    best = np.maximum.accumulate(np.array(values))
    kept = thinned(best, most)
    assert len(kept) <= max(most, 1)
    assert (np.diff(kept) > 0).all()
    assert kept[-1] == len(best) - 1
    assert kept[0] == 0
