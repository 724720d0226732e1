"""The table of donors tried: what each gave here, and which is used."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from PySide6.QtGui import QColor

from engine.measure.trial import ErrorKind
from widgets.column_model import Column, ColumnModel
from widgets.table import Table
from widgets.theme import theme
from widgets.transfer_series import Outcome, outcome_label, place_text
from widgets.units import UNKNOWN, format_ratio, format_seconds, format_share

EMPTY = "No donors tried on this task: untick the box for those of all tasks."
_WIDTHS = (140, 100, 140, 120, 56, 76, 76, 80, 160, 260)


def _known(show: Callable[[float], str]) -> Callable[[Any], str]:
    return lambda value: UNKNOWN if math.isnan(value) else show(float(value))


def _short(name: Any) -> str:
    return str(name).removeprefix("fused_")


def _outcome(value: Any) -> str:
    return outcome_label(value) if isinstance(value, Outcome) else f"✕ {value}"


def _outcome_color(value: Any) -> QColor | None:
    colors = theme()
    if value in list(ErrorKind) or value is Outcome.FAILED:
        return colors.error
    return {Outcome.USED: colors.good, Outcome.FASTER: colors.accent}.get(value, colors.muted)


COLUMNS = (
    Column("task", "Task", "The task of this model", _short, exact=str, numeric=False),
    Column("model", "Donor", "The model that the schedule was made for", str, numeric=False),
    Column("donor_task", "Its task", "The donor's task", _short, exact=str, numeric=False),
    Column("place", "From", "The file that the donor is in", place_text, exact=str, numeric=False),
    Column("trial", "Trial", "The trial that measured it here", lambda n: f"{int(n):,}"),
    Column("here", "Here", "Latency of the task with this schedule, measured on this device",
           _known(format_seconds), exact=_known(lambda s: format_seconds(s, 5))),
    Column("untuned", "Speed-up", "Untuned latency / latency here", _known(format_ratio),
           exact=_known(lambda r: f"{r:.5f}x")),
    Column("best", "Of best", "The task's latency now / latency here: a full bar is the best",
           _known(format_share), bar=True),
    Column("outcome", "Outcome", "Whether the task is compiled with it", _outcome,
           numeric=False, color=_outcome_color),
    Column("donor", "Donor's own", "Measured for the donor, on the device named; "
           "it says nothing about this one", str, numeric=False,
           color=lambda _: theme().muted),
)  # fmt: skip


def attempts_table(model: ColumnModel) -> Table:
    """The table of donors tried, by trial number."""
    table = Table(model, "Donors tried", EMPTY)
    for place, pixels in enumerate(_WIDTHS):
        table.setColumnWidth(place, pixels)
    table.horizontalHeader().setStretchLastSection(True)
    return table
