"""What Droplet tried: neighbours that were compared in turns, and those measured once."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from engine.jobs.steps.steps import DropletOptions, options_of
from engine.records.errors import UsageError
from engine.records.settings import RunSettings
from engine.records.space import Move
from engine.records.trial import Trial
from widgets.look.language import QT_TR_NOOP, tr

LEVEL = DropletOptions().p_value


class Outcome(StrEnum):
    """What came of a neighbour."""

    ACCEPTED = QT_TR_NOOP("accepted")
    PASSED_OVER = QT_TR_NOOP("not the best")
    UNSURE = QT_TR_NOOP("not significant")
    SLOWER = QT_TR_NOOP("no faster")
    OPEN = QT_TR_NOOP("not compared")
    FAILED = QT_TR_NOOP("failed")


OUTCOMES = tuple(Outcome)
_SHAPES = {
    Outcome.ACCEPTED: "●",
    Outcome.PASSED_OVER: "△",
    Outcome.UNSURE: "◇",
    Outcome.SLOWER: "○",
    Outcome.OPEN: "□",
    Outcome.FAILED: "✕",
}


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A trial `end` beside the trial `start`, and what came of it.

    `gain` is start's latency over end's, less 1: by samples taken in turns where there is a
    `p_value`, else by one measurement; NaN after a failure. `id` tells rows apart: the number of
    the Move, or the trial's below zero. `at_s` is tuning time.
    """

    id: int
    run: int
    start: int
    end: int
    axis: str
    gain: float
    p_value: float | None
    accepted: bool
    at_s: float
    error: str = ""


def neighbours_of(
    moves: Iterable[Move], trials: Iterable[Trial], latency_of: Callable[[int], float]
) -> tuple[Neighbour, ...]:
    """All that was tried of one task, in the order of time.

    Most neighbours are slower at once and are never compared: they are `trials` without a Move.
    `latency_of` gives a trial's latency in seconds, NaN where it is unknown.
    """
    compared = [_compared(move) for move in moves]
    known = {move.end for move in compared}
    once = [_once(trial, latency_of) for trial in trials if trial.number not in known]
    return tuple(sorted([*compared, *once], key=lambda each: (each.at_s, each.id > 0, each.id)))


def _compared(move: Move) -> Neighbour:
    return Neighbour(
        move.number,
        move.run,
        move.start,
        move.end,
        move.axis,
        move.gain,
        move.p_value,
        move.accepted,
        move.elapsed_s,
    )


def _once(trial: Trial, latency_of: Callable[[int], float]) -> Neighbour:
    """A trial with the origin of one of Droplet's, which may come from a stranger's file."""
    start, axis = trial.origin.get("from"), trial.origin.get("axis")
    start = start if type(start) is int else 0
    valid = math.isfinite(trial.latency_s) and trial.latency_s > 0
    return Neighbour(
        -trial.number,
        trial.run,
        start,
        trial.number,
        axis if type(axis) is str else tr("unknown"),
        latency_of(start) / trial.latency_s - 1.0 if valid else math.nan,
        None,
        False,
        trial.elapsed_s,
        trial.error.value if trial.error else "",
    )


def outcomes(step: Sequence[Neighbour], level: float = LEVEL) -> list[Outcome]:
    """What came of each neighbour of one point; significant is a p-value up to `level`."""
    gone = any(each.accepted for each in step)
    return [_outcome(each, gone, level) for each in step]


def _outcome(each: Neighbour, gone: bool, level: float) -> Outcome:
    if each.accepted:
        return Outcome.ACCEPTED
    if each.error:
        return Outcome.FAILED
    if each.gain < 0.0:
        return Outcome.SLOWER
    if each.p_value is None or (each.gain == 0.0 and each.p_value == 1.0):
        return Outcome.OPEN  # samples were too few for a test
    if each.gain <= 0.0:
        return Outcome.SLOWER
    return Outcome.PASSED_OVER if gone and each.p_value <= level else Outcome.UNSURE


def outcome_label(outcome: Outcome) -> str:
    """The outcome's shape, as the plot draws it, and word."""
    return f"{_SHAPES[outcome]} {tr(outcome.value)}"


def level_of(settings: RunSettings | None) -> float:
    """Up to which p-value a run's Droplet calls a gain significant."""
    steps = settings.steps if settings else ()
    try:
        options = [options_of(step) for step in steps if step.kind == "droplet"]
    except UsageError:
        return LEVEL
    return float(options[-1].p_value) if options else LEVEL
