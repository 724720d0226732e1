"""The table of ways to schedule the program: predicted, measured, against sequential."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor

from engine.records.schedule import FoundSchedule, WayResult
from engine.records.words import way_name
from widgets.look.language import QT_TR_NOOP, tr
from widgets.look.theme import theme
from widgets.look.units import format_bytes, format_ratio, format_seconds, known
from widgets.parts.column_model import Array, Column, ColumnModel
from widgets.parts.table import Table

EMPTY = QT_TR_NOOP("No way was measured end to end: press Find stages.")
CHOSEN, OTHER = QT_TR_NOOP("● chosen"), ""
_WIDTHS = (150, 76, 76, 76, 62, 56, 76)


def _speed_color(value: Any) -> QColor | None:
    return theme().warning if value < 0.995 else None


def _mark(value: Any) -> str:
    return tr(value) if value else ""


COLUMNS = (
    Column("way", QT_TR_NOOP("Way"), QT_TR_NOOP("How the operators are put into stages"), tr,
           plain=str, numeric=False),
    Column("chosen", "", QT_TR_NOOP("What an export runs"), _mark, plain=str,
           numeric=False, color=lambda _: theme().good),
    Column("measured", QT_TR_NOOP("Measured"),
           QT_TR_NOOP("The whole program, end to end, in turns with all other ways"),
           known(format_seconds), exact=known(lambda s: format_seconds(s, 5))),
    Column("predicted", QT_TR_NOOP("Predicted"),
           QT_TR_NOOP("The sum of its stages' latencies"), known(format_seconds),
           exact=known(lambda s: format_seconds(s, 5))),
    Column("speed", QT_TR_NOOP("Speed"),
           QT_TR_NOOP("Latency of sequential / latency of this way: measured where both are, "
                      "else predicted"),
           known(format_ratio),
           exact=known(lambda r: f"{r:.5f}x"), color=_speed_color),
    Column("stages", QT_TR_NOOP("Stages"),
           QT_TR_NOOP("Steps between which all groups wait for each other"),
           known(lambda n: f"{int(n):,}")),
    Column("peak", QT_TR_NOOP("Memory"),
           QT_TR_NOOP("What the tensors between operators take at most"), known(format_bytes),
           exact=known(lambda n: f"{int(n):,} B")),
)  # fmt: skip


def ways_table(model: ColumnModel) -> Table:
    """The table, in the order of the ways."""
    table = Table(model, tr("Ways to schedule"), tr(EMPTY), _WIDTHS)
    table.setTextElideMode(Qt.TextElideMode.ElideRight)
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
