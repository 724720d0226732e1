"""What kernels are compared on, and which differences are rounding."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine.measure.comparing import DRAWS, Comparison, arguments, difference
from engine.records.task import TensorSpec

FLOATS = ("float16", "bfloat16", "float32", "float64", "float8_e4m3fn")
INTEGERS = ("int8", "uint8", "int16", "int32", "uint32", "int64")
PLAIN = Comparison(outputs=(0,), relative=1e-5)


def drawn(dtype: str, draw: int, comparison: Comparison = PLAIN) -> Any:
    """One argument's values."""
    (values,) = arguments((TensorSpec((40, 50), dtype),), comparison, draw)
    assert values.shape == (40, 50)
    return values


@pytest.mark.parametrize("dtype", FLOATS)
def test_floats_are_of_both_signs_and_then_positive_of_many_sizes(dtype: str) -> None:
    normal, spread = (drawn(dtype, draw).astype(np.float64) for draw in range(DRAWS))
    assert abs(normal.mean()) < 0.1
    assert 0.9 < normal.std() < 1.1
    assert spread.min() > 0
    assert spread.max() / spread.min() > 20
    assert np.isfinite(spread).all()


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("bounds", [None, (0, 0), (0, 5), (1, 7)])
def test_integers_stay_within_what_is_harmless(dtype: str, bounds: tuple[int, int] | None) -> None:
    for draw in range(DRAWS):
        values = drawn(dtype, draw, Comparison(outputs=(0,), integers=bounds))
        assert values.dtype == dtype
        low, high = bounds or (-128, 255)
        assert low <= values.min() <= values.max() <= high
        assert bounds is None or {low, high} <= set(values.ravel().tolist())


def test_floats_that_become_indices_are_below_one() -> None:
    for draw in range(DRAWS):
        values = drawn("float32", draw, Comparison(outputs=(0,), unit=True))
        assert 0 <= values.min() <= values.max() < 1


def test_booleans_are_of_both_kinds() -> None:
    assert 0.4 < drawn("bool", 0).mean() < 0.6


def test_the_same_draw_is_the_same_and_arguments_differ() -> None:
    specs = (TensorSpec((9,), "float32"),) * 2
    first, second = (arguments(specs, PLAIN, 0) for _ in range(2))
    assert np.array_equal(first, second)
    assert not np.array_equal(first[0], first[1])


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
def test_rounding_is_no_difference_and_one_value_beyond_it_is(dtype: str) -> None:
    right = drawn(dtype, 0)
    relative = 8 * float(np.finfo(dtype).eps)
    comparison = Comparison(outputs=(0,), relative=relative)
    assert difference(right * dtype_of(right, 1 + relative / 2), right, comparison) == ""
    for place in ((0, 0), (39, 49), (17, 3)):
        wrong = right.copy()
        wrong[place] += dtype_of(right, 1)
        assert difference(wrong, right, comparison).startswith("in 1 of 2,000 values, by up to 1")


def test_small_values_may_differ_by_the_rounding_of_what_cancelled_to_them() -> None:
    right = np.array([1.0, -1.0, 1e-9], np.float32)
    found = np.array([1.0, -1.0, 3e-6], np.float32)
    assert difference(found, right, PLAIN) == ""
    found[2] = 3e-5
    assert difference(found, right, PLAIN).startswith("in 1 of 3 values")


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("swapped", [False, True])
def test_a_value_that_is_not_finite_must_be_so_on_both_sides(value: float, swapped: bool) -> None:
    right = drawn("float32", 0)
    wrong = right.copy()
    wrong[1, 2] = value
    pair = (right, wrong) if swapped else (wrong, right)
    assert difference(*pair, PLAIN) == "in 1 of 2,000 values, one of them not finite"
    assert difference(wrong, wrong.copy(), PLAIN) == ""


def test_a_sum_may_overflow_in_one_order_and_just_not_in_another() -> None:
    most = np.finfo(np.float16).max
    right, found = np.array([np.inf, -np.inf], np.float16), np.array([most, -most], np.float16)
    assert difference(found, right, PLAIN) == ""
    assert difference(-found, right, PLAIN)


def dtype_of(values: Any, number: float) -> Any:
    """A number of the values' own type."""
    return values.dtype.type(number)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "int64", "bool"])
def test_integers_are_compared_exactly_but_for_those_that_were_rounded(dtype: str) -> None:
    right = np.zeros((100,), dtype)
    one = right.copy()
    one[7] = 1
    assert "in 1 of 100 values" in difference(one, right, Comparison(outputs=(0,)))
    rounded = difference(one, right, Comparison(outputs=(0,), whole=True))
    assert bool(rounded) == (dtype == "bool")


def test_a_kernel_that_compares_may_flip_a_few() -> None:
    right = np.zeros((1000,), np.bool_)
    wrong = right.copy()
    wrong[:3] = True
    assert difference(wrong, right, Comparison(outputs=(0,), share=0.003)) == ""
    assert difference(wrong, right, Comparison(outputs=(0,), share=0.002))
