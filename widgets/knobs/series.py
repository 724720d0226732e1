"""The numbers and sentences of the view of knobs; nothing here draws."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from engine.history.history import Floats, Ints
from engine.passes.knobs import KnobColumn, KnobStudy
from engine.records.units import format_seconds, format_share
from widgets.look.language import QT_TR_NOOP, tr
from widgets.look.units import known
from widgets.parts.column_model import Array, Column, whole
from widgets.parts.exporting import Sheet

GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0
BEST_SHARE, MOST_BEST = 10, 20
SPREAD, LINE_SPREAD = 0.6, 0.03  # of the distance of two values, of the height of an axis
_TELLING = 0.05  # a share below it is not worth a sentence

COLUMNS = (
    Column("knob", QT_TR_NOOP("Knob"), QT_TR_NOOP("What schedules choose"), str, numeric=False),
    Column("importance", QT_TR_NOOP("Importance"),
           QT_TR_NOOP("Part of the variance of log latency that lies between its values, "
                      "corrected for how many there are"),
           known(format_share), bar=True),
    Column("values", QT_TR_NOOP("Values"), QT_TR_NOOP("How many values were tried"), whole),
    Column("best", QT_TR_NOOP("Best"), QT_TR_NOOP("Its value in the fastest trial"), str,
           numeric=False),
)  # fmt: skip


def knob_columns(study: KnobStudy) -> tuple[Array, dict[str, Array]]:
    """Rows of the table by the places of the knobs in the study."""
    knobs = study.knobs
    shares = [math.nan if knob.importance is None else knob.importance for knob in knobs]
    return np.arange(len(knobs)), {
        "knob": _texts([knob.name for knob in knobs]),
        "importance": np.array(shares, np.float64),
        "values": np.array([len(knob.texts) for knob in knobs], np.int64),
        "best": _texts([study.best_text(knob) for knob in knobs]),
    }


def knob_sentence(study: KnobStudy, task: str) -> str:
    """What the study comes to, in one line."""
    if not len(study.numbers):
        return tr("{task}: no trial with a latency can be read.", task=task)
    trials = tr("%n trials", "", len(study.numbers))
    first = study.knobs[0] if study.knobs else None
    if first is None:
        return tr("{task}: no knob has two values ({trials}).", task=task, trials=trials)
    if first.importance is None:
        return tr(
            "{task}: too few trials to tell which knob matters ({trials}).",
            task=task,
            trials=trials,
        )
    if first.importance < _TELLING:
        return tr(
            "{task}: no knob by itself explains how its latencies vary ({trials}).",
            task=task,
            trials=trials,
        )
    return tr(
        "{task}: {knob} explains {share} of how its latencies vary ({trials}).",
        task=task,
        knob=first.name,
        share=format_share(first.importance),
        trials=trials,
    )


def best_rows(study: KnobStudy) -> Ints:
    """The rows of the fastest tenth of the trials, twenty at most."""
    count = min(max(len(study.numbers) // BEST_SHARE, 1), MOST_BEST)
    return study.by_latency[:count]


def apart(numbers: Ints) -> Floats:
    """A place in [-0.5, 0.5) for each trial: always the same, and far from its neighbours'."""
    return np.asarray(numbers * GOLDEN % 1.0 - 0.5, np.float64)


def scatter_x(study: KnobStudy, knob: KnobColumn) -> Floats:
    """Where trials are over the values 0, 1, 2 ... of a knob; NaN where they have none."""
    return np.where(knob.codes >= 0, knob.codes + SPREAD * apart(study.numbers), np.nan)


def median_lines(study: KnobStudy, knob: KnobColumn) -> tuple[Floats, Floats]:
    """Level pieces at the median latency (s) of each value, NaN between them."""
    medians_s = study.medians_s(knob)
    places = np.arange(len(medians_s), dtype=np.float64)
    gap = np.full(len(medians_s), np.nan)
    half = SPREAD / 2
    x = np.column_stack([places - half, places + half, gap]).ravel()
    return x, np.column_stack([medians_s, medians_s, gap]).ravel()


def heights(study: KnobStudy, knobs: Sequence[KnobColumn]) -> Floats:
    """How high each trial (row) is on each axis (column), in about [0, 1]: values in their order,
    and in the last column latency by its logarithm. NaN where a trial has no such knob."""
    shift = LINE_SPREAD * apart(study.numbers)
    columns = [
        np.where(knob.codes >= 0, knob.codes / (len(knob.texts) - 1) + shift, np.nan)
        for knob in knobs
    ]
    return np.column_stack([*columns, latency_heights(study.latency_s, study.latency_s)])


def latency_heights(latency_s: Floats, among_s: Floats) -> Floats:
    """Where latencies are on an axis that reaches from the least to the largest of others."""
    low, high = np.log10(among_s.min()), np.log10(among_s.max())
    if not high > low:
        return np.full(len(latency_s), 0.5)
    places: Floats = (np.log10(latency_s) - low) / (high - low)
    return places


def lines(high: Floats) -> tuple[Floats, Floats]:
    """The lines through all axes of these trials, one after the other, NaN between them."""
    gap = np.full((len(high), 1), np.nan)
    x = np.tile(np.append(np.arange(high.shape[1], dtype=np.float64), np.nan), len(high))
    return x, np.hstack([high, gap]).ravel()


def nearest_line(high: Floats, x: float, y: float) -> tuple[int, float] | None:
    """The row whose line is nearest to a point, and how far above or below; None: none is there."""
    last = high.shape[1] - 1
    place = min(max(x, 0.0), float(last))
    axis = int(place)
    between = high[:, axis]
    if place > axis:
        between = between + (place - axis) * (high[:, axis + 1] - between)
    away = np.abs(between - y)
    if np.isnan(away).all():
        return None
    row = int(np.nanargmin(away))
    return row, float(away[row])


def describe_trial(study: KnobStudy, row: int, knobs: Sequence[KnobColumn]) -> str:
    """A trial with its exact latency and its values of some knobs, a line each."""
    head = tr("trial {number}", number=f"{study.numbers[row]:,}")
    values = [f"{knob.name}: {value_of(knob, row)}" for knob in knobs]
    return "\n".join([f"{head}: {format_seconds(float(study.latency_s[row]), 5)}", *values])


def value_of(knob: KnobColumn, row: int) -> str:
    """A trial's value of a knob, a word where it has none."""
    code = int(knob.codes[row])
    return knob.texts[code] if code >= 0 else tr("none", "value of a knob")


def study_sheet(study: KnobStudy) -> Sheet:
    """The exact values: a row a trial, a column a knob."""
    header = ("trial", "latency_s", *(knob.name for knob in study.knobs))
    return Sheet(header, _rows(study))


def _rows(study: KnobStudy) -> Iterator[tuple[object, ...]]:
    for row, (number, latency_s) in enumerate(
        zip(study.numbers.tolist(), study.latency_s.tolist(), strict=True)
    ):
        values = (
            knob.texts[code] if (code := int(knob.codes[row])) >= 0 else None
            for knob in study.knobs
        )
        yield (number, latency_s, *values)


def _texts(texts: Sequence[str]) -> Array:
    column = np.empty(len(texts), object)
    column[:] = texts
    return column
