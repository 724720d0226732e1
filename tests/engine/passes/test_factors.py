"""Factorisations, against their definition."""

from __future__ import annotations

from itertools import product
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.passes.factors import count_tiles, divisors, prime_powers, tiles


@given(st.integers(1, 5000))
def test_a_number_is_the_product_of_its_prime_powers(number: int) -> None:
    found = prime_powers(number)
    assert prod(prime**power for prime, power in found) == number
    assert all(prime % other for prime, _ in found for other in range(2, prime))
    assert [prime for prime, _ in found] == sorted({prime for prime, _ in found})


@given(st.integers(1, 2000))
def test_divisors_are_all_there_and_sorted(number: int) -> None:
    assert list(divisors(number)) == [n for n in range(1, number + 1) if number % n == 0]


@given(st.integers(1, 60), st.integers(1, 4), st.integers(0, 16))
def test_tiles_are_all_factorisations_within_the_limit(
    extent: int, parts: int, innermost: int
) -> None:
    limit = innermost or extent
    every = product(divisors(extent), repeat=parts)
    wanted = {t for t in every if prod(t) == extent and (parts == 1 or t[-1] <= limit)}
    found = tiles(extent, parts, innermost)
    assert set(found) == wanted
    assert len(found) == len(wanted) == count_tiles(extent, parts, innermost)


@pytest.mark.parametrize(("extent", "parts", "count"), [(2**11, 4, 364), (1, 5, 1), (224, 4, 224)])
def test_counting_needs_no_list(extent: int, parts: int, count: int) -> None:
    assert count_tiles(extent, parts) == count
