"""Where two arrays differ most."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.deploy.compare import Tolerance, largest_difference
from engine.records.errors import ExportError


@dataclass(frozen=True, slots=True)
class Worst:
    """The element of the value `output` that differs most, with both sides' values there.

    Arrays that differ in shape or type have no such element: `index` is empty, and both are NaN.
    """

    output: str
    index: tuple[int, ...]
    ours: float
    theirs: float


def worst(name: str, ours: np.ndarray, theirs: np.ndarray, tolerance: Tolerance) -> Worst | None:
    """The worst element of a value, None where both agree up to rounding."""
    try:
        largest_difference({name: ours}, {name: theirs}, tolerance)
    except ExportError:
        if ours.shape != theirs.shape or ours.dtype != theirs.dtype:
            return Worst(name, (), float("nan"), float("nan"))
        index = np.unravel_index(int(np.argmax(_distance(ours, theirs))), ours.shape)
        at = tuple(int(place) for place in index)
        return Worst(name, at, ours[at].item(), theirs[at].item())
    return None


def _distance(ours: np.ndarray, theirs: np.ndarray) -> np.ndarray:
    """How far apart elements are, in a row; infinite where only one is finite, 0 for equal ones."""
    a, b = (np.ravel(side).astype(np.longdouble) for side in (ours, theirs))  # holds an int64
    with np.errstate(invalid="ignore"):
        distance: np.ndarray = np.abs(a - b)
    distance[np.isnan(distance)] = np.inf
    distance[(a == b) | (np.isnan(a) & np.isnan(b))] = 0
    return distance
