"""Droplet: which tasks were polished, and the path through the decisions of one of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QStackedWidget, QWidget

from engine.history.open_project import OpenProject
from engine.records.events import Event, MoveMade, RunChanged, TrialConfirmed, TrialDone
from engine.records.trial import Source
from widgets.droplet.neighbours import (
    OUTCOMES,
    Neighbour,
    Outcome,
    level_of,
    neighbours_of,
    outcome_label,
)
from widgets.droplet.series import (
    Path,
    build_path,
    latency_in,
    path_sentence,
    polished_columns,
    tried_columns,
)
from widgets.droplet.tables import POLISHED_COLUMNS, TRIED_COLUMNS, polished_table, tried_table
from widgets.look.language import QT_TR_NOOP, tr
from widgets.parts.column_model import ColumnModel
from widgets.parts.notice import NO_MODEL, OPEN, Notice
from widgets.parts.pieces import STRETCH, divide, pages, stacked, surface, text_label
from widgets.parts.view import View

if TYPE_CHECKING:
    from widgets.droplet.plot import DropletPlot

UNTUNED = QT_TR_NOOP(
    "No Droplet pass yet: Droplet polishes each task's best schedule. "
    "Press Start to tune the model first."
)
NO_PASS = QT_TR_NOOP(
    "No Droplet pass yet: Droplet polishes each task's best schedule, one decision at a time. "
    "Press Droplet to begin."
)
NOT_THIS = QT_TR_NOOP(
    "{task}: not polished. Choose a task on the left, or press Droplet to polish this one."
)
LOW = 320  # pixels of height under which the legend makes room
LEAST_PLOT = 116
TASKS_SHARE, TASKS_PIXELS = 0.36, (120, 330)
TABLE_SHARE, TABLE_PIXELS = 0.35, (60, 240)


class DropletView(View):
    """Shows what was tried of the selected task, or of the one of which most was tried.

    `trial_picked` carries the trial of the neighbour that a person chose.
    """

    trial_picked = Signal(object)

    def __init__(self, project: OpenProject, parent: QWidget | None = None) -> None:
        super().__init__(project, parent)
        self._tried: dict[int, tuple[Neighbour, ...]] = {}
        self._stale: set[int] = set()
        self._selected: int | None = None
        self._shown: int | None = None
        self._made: DropletPlot | None = None
        self.path: Path | None = None
        self.tasks_model = ColumnModel(POLISHED_COLUMNS, self)
        self.tried_model = ColumnModel(TRIED_COLUMNS, self)
        self.tasks_table = polished_table(self.tasks_model)
        self.tried_table = tried_table(self.tried_model)
        self.notice = Notice()
        self.sentence = text_label(name=tr("What Droplet found"), margins=(12, 8, 12, 4))
        self.legend = text_label(legend(), "muted", name=tr("Legend"), margins=(12, 2, 12, 4))
        self._pages = QStackedWidget()
        self._split = QSplitter(Qt.Orientation.Vertical)
        self._across = QSplitter(Qt.Orientation.Horizontal)
        self._moved: set[QSplitter] = set()
        self._arrange()

    @property
    def plot(self) -> DropletPlot:
        """The plot, made at the first call: its library takes long to load."""
        if self._made is None:
            from widgets.droplet.plot import DropletPlot

            self._made = DropletPlot()
            self._made.picked.connect(self._pick_point)
            self._made.setMinimumHeight(LEAST_PLOT)
            self._split.insertWidget(0, self._made)
            self._proportion()
        return self._made

    def first_part(self) -> QWidget:
        return self.tasks_table if self._pages.currentIndex() else self

    # The view protocol

    def show_project(self) -> None:
        """Show what Droplet tried in this project."""
        self._tried, self._shown, self.path = {}, None, None
        trials = self.project.trials()
        polished = {trial.task for trial in trials if trial.source is Source.DROPLET}
        self._stale = polished | self.project.moves.keys()
        self._refresh()

    def apply(self, events: Sequence[Event]) -> None:
        """Take in a batch; only what Droplet tries and the end of a run change what is shown."""
        changed = False
        for event in events:
            changed |= self._take(event)
        if changed:
            self._refresh()

    def select_task(self, task: int | None) -> None:
        """Show this task's path; None: that of the task of which most was tried."""
        if task != self._selected:
            self._selected = task
            self._refresh()

    def select_trial(self, number: int | None) -> None:
        """Mark the neighbour that is a trial."""
        tried = self.path.tried if self.path else ()
        rows = [row for row, each in enumerate(tried) if each.end == number]
        self._mark(rows[-1] if rows else None)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the parts their shares, as long as a person has not moved them."""
        super().resizeEvent(event)
        self._proportion()

    # How it is kept up

    def _take(self, event: Event) -> bool:
        """Whether what is shown changes by this event."""
        match event:
            case MoveMade(move=move):
                self._stale.add(move.task)
            case TrialDone(trial=trial) | TrialConfirmed(trial=trial):
                later = trial.confirmed or trial.error  # it may be a point of its task's path
                known = later and trial.task in self._tried
                if trial.source is not Source.DROPLET and not known:
                    return False
                self._stale.add(trial.task)
            case RunChanged():
                return bool(self._tried)
            case _:
                return False
        return True

    def _refresh(self) -> None:
        if self._is_hidden():
            return
        for task in self._stale:
            moves = self.project.moves.get(task, {}).values()
            trials = (t for t in self.project.of_task(task) if t.source is Source.DROPLET)
            self._tried[task] = neighbours_of(moves, trials, self._latency_of(task))
        changed, self._stale = self._stale, set()
        self._pages.setCurrentIndex(1 if self._tried else 0)
        if not self._tried:
            text, action = self._next_step()
            self.notice.offer(tr(text), action)
            return
        task = self._task()
        self._show_tasks(task)
        known = task in self._tried
        self._split.setVisible(known)
        self.legend.setVisible(known and not self._low)
        if not known:
            self._shown, self.path = None, None
            self.sentence.setText(tr(NOT_THIS, task=self._task_name(task)))
            return
        if task != self._shown or task in changed:
            self._show_path(task)
        self._show_sentence(task)

    def _show_path(self, task: int) -> None:
        anew = task != self._shown
        self._shown = task
        tried = self._tried[task]
        level = level_of(self.project.settings_of(tried[-1].run))
        self.path = build_path(tried, self._latency_of(task), level)
        self.plot.show_path(self.path, anew, level)
        beyond, failed = self.plot.beyond().any(), self.plot.failed().any()
        self.legend.setText(legend(bool(beyond), bool(failed)))
        self._show_rows()

    def _show_rows(self) -> None:
        """Rows that only become more stay where they are; a compared one is another row."""
        if self.path is None:
            return
        chosen, known = self.tried_table.selected(), self.tried_model.ids
        ids, columns = tried_columns(self.path)
        if len(known) and np.array_equal(ids[: len(known)], known):
            self.tried_model.grow_columns(ids, columns)
        else:
            self.tried_model.reset_columns(ids, columns)
        rows = [row for row, each in enumerate(self.path.tried) if each.id == chosen]
        self._mark(rows[0] if rows else None)

    def _show_sentence(self, task: int) -> None:
        if self.path is not None:
            run = self.project.run
            going_on = run is not None and run.state.active and self.path.tried[-1].run == run.id
            self.sentence.setText(path_sentence(self.path, self._task_name(task), going_on))

    def _show_tasks(self, task: int) -> None:
        tasks = sorted(self._tried)
        ids = np.array(tasks, np.int64)
        names = [self._task_name(index).removeprefix("fused_") for index in tasks]
        columns = polished_columns([self._tried[index] for index in tasks], names)
        if np.array_equal(ids, self.tasks_model.ids):
            self.tasks_model.update_columns(columns)
        else:
            self.tasks_model.reset_columns(ids, columns)
        self.tasks_table.select(task)

    def _task(self) -> int:
        if self._selected is not None:
            return self._selected
        return max(sorted(self._tried), key=lambda task: len(self._tried[task]))

    def _next_step(self) -> tuple[str, str]:
        if not self._history.tasks:
            return NO_MODEL, OPEN
        return (NO_PASS, "droplet") if self._history.trial_count else (UNTUNED, "start")

    def _latency_of(self, task: int) -> Callable[[int], float]:
        return lambda number: latency_in(self._history, task, number)

    # What a person does

    def _pick_point(self, row: int) -> None:
        self._mark(row)
        self._tell(row)

    def _pick_row(self, identity: int) -> None:
        tried = self.path.tried if self.path else ()
        row = next((row for row, each in enumerate(tried) if each.id == identity), None)
        if row is not None:
            self.plot.choose(row)
            self._tell(row)

    def _mark(self, row: int | None) -> None:
        if self.path is not None and self._made is not None:
            self.tried_table.select(None if row is None else self.path.tried[row].id)
            self._made.choose(row)

    def _tell(self, row: int) -> None:
        if self.path is not None:
            self.trial_picked.emit(self.path.tried[row].end)

    def _pick_task(self, task: int) -> None:
        self._selected = task
        self._refresh()
        self.task_picked.emit(task)

    def _keep(self, split: QSplitter, *_: int) -> None:
        self._moved.add(split)

    @property
    def _low(self) -> bool:
        return self.height() < LOW

    def _proportion(self) -> None:
        self.legend.setVisible(not self._split.isHidden() and not self._low)
        for split, share, (least, most) in (
            (self._across, TASKS_SHARE, TASKS_PIXELS),
            (self._split, TABLE_SHARE, TABLE_PIXELS),
        ):
            if split in self._moved or split.count() < 2:
                continue
            upright = split.orientation() == Qt.Orientation.Vertical
            whole = self.height() if upright else self.width()
            part = round(min(max(share * whole, least), most))
            split.setSizes([whole - part, part] if upright else [part, whole - part])

    def _arrange(self) -> None:
        self.setAccessibleName(tr("Droplet"))
        parts = self.sentence, (divide(self._split, self.tried_table), 1), self.legend, STRETCH
        divide(self._across, self.tasks_table, surface(stacked(*parts, margins=0, spacing=0)))
        for split in (self._across, self._split):
            split.splitterMoved.connect(partial(self._keep, split))
        pages(self._pages, self.notice, self._across, on=self)
        self.tasks_table.row_picked.connect(self._pick_task)
        self.tried_table.row_picked.connect(self._pick_row)


def legend(beyond: bool = False, failed: bool = False) -> str:
    """The shapes of the plot and what they mean; those that are rare where they are drawn."""
    parts = [tr("■ start"), *map(outcome_label, OUTCOMES[:5])]
    if beyond:
        parts.append(tr("↑ far slower"))
    if failed:
        parts.append(outcome_label(Outcome.FAILED))
    return "   ".join(parts)
