"""Winograd's minimal filtering: transforms of 3x3 convolutions as straight-line arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

Matrix = tuple[tuple[float, ...], ...]

KERNEL = 3
"""Rows and columns of the filters that are transformed."""

INPUT: dict[int, Matrix] = {
    2: ((1, 0, -1, 0), (0, 1, 1, 0), (0, -1, 1, 0), (0, 1, 0, -1)),
    4: (
        (4, 0, -5, 0, 1, 0),
        (0, -4, -4, 1, 1, 0),
        (0, 4, -4, -1, 1, 0),
        (0, -2, -1, 2, 1, 0),
        (0, 2, -1, -2, 1, 0),
        (0, 4, 0, -5, 0, 1),
    ),
}
"""B^T by m, the rows of outputs that a tile gives: F(2x2, 3x3) and F(4x4, 3x3) of Lavin and Gray,
"Fast Algorithms for Convolutional Neural Networks" (2015), section 4."""

FILTER: dict[int, Matrix] = {
    2: ((1, 0, 0), (1 / 2, 1 / 2, 1 / 2), (1 / 2, -1 / 2, 1 / 2), (0, 0, 1)),
    4: (
        (1 / 4, 0, 0),
        (-1 / 6, -1 / 6, -1 / 6),
        (-1 / 6, 1 / 6, -1 / 6),
        (1 / 24, 1 / 12, 1 / 6),
        (1 / 24, -1 / 12, 1 / 6),
        (0, 0, 1),
    ),
}
"""G by m."""

OUTPUT: dict[int, Matrix] = {
    2: ((1, 1, 1, 0), (0, 1, -1, -1)),
    4: ((1, 1, 1, 1, 1, 0), (0, 1, -1, 2, -2, 0), (0, 1, 1, 4, 4, 0), (0, 1, -1, 8, -8, 1)),
}
"""A^T by m."""

Emit = Callable[[Any], Any]


def two_sided(matrix: Matrix, tile: Sequence[Sequence[Any]], emit: Emit) -> list[list[Any]]:
    """M X M^T of a `tile` X of expressions, as expressions; `emit` gives one that is used again a
    name."""
    columns = [one_sided(matrix, column, emit) for column in zip(*tile, strict=True)]
    return [one_sided(matrix, row, emit) for row in zip(*columns, strict=True)]


def one_sided(matrix: Matrix, values: Sequence[Any], emit: Emit) -> list[Any]:
    """M x of expressions. Two rows that differ in signs alone share what they have in common."""
    made: dict[int, Any] = {}
    for first, row in enumerate(matrix):
        if first in made:
            continue
        second = _partner(matrix, first, made)
        if second is None:
            made[first] = emit(_sum(row, values))
            continue
        same = [a if a == b else 0 for a, b in zip(row, matrix[second], strict=True)]
        turned = [a - b for a, b in zip(row, same, strict=True)]
        even, odd = emit(_sum(same, values)), emit(_sum(turned, values))
        made[first], made[second] = emit(even + odd), emit(even - odd)
    return [made[place] for place in range(len(matrix))]


def _partner(matrix: Matrix, first: int, made: dict[int, Any]) -> int | None:
    """A later row that is this one with some signs turned, where sharing saves something."""
    row = matrix[first]
    for second in range(first + 1, len(matrix)):
        pairs = [(a, b) for a, b in zip(row, matrix[second], strict=True) if a or b]
        kept = sum(a == b for a, b in pairs)
        if second not in made and all(abs(a) == abs(b) for a, b in pairs) and 0 < kept < len(pairs):
            return second
    return None


def _sum(row: Sequence[float], values: Sequence[Any]) -> Any:
    """The products of a row that has some, those with 1 first."""
    terms = sorted(
        ((factor, value) for factor, value in zip(row, values, strict=True) if factor),
        key=lambda term: (term[0] != 1, term[0] != -1),
    )
    total = None
    for factor, value in terms:
        if total is None:
            total = value if factor == 1 else value * float(factor)
        elif abs(factor) == 1:
            total = total + value if factor == 1 else total - value
        else:
            total = total + value * float(factor)
    return total
