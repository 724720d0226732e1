"""The dependants that their representative's schedules serve badly, as a table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QObject, QSize, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QHeaderView

from engine.history.history import History
from engine.passes.sharing import CPU_GROWTH, GPU_GROWTH, Weak, weak_dependants
from engine.records.clustering import Clustering
from engine.records.task import own_tasks
from engine.records.units import format_flops, format_seconds, format_share
from widgets.look.language import QT_TR_NOOP, tr
from widgets.look.theme import theme
from widgets.parts.column_model import Column, ColumnModel
from widgets.parts.table import ROW_PIXELS, Table

ROWS = 3
EMPTY = QT_TR_NOOP("No dependant is weak.")


def _weak_color(_: object) -> QColor:
    return theme().warning


COLUMNS = (
    Column("name", QT_TR_NOOP("Weak dependant"),
           QT_TR_NOOP("A task that is slow for its size: tuning it may pay"), str, numeric=False),
    Column("speed", QT_TR_NOOP("Speed"), QT_TR_NOOP("Floating-point operations a second"),
           format_flops),
    Column("share", QT_TR_NOOP("Reaches"),
           QT_TR_NOOP("Its speed over that of its representative"), format_share,
           color=_weak_color),
    Column("model", QT_TR_NOOP("Representative"), QT_TR_NOOP("The task whose schedules it uses"),
           str, numeric=False),
    Column("gain", QT_TR_NOOP("Would gain"),
           QT_TR_NOOP("What the model would gain if it were as fast"), format_seconds),
)  # fmt: skip
WIDTHS = (150, 108, 68, 140, 84)


class WeakTable(Table):
    """Shows the weak dependants, the most promising first; hidden where there is none."""

    def __init__(self, parent: QObject) -> None:
        model = ColumnModel(COLUMNS, parent)
        super().__init__(model, tr("Weak dependants"), tr(EMPTY), WIDTHS)
        self.rows = model
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.setMinimumHeight(2 * ROW_PIXELS + 6)  # its head and a row
        self.hide()

    def sizeHint(self) -> QSize:
        """A few rows at first; a person may draw it larger."""
        return QSize(super().sizeHint().width(), (ROWS + 1) * ROW_PIXELS + 12)

    def show_tasks(self, history: History, clustering: Clustering, on_cpu: bool = True) -> None:
        """List those among the tasks that have results, on a CPU or a GPU."""

        def latency_of(task: int) -> float | None:
            return history.now(task) if history.trials(task) else None

        growth = CPU_GROWTH if on_cpu else GPU_GROWTH
        found = weak_dependants(own_tasks(history.tasks), clustering, latency_of, growth=growth)
        self.setVisible(bool(found))
        self._show(found, history)

    def _show(self, found: Sequence[Weak], history: History) -> None:
        chosen = self.selected()
        ours = np.array([weak.flops_per_s for weak in found])
        theirs = np.array([weak.representative_flops_per_s for weak in found])
        names = [history.name(weak.task) for weak in found]
        models = [history.name(weak.representative) for weak in found]
        self.rows.reset_columns(
            np.array([weak.task for weak in found], np.int64),
            {
                "name": np.array(names, object),
                "speed": ours,
                "share": ours / theirs,
                "model": np.array(models, object),
                "gain": np.array([weak.gain_s for weak in found]),
            },
        )
        self.select(chosen)
