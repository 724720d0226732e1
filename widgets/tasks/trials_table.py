"""Every trial as a row: what came out, where it failed, what it cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QMenu, QWidget

from engine.history.open_project import OpenProject
from engine.records import words
from engine.records.events import Event, TrialConfirmed, TrialDone
from engine.records.units import format_duration, format_seconds
from widgets.look.language import QT_TR_NOOP, tr
from widgets.look.states import source_word
from widgets.look.theme import theme
from widgets.look.units import known
from widgets.parts.column_model import Array, Column, ColumnModel
from widgets.parts.pieces import stacked
from widgets.parts.table import Table
from widgets.parts.view import View
from widgets.tasks.trial_columns import ERRORS, SOURCES, TrialColumns, TrialFilter
from widgets.tasks.trial_filter_bar import TrialFilterBar

NO_TRIALS = QT_TR_NOOP("No trials yet: press Start to tune.")
NONE_OF_TASK = QT_TR_NOOP("No trials of this task yet.")
NONE_LIKE_THAT = QT_TR_NOOP("No trial is like that: ask for less above.")
WIDTHS = (64, 200, 80, 116, 84, 72, 72, 56, 72)


def _error_word(code: Any) -> str:
    return ERRORS[int(code) - 1].value if code else ""


def _error_text(code: Any) -> str:
    return f"✕ {tr(_error_word(code))}" if code else ""


def _error_color(code: Any) -> QColor | None:
    return theme().error if code else None


class TrialsTable(View):
    """One row a trial; sorts and filters 100,000 rows at once.

    `trial_picked` carries the number of the trial that a person chose, `compare_wanted` two.
    """

    trial_picked = Signal(object)
    compare_wanted = Signal(int, int)

    def __init__(self, project: OpenProject, parent: QWidget | None = None) -> None:
        super().__init__(project, parent)
        self._names: dict[int, str] = {}
        self._trials = TrialColumns()
        self._selected: int | None = None
        self._task: int | None = None
        self._own: int | None = None
        self._asked = TrialFilter()
        self.model = ColumnModel(self._columns(), self)
        self.table = Table(self.model, tr("Trials"), tr(NO_TRIALS), WIDTHS)
        self.table.allow_many()
        self.table.sortByColumn(0, Qt.SortOrder.DescendingOrder)
        self.table.row_picked.connect(self._pick)
        self.table.menu_made.connect(self._add_compare)
        self.table.selectionModel().selectionChanged.connect(self._show_marked)
        self.bar = TrialFilterBar()
        self.bar.changed.connect(self._ask_anew)
        self.bar.go_wanted.connect(self.go_to)
        self.bar.compare_wanted.connect(self.compare)
        stacked(self.bar, self.table, on=self, margins=0, spacing=4)
        self._show_count()

    # The view protocol

    def show_project(self) -> None:
        self._names = {task.index: task.name for task in self._history.tasks}
        self._trials = TrialColumns()
        self._own = None
        self._trials.add(self.project.trials())
        self.model.reset_columns(self._trials.ids(), self._trials.values())
        self._filter()

    def apply(self, events: Sequence[Event]) -> None:
        """Add the trials of a batch."""
        trials = [event.trial for event in events if isinstance(event, TrialDone | TrialConfirmed)]
        if trials:
            self._trials.add(trials)
            self.model.grow_columns(self._trials.ids(), self._trials.values(), self._mask())
            self._show_count()

    def select_task(self, task: int | None) -> None:
        """Show this task's trials, where only those are wanted.

        A task that is selected because its trial was picked here does not change what is shown:
        rows would go from under the pointer.
        """
        own, self._own, self._selected = self._own, None, task
        if task != self._task and not (own is not None and own == task):
            self._task = task
            if self.bar.only_selected.isChecked():
                self._filter()

    def select_trial(self, number: int | None) -> None:
        if number is None or number not in self.table.selected_ids():
            self.table.select(number)

    # What a person asks

    def go_to(self, number: int) -> None:
        """Pick a trial by its number; where it is not on show, show all."""
        if number not in self._trials:
            self.bar.count.setText(tr("There is no trial {number}.", number=f"{number:,}"))
            return
        if self.model.row_of(number) is None:
            self.bar.show_all()
        self.table.select(number)
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)
        self._pick(number)

    def ask_number(self) -> None:
        """Put the keyboard where a number is typed."""
        self.bar.go.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.bar.go.selectAll()

    def marked_pair(self) -> tuple[int, int] | None:
        """The two trials that are marked, the earlier one first."""
        if len(self.table.selectionModel().selectedRows()) != 2:
            return None
        first, second = sorted(self.table.selected_ids())
        return first, second

    def _ask_anew(self) -> None:
        self._task = self._selected
        self._filter()

    def compare(self) -> bool:
        """Ask for the two that are marked to be compared; whether there are two."""
        pair = self.marked_pair()
        if pair is not None:
            self.compare_wanted.emit(*pair)
        return pair is not None

    def _add_compare(self, menu: QMenu) -> None:
        pair = self.marked_pair()
        text = tr("Co&mpare the two")
        if pair is not None:
            first, second = (f"#{number:,}" for number in pair)
            text = tr("Co&mpare {first} and {second}", first=first, second=second)
        menu.addAction(text, self.compare).setEnabled(pair is not None)

    def _pick(self, number: int) -> None:
        trial = self.project.trial(number)
        self._own = trial.task if trial else None
        self.trial_picked.emit(number)
        self._own = None

    # How it is kept up

    def _mask(self) -> Array | None:
        self._asked = self.bar.filter(self._task)
        return self._asked.mask(self._trials, self._names)

    def _filter(self) -> None:
        marked = self.table.selected_ids()
        self.model.show_only(self._mask())
        if marked:
            self.table.mark(marked)
        self._show_count()

    def _show_marked(self) -> None:
        self.bar.compare.setEnabled(self.marked_pair() is not None)

    def _show_count(self) -> None:
        shown, total = self.model.rowCount(), len(self._trials)
        self.bar.count.setText(tr("{count} of {all} trials", count=f"{shown:,}", all=f"{total:,}"))
        if self._asked == TrialFilter():
            self.table.empty = tr(NO_TRIALS)
        else:
            of_task = self._asked == TrialFilter(task=self._task)
            self.table.empty = tr(NONE_OF_TASK if of_task else NONE_LIKE_THAT)

    def _columns(self) -> tuple[Column, ...]:
        whole = "{:,.0f}".format
        seconds = known(format_seconds)
        return (
            Column("number", "#", QT_TR_NOOP("The trial's number in the project"), whole,
                   plain=int),
            Column("task", QT_TR_NOOP("Task"),
                   QT_TR_NOOP("The task it is a candidate of"),
                   lambda task: self._task_name(int(task)), numeric=False),
            Column("latency", QT_TR_NOOP("Latency"),
                   QT_TR_NOOP("Median latency of one call"),
                   seconds,
                   exact=known(lambda s: format_seconds(s, 5)), unit="s"),
            Column("error", QT_TR_NOOP("Error"),
                   QT_TR_NOOP("Where and how it failed"),
                   _error_text,
                   numeric=False, color=_error_color, plain=_error_word),
            Column("source", QT_TR_NOOP("Source"),
                   QT_TR_NOOP("What proposed it"),
                   lambda code: source_word(SOURCES[int(code)]), numeric=False,
                   plain=lambda code: words.source_word(SOURCES[int(code)])),
            Column("build", QT_TR_NOOP("Build"),
                   QT_TR_NOOP("Time to compile it"),
                   seconds, unit="s"),
            Column("run", tr("Run", "time to measure"),
                   QT_TR_NOOP("Time to measure it"), seconds, unit="s"),
            Column("slot", QT_TR_NOOP("Slot"),
                   QT_TR_NOOP("The slot it was tried in"),
                   whole, plain=int),
            Column("elapsed", QT_TR_NOOP("At"),
                   QT_TR_NOOP("Tuning time when the result came"),
                   format_duration,
                   unit="s"),
        )  # fmt: skip
