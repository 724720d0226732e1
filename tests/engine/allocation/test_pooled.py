"""Experience of other tasks' slots."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.allocation.pooled import Outlook, Past, Pool, Rate, chance
from engine.allocation.progress import progress_of
from tests.engine.allocation.support import task

NAN = math.nan
NEW = Past("conv")


def firsts(*values: float, op_class: str = "conv") -> list[Past]:
    return [Past(op_class, value) for value in values]


def later(pool: Pool, past: Past, slots: int, dry: int, headroom: float = 1.0) -> Outlook:
    """What one more slot is believed to give after so many, the last `dry` of them in vain."""
    return pool.rate(past).outlook(chance(slots, dry) * headroom)


def past(*rounds_ms: float, untuned_s: float | None = 8e-3) -> Past:
    """That of a task whose slots of four trials ended with these latencies."""
    latencies = [value * 1e-3 for value in rounds_ms for _ in range(4)]
    return Past.of("conv", progress_of(task(0, latencies, untuned_s=untuned_s)))


# First slots


def test_without_experience_a_first_slot_is_expected_to_take_half() -> None:
    assert Pool([]).first("conv").gain == pytest.approx(0.5)


def test_the_mean_over_tasks_is_pulled_towards_four_made_up_ones() -> None:
    pool = Pool(firsts(0.9, 0.7))
    of_all = (0.9 + 0.7 + 4 * 0.5) / 6
    assert pool.first("other").gain == pytest.approx(of_all)
    assert pool.first("conv").gain == pytest.approx((0.9 + 0.7 + 4 * of_all) / 6)


def test_a_class_with_much_experience_goes_by_its_own() -> None:
    pool = Pool(firsts(*[0.9] * 40) + firsts(*[0.1] * 40, op_class="pool"))
    assert pool.first("conv").gain == pytest.approx(0.9, abs=0.05)
    assert pool.first("pool").gain == pytest.approx(0.1, abs=0.05)
    assert pool.first("dense").gain == pytest.approx(0.5, abs=0.01)


def test_the_spread_of_first_slots_is_that_of_what_was_seen() -> None:
    even = Pool(firsts(*[0.5] * 50)).first("conv")
    uneven = Pool(firsts(*[0.1, 0.9] * 25)).first("conv")
    assert even.gain == pytest.approx(uneven.gain)
    assert even.spread < 0.2
    assert uneven.spread > 0.35


def test_a_first_slot_of_unknown_gain_does_not_count() -> None:
    assert Pool(firsts(NAN, 0.2)).first("conv").gain == Pool(firsts(0.2)).first("conv").gain


# Later slots


def test_a_slot_promises_less_the_more_there_were_and_the_longer_they_brought_nothing() -> None:
    assert chance(1, 0) == 1.0
    assert chance(4, 0) == pytest.approx(1 / 4)
    assert chance(4, 2) == pytest.approx(1 / 12)


def test_a_past_sums_what_later_slots_took_away_and_what_their_chances_were() -> None:
    known = past(4.0, 2.0, 2.0, 1.0)
    assert known.first == pytest.approx(0.5)
    assert known.gained == pytest.approx(0.5 + 0.0 + 0.5)
    assert known.squares == pytest.approx(0.25 + 0.25)
    assert known.exposure == pytest.approx(1 + 1 / 2 + 1 / (3 * 2))


def test_a_search_on_its_way_to_the_untuned_latency_is_not_taken_to_be_dry() -> None:
    known = past(16.0, 12.0, 9.0, 6.0)
    assert known.gained == pytest.approx(0.25)
    assert known.exposure == pytest.approx(1 + 1 / 2 + 1 / 3)


def test_a_task_without_a_slot_has_no_past() -> None:
    assert math.isnan(past().first)
    assert later(Pool([past(), NEW]), NEW, 1, 0) == later(Pool([]), NEW, 1, 0)


def test_slots_whose_gain_is_unknown_do_not_count() -> None:
    known = past(math.inf, 4.0, 2.0, untuned_s=None)
    assert known.gained == pytest.approx(0.5)
    assert known.exposure == pytest.approx(1 / 2)


def test_without_experience_a_second_slot_is_expected_to_take_a_tenth() -> None:
    pool = Pool([])
    assert later(pool, NEW, 1, 0).gain == pytest.approx(0.1)
    assert later(pool, NEW, 5, 1).gain == pytest.approx(0.1 / 10)


def test_the_scale_is_that_of_all_then_of_the_class_then_of_the_task() -> None:
    own = Past("conv", gained=0.6, exposure=2.0)
    pool = Pool([own, Past("dense", gained=0.1, exposure=2.0)])
    of_all = (0.7 + 1 * 0.1) / (4 + 1)
    of_class = (0.6 + 4 * of_all) / (2 + 4)
    of_task = (0.6 + 4 * of_class) / (2 + 4)
    assert later(pool, own, 3, 0).gain == pytest.approx(of_task / 3)
    assert later(pool, NEW, 3, 0).gain == pytest.approx(of_class / 3)
    assert later(pool, Past("mean"), 3, 0).gain == pytest.approx(of_all / 3)


def test_a_task_that_takes_twice_as_long_as_its_peers_is_expected_to_gain_twice() -> None:
    pool = Pool([])
    assert later(pool, NEW, 4, 0, 2.0).gain == pytest.approx(2 * later(pool, NEW, 4, 0).gain)
    assert pool.first("conv", 0.5).gain == pytest.approx(0.25)


# How unsure that is


def test_the_spread_is_the_gammas_and_shrinks_with_the_jumps_that_were_seen() -> None:
    few, many = Rate(1.0, 4.0, 0.3), Rate(16.0, 64.0, 0.3)
    assert few.outlook(0.5).gain == pytest.approx(many.outlook(0.5).gain) == 0.3 * 0.125
    assert few.outlook(0.5).spread == pytest.approx(few.outlook(0.5).gain)
    assert many.outlook(0.5).spread == pytest.approx(many.outlook(0.5).gain / 4)


def test_a_task_of_its_own_experience_is_better_known_than_one_of_its_class_alone() -> None:
    own = Past("conv", gained=1.5, squares=0.5, exposure=8.0)
    pool = Pool([own])
    known, new = later(pool, own, 3, 0), later(pool, NEW, 3, 0)
    assert known.spread / known.gain < new.spread / new.gain


@pytest.mark.parametrize("shape", [0.3, 1.0, 3.0, 8.0])
@pytest.mark.parametrize("chances", [0.1, 0.3, 1.0])
def test_the_range_is_that_of_jumps_drawn_by_a_drawn_rate(shape: float, chances: float) -> None:
    """The closed form against what it stands for, by simulation."""
    rate = Rate(shape, 12.0, 0.02)
    rng = np.random.default_rng(1)
    jumps = rng.poisson(2.0 * chances * rng.gamma(shape, 1.0 / rate.exposure, 400_000))
    came = np.where(jumps > 0, rng.gamma(np.maximum(jumps, 1), rate.jump / 2), 0.0)
    believed = rate.outlook(chances)
    assert came.mean() == pytest.approx(believed.gain, rel=0.1)
    assert (jumps == 0).mean() == pytest.approx(rate.nothing(chances), abs=0.01)
    if rate.nothing(chances) > 0.1:
        assert (came < believed.low).mean() == 0.0
    assert (came <= believed.high).mean() == pytest.approx(
        max(0.9, rate.nothing(chances)), abs=0.04
    )


def test_chances_ahead_begin_with_the_next_slots_and_grow_ever_less() -> None:
    sums = Rate(2.0, 6.0, 0.3).chances(4, 2, 5)
    assert sums[0] == chance(4, 2)
    steps = np.diff(np.array([0.0, *sums]))
    assert (steps[1:] > 0).all()
    sure = Rate(1e-9, 6.0, 0.3).chances(4, 2, 3)
    assert np.diff(sure) == pytest.approx([chance(5, 3), chance(6, 4)])


@given(
    st.lists(st.lists(st.floats(1e-3, 1e3), max_size=6), max_size=6),
    st.integers(1, 30),
    st.integers(0, 30),
    st.floats(0.25, 4.0),
)
def test_whatever_was_seen_a_gain_is_a_part(
    tables: list[list[float]], slots: int, dry: int, headroom: float
) -> None:
    pasts = [past(*rounds) for rounds in tables]
    pool = Pool(pasts)
    for known in [NEW, *pasts]:
        for typical in (
            later(pool, known, slots, dry, headroom),
            pool.first(known.op_class, headroom),
        ):
            assert 0.0 <= typical.gain < 1.0
            assert 0.0 <= typical.spread < math.inf
            assert 0.0 <= typical.low <= typical.high <= 1.0
