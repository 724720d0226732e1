"""The test of a difference: sees what is there, and seldom what is not."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.measure.significance import ENOUGH, compare, holm

Samples = tuple[float, ...]


def samples(dice: np.random.Generator, count: int, latency: float, tail: float = 0.0) -> Samples:
    """Latencies with noise of 1 %, of which one in ten is up to `tail` times slower."""
    noise = 1 + 0.01 * dice.standard_normal(count)
    noise *= np.where(dice.random(count) < 0.1, 1 + tail * dice.random(count), 1)
    return tuple(float(value) for value in latency * noise)


def share(gain: float, tail: float = 0.0, count: int = 12, rounds: int = 400) -> float:
    """How often a schedule that is faster by `gain` is found to be."""
    dice = np.random.default_rng(7)
    found = [
        compare(samples(dice, count, 1e-3, tail), samples(dice, count, 1e-3 / (1 + gain), tail))
        for _ in range(rounds)
    ]
    return sum(item.p_value <= 0.05 for item in found) / rounds


@pytest.mark.parametrize("count", [5, 12, 24])
@pytest.mark.parametrize("tail", [0.0, 3.0])
def test_noise_is_seldom_taken_for_a_gain(tail: float, count: int) -> None:
    assert share(0.0, tail, count) <= 0.08  # 5 %, and what 400 rounds add by chance


def test_a_slower_schedule_is_never_faster() -> None:
    assert share(-0.03) == 0


def test_a_difference_of_three_percent_is_seen() -> None:
    assert share(0.03) > 0.99


def test_it_is_seen_even_where_one_sample_in_ten_is_several_times_too_slow() -> None:
    assert share(0.03, tail=3.0) > 0.7


def test_the_gain_is_that_of_medians() -> None:
    start = (2.2e-3, 2e-3, 2e-3, 9e-3, 2e-3, 1.9e-3)
    found = compare(start, tuple(value / 2 for value in start))
    assert found.gain == pytest.approx(1.0)
    assert found.note == ""
    assert 0 < found.p_value <= 0.05


@pytest.mark.parametrize("few", [0, 1, ENOUGH - 1])
def test_too_few_samples_prove_nothing_and_say_what_is_needed(few: int) -> None:
    many = tuple(1e-3 + 1e-6 * index for index in range(20))
    for start, end in ((many, (1e-6,) * few), ((1.0,) * few, many)):
        found = compare(start, end)
        assert found.p_value == 1
        assert found.note == f"needs {ENOUGH} samples of each, and there are {few}"
        assert math.isfinite(found.gain)


def test_samples_that_are_no_latency_do_not_count() -> None:
    broken = (math.nan, math.inf, -math.inf, 0.0, -1.0)
    good = tuple(1e-3 + 1e-6 * index for index in range(8))
    fast = tuple(value / 2 for value in good)
    assert compare((*broken, *good), (*fast, *broken)) == compare(good, fast)
    assert compare(good, (*broken, 1e-4)).p_value == 1


@pytest.mark.parametrize("start", [(2e-6,) * 5, (2e-6, 2e-6, 2e-6, 2e-6, 2.000000000000001e-6)])
def test_samples_without_spread_prove_what_their_number_can(start: Samples) -> None:
    faster = compare(start, (1e-6,) * 5)
    assert faster.p_value == pytest.approx(1 / 252)
    assert compare((1e-6,) * 5, start).p_value == 1
    assert compare(start, start).p_value == 1


def test_no_p_value_is_zero() -> None:
    start = tuple(1.0 + 1e-6 * index for index in range(5))
    assert compare(start, tuple(value / 100 for value in start)).p_value >= 1 / 252


latencies = st.lists(st.floats(1e-9, 10) | st.just(1e-3), max_size=12).map(tuple)


@given(latencies, latencies)
def test_whatever_the_samples_the_answer_is_a_probability(start: Samples, end: Samples) -> None:
    found = compare(start, end)
    assert 0 < found.p_value <= 1
    assert found.gain > -1


# Many comparisons


def test_holm_corrects_by_rank() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([0.03]) == [0.03]
    assert holm([]) == []


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_a_corrected_value_is_no_smaller_and_keeps_its_rank(p_values: list[float]) -> None:
    corrected = holm(p_values)
    assert all(new >= old for new, old in zip(corrected, p_values, strict=True))
    assert all(new <= 1 for new in corrected)
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    assert [corrected[i] for i in order] == sorted(corrected)


def test_of_many_comparisons_without_an_effect_few_have_any_hit() -> None:
    dice = np.random.default_rng(3)
    hits = 0
    for _ in range(200):
        start = samples(dice, 12, 1e-3)
        hits += (
            min(holm([compare(start, samples(dice, 12, 1e-3)).p_value for _ in range(4)])) <= 0.05
        )
    assert hits / 200 <= 0.09
