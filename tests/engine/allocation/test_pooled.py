"""Experience of other tasks' slots."""

from __future__ import annotations

import numpy as np
import pytest

from engine.allocation.pooled import Pool

NAN = float("nan")


def rows(*values: list[float]) -> list[tuple[str, np.ndarray]]:
    return [("conv", np.array(row)) for row in values]


def test_without_experience_a_slot_gains_less_than_the_one_before() -> None:
    pool = Pool([])
    gains = [pool.typical("conv", slot).gain for slot in range(5)]
    assert gains[0] == pytest.approx(0.5)
    assert gains[1] == pytest.approx(0.5 * 0.5**1.25)
    assert (np.diff(gains) < 0).all()


def test_the_mean_over_tasks_is_pulled_towards_four_made_up_ones() -> None:
    pool = Pool(rows([0.9], [0.7]))
    of_all = (0.9 + 0.7 + 4 * 0.5) / 6
    assert pool.typical("other", 0).gain == pytest.approx(of_all)
    assert pool.typical("conv", 0).gain == pytest.approx((0.9 + 0.7 + 4 * of_all) / 6)


def test_a_class_with_much_experience_goes_by_its_own() -> None:
    table = [("conv", np.array([0.9]))] * 40 + [("pool", np.array([0.1]))] * 40
    pool = Pool(table)
    assert pool.typical("conv", 0).gain == pytest.approx(0.9, abs=0.05)
    assert pool.typical("pool", 0).gain == pytest.approx(0.1, abs=0.05)
    assert pool.typical("dense", 0).gain == pytest.approx(0.5, abs=0.01)


def test_the_spread_is_that_of_what_was_seen() -> None:
    even = Pool(rows(*[[0.5]] * 50)).typical("conv", 0)
    uneven = Pool(rows(*[[0.1], [0.9]] * 25)).typical("conv", 0)
    assert even.gain == pytest.approx(uneven.gain)
    assert even.spread < 0.2
    assert uneven.spread > 0.35


def test_what_is_unknown_does_not_count() -> None:
    assert Pool(rows([NAN, 0.2])).typical("conv", 0).gain == pytest.approx(0.5)


def test_later_slots_follow_from_the_experience_with_earlier_ones() -> None:
    good, poor = (Pool(rows(*[[value]] * 30)).typical("conv", 3).gain for value in (0.9, 0.1))
    assert good > 3 * poor
