"""The table of what a pass gave: a row a task, before and after."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QHeaderView

from engine.history.before_after import BeforeAfter, Row
from engine.records import words
from widgets.look.language import QT_TR_NOOP, tr
from widgets.look.theme import theme
from widgets.look.units import format_ratio, format_seconds, known
from widgets.parts.column_model import Array, Column, ColumnModel
from widgets.parts.table import Table

EMPTY = QT_TR_NOOP("No trials yet: what the pass gives each task appears here.")
SURE = 0.005


def _gain_color(gain: Any) -> QColor | None:
    if math.isnan(gain) or abs(gain - 1) < SURE:
        return theme().muted
    return theme().good if gain > 1 else theme().error


def _latency(key: str, title: str, tip: str) -> Column:
    exact = known(lambda s: format_seconds(s, 5))
    return Column(key, title, tip, known(format_seconds), exact=exact)


COLUMNS = (
    Column("name", QT_TR_NOOP("Task"), QT_TR_NOOP("The task's name in the lowered program"), str,
           numeric=False),
    _latency("before", QT_TR_NOOP("Before"), QT_TR_NOOP("Latency of one call before the run")),
    _latency("after", QT_TR_NOOP("After"), QT_TR_NOOP("Latency of one call after the run")),
    Column("gain", QT_TR_NOOP("Gain"), QT_TR_NOOP("Latency before / latency after"),
           known(format_ratio), color=_gain_color),
    Column("trials", QT_TR_NOOP("Trials"), QT_TR_NOOP("Candidates that the run tried"),
           lambda n: f"{int(n):,}"),
    Column("source", QT_TR_NOOP("Source"),
           QT_TR_NOOP("What proposed the schedule that the run left"), tr,
           plain=str, numeric=False),
)  # fmt: skip
WIDTHS = (190, 76, 76, 64, 60, 92)
KEPT = QT_TR_NOOP("as it was")


class PassTable(Table):
    """Shows one run's BeforeAfter; rows are tasks."""

    def __init__(self, parent: QObject) -> None:
        model = ColumnModel(COLUMNS, parent)
        super().__init__(model, tr("Before and after by task"), tr(EMPTY), WIDTHS)
        self.rows = model
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)

    def show_rows(self, rows: Sequence[Row]) -> None:
        """Show these; they stay as a person sorted them."""
        ids = np.array([row.task for row in rows], np.int64)
        self.rows.reset_columns(ids, _columns(rows))


def model_text(result: BeforeAfter) -> str:
    """The model's sums in a sentence, and how many tasks gained."""
    gained = sum(row.trial is not None for row in result.rows)
    trials = tr("%n trials", "", sum(row.trials for row in result.rows))
    tasks = tr(
        "{gained} of {tasks} improved in {trials}.",
        gained=f"{gained:,}",
        tasks=tr("%n tasks", "", len(result.rows)),
        trials=trials,
    )
    if result.before_s is None or not result.after_s:
        return tasks
    before, after = format_seconds(result.before_s), format_seconds(result.after_s)
    if not gained:
        return tr(
            "No improvement found in {trials}: the model stays at {time}.",
            trials=trials,
            time=after,
        )
    ratio = format_ratio(result.before_s / result.after_s)
    model = tr(
        "Model: {before} before, {after} after ({ratio}).",
        before=before,
        after=after,
        ratio=ratio,
    )
    return f"{model} {tasks}"


def _columns(rows: Sequence[Row]) -> dict[str, Array]:
    numbers = {
        "before": [row.before_s for row in rows],
        "after": [row.after_s for row in rows],
        "gain": [None if row.gain is None else 1 + row.gain for row in rows],
    }
    columns: dict[str, Array] = {
        key: np.array([math.nan if v is None else v for v in values], np.float64)
        for key, values in numbers.items()
    }
    columns["name"] = np.array([row.name for row in rows], object)
    columns["trials"] = np.array([row.trials for row in rows], np.int64)
    sources = [words.source_word(row.source) if row.source else KEPT for row in rows]
    columns["source"] = np.array(sources, object)
    return columns
