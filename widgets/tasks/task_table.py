"""The tasks as a table: what each costs, how far it has come, what is wished for it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QMenu, QWidget

from engine.allocation.wishes import Wishes
from engine.history.open_project import OpenProject
from engine.records.events import Event, LabelChanged
from engine.records.labels import NO_LABEL, Label, SubjectKind, task_subject
from engine.records.task import TaskState
from engine.records.trial import Source
from engine.records.units import format_flops, format_ratio, format_share, format_work
from widgets.look.language import QT_TR_NOOP, told, tr
from widgets.look.states import state_color, state_label, state_text
from widgets.look.theme import theme
from widgets.look.units import known
from widgets.parts.column_model import Array, Column, ColumnModel, latency_column, whole
from widgets.parts.pieces import stacked
from widgets.parts.table import Table
from widgets.parts.view import View

FLOORS = (1, 2, 4, 8, 16, 32)
HINT = QT_TR_NOOP("Holds for the next run of this project, over the head of any policy")


def pin(wishes: Wishes, task: int, on: bool) -> Wishes:
    """The wishes with a task pinned, or not; a pinned task is not skipped."""
    pinned = wishes.pinned | {task} if on else wishes.pinned - {task}
    return replace(wishes, pinned=pinned, skipped=wishes.skipped - {task})


def skip(wishes: Wishes, task: int, on: bool) -> Wishes:
    """The wishes with a task skipped, or not; a skipped task has no other wish."""
    if not on:
        return replace(wishes, skipped=wishes.skipped - {task})
    kept = {other: count for other, count in wishes.floors.items() if other != task}
    return Wishes(wishes.pinned - {task}, wishes.skipped | {task}, kept)


def give_floor(wishes: Wishes, task: int, count: int) -> Wishes:
    """The wishes with a least number of slots for a task, 0 for none; it is not skipped then."""
    floors = {other: least for other, least in wishes.floors.items() if other != task}
    if count > 0:
        floors[task] = count
    return replace(wishes, skipped=wishes.skipped - {task}, floors=floors)


def wish_text(wishes: Wishes, task: int) -> str:
    """What is wished for a task, in a few words; empty for nothing."""
    if task in wishes.skipped:
        return tr("skipped")
    least = wishes.floors.get(task, 0)
    parts = [tr("pinned")] if task in wishes.pinned else []
    parts += [tr("at least %n slots", "", least)] if least else []
    return ", ".join(parts)


class WishMenu(QObject):
    """Offers wishes over the rows of a table of tasks; `wished` carries the new ones."""

    wished = Signal(object)

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self._table = table
        self.wishes = Wishes()
        table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        table.customContextMenuRequested.connect(self._open)

    def menu(self, task: int) -> QMenu:
        """The menu for one task; it deletes itself when it is closed."""
        menu = QMenu(self._table)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.setToolTipsVisible(True)
        self._add(menu, tr("&Pin: slots go here first"), task in self.wishes.pinned,
                  lambda on: pin(self.wishes, task, on))  # fmt: skip
        self._add(menu, tr("&Skip: no slots"), task in self.wishes.skipped,
                  lambda on: skip(self.wishes, task, on))  # fmt: skip
        floors = menu.addMenu(tr("&At least"))
        least = self.wishes.floors.get(task, 0)
        for count in sorted({0, *FLOORS, least}):
            name = tr("%n slots", "", count) if count else tr("No least number")
            self._add(floors, name, least == count, partial(self._floor, task, count))
        return menu

    def _floor(self, task: int, count: int, _: bool) -> Wishes:
        return give_floor(self.wishes, task, count)

    def _add(self, menu: QMenu, text: str, on: bool, change: Callable[[bool], Wishes]) -> None:
        action = menu.addAction(text)
        action.setCheckable(True)
        action.setChecked(on)
        action.setToolTip(tr(HINT))
        action.triggered.connect(lambda checked: self.wished.emit(change(checked)))

    def _open(self, at: QPoint) -> None:
        index = self._table.indexAt(at)
        task = self._table.selected() if not index.isValid() else self._table.id_at(index)
        if task is not None:
            menu = self.menu(task)
            menu.addSeparator()
            self._table.add_exports(menu)
            menu.popup(self._table.viewport().mapToGlobal(at))


STATES, SOURCES = tuple(TaskState), tuple(Source)
NO_WISHES = Wishes()


class _Code(int):
    """The state of a task and the source of its best schedule as one number; `why` it is so."""

    why = ""


def _code(project: OpenProject, task: int) -> _Code:
    history = project.history
    source = project.source_of(history.record(task))
    code = _Code(STATES.index(history.state(task)) * len(SOURCES) + SOURCES.index(source))
    code.why = told(history.why(task))
    return code


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
           lambda code: state_label(*_state(code)),
           exact=lambda code: state_text(*_state(code), code.why),
           numeric=False, color=lambda code: state_color(_state(code)[0]),
           plain=lambda code: _state(code)[0].value),
    Column("share", QT_TR_NOOP("Share"),
           QT_TR_NOOP("Part of the model's latency, all occurrences together"),
           known(format_share), bar=True),
    latency_column("best", QT_TR_NOOP("Best"),
                   QT_TR_NOOP("Best latency measured, of one call"), "s"),
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
           whole),
    Column("wish", QT_TR_NOOP("Wish"),
           QT_TR_NOOP("What a person asked of the next run; the row's menu changes it"),
           str, numeric=False),
    Column("label", QT_TR_NOOP("Name, note"),
           QT_TR_NOOP("Your name for the task, and how its note begins"),
           str,
           numeric=False),
    Column("errors", QT_TR_NOOP("Errors"),
           QT_TR_NOOP("Trials that failed"),
           whole, color=_error_color),
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
    columns["state"] = np.array([_code(project, t.index) for t in tasks], object)
    columns["weight"] = np.array([task.weight for task in tasks], np.int64)
    columns["trials"] = np.array([history.trials(task.index) for task in tasks], np.int64)
    columns["wish"] = np.array([wish_text(wishes, task.index) for task in tasks], object)
    named = [project.head.labels.get(task_subject(task.index), NO_LABEL) for task in tasks]
    columns["label"] = np.array([label_text(label) for label in named], object)
    columns["errors"] = np.array([history.errors(task.index) for task in tasks], np.int64)
    return columns


def _place(key: str) -> int:
    """Where a column is."""
    return [column.key for column in COLUMNS].index(key)


WIDTHS = (190, 150, 96, 72, 76, 96, 64, 56, 92, 56, 110, 160, 56)


class TaskTable(View):
    """One row a task, at first those first that take most of the latency.

    A row's menu says what a person wishes for the next run: `wished` carries all the wishes.
    """

    wished = Signal(object)

    def __init__(self, project: OpenProject, parent: QWidget | None = None) -> None:
        super().__init__(project, parent)
        self.model = ColumnModel(COLUMNS, self)
        self.table = Table(
            self.model, tr("Tasks"), tr("No tasks yet: open a model to see its tasks."), WIDTHS
        )
        self.table.row_picked.connect(self.task_picked)
        self.table.sortByColumn(_place("share"), Qt.SortOrder.DescendingOrder)
        self.menu = WishMenu(self.table)
        self.menu.wished.connect(self.wished)
        stacked(self.table, on=self, margins=0)
        self.show_wishes(NO_WISHES)
        self._show_labels()

    def show_project(self) -> None:
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
        self.table.setColumnHidden(_place(key), not shown)
        self._refresh()

    def _refresh(self) -> None:
        if len(self._history.tasks) == len(self.model.ids):
            self.model.update_columns(self._columns())

    def select_task(self, task: int | None) -> None:
        self.table.select(task)

    def _columns(self) -> dict[str, Array]:
        return task_columns(self.project, self.menu.wishes)
