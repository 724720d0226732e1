"""The numbers and sentences of the transfer view; nothing here draws."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePath

import numpy as np

from engine.history.history import Floats, Ints
from engine.passes.matrix import Attempt, DonorShare, TaskTransfer, Transfer
from engine.records.units import UNKNOWN, format_seconds, format_share
from widgets.look.language import QT_TR_NOOP, tr
from widgets.parts.column_model import Array

FAILED = -1.0
"""Stands in a cell of the heat map for a donor of which no trial could be measured."""


class Outcome(StrEnum):
    """What came of a donor on a task."""

    USED = QT_TR_NOOP("used")
    FASTER = QT_TR_NOOP("faster than untuned")
    SLOWER = QT_TR_NOOP("no faster than untuned")
    MEASURED = QT_TR_NOOP("measured")
    FAILED = QT_TR_NOOP("failed")


OUTCOMES = tuple(Outcome)
_SHAPES = {
    Outcome.USED: "●",
    Outcome.FASTER: "◇",
    Outcome.SLOWER: "○",
    Outcome.MEASURED: "○",
    Outcome.FAILED: "✕",
}


@dataclass(frozen=True, slots=True)
class Heat:
    """Shares of the full gain in [0, 1]: a row for each model, then for each task.

    The full gain is that from untuned to now, whatever gave it. `ids` are the tasks' indices and
    below zero for models. A cell is NaN where the donor was not tried, FAILED where it failed.
    """

    ids: Ints
    names: tuple[str, ...]
    donors: tuple[str, ...]
    shares: Floats


def build_heat(found: Transfer) -> Heat:
    """The matrix of a project: a row for its model, then one for each task."""
    donors = tuple(donor.model for donor in found.donors)
    rows = [[_model_share(donor) for donor in found.donors]]
    rows += [_task_row(task, donors) for task in found.tasks]
    ids = [-1, *(task.task for task in found.tasks)]
    names = (tr("model {name}", name=found.model), *(task.name for task in found.tasks))
    shares = np.array(rows, np.float64).reshape(len(ids), len(donors))
    return Heat(np.array(ids, np.int64), names, donors, shares)


def _model_share(donor: DonorShare) -> float:
    if donor.failed == donor.attempts:
        return FAILED
    return math.nan if donor.share is None else donor.share


def _task_row(task: TaskTransfer, donors: Sequence[str]) -> list[float]:
    return [task_share(task, [a for a in task.attempts if a.model == model]) for model in donors]


def task_share(task: TaskTransfer, attempts: Sequence[Attempt]) -> float:
    """The part of a task's gain that the best of some attempts alone would give."""
    known = [attempt.latency_s for attempt in attempts if attempt.latency_s is not None]
    if attempts and not known:
        return FAILED
    if not known or task.untuned_s is None or task.now_s is None:
        return math.nan
    full_s, own_s = task.untuned_s - task.now_s, task.untuned_s - min(known)
    return min(max(own_s / full_s, 0.0), 1.0) if full_s > 0 else 0.0


def cell_text(share: float) -> str:
    """A cell of the heat map."""
    if math.isnan(share):
        return "·"
    return tr("✕ failed") if share == FAILED else format_share(share)


def describe_cell(heat: Heat, row: int, column: int) -> str:
    """A cell of the heat map in a sentence."""
    share, donor, name = float(heat.shares[row, column]), heat.donors[column], heat.names[row]
    if math.isnan(share):
        return tr(
            "{donor} was not tried on {name}, or its gain is unknown.", donor=donor, name=name
        )
    if share == FAILED:
        return tr("No schedule of {donor} could be measured on {name}.", donor=donor, name=name)
    return tr(
        "Schedules of {donor} alone would give {share} of the gain of {name}.",
        donor=donor,
        share=format_share(share),
        name=name,
    )


def outcome_of(attempt: Attempt) -> Outcome:
    """What came of a donor."""
    if attempt.best:
        return Outcome.USED
    if attempt.latency_s is None:
        return Outcome.FAILED
    if attempt.gain is None:
        return Outcome.MEASURED
    return Outcome.FASTER if attempt.gain > 0.0 else Outcome.SLOWER


def outcome_label(outcome: Outcome) -> str:
    """The outcome's shape and word."""
    return f"{_SHAPES[outcome]} {tr(outcome.value)}"


def donor_text(attempt: Attempt) -> str:
    """The donor's own latency, which is none of this device: always with where it was measured."""
    if attempt.donor_latency_s is None:
        return UNKNOWN
    time = format_seconds(attempt.donor_latency_s)
    return tr("{time} measured on {target}", time=time, target=attempt.target)


def attempt_columns(found: Transfer) -> tuple[Ints, dict[str, Array]]:
    """Rows by trial number, and their columns."""
    pairs = [(task, attempt) for task in found.tasks for attempt in task.attempts]
    here = [attempt.latency_s for _, attempt in pairs]
    latency_s = np.array([math.nan if s is None else s for s in here], np.float64)
    now_s = [math.nan if task.now_s is None else task.now_s for task, _ in pairs]
    gains = [math.nan if a.gain is None else 1.0 + a.gain for _, a in pairs]
    outcomes = [
        (attempt.error.value if attempt.error else "") or outcome_of(attempt)
        for _, attempt in pairs
    ]
    return np.array([attempt.trial for _, attempt in pairs], np.int64), {
        "task": np.array([task.name for task, _ in pairs], object),
        "model": np.array([attempt.model for _, attempt in pairs], object),
        "donor_task": np.array([attempt.donor_task for _, attempt in pairs], object),
        "place": np.array([attempt.place for _, attempt in pairs], object),
        "trial": np.array([attempt.trial for _, attempt in pairs], np.int64),
        "here": latency_s,
        "untuned": np.array(gains, np.float64),
        "best": np.array(now_s, np.float64) / latency_s,
        "outcome": np.array(outcomes, object),
        "donor": np.array([donor_text(attempt) for _, attempt in pairs], object),
        "of": np.array([task.task for task, _ in pairs], np.int64),
    }


def place_text(place: str) -> str:
    """The file's name without its folders."""
    return PurePath(place).name or place


def transfer_sentence(found: Transfer) -> str:
    """What transfer gave, in words."""
    attempts = [attempt for task in found.tasks for attempt in task.attempts]
    used = sum(attempt.best for attempt in attempts)
    failed = sum(attempt.error is not None for attempt in attempts)
    tried = tr(
        "{schedules} of {models} tried on {tasks}",
        schedules=tr("%n schedules", "", len(attempts)),
        models=tr("%n models", "", len(found.donors)),
        tasks=tr("%n tasks", "", len(found.tasks)),
    )
    parts = [tried, tr("used by {count}", count=f"{used:,}") if used else tr("none is used")]
    if failed:
        parts.append(tr("{count} failed", count=f"{failed:,}"))
    text = f"{', '.join(parts)}."
    if found.share is None:
        return text
    alone = tr("Alone they would give {share} of the gain so far.", share=format_share(found.share))
    return f"{text} {alone}"
