"""The tasks as a table: what each costs, how far it has come, what it is doing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QVBoxLayout, QWidget

from engine.allocation.wishes import Wishes
from engine.history.open_project import OpenProject
from engine.records.events import Event, LabelChanged
from engine.records.labels import NO_LABEL, Label, SubjectKind, task_subject
from engine.records.task import TaskState
from engine.records.trial import Source
from widgets.allocation.wish_menu import WishMenu, wish_text
from widgets.look.language import QT_TR_NOOP, tr
from widgets.look.states import state_color, state_label, state_text
from widgets.look.theme import theme, theme_notifier
from widgets.look.units import (
    format_flops,
    format_ratio,
    format_seconds,
    format_share,
    format_work,
    known,
)
from widgets.parts.column_model import Array, Column, ColumnModel
from widgets.parts.table import Table
from widgets.parts.view import View

STATES, SOURCES = tuple(TaskState), tuple(Source)
NO_WISHES = Wishes()


def _code(project: OpenProject, task: int) -> int:
    """The state of a task and the source of its best schedule as one number."""
    source = project.source_of(project.history.record(task))
    return STATES.index(project.history.state(task)) * len(SOURCES) + SOURCES.index(source)


def _state(code: Any) -> tuple[TaskState, Source]:
    state, source = divmod(int(code), len(SOURCES))
    return STATES[state], SOURCES[source]


def _error_color(count: Any) -> QColor | None:
    return theme().error if count else None


COLUMNS = (
    Column("name", QT_TR_NOOP("Task"),
           QT_TR_NOOP("The task's name in the lowered program"),
           str, numeric=False),
    Column("op_class", QT_TR_NOOP("Operators"),
           QT_TR_NOOP("The fused operators, without shapes"),
           str, numeric=False),
    Column("state", QT_TR_NOOP("State"),
           QT_TR_NOOP("What the task is doing, or which pass its best schedule is from"),
           lambda code: state_label(*_state(code)), exact=lambda code: state_text(*_state(code)),
           numeric=False, color=lambda code: state_color(_state(code)[0]),
           plain=lambda code: _state(code)[0].value),
    Column("share", QT_TR_NOOP("Share"),
           QT_TR_NOOP("Part of the model's latency, all occurrences together"),
           known(format_share), bar=True),
    Column("best", QT_TR_NOOP("Best"),
           QT_TR_NOOP("Best latency measured, of one call"),
           known(format_seconds),
           exact=known(lambda s: format_seconds(s, 5)), unit="s"),
    Column("speed", QT_TR_NOOP("Speed"),
           QT_TR_NOOP("Floating-point operations a second at the best latency"),
           known(format_flops), exact=known(lambda s: format_flops(s, 5)),
           unit="flop_per_s"),
    Column("gain", QT_TR_NOOP("Gain"),
           QT_TR_NOOP("Untuned latency / best latency"),
           known(format_ratio)),
    Column("weight", QT_TR_NOOP("Weight"),
           QT_TR_NOOP("How often the model calls it"),
           lambda n: f"{int(n)}"),
    Column("flops", QT_TR_NOOP("Work"),
           QT_TR_NOOP("Floating-point operations of one call"),
           known(format_work)),
    Column("trials", QT_TR_NOOP("Trials"),
           QT_TR_NOOP("Candidates tried, failed ones included"),
           lambda n: f"{int(n):,}"),
    Column("wish", QT_TR_NOOP("Wish"),
           QT_TR_NOOP("What a person asked of the next run; the row's menu changes it"),
           str, numeric=False),
    Column("label", QT_TR_NOOP("Name, note"),
           QT_TR_NOOP("Your name for the task, and how its note begins"),
           str,
           numeric=False),
    Column("errors", QT_TR_NOOP("Errors"),
           QT_TR_NOOP("Trials that failed"),
           lambda n: f"{int(n):,}", color=_error_color),
)  # fmt: skip


def label_text(label: Label) -> str:
    """A label in a line."""
    return ": ".join(part for part in (label.name, label.note.partition("\n")[0]) if part)


def task_columns(project: OpenProject, wishes: Wishes = NO_WISHES) -> dict[str, Array]:
    """The columns of a project's tasks, by key; unknown numbers are NaN."""
    history = project.history
    tasks = history.tasks
    shares = history.shares()
    numbers: dict[str, list[float | None]] = {
        "share": [shares.get(task.index) for task in tasks],
        "best": [history.best(task.index) for task in tasks],
        "speed": [history.flops_per_s(task.index) for task in tasks],
        "gain": [history.speedup(task.index) for task in tasks],
        "flops": [task.flops for task in tasks],
    }
    columns: dict[str, Array] = {
        key: np.array([math.nan if v is None else v for v in values], np.float64)
        for key, values in numbers.items()
    }
    columns["name"] = np.array([task.name for task in tasks], object)
    columns["op_class"] = np.array([task.op_class for task in tasks], object)
    columns["state"] = np.array([_code(project, t.index) for t in tasks], np.int64)
    columns["weight"] = np.array([task.weight for task in tasks], np.int64)
    columns["trials"] = np.array([history.trials(task.index) for task in tasks], np.int64)
    columns["wish"] = np.array([wish_text(wishes, task.index) for task in tasks], object)
    named = [project.head.labels.get(task_subject(task.index), NO_LABEL) for task in tasks]
    columns["label"] = np.array([label_text(label) for label in named], object)
    columns["errors"] = np.array([history.errors(task.index) for task in tasks], np.int64)
    return columns


class TaskTable(View):
    """One row a task.

    A row's menu says what a person wishes for the next run: `wished` carries all the wishes.
    """

    wished = Signal(object)

    def __init__(self, project: OpenProject, parent: QWidget | None = None) -> None:
        super().__init__(project, parent)
        self.model = ColumnModel(COLUMNS, self)
        self.table = Table(
            self.model, tr("Tasks"), tr("No tasks yet: open a model to see its tasks.")
        )
        self.table.row_picked.connect(self.task_picked)
        self.menu = WishMenu(self.table)
        self.menu.wished.connect(self.wished)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.table)
        for column, pixels in enumerate((190, 150, 96, 72, 76, 96, 64, 56, 92, 56, 110, 160, 56)):
            self.table.setColumnWidth(column, pixels)
        self.show_wishes(NO_WISHES)
        self._show_labels()
        theme_notifier().changed.connect(self.table.viewport().update)

    def show_project(self) -> None:
        """Show this project's tasks."""
        ids = np.array([task.index for task in self._history.tasks], np.int64)
        self.model.reset_columns(ids, self._columns())
        self._show_labels()

    def apply(self, events: Sequence[Event]) -> None:
        """Take in a batch; rows keep their identity and the selection stays."""
        if any(isinstance(event, LabelChanged) for event in events):
            self._show_labels()
        elif self.project.changed:
            self._refresh()

    def show_wishes(self, wishes: Wishes) -> None:
        """Show what is wished; where nothing is, there is no column for it."""
        self.menu.wishes = wishes
        self._show_column("wish", wishes != NO_WISHES)

    def _show_labels(self) -> None:
        """Show names and notes; where no task has one, there is no column for them."""
        labels = self.project.head.labels
        self._show_column("label", any(s.kind is SubjectKind.TASK for s in labels))

    def _show_column(self, key: str, shown: bool) -> None:
        place = [column.key for column in COLUMNS].index(key)
        self.table.setColumnHidden(place, not shown)
        self._refresh()

    def _refresh(self) -> None:
        if len(self._history.tasks) == len(self.model.ids):
            self.model.update_columns(self._columns())

    def select_task(self, task: int | None) -> None:
        """Mark a task's row."""
        self.table.select(task)

    def _columns(self) -> dict[str, Array]:
        return task_columns(self.project, self.menu.wishes)
