"""The two tables of the Droplet view: the polished tasks, and the neighbours of one of them."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor

from engine.records.units import format_ratio
from widgets.droplet.neighbours import OUTCOMES, Outcome, outcome_label
from widgets.droplet.series import NO_IMPROVEMENT, gain_text, p_text
from widgets.look.language import QT_TR_NOOP, tr
from widgets.look.theme import theme
from widgets.parts.column_model import Column, ColumnModel, whole
from widgets.parts.table import Table

EMPTY = QT_TR_NOOP("Nothing tried yet: press Droplet.")
_WIDTHS = (40, 146, 80, 66, 66, 62, 116)
_POLISHED_WIDTHS = (116, 88, 76, 46)


def outcome_color(outcome: Outcome) -> QColor:
    """The outcome's colour in the theme in force."""
    colors = theme()
    by_outcome = {
        Outcome.ACCEPTED: colors.good,
        Outcome.PASSED_OVER: colors.accent,
        Outcome.UNSURE: colors.warning,
        Outcome.FAILED: colors.error,
    }
    return by_outcome.get(outcome, colors.muted)


def _outcome_color(code: Any) -> QColor | None:
    return outcome_color(OUTCOMES[int(code)])


def _ratio(value: Any) -> str:
    return format_ratio(float(value)) if value > 1.0 else tr("none found")


def _exact_ratio(value: Any) -> str:
    return f"{value:.5f}x" if value > 1.0 else tr(NO_IMPROVEMENT)


TRIED_COLUMNS = (
    Column("step", QT_TR_NOOP("Step"),
           QT_TR_NOOP("The neighbours of a step are those of one point"), whole),
    Column("axis", QT_TR_NOOP("Decision"), QT_TR_NOOP("The decision that differs"), str,
           numeric=False),
    Column("start", QT_TR_NOOP("From trial"),
           QT_TR_NOOP("The trial of the point that Droplet stood on"), whole),
    Column("end", QT_TR_NOOP("To trial"), QT_TR_NOOP("The trial of the neighbour"), whole),
    Column("gain", QT_TR_NOOP("Gain"),
           QT_TR_NOOP("Latency before over latency after, less 1: measured in turns where there "
                      "is a p-value, else once"), lambda gain: gain_text(float(gain))),
    Column("p_value", QT_TR_NOOP("p-value"),
           QT_TR_NOOP("How likely such a gain would be by chance if the neighbour were no "
                      "faster; slower ones are not compared"), lambda p: p_text(float(p))),
    Column("outcome", QT_TR_NOOP("Outcome"), QT_TR_NOOP("Whether Droplet went there"),
           lambda code: outcome_label(OUTCOMES[int(code)]), numeric=False, color=_outcome_color,
           plain=lambda code: OUTCOMES[int(code)].value),
)  # fmt: skip
POLISHED_COLUMNS = (
    Column("name", QT_TR_NOOP("Task"), QT_TR_NOOP("The task that Droplet polished"), str,
           numeric=False),
    Column("ratio", QT_TR_NOOP("Gain"), QT_TR_NOOP("All accepted moves together"), _ratio,
           exact=_exact_ratio),
    Column("accepted", QT_TR_NOOP("Accepted"), QT_TR_NOOP("Neighbours that Droplet went to"),
           whole),
    Column("tried", QT_TR_NOOP("Tried"), QT_TR_NOOP("Neighbours tried, failed ones included"),
           whole),
)  # fmt: skip


def tried_table(model: ColumnModel) -> Table:
    """The table of one task's neighbours."""
    table = Table(model, tr("Neighbours tried"), tr(EMPTY), _WIDTHS)
    table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
    table.horizontalHeader().setStretchLastSection(True)
    return table


def polished_table(model: ColumnModel) -> Table:
    """The table of the tasks that Droplet worked on."""
    table = Table(model, tr("Polished tasks"), tr(EMPTY), _POLISHED_WIDTHS)
    table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
    return table
