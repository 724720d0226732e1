"""Axes: round values in a person's units, few enough to be read."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from widgets.plots.axes import LatencyAxis, ProgressAxis, latency_text, log_ticks
from widgets.plots.ticks import ticks


@given(st.floats(-1e3, 1e3), st.floats(1e-6, 1e6), st.integers(2, 12))
def test_ticks_are_inside_even_and_not_too_many(low: float, span: float, wanted: int) -> None:
    values = ticks(low, low + span, wanted)
    assert len(values) <= wanted + 2
    steps = [b - a for a, b in pairwise(values)]
    assert all(math.isclose(step, steps[0], rel_tol=1e-3) for step in steps)
    assert all(low - span * 1e-6 <= value <= low + span * (1 + 1e-6) for value in values)


@example(-0.453125, 0.0546875, 2)
@given(st.floats(-9, 1), st.floats(0.05, 8), st.integers(2, 10))
def test_log_ticks_always_offer_something_to_read(low: float, span: float, wanted: int) -> None:
    values = log_ticks(low, low + span, wanted)
    assert values
    assert len(values) <= max(wanted + 2, 6)
    assert values == sorted(values)


def test_a_wide_log_axis_shows_decades() -> None:
    assert log_ticks(-6.2, -0.9, 6) == [-6, -5, -4, -3, -2, -1]


def test_a_narrow_log_axis_shows_round_values_between() -> None:
    values = [10**value for value in log_ticks(math.log10(1.1e-3), math.log10(2.1e-3), 5)]
    assert values == pytest.approx([1.2e-3, 1.4e-3, 1.6e-3, 1.8e-3, 2.0e-3])


def test_latency_labels_have_units(qapp: object) -> None:
    axis = LatencyAxis("left")
    assert axis.tickStrings([0.0, 5e-4, 1e-3], 1.0, 1.0) == ["0", "0.5 ms", "1 ms"]
    axis.log = True
    assert axis.tickStrings([-6.0, -3.0], 1.0, 1.0) == ["1 us", "1 ms"]
    assert latency_text(2e-2) == "20 ms"


def test_time_is_labelled_in_seconds_then_in_minutes(qapp: object) -> None:
    axis = ProgressAxis("bottom")
    ((_, values),) = axis.tickValues(0.0, 42.0, 400.0)
    assert axis.tickStrings(values, 1.0, 1.0) == ["0 s", "10 s", "20 s", "30 s", "40 s"]
    ((_, values),) = axis.tickValues(0.0, 700.0, 400.0)
    assert axis.tickStrings(values, 1.0, 1.0) == ["0:00", "5:00", "10:00"]


def test_trials_are_labelled_as_whole_counts(qapp: object) -> None:
    axis = ProgressAxis("bottom")
    axis.trials = True
    ((_, values),) = axis.tickValues(0.0, 3.0, 800.0)
    assert axis.tickStrings(values, 1.0, 1.0) == ["0", "1", "2", "3"]
    ((_, values),) = axis.tickValues(0.0, 2100.0, 320.0)
    assert axis.tickStrings(values, 1.0, 1.0) == ["0", "1,000", "2,000"]
