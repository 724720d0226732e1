"""Places of the tasks: near where they are alike, never one over another."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from widgets.clusters.layout import Floats, lay_out


@st.composite
def likenesses(draw: st.DrawFn) -> tuple[Floats, Floats]:
    """Similarities of up to 14 tasks in families, and the rooms that they need."""
    count = draw(st.integers(1, 14))
    families = draw(st.lists(st.integers(0, 3), min_size=count, max_size=count))
    dice = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    matrix = dice.choice([0.0, 0.3, 1.0, dice.random()], (count, count))
    matrix = np.maximum(matrix, matrix.T) * np.equal.outer(families, families)
    np.fill_diagonal(matrix, 1.0)
    return matrix, np.stack([dice.uniform(58, 160, count), np.full(count, 78.0)], -1)


@settings(max_examples=30, deadline=None)
@given(likenesses())
def test_no_two_tasks_overlap_whatever_is_alike(case: tuple[Floats, Floats]) -> None:
    matrix, sizes = case
    found = lay_out(matrix, sizes)
    apart = np.abs(found[:, None] - found[None])
    over = ((sizes[:, None] + sizes[None]) / 2 - apart > 1e-3).all(-1)
    assert np.array_equal(over, np.eye(len(sizes), dtype=bool))
    assert np.array_equal(found, lay_out(matrix, sizes))


def test_the_more_alike_the_nearer() -> None:
    matrix = np.array([[1, 0.9, 0.1, 0.1], [0.9, 1, 0.1, 0.1], [0.1, 0.1, 1, 0.9],
                       [0.1, 0.1, 0.9, 1]])  # fmt: skip
    found = lay_out(matrix, np.full((4, 2), 60.0))
    apart = np.linalg.norm(found[:, None] - found[None], axis=-1)
    assert max(apart[0, 1], apart[2, 3]) < min(apart[0, 2], apart[0, 3], apart[1, 2], apart[1, 3])


def test_no_task_is_no_place() -> None:
    assert lay_out(np.zeros((0, 0)), np.zeros((0, 2))).shape == (0, 2)
