"""The median of seeds and its interval."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.experiments.summary import CONFIDENCE, interval


@given(st.lists(st.floats(1e-6, 1.0), min_size=1, max_size=40))
def test_the_median_lies_in_its_interval_whatever_the_order(values: list[float]) -> None:
    found = interval(values)
    assert min(values) <= found.low <= found.median <= found.high <= max(values)
    assert interval(values[::-1]) == found
    assert len(values) < 6 or found.confidence >= CONFIDENCE


@pytest.mark.parametrize(
    ("count", "low", "high", "confidence"),
    [(1, 1, 1, 0), (2, 1, 2, 0.5), (5, 1, 5, 0.9375), (6, 1, 6, 0.96875), (20, 6, 15, 0.9586105)],
)
def test_the_order_statistics_are_those_of_published_tables(
    count: int, low: int, high: int, confidence: float
) -> None:
    found = interval(range(1, count + 1))
    assert (found.low, found.high) == (low, high)
    assert found.confidence == pytest.approx(confidence)


def test_the_interval_holds_the_true_median_as_often_as_it_says() -> None:
    dice = np.random.default_rng(1)
    draws = dice.lognormal(size=(4000, 9))  # its median is 1
    found = [interval(row.tolist()) for row in draws]
    held = np.mean([each.low <= 1 <= each.high for each in found])
    assert held == pytest.approx(found[0].confidence, abs=0.02)
