"""Exact values of the convergence plots: as the pointer is told them, and as rows."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from engine.history.history import Curve, History
from engine.records.units import format_seconds
from widgets.look.language import tr
from widgets.look.units import clock
from widgets.parts.exporting import Sheet
from widgets.plots.convergence_series import Across, along

DIGITS = 5


def describe_model(history: History, across: Across, x: float) -> tuple[str, float] | None:
    """The model's latency at a place on the axis, as text and in seconds."""
    curve = history.model_curve()
    if not len(curve.trials):
        return None
    place = max(0, int(np.searchsorted(along(curve, across), x, side="right")) - 1)
    latency_s = float(curve.latency_s[place])
    model = tr("model {latency}", latency=format_seconds(latency_s, DIGITS))
    trial, since = int(curve.trials[place]), tr("untuned")
    if trial:
        moment = _moment(trial, float(curve.elapsed_s[place]))
        since = tr("since {moment}", moment=moment)
    return f"{model}\n{since}", latency_s


def describe_task(
    history: History, task: int, across: Across, x: float
) -> tuple[str, float] | None:
    """A task's best so far at a place on the axis, as text and in seconds."""
    curve, untuned_s = history.best_so_far(task), history.untuned(task)
    place = int(np.searchsorted(along(curve, across), x, side="right")) - 1
    if place >= 0 and (untuned_s is None or curve.latency_s[place] < untuned_s):
        latency_s = float(curve.latency_s[place])
        moment = _moment(int(curve.trials[place]), float(curve.elapsed_s[place]))
        latency = format_seconds(latency_s, DIGITS)
        text = tr("{latency} best so far, {moment}", latency=latency, moment=moment)
    elif untuned_s is not None:
        latency_s = untuned_s
        text = tr("{time} untuned", time=format_seconds(latency_s, DIGITS))
    else:
        return None
    return f"{history.name(task)}\n{text}", latency_s


def describe_trial(history: History, task: int, number: int) -> str:
    """One trial: its latency and spread, or how it failed."""
    log = history.log(task)
    row = log.row(number)
    moment = _moment(number, log.elapsed_s[row])
    error = log.error(number)
    if error is not None:
        return f"{history.name(task)}\n{tr(error.value)}, {moment}"
    spread = f" ± {format_seconds(log.spread_s[row], 2)}" if log.spread_s[row] else ""
    latency = f"{format_seconds(log.latency_s[row], DIGITS)}{spread}"
    confirmed = log.confirmed(number)
    lines = [history.name(task), f"{latency}, {moment}"]
    if confirmed:
        lines.append(tr("{latency} confirmed", latency=format_seconds(confirmed, DIGITS)))
    return "\n".join(lines)


def summary(history: History) -> str:
    """The model in one line: what its kernels took together untuned, and what they take now.

    No ratio: how many times faster the model is, the scoreboard says of the whole.
    """
    untuned_s, now_s = history.untuned_s(), history.now_s()
    if now_s is None or math.isinf(now_s):
        return ""
    if untuned_s is None or not now_s:
        return format_seconds(now_s, 4)
    return f"{format_seconds(untuned_s, 4)} → {format_seconds(now_s, 4)}"


def _moment(trial: int, elapsed_s: float) -> str:
    return tr("trial {number} at {time}", number=f"{trial:,}", time=clock(elapsed_s))


_CONVERGENCE = ("series", "task", "trial", "elapsed_s", "latency_s", "spread_s", "error")


def convergence_sheet(history: History, selected: int | None) -> Sheet:
    """The changes of the model and of each task, and all trials of the selected task."""
    return Sheet(_CONVERGENCE, _convergence_rows(history, selected))


def _convergence_rows(history: History, selected: int | None) -> Iterator[tuple[Any, ...]]:
    yield from _changes("model", "", history.model_curve())
    for task in history.tasks:
        untuned_s = history.untuned(task.index)
        if untuned_s is not None:
            yield ("untuned", task.name, 0, 0.0, untuned_s, None, "")
        yield from _changes("best so far", task.name, history.best_so_far(task.index))
    if selected is not None:
        log, name = history.log(selected), history.name(selected)
        for row, number in enumerate(log.numbers):
            error = log.error(number)
            text = "" if error is None else error.value
            at, latency_s, spread_s = log.elapsed_s[row], log.latency_s[row], log.spread_s[row]
            yield ("trial", name, number, at, latency_s, spread_s or None, text)


def _changes(series: str, name: str, curve: Curve) -> Iterator[tuple[Any, ...]]:
    columns = (curve.trials.tolist(), curve.elapsed_s.tolist(), curve.latency_s.tolist())
    for trial, elapsed_s, latency_s in zip(*columns, strict=True):
        yield (series, name, trial, elapsed_s, latency_s, None, "")
