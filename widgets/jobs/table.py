"""The queue as a table: what a person asked for, in the order in which it is taken."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import (
    QMimeData,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QDragEnterEvent, QDragMoveEvent, QDropEvent, QKeyEvent
from PySide6.QtWidgets import QAbstractItemView

from engine.records.job import JobState, QueuedJob
from engine.records.trial import speedup_of
from engine.records.units import format_ratio, format_share, whole_number
from widgets.jobs.words import (
    STATES,
    brief_wait,
    is_held,
    left_text,
    shown_state,
    state_color,
    state_label,
    wait_text,
)
from widgets.look.language import QT_TR_NOOP, told, tr
from widgets.look.plain_label import plain_tip
from widgets.look.units import known
from widgets.parts.column_model import Column, ColumnModel, Index, latency_column
from widgets.parts.table import Table

Role = Qt.ItemDataRole
MIME = "application/x-tunewright-job"
EMPTY = QT_TR_NOOP("Nothing is queued yet: add a model, or the open project.")
WIDTHS = (34, 148, 150, 84, 90, 76, 60, 72, 76, 62, 240)
_CONTROL = Qt.KeyboardModifier.AltModifier


def columns() -> tuple[Column, ...]:
    """The columns, in the language in use."""
    return (
        Column("place", tr("#"), tr("The place in the queue"), lambda n: f"{int(n)}"),
        Column("state", tr("State"), tr("What the job does now"), state_label,
               numeric=False, color=state_color),
        Column("title", tr("Job"), tr("The model, in the colour of its bars below"), str,
               numeric=False),
        Column("target", tr("Target"), tr("What the model is tuned for"), str, numeric=False),
        Column("progress", tr("Progress"), tr("How much of its budget is used"),
               known(format_share), bar=True),
        latency_column("best", tr("Latency"), tr("The model's estimated latency now"), "s"),
        Column("gain", tr("Gain"), tr("How many times faster than untuned"), known(format_ratio)),
        Column("left", tr("Time left"), tr("How long it should still take"),
               known(left_text), unit="s"),
        latency_column("objective", tr("Objective"), tr("The job ends at this latency"), "s"),
        Column("priority", tr("Priority"), tr("A lower number is more urgent"),
               lambda n: f"{int(n)}"),
        Column("said", tr("Note"), tr("What the job waits for, or how it ended"), str,
               numeric=False),
    )  # fmt: skip


class JobModel(ColumnModel):
    """Rows of jobs in the queue's order, with the colours of their bars."""

    def __init__(self, color_of: Callable[[int], QColor], parent: QObject) -> None:
        super().__init__(columns(), parent)
        self._color_of = color_of
        self._jobs: dict[int, QueuedJob] = {}

    def show_jobs(self, jobs: Sequence[QueuedJob]) -> bool:
        """Show these, in this order; whether they are other rows than before."""
        ids = np.array([job.id for job in jobs], np.int64)
        self._jobs = {job.id: job for job in jobs}
        values = _values(jobs, self._said)
        if np.array_equal(ids, self.ids):
            self.update_columns(values)
            return False
        self.reset_columns(ids, values)
        return True

    def job(self, number: int) -> QueuedJob | None:
        """The job of this number."""
        return self._jobs.get(number)

    def _said(self, job: QueuedJob) -> str:
        """What is to be told of a job in a sentence."""
        if job.wait is not None and not is_held(job):
            return wait_text(job.wait, self._title)
        return told(job.message)

    def _title(self, name: str) -> str:
        number = whole_number(name)
        job = None if number is None else self._jobs.get(number)
        return job.title if job is not None else tr("a window")

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        """As of any column model; the title has a swatch, and a hover tells what was said."""
        if not index.isValid():
            return None
        key = self.columns[index.column()].key
        if role == Role.DecorationRole and key == "title":
            job = self._jobs.get(self.id_at(index.row()))
            return self._color_of(job.id) if job else None
        if key in ("state", "title", "said"):
            job = self._jobs.get(self.id_at(index.row()))
            if job is not None and role == Role.ToolTipRole:
                return plain_tip(_tip(job, key, self._said(job)))
            if job is not None and role == Role.DisplayRole and key == "state":
                return _state_text(job)
        return super().data(index, role)

    def flags(self, index: Index) -> Qt.ItemFlag:
        extra = Qt.ItemFlag.ItemIsDragEnabled if index.isValid() else Qt.ItemFlag.ItemIsDropEnabled
        return super().flags(index) | extra

    def mimeTypes(self) -> list[str]:
        """A job of this table."""
        return [MIME]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        """The identity of the dragged row."""
        data = QMimeData()
        if indexes:
            data.setData(MIME, str(self.id_at(indexes[0].row())).encode())
        return data

    def supportedDropActions(self) -> Qt.DropAction:
        """Jobs are moved, never copied."""
        return Qt.DropAction.MoveAction


class JobTable(Table):
    """The table; `move_wanted` carries a job's number and by how many places it is to go down, the
    other signals the number of a job."""

    move_wanted = Signal(int, int)
    pause_wanted = Signal(int)
    remove_wanted = Signal(int)
    open_wanted = Signal(int)

    def __init__(self, model: JobModel) -> None:
        super().__init__(model, tr("Queue of jobs"), tr(EMPTY), WIDTHS)
        self._model = model
        self.setDragEnabled(True)
        self.setAcceptDrops(True)
        self.setDropIndicatorShown(True)
        self.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.setDragDropOverwriteMode(False)
        self.activated.connect(self._activated)

    def job(self) -> QueuedJob | None:
        number = self.selected()
        return None if number is None else self._model.job(number)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Alt with arrows moves the job, Space holds it, Delete takes it out."""
        job = self.job()
        moves = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        if job is not None and event.modifiers() & _CONTROL and event.key() in moves:
            self.move_wanted.emit(job.id, moves[Qt.Key(event.key())])
        elif job is not None and event.key() == Qt.Key.Key_Space:
            self.pause_wanted.emit(job.id)
        elif job is not None and event.key() == Qt.Key.Key_Delete:
            self.remove_wanted.emit(job.id)
        else:
            super().keyPressEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take jobs while the rows are in the queue's order; leave files to the window."""
        self._consider(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """Show where the job would go."""
        super().dragMoveEvent(event)
        self._consider(event)

    def dropEvent(self, event: QDropEvent) -> None:
        """Say where the job is wanted; the queue moves it."""
        if not self._is_ours(event):
            event.ignore()
            return
        number = int(event.mimeData().data(MIME).toStdString())
        job, row = self._model.job(number), self._model.row_of(number)
        event.setDropAction(Qt.DropAction.IgnoreAction)  # or Qt would take the row out itself
        event.accept()
        if job is not None and row is not None:
            place = self.place_at(round(event.position().y()))
            by = place - row - (place > row)
            if by:
                self.move_wanted.emit(job.id, by)

    def place_at(self, y: int) -> int:
        """Before which row something at a height is."""
        row = self.rowAt(y)
        if row < 0:
            return self._model.rowCount()
        middle = self.rowViewportPosition(row) + self.rowHeight(row) / 2
        return row + (y > middle)

    @property
    def in_order(self) -> bool:
        """Whether the rows are in the queue's own order."""
        head = self.horizontalHeader()
        upwards = head.sortIndicatorOrder() == Qt.SortOrder.AscendingOrder
        return head.sortIndicatorSection() < 0 or (head.sortIndicatorSection() == 0 and upwards)

    def _consider(self, event: QDragMoveEvent) -> None:
        if self._is_ours(event):
            event.acceptProposedAction()
        else:
            event.ignore()

    def _is_ours(self, event: QDropEvent) -> bool:
        return event.source() is self and event.mimeData().hasFormat(MIME) and self.in_order

    def _activated(self, index: QModelIndex | QPersistentModelIndex) -> None:
        job = self._model.job(self._model.id_at(index.row()))
        if job is not None:
            self.open_wanted.emit(job.id)


def moved(ids: Sequence[int], job: int, by: int) -> list[int]:
    """The ids with one of them so many places further down, or up."""
    order = list(ids)
    here = order.index(job)
    order.insert(min(max(here + by, 0), len(order) - 1), order.pop(here))
    return order


def _values(jobs: Sequence[QueuedJob], said: Callable[[QueuedJob], str]) -> dict[str, Any]:
    return {
        "place": np.arange(1, len(jobs) + 1, dtype=np.float64),
        "state": np.array([shown_state(job) for job in jobs], object),
        "title": np.array([job.title for job in jobs], object),
        "target": np.array([job.target for job in jobs], object),
        "progress": _floats([job.progress for job in jobs]),
        "best": _floats([job.best_s for job in jobs]),
        "gain": _floats([_gain(job) for job in jobs]),
        "left": _floats([job.left_s for job in jobs]),
        "objective": _floats([job.objective_s for job in jobs]),
        "priority": np.array([job.priority for job in jobs], np.float64),
        "said": np.array([said(job) for job in jobs], object),
    }


def _gain(job: QueuedJob) -> float | None:
    return speedup_of(job.untuned_s, job.best_s)


def _floats(values: Sequence[float | None]) -> Any:
    return np.array([math.nan if value is None else value for value in values], np.float64)


def _state_text(job: QueuedJob) -> str:
    """The state; of a job that goes on but waits, what for."""
    state = shown_state(job)
    if job.wait is None or state not in (JobState.PREPARING, JobState.RUNNING):
        return state_label(state)
    return f"{STATES[JobState.PREPARING][0]} {brief_wait(job.wait)}"


def _tip(job: QueuedJob, key: str, said: str) -> str:
    if key == "title":
        return job.project or job.title
    if key == "said":
        return said
    label = state_label(shown_state(job))
    return f"{label}: {said}" if said else label
