"""The table of ways to schedule the program: predicted, measured, against sequential."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor

from engine.ios.found import FoundSchedule, WayResult
from engine.words import way_name
from widgets.column_model import Array, Column, ColumnModel
from widgets.table import Table
from widgets.theme import theme
from widgets.units import UNKNOWN, format_bytes, format_ratio, format_seconds

EMPTY = "No way was measured end to end: press Find stages."
CHOSEN, OTHER = "● chosen", ""
_WIDTHS = (132, 76, 76, 76, 62, 56, 76)


def _seconds(value: Any) -> str:
    return format_seconds(float(value))


def _exact_seconds(value: Any) -> str:
    return format_seconds(float(value), 5)


def _count(value: Any) -> str:
    return UNKNOWN if math.isnan(value) else f"{int(value):,}"


def _bytes(value: Any) -> str:
    return UNKNOWN if math.isnan(value) else format_bytes(float(value))


def _exact_bytes(value: Any) -> str:
    return UNKNOWN if math.isnan(value) else f"{int(value):,} B"


def _speed_color(value: Any) -> QColor | None:
    return theme().warning if value < 0.995 else None


COLUMNS = (
    Column("way", "Way", "How the operators are put into stages", str, numeric=False),
    Column("chosen", "", "What an export runs", str, numeric=False,
           color=lambda _: theme().good),
    Column("measured", "Measured", "The whole program, end to end, in turns with all other ways",
           _seconds, exact=_exact_seconds),
    Column("predicted", "Predicted", "The sum of its stages' latencies", _seconds,
           exact=_exact_seconds),
    Column("speed", "Speed", "Latency of sequential / latency of this way: measured where both "
           "are, else predicted", lambda r: format_ratio(float(r)),
           exact=lambda r: UNKNOWN if math.isnan(r) else f"{r:.5f}x", color=_speed_color),
    Column("stages", "Stages", "Steps between which all groups wait for each other", _count),
    Column("peak", "Memory", "What the tensors between operators take at most", _bytes,
           exact=_exact_bytes),
)  # fmt: skip


def ways_table(model: ColumnModel) -> Table:
    """The table, in the order of the ways."""
    table = Table(model, "Ways to schedule", EMPTY)
    table.setTextElideMode(Qt.TextElideMode.ElideRight)
    for place, pixels in enumerate(_WIDTHS):
        table.setColumnWidth(place, pixels)
    return table


def ways_columns(found: FoundSchedule) -> tuple[Array, dict[str, Array]]:
    """Identities and columns of the rows, one a way."""
    ways = found.ways
    before = next((each for each in ways if each.way == "sequential"), None)
    names = [way_name(each.way) for each in ways]
    marks = [CHOSEN if each.way == found.way else OTHER for each in ways]
    return np.arange(len(ways), dtype=np.int64), {
        "way": np.array(names, object),
        "chosen": np.array(marks, object),
        "measured": _floats([each.measured_s for each in ways]),
        "predicted": _floats([each.predicted_s for each in ways]),
        "speed": _floats([speed(each, before) for each in ways]),
        "stages": _floats([each.stages for each in ways]),
        "peak": _floats([each.peak_bytes for each in ways]),
    }


def speed(way: WayResult, before: WayResult | None) -> float | None:
    """How many times faster than the sequential program, None where it cannot be told."""
    if before is None:
        return None
    if before.measured_s and way.measured_s:
        return before.measured_s / way.measured_s
    if before.predicted_s and way.predicted_s:
        return before.predicted_s / way.predicted_s
    return None


def _floats(values: Sequence[float | None]) -> Array:
    return np.array([math.nan if value is None else value for value in values], np.float64)
