"""Step curves that are too many for a screen: what is drawn says the same."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.history.history import Floats, Ints
from widgets.plots import step_set
from widgets.plots.convergence_series import Steps, value_at
from widgets.plots.step_set import StepSet

COLUMNS = 20
END = 1000.0


@st.composite
def curves(draw: st.DrawFn) -> dict[int, tuple[Floats, Floats]]:
    """Up to four curves of up to thirty points, some of them empty."""
    made = {}
    for owner in range(draw(st.integers(1, 4))):
        places = draw(st.sets(st.integers(0, 100), max_size=30))
        x = np.array(sorted(places), np.float64)
        values = draw(st.lists(st.integers(1, 50), min_size=len(x), max_size=len(x)))
        made[owner] = (x, np.array(values, np.float64))
    return made


def rows(y: Floats) -> Ints:
    return np.rint(y).astype(np.int64)


def drawn_at(steps: Steps, owner: int, at: float) -> float | None:
    """The last value that the vertices of a curve have at a place."""
    own = steps.owner == owner
    value = None
    for (x0, y0), (x1, _) in pairwise(zip(steps.x[own], steps.y[own], strict=True)):
        if x0 <= at <= x1:
            value = float(y0)
    return value


@pytest.fixture(autouse=True)
def _few_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(step_set, "FEW", 0)


@given(curves(), st.floats(0, 90), st.floats(1, 100))
def test_at_the_end_of_each_pixel_the_curve_is_where_it_should_be(
    parts: dict[int, tuple[Floats, Floats]], low: float, width: float
) -> None:
    made = StepSet.of(parts, END)
    pixel = width / COLUMNS
    seen = made.seen(low, low + width, COLUMNS, rows)
    for owner, (x, y) in parts.items():
        for column in range(COLUMNS):
            at = low + column * pixel
            if not len(x) or at < x[0]:
                continue
            near = value_at(x, y, np.array([at - pixel, at, at + pixel]))
            between = y[(x >= at - pixel) & (x <= at + pixel)]
            assert drawn_at(seen, owner, at) in {*near.tolist(), *between.tolist()}


@given(curves(), st.floats(0, 90), st.floats(1, 100))
def test_no_more_is_drawn_than_a_screen_can_show(
    parts: dict[int, tuple[Floats, Floats]], low: float, width: float
) -> None:
    seen = StepSet.of(parts, END).seen(low, low + width, COLUMNS, rows)
    for owner in parts:
        assert np.count_nonzero(seen.owner == owner) <= 2 * (2 * COLUMNS + 4) + 1


@given(curves(), st.floats(0, 90), st.floats(1, 100))
def test_clipping_keeps_what_holds_at_both_edges(
    parts: dict[int, tuple[Floats, Floats]], low: float, width: float
) -> None:
    whole = StepSet.of(parts, END)
    high = low + width
    steps = whole.clipped(low, high).steps
    for at in (low, (low + high) / 2, high):
        for owner in parts:
            if at <= 100:
                assert drawn_at(steps, owner, at) == drawn_at(whole.steps, owner, at)


def test_thinning_keeps_the_first_of_equal_rows_and_of_each_curve() -> None:
    x = np.array([0.0, 1.0, 2.0])
    made = StepSet.of({0: (x, np.array([5.0, 5.0, 3.0])), 1: (x, np.array([3.0, 2.0, 2.0]))}, 4.0)
    thin = made.thinned(rows(made.y))
    assert thin.x.tolist() == [0, 2, 0, 1]
    assert thin.y.tolist() == [5, 3, 3, 2]
    assert thin.counts.tolist() == [2, 2]
    assert thin.ends.tolist() == [4, 4]


def test_a_set_without_curves_has_nothing_to_draw() -> None:
    assert len(StepSet.of({0: (np.empty(0), np.empty(0))}, 9.0).seen(0, 1, 10, rows).x) == 0
