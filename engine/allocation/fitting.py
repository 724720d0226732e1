"""The least-squares fit of a curve to a history: where the sampler starts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.allocation.curves import Family

Floats: TypeAlias = NDArray[np.float64]

NOISE = 0.02
"""How far a true curve is taken to be from its points at least, as a part of the best one."""

_LIFT = 2e-3
_PARTS = (0.0, 0.02, 0.1, 0.3, 0.6, 1.0)


@dataclass(frozen=True, slots=True)
class Points:
    """What a curve is fitted to, and how far it is to be read.

    `x` (n,) are trial numbers from 1, `y` (n,) the best performance so far, in [0, 1].
    `horizon` is the trial at which the prediction is wanted. The prior allows only curves between
    `best` and `ceiling` there.
    """

    x: Floats
    y: Floats
    horizon: float
    ceiling: float = 1.0

    @property
    def best(self) -> float:
        """The best performance so far."""
        return float(self.y[-1])


def fit(family: Family, points: Points) -> Floats | None:
    """Parameters (k,) of the best curve that the prior allows, None where none was found."""
    from scipy.optimize import least_squares

    log_x, scale = np.log(points.x), points.best
    log_end = np.log([points.horizon])
    width = family.upper - family.lower
    low, high = family.lower + 1e-9 * width, family.upper - 1e-9 * width

    def residuals(theta: Floats) -> Floats:
        curve = family.log_curve(theta[None], np.concatenate([log_x, log_end]))[0]
        short = max(0.0, points.best - curve[-1])
        return np.nan_to_num(np.append(curve[:-1] - points.y, 3.0 * short) / scale, posinf=1e6)

    with np.errstate(all="ignore"):
        start = np.clip(family.guess(log_x, points.y), low, high)
        try:
            found = least_squares(
                residuals, start, bounds=(low, high), x_scale="jac", max_nfev=60, ftol=1e-4
            )
        except (ValueError, np.linalg.LinAlgError):
            return None
        return _allowed(family, points, found.x)


def _allowed(family: Family, points: Points, theta: Floats) -> Floats | None:
    """The curve, moved towards a level one at the best until the prior allows it."""
    log_end = np.log([points.horizon])
    level = family.level(min(points.best * (1.0 + _LIFT), points.ceiling), float(log_end[0]))
    for part in _PARTS:
        moved = (1.0 - part) * theta + part * level
        end = float(family.log_curve(moved[None], log_end)[0, 0])
        inside = bool(np.all((moved >= family.lower) & (moved <= family.upper)))
        if inside and points.best < end < points.ceiling:
            return moved
    return None
