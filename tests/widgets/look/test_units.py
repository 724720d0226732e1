"""Units: the number on screen is the number inside, in a unit a person expects."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.records.units import (
    UNKNOWN,
    format_bytes,
    format_duration,
    format_flops,
    format_ratio,
    format_seconds,
    format_share,
    format_work,
)

SCALES = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (12.84e-3, "12.8 ms"),
        (4.31e-3, "4.31 ms"),
        (4.3e-3, "4.30 ms"),
        (1e-3, "1.00 ms"),
        (87.4e-6, "87.4 us"),
        (999.6e-6, "1.00 ms"),
        (0.25e-6, "250 ns"),
        (2.0, "2.00 s"),
        (1234.0, "1,234 s"),
        (0.0, "0 ms"),
    ],
)
def test_a_latency_shows_three_figures_in_a_unit_chosen_by_size(seconds: float, text: str) -> None:
    assert format_seconds(seconds) == text


def test_more_figures_give_the_exact_value_of_a_hover() -> None:
    assert format_seconds(1.31234e-3, 5) == "1.3123 ms"


@given(st.floats(min_value=1e-9, max_value=900))
def test_a_printed_latency_reads_back_within_its_last_figure(seconds: float) -> None:
    number, unit = format_seconds(seconds).split(" ")
    assert float(number) * SCALES[unit] == pytest.approx(seconds, rel=0.0051)
    assert float(number) < 1000


@pytest.mark.parametrize("missing", [None, math.inf, math.nan])
def test_an_unknown_value_is_a_dash_in_every_unit(missing: float | None) -> None:
    for written in (format_seconds, format_duration, format_flops, format_work, format_bytes):
        assert written(missing) == UNKNOWN
    assert format_ratio(missing) == UNKNOWN
    assert format_share(missing) == UNKNOWN


@pytest.mark.parametrize(
    ("flops", "text"),
    [
        (176.3e9, "176 GFLOP/s"),
        (1.2e12, "1.20 TFLOP/s"),
        (999.9e9, "1.00 TFLOP/s"),
        (3.5e6, "3.50 MFLOP/s"),
        (0.0, "0 FLOP/s"),
    ],
)
def test_a_speed_is_in_flop_per_second(flops: float, text: str) -> None:
    assert format_flops(flops) == text


def test_work_sizes_ratios_and_durations_have_their_units() -> None:
    assert format_work(231.2e6) == "231 MFLOP"
    assert format_bytes(812) == "812 B"
    assert format_bytes(4_952_457) == "4.95 MB"
    assert format_ratio(2.979) == "2.98x"
    assert format_ratio(125.4) == "125x"
    assert format_duration(42) == "0:42"
    assert format_duration(680.4) == "11:20"
    assert format_duration(3723) == "1:02:03"


@pytest.mark.parametrize(
    ("share", "text"),
    [(0.3, "30 %"), (0.042, "4.2 %"), (0.0004, "<0.1 %"), (0.0, "0 %"), (1.0, "100 %")],
)
def test_a_share_shows_small_parts_without_pretending_zero(share: float, text: str) -> None:
    assert format_share(share) == text
