"""The element of two arrays that differs most."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.deploy.compare import SINGLE
from engine.judge.worst import worst


@pytest.mark.parametrize(
    "dtype", ["float16", "float32", "float64", "int8", "uint8", "int32", "int64", "bool"]
)
def test_it_is_where_the_difference_is_largest(dtype: str) -> None:
    theirs = np.zeros((3, 4), dtype)
    ours = theirs.copy()
    ours[1, 2] = 1 if dtype == "bool" else 100
    found = worst("v", ours, theirs, SINGLE)
    assert found is not None
    assert (found.output, found.index) == ("v", (1, 2))
    assert (found.ours, found.theirs) == (ours[1, 2], 0)


def test_integers_far_apart_do_not_overflow() -> None:
    ours = np.array([2**63 - 1, 5], np.int64)
    found = worst("v", ours, np.array([-(2**63), 0], np.int64), SINGLE)
    assert found is not None
    assert found.index == (0,)


@pytest.mark.parametrize("odd", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("side", [0, 1])
def test_a_value_that_is_finite_on_one_side_alone_is_the_worst(odd: float, side: int) -> None:
    pair = [np.ones(5, np.float32), np.ones(5, np.float32)]
    pair[side][3] = odd
    pair[0][1] = 9
    found = worst("v", pair[0], pair[1], SINGLE)
    assert found is not None
    assert found.index == (3,)


def test_equal_infinities_and_nans_are_no_difference() -> None:
    odd = np.array([math.nan, math.inf, -math.inf, 0], np.float32)
    assert worst("v", odd, odd.copy(), SINGLE) is None


def test_a_scalar_has_an_empty_index() -> None:
    found = worst("v", np.float32(2) * np.ones(()), np.ones(()), SINGLE)
    assert found is not None
    assert (found.index, found.ours, found.theirs) == ((), 2, 1)


@pytest.mark.parametrize(
    "ours", [np.ones(3, np.float32), np.ones((2, 2), np.float64)], ids=["shape", "type"]
)
def test_arrays_of_another_kind_differ_nowhere_in_particular(ours: np.ndarray) -> None:
    found = worst("v", ours, np.ones((2, 2), np.float32), SINGLE)
    assert found is not None
    assert found.index == ()
    assert math.isnan(found.ours)
