"""Curve families: their shapes within their bounds, their starts, and their refusal."""

from __future__ import annotations

import numpy as np
import pytest

from engine.allocation.curves import FAMILIES, Family, family
from engine.records.errors import UsageError

each_family = pytest.mark.parametrize("shape", FAMILIES.values(), ids=list(FAMILIES))
X = np.arange(1.0, 300.0)


def within(shape: Family, count: int = 200) -> np.ndarray:
    """Parameters drawn evenly from the bounds, (count, k)."""
    rng = np.random.default_rng(0)
    return rng.uniform(shape.lower, shape.upper, (count, len(shape.parameters)))


@each_family
def test_no_curve_within_the_bounds_falls(shape: Family) -> None:
    with np.errstate(all="ignore"):
        curves = shape(within(shape), X)
        rises = np.diff(curves, axis=1)
    assert not (rises < -1e-12).any()


@each_family
def test_many_curves_at_once_are_the_single_ones(shape: Family) -> None:
    theta = within(shape, 5)
    with np.errstate(all="ignore"):
        together = shape(theta, X)
        assert together.shape == (5, len(X))
        for row, single in zip(together, theta, strict=True):
            np.testing.assert_array_equal(shape(single, X)[0], row)


@pytest.mark.parametrize(
    ("name", "theta", "x", "y"),
    [
        ("pow2", (0.2, 0.5), 4.0, 0.4),
        ("pow4", (2.0, 1.0, 0.7, 1.0), 2.0, 0.5),
        ("log-power", (0.6, np.log(10.0), -1.0), 10.0, 0.3),
        ("log-power", (0.6, np.log(10.0), -1.0), 90.0, 0.54),
        ("log-linear", (0.1, 0.2), np.e**2, 0.4),
        ("log-log-linear", (0.5, 1.0), np.e, np.log(1.5)),
    ],
)
def test_a_curve_follows_its_formula(
    name: str, theta: tuple[float, ...], x: float, y: float
) -> None:
    assert family(name)(np.array(theta), np.array([x]))[0, 0] == pytest.approx(y)


@each_family
@pytest.mark.parametrize("best", [1e-4, 0.05, 0.5, 0.95])
def test_a_level_curve_is_level_and_within_the_bounds(shape: Family, best: float) -> None:
    log_x = np.log([20.0, 200.0])
    theta = shape.level(best, float(log_x[1]))
    assert np.all((theta >= shape.lower) & (theta <= shape.upper))
    before, at_end = shape.log_curve(theta[None], log_x)[0]
    assert at_end == pytest.approx(best, rel=2e-2)
    assert 0.8 * at_end < before <= at_end


@each_family
@pytest.mark.parametrize("values", [[0.2, 0.2, 0.2], [0.01, 0.3, 0.31], [1e-5, 1e-5, 2e-5]])
def test_a_guess_can_be_evaluated(shape: Family, values: list[float]) -> None:
    log_x = np.log([1.0, 8.0, 64.0])
    theta = shape.guess(log_x, np.array(values))
    assert len(theta) == len(shape.parameters)
    assert np.isfinite(shape.log_curve(theta[None], log_x)).all()


def test_an_unknown_family_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UsageError) as caught:
        family("spline")
    assert "'spline'" in caught.value.what
    assert all(name in caught.value.todo for name in FAMILIES)
