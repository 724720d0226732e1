"""Curves that a search's progress may follow: increasing functions of the number of trials.

Performance y is FLOP/s over the target's peak, in [0, 1]; x >= 1 counts trials. The five families
are those that the DynaTune paper tries, after Domhan, Springenberg and Hutter, "Speeding up
automatic hyperparameter optimization of deep neural networks by extrapolation of learning curves"
(2015). Each one's bounds are its uniform prior; inside them no curve falls.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.records.errors import UsageError
from engine.records.options import one_of
from engine.records.sentences import Sentence

Floats: TypeAlias = NDArray[np.float64]

DEFAULT_FAMILY = "log-power"


@dataclass(frozen=True, slots=True)
class Family:
    """A parametric curve.

    `log_curve` takes parameters (walkers, k) and ln x (n,) and gives y (walkers, n); it may
    overflow to infinity far outside the bounds. `guess` gives parameters (k,) for ln x and y of
    one history, `level` those of an all but level curve that is y at ln x.
    """

    name: str
    formula: str
    parameters: tuple[str, ...]
    lower: Floats
    upper: Floats
    log_curve: Callable[[Floats, Floats], Floats]
    guess: Callable[[Floats, Floats], Floats]
    level: Callable[[float, float], Floats]

    def __call__(self, theta: Floats, x: Floats) -> Floats:
        """Performance (walkers, n) of the curves `theta` (walkers, k) at trials `x` (n,)."""
        return self.log_curve(np.atleast_2d(theta), np.log(x))


def family(name: str) -> Family:
    """A family by name; UsageError where there is none."""
    if name not in FAMILIES:
        raise UsageError(
            Sentence("There is no curve family {name!r}.", name=name),
            Sentence("Choose one of {names}.", names=", ".join(FAMILIES)),
        )
    return FAMILIES[name]


def _pow2(theta: Floats, log_x: Floats) -> Floats:
    a, alpha = theta.T[:, :, None]
    return np.asarray(a * np.exp(alpha * log_x))


def _pow4(theta: Floats, log_x: Floats) -> Floats:
    a, b, c, alpha = theta.T[:, :, None]
    return np.asarray(c - (a * np.exp(log_x) + b) ** -alpha)


def _log_power(theta: Floats, log_x: Floats) -> Floats:
    a, b, c = theta.T[:, :, None]
    return np.asarray(a / (1.0 + np.exp(c * (log_x - b))))


def _log_linear(theta: Floats, log_x: Floats) -> Floats:
    a, b = theta.T[:, :, None]
    return np.asarray(a * log_x + b)


def _log_log_linear(theta: Floats, log_x: Floats) -> Floats:
    a, b = theta.T[:, :, None]
    return np.asarray(np.log(np.maximum(a * log_x + b, 1e-300)))


def _slope(log_x: Floats, y: Floats) -> float:
    """Rise of y over ln x between the ends, never below zero."""
    width = float(log_x[-1] - log_x[0])
    return max(0.0, float(y[-1] - y[0]) / width) if width > 0 else 0.0


def _guess_pow2(log_x: Floats, y: Floats) -> Floats:
    alpha = min(0.9, 0.01 + _slope(log_x, np.log(y)))
    return np.array([y[-1] * math.exp(-alpha * log_x[-1]), alpha])


def _guess_pow4(log_x: Floats, y: Floats) -> Floats:
    gap = max(float(y[-1] - y[0]), 0.05 * float(y[-1]))
    c = min(0.99, float(y[-1]) + 0.1 * gap)
    start = 1.0 / (c - float(y[0]))
    return np.array([start * math.exp(-log_x[0]), 0.1 * start + 1e-3, c, 0.9])


def _guess_log_power(log_x: Floats, y: Floats) -> Floats:
    a = min(0.99, 1.1 * float(y[-1]))
    return np.array([a, float(log_x[0]) - 1.0, -0.8])


def _guess_log_linear(log_x: Floats, y: Floats) -> Floats:
    a = _slope(log_x, y) + 1e-3 * float(y[-1])
    return np.array([a, y[-1] - a * log_x[-1]])


def _guess_log_log_linear(log_x: Floats, y: Floats) -> Floats:
    a = _slope(log_x, np.exp(y)) + 1e-3 * float(y[-1])
    return np.array([a, math.exp(float(y[-1])) - a * log_x[-1]])


def _level_pow2(y: float, log_end: float) -> Floats:
    return np.array([y * math.exp(-0.01 * log_end), 0.01])


def _level_pow4(y: float, log_end: float) -> Floats:
    gap = 0.01 * y
    half = 0.5 * gap ** (-1.0 / 3.0)
    return np.array([half * math.exp(-log_end), half, y + gap, 3.0])


def _level_log_power(y: float, log_end: float) -> Floats:
    return np.array([y * (1.0 + math.exp(-5.0)), log_end - 5.0, -1.0])


def _level_log_linear(y: float, log_end: float) -> Floats:
    return np.array([0.01 * y, y - 0.01 * y * log_end])


def _level_log_log_linear(y: float, log_end: float) -> Floats:
    a = 0.01 * y * math.exp(y)
    return np.array([a, math.exp(y) - a * log_end])


def _bounds(*pairs: tuple[float, float]) -> tuple[Floats, Floats]:
    lower, upper = np.array(pairs, np.float64).T
    return lower, upper


FAMILIES: dict[str, Family] = {
    made.name: made
    for made in (
        Family(
            "pow2",
            "a x^alpha",
            ("a", "alpha"),
            *_bounds((0, 1), (0, 1)),
            _pow2,
            _guess_pow2,
            _level_pow2,
        ),
        Family(
            "pow4",
            "c - (a x + b)^-alpha",
            ("a", "b", "c", "alpha"),
            *_bounds((0, 1e4), (0, 1e5), (0, 1), (0, 5)),
            _pow4,
            _guess_pow4,
            _level_pow4,
        ),
        Family(
            "log-power",
            "a / (1 + (x / e^b)^c)",
            ("a", "b", "c"),
            *_bounds((0, 1), (-15, 15), (-5, 0)),
            _log_power,
            _guess_log_power,
            _level_log_power,
        ),
        Family(
            "log-linear",
            "a ln x + b",
            ("a", "b"),
            *_bounds((0, 1), (-5, 1)),
            _log_linear,
            _guess_log_linear,
            _level_log_linear,
        ),
        Family(
            "log-log-linear",
            "ln(a ln x + b)",
            ("a", "b"),
            *_bounds((0, 2), (-10, math.e)),
            _log_log_linear,
            _guess_log_log_linear,
            _level_log_log_linear,
        ),
    )
}
FamilyName = Annotated[str, one_of(*FAMILIES)]
