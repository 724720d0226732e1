"""Winograd's transforms give convolutions, in exact arithmetic."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from engine.tasks.winograd_matrices import FILTER, INPUT, KERNEL, OUTPUT, one_sided, two_sided

NUMBERS = st.integers(-9, 9)


def exact(rows: object) -> np.ndarray:
    """As fractions, whose denominators are small."""
    numbers = [[Fraction(value).limit_denominator(100) for value in row] for row in rows]  # type: ignore[attr-defined]
    return np.array(numbers, dtype=object)


@pytest.mark.parametrize("m", sorted(INPUT))
@given(data=st.data())
def test_a_tile_is_convolved(m: int, data: st.DataObject) -> None:
    edge = m + KERNEL - 1
    tile = data.draw(arrays.arrays(object, (edge, edge), elements=NUMBERS))
    kernel = data.draw(arrays.arrays(object, (KERNEL, KERNEL), elements=NUMBERS))
    inside, outside, filters = (exact(table[m]) for table in (INPUT, OUTPUT, FILTER))
    products = (filters @ kernel @ filters.T) * (inside @ tile @ inside.T)
    expected = [
        [(tile[y : y + KERNEL, x : x + KERNEL] * kernel).sum() for x in range(m)] for y in range(m)
    ]
    assert (outside @ products @ outside.T == np.array(expected, dtype=object)).all()


@pytest.mark.parametrize("table", [INPUT, OUTPUT], ids=["input", "output"])
@pytest.mark.parametrize("m", sorted(INPUT))
@given(data=st.data())
def test_shared_sums_change_no_value(
    table: dict[int, tuple[tuple[float, ...], ...]], m: int, data: st.DataObject
) -> None:
    matrix = table[m]
    size = len(matrix[0])
    tile = data.draw(arrays.arrays(np.int64, (size, size), elements=NUMBERS))
    assert one_sided(matrix, tile[0], lambda value: value) == list(np.array(matrix) @ tile[0])
    both = np.array(matrix) @ tile @ np.array(matrix).T
    assert (np.array(two_sided(matrix, list(tile), lambda value: value)) == both).all()
