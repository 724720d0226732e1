"""Experience of other tasks' slots."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.allocation.pooled import Past, Pool, chance
from engine.allocation.progress import progress_of
from tests.engine.allocation.support import task

NAN = math.nan
NEW = Past("conv")


def firsts(*values: float, op_class: str = "conv") -> list[Past]:
    return [Past(op_class, value) for value in values]


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
    assert Pool([past(), NEW]).later(NEW, 1, 0).gain == Pool([]).later(NEW, 1, 0).gain


def test_slots_whose_gain_is_unknown_do_not_count() -> None:
    known = past(math.inf, 4.0, 2.0, untuned_s=None)
    assert known.gained == pytest.approx(0.5)
    assert known.exposure == pytest.approx(1 / 2)


def test_without_experience_a_second_slot_is_expected_to_take_a_tenth() -> None:
    pool = Pool([])
    assert pool.later(NEW, 1, 0).gain == pytest.approx(0.1)
    assert pool.later(NEW, 5, 1).gain == pytest.approx(0.1 / 10)


def test_the_scale_is_that_of_all_then_of_the_class_then_of_the_task() -> None:
    own = Past("conv", gained=0.6, exposure=2.0)
    pool = Pool([own, Past("dense", gained=0.1, exposure=2.0)])
    of_all = (0.7 + 1 * 0.1) / (4 + 1)
    of_class = (0.6 + 4 * of_all) / (2 + 4)
    of_task = (0.6 + 4 * of_class) / (2 + 4)
    assert pool.later(own, 3, 0).gain == pytest.approx(of_task / 3)
    assert pool.later(NEW, 3, 0).gain == pytest.approx(of_class / 3)
    assert pool.later(Past("mean"), 3, 0).gain == pytest.approx(of_all / 3)


def test_a_task_that_takes_twice_as_long_as_its_peers_is_expected_to_gain_twice() -> None:
    pool = Pool([])
    assert pool.later(NEW, 4, 0, 2.0).gain == pytest.approx(2 * pool.later(NEW, 4, 0).gain)
    assert pool.first("conv", 0.5).gain == pytest.approx(0.25)


def test_the_spread_is_that_of_rare_jumps_of_the_size_that_was_seen() -> None:
    jumpy = Past("conv", gained=400.0, squares=240.0, exposure=1600.0)
    typical = Pool([jumpy]).later(Past("conv"), 5, 0)
    assert typical.gain == pytest.approx(0.05, rel=0.01)
    assert typical.spread == pytest.approx(math.sqrt(0.05 * 0.6 - 0.05**2), rel=0.01)


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
            pool.later(known, slots, dry, headroom),
            pool.first(known.op_class, headroom),
        ):
            assert 0.0 <= typical.gain < 1.0
            assert 0.0 <= typical.spread < 1.0
            assert np.isfinite([typical.gain, typical.spread]).all()
