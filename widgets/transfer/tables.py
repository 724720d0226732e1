"""The table of donors tried: what each gave here, and which is used."""

from __future__ import annotations

from typing import Any

from PySide6.QtGui import QColor

from engine.records.trial import ErrorKind
from widgets.look.language import QT_TR_NOOP, tr
from widgets.look.theme import theme
from widgets.look.units import format_ratio, format_seconds, format_share, known
from widgets.parts.column_model import Column, ColumnModel
from widgets.parts.table import Table
from widgets.transfer.series import Outcome, outcome_label, place_text

EMPTY = QT_TR_NOOP("No donors tried on this task: untick the box for those of all tasks.")
_WIDTHS = (140, 100, 140, 120, 56, 76, 76, 80, 160, 260)


def _short(name: Any) -> str:
    return str(name).removeprefix("fused_")


def _outcome(value: Any) -> str:
    return outcome_label(value) if isinstance(value, Outcome) else f"✕ {tr(str(value))}"


def _outcome_color(value: Any) -> QColor | None:
    colors = theme()
    if value in list(ErrorKind) or value is Outcome.FAILED:
        return colors.error
    return {Outcome.USED: colors.good, Outcome.FASTER: colors.accent}.get(value, colors.muted)


COLUMNS = (
    Column("task", QT_TR_NOOP("Task"),
           QT_TR_NOOP("The task of this model"),
           _short, exact=str, numeric=False),
    Column("model", QT_TR_NOOP("Donor"),
           QT_TR_NOOP("The model that the schedule was made for"),
           str, numeric=False),
    Column("donor_task", QT_TR_NOOP("Its task"),
           QT_TR_NOOP("The donor's task"),
           _short, exact=str, numeric=False),
    Column("place", QT_TR_NOOP("From"),
           QT_TR_NOOP("The file that the donor is in"),
           place_text, exact=str, numeric=False),
    Column("trial", QT_TR_NOOP("Trial"),
           QT_TR_NOOP("The trial that measured it here"),
           lambda n: f"{int(n):,}"),
    Column("here", QT_TR_NOOP("Here"),
           QT_TR_NOOP("Latency of the task with this schedule, measured on this device"),
           known(format_seconds), exact=known(lambda s: format_seconds(s, 5))),
    Column("untuned", QT_TR_NOOP("Speed-up"),
           QT_TR_NOOP("Untuned latency / latency here"),
           known(format_ratio),
           exact=known(lambda r: f"{r:.5f}x")),
    Column("best", QT_TR_NOOP("Of best"),
           QT_TR_NOOP("The task's latency now / latency here: a full bar is the best"),
           known(format_share), bar=True),
    Column("outcome", QT_TR_NOOP("Outcome"),
           QT_TR_NOOP("Whether the task is compiled with it"),
           _outcome, plain=str,
           numeric=False, color=_outcome_color),
    Column("donor", QT_TR_NOOP("Donor's own"),
           QT_TR_NOOP("Measured for the donor, on the device named; it says nothing about this "
                      "one"),
           str, numeric=False,
           color=lambda _: theme().muted),
)  # fmt: skip


def attempts_table(model: ColumnModel) -> Table:
    """The table of donors tried, by trial number."""
    table = Table(model, tr("Donors tried"), tr(EMPTY))
    for place, pixels in enumerate(_WIDTHS):
        table.setColumnWidth(place, pixels)
    table.horizontalHeader().setStretchLastSection(True)
    return table
