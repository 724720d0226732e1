"""The numbers behind the convergence plots, as arrays in seconds; nothing here draws."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from engine.history.history import Curve, Floats, History, Ints


class Across(StrEnum):
    """What the horizontal axis counts."""

    SECONDS = "seconds"
    TRIALS = "trials"


@dataclass(frozen=True, slots=True)
class Steps:
    """Vertices of step curves: x by the axis, y in seconds, NaN between two curves.

    `owner` names the task of each vertex, -1 for the model.
    """

    x: Floats
    y: Floats
    owner: Ints


@dataclass(frozen=True, slots=True)
class Marks:
    """Single trials: x by the axis, y in seconds, `numbers` are trial numbers."""

    x: Floats
    y: Floats
    numbers: Ints


def progress_end(history: History, across: Across) -> float:
    """How far the project is, on the axis."""
    return history.last_elapsed_s if across is Across.SECONDS else float(history.last_trial)


def model_changes(history: History, across: Across) -> tuple[Floats, Floats]:
    """Where the model's latency changes, and to what."""
    return along(history.model_curve(), across), history.model_curve().latency_s


def build_trial_marks(history: History, task: int, across: Across) -> Marks:
    """Every valid trial of a task, as first measured."""
    x, latency_s, numbers = _columns(history, task, across)
    valid = np.isfinite(latency_s)
    return Marks(x[valid], latency_s[valid], numbers[valid])


def build_error_marks(history: History, task: int, across: Across) -> Marks:
    """Failed trials of a task, which have no latency: on the curve of the best so far.

    Before the first known latency they are at that one; without any, nowhere.
    """
    x, latency_s, numbers = _columns(history, task, across)
    change_x, change_y = changes(history, task, across)
    failed = ~np.isfinite(latency_s)
    if not len(change_x):
        failed[:] = False
    x, numbers = x[failed], numbers[failed]
    return Marks(x, value_at(change_x, change_y, x), numbers)


def changes(history: History, task: int, across: Across) -> tuple[Floats, Floats]:
    """Where the best of a task so far changes, and to what: the untuned one first."""
    curve, untuned = history.best_so_far(task), history.untuned(task)
    x, y = along(curve, across), curve.latency_s
    if untuned is not None:
        x, y = np.concatenate([[0.0], x]), np.concatenate([[untuned], y])
    return x, y


def along(curve: Curve, across: Across) -> Floats:
    """The places of a curve's points on the axis."""
    if across is Across.SECONDS:
        return curve.elapsed_s
    return curve.trials.astype(np.float64)


def value_at(x: Floats, y: Floats, at: Floats) -> Floats:
    """The values of a step curve (non-empty) at given places; before its start, its first."""
    if not len(at):
        return np.empty(0)
    return y[np.maximum(np.searchsorted(x, at, side="right") - 1, 0)]


def nearest(x: Floats, y: Floats, at: tuple[float, float]) -> tuple[int, float]:
    """The vertex that begins the upright or level segment nearest to `at`, and the distance.

    All in pixels; NaN ends a curve. Distance is infinity where there is no segment.
    """
    if len(x) < 2:
        return 0, np.inf
    away = [
        np.maximum(np.maximum(np.minimum(v[:-1], v[1:]) - p, p - np.maximum(v[:-1], v[1:])), 0.0)
        for v, p in ((x, at[0]), (y, at[1]))
    ]
    distance = np.hypot(*away)
    distance[np.isnan(distance)] = np.inf
    place = int(np.argmin(distance))
    return place, float(distance[place])


def _columns(history: History, task: int, across: Across) -> tuple[Floats, Floats, Ints]:
    log = history.log(task)
    x = log.elapsed_s if across is Across.SECONDS else log.numbers
    return (
        np.array(x, np.float64),
        np.array(log.latency_s, np.float64),
        np.array(log.numbers, np.int64),
    )


def level_steps(x: Floats, y: Floats, end: float, owner: int = -1) -> Steps:
    """Level from each point to the next one, then upright; the last one lasts until `end`."""
    if len(x):
        x = np.append(np.repeat(x, 2)[1:], max(end, float(x[-1])))
        y = np.repeat(y, 2)
    return Steps(x, y, np.full(len(x), owner, np.int64))
