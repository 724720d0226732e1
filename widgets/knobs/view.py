"""Knobs: which choices of the selected task's schedules its latencies depend on, and how."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QButtonGroup, QHeaderView, QSplitter, QStackedWidget, QWidget

from engine.history.open_project import OpenProject
from engine.passes.knobs import NO_STUDY, KnobColumn, KnobStudy, study_of
from engine.records.events import Event, ProjectSaved, RunChanged, SlotStarted
from widgets.knobs.series import COLUMNS, knob_columns, knob_sentence
from widgets.look.language import QT_TR_NOOP, tr
from widgets.parts.background import Background
from widgets.parts.column_model import ColumnModel
from widgets.parts.notice import NO_MODEL, OPEN, Notice
from widgets.parts.pieces import (
    beside,
    divide,
    pages,
    stacked,
    surface,
    switch,
    text_label,
)
from widgets.parts.table import Table
from widgets.parts.view import View

if TYPE_CHECKING:
    from widgets.knobs.parallel import ParallelPlot
    from widgets.knobs.scatter import ScatterPlot

NO_TRIALS = QT_TR_NOOP(
    "No trials yet: press Start, and here is what each choice of a schedule does to its latency."
)
NONE_OF_TASK = QT_TR_NOOP("{task}: no trials yet.")
OF_A_REPLAY = QT_TR_NOOP("A replay has no schedules.")
READING = QT_TR_NOOP("{task}: reading its schedules …")
EMPTY = QT_TR_NOOP("No knob has two values.")
_WIDTHS = (150, 84, 50, 56)
TABLE_SHARE = 0.4
VALUES, NARROW = 2, 760  # a column, and in pixels the view that has no room for it


class KnobView(View):
    """Shows the trials of the selected task, or of the one that has most of them.

    They are read from the project's file in a thread, and anew with each slot. `trial_picked`
    carries the trial that a person chose.
    """

    trial_picked = Signal(object)

    def __init__(self, project: OpenProject, parent: QWidget | None = None) -> None:
        super().__init__(project, parent)
        self._selected: int | None = None
        self._number: int | None = None
        self._asked: tuple[str, int, int] | None = None
        self._knob = ""
        self._moved = False
        self._plots: tuple[ScatterPlot, ParallelPlot] | None = None
        self.study: KnobStudy = NO_STUDY
        self.model = ColumnModel(COLUMNS, self)
        self.table = Table(self.model, tr("Knobs"), tr(EMPTY), _WIDTHS)
        self.table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.table.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.sentence = text_label(name=tr("What the knobs explain"), margins=(12, 2, 12, 2))
        self.as_scatter = switch(tr("Scatter"), tr("One knob against latency (P)"), on=True)
        self.as_lines = switch(tr("Parallel"), tr("The most important knobs side by side (P)"))
        self.notice = Notice()
        self._pages, self._stack = QStackedWidget(), QStackedWidget()
        self._split = QSplitter(Qt.Orientation.Horizontal)
        self._background = Background(self)
        self._background.done.connect(self._take)
        self._background.failed.connect(self._miss)
        self._arrange()

    @property
    def busy(self) -> bool:
        """Whether schedules are being read."""
        return self._background.busy

    @property
    def plots(self) -> tuple[ScatterPlot, ParallelPlot]:
        """The plots, made at the first call: their library takes long to load."""
        if self._plots is None:
            from widgets.knobs.parallel import ParallelPlot
            from widgets.knobs.scatter import ScatterPlot

            self._plots = ScatterPlot(), ParallelPlot()
            for plot in self._plots:
                plot.picked.connect(self.trial_picked)
                self._stack.addWidget(plot)
            self._turn()
        return self._plots

    def first_part(self) -> QWidget:
        return self.table if self._pages.currentIndex() else self

    # The view protocol

    def show_project(self) -> None:
        self._background.cancel()
        self._asked, self._number, self._knob = None, None, ""
        self._show(NO_STUDY)
        self._refresh()

    def apply(self, events: Sequence[Event]) -> None:
        """Read anew with each slot: with each trial it would disturb measurements."""
        if any(isinstance(event, SlotStarted | RunChanged | ProjectSaved) for event in events):
            self._refresh()

    def select_task(self, task: int | None) -> None:
        self._selected = task
        self._refresh()

    def select_trial(self, number: int | None) -> None:
        """Mark the dot and the line of a trial."""
        self._number = number
        for plot in self._plots or ():
            plot.choose(number)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave names room where there is little."""
        super().resizeEvent(event)
        self.table.setColumnHidden(VALUES, self.width() < NARROW)
        if not self._moved:
            table = round(TABLE_SHARE * self.width())
            self._split.setSizes([table, self.width() - table])

    def closeEvent(self, event: QCloseEvent) -> None:
        """Leave no thread behind."""
        self._background.close()
        super().closeEvent(event)

    # How it is kept up

    def _task(self) -> int:
        if self._selected is not None:
            return self._selected
        tasks = range(len(self._history.tasks))
        return max(tasks, key=self._history.trials)

    def _refresh(self) -> None:
        if self._is_hidden():
            return
        any_trials = bool(self._history.tasks and self._history.trial_count)
        self._pages.setCurrentIndex(1 if any_trials else 0)
        if not any_trials:
            known = bool(self._history.tasks)
            self.notice.offer(tr(NO_TRIALS if known else NO_MODEL), "start" if known else OPEN)
            return
        task, path = self._task(), self.project.head.path
        asked = path, task, self._history.trials(task)
        if asked == self._asked:
            return
        is_other = self._asked is None or asked[:2] != self._asked[:2]
        self._asked = asked
        if is_other:
            self._show(NO_STUDY)
        if not path or not asked[2]:
            self._background.cancel()
            text = tr(NONE_OF_TASK if path else OF_A_REPLAY, task=self._task_name(task))
            self.sentence.setText(text)
            return
        if is_other:
            self.sentence.setText(tr(READING, task=self._task_name(task)))
        self._background.start(lambda _: (task, study_of(path, task)))

    def _take(self, answer: tuple[int, KnobStudy]) -> None:
        task, study = answer
        self._show(study)
        self.sentence.setText(knob_sentence(study, self._task_name(task)))

    def _miss(self, what: str, todo: str) -> None:
        self._show(NO_STUDY)
        self.sentence.setText(f"{what} {todo}")

    def _show(self, study: KnobStudy) -> None:
        self.study = study
        any_trials = bool(len(study.numbers))
        self._stack.setVisible(any_trials)
        self.table.empty = tr(EMPTY) if any_trials else ""
        self.model.reset_columns(*knob_columns(study))
        names = [knob.name for knob in study.knobs]
        place = names.index(self._knob) if self._knob in names else 0
        self.table.select(place if names else None)
        if study is not NO_STUDY or self._plots is not None:
            self._show_knob(study.knobs[place] if names else None)

    def _show_knob(self, knob: KnobColumn | None) -> None:
        for plot in self.plots:
            plot.show_knob(self.study, knob)
            plot.choose(self._number)

    # What a person does

    def _pick_knob(self, place: int) -> None:
        knob = self.study.knobs[place]
        self._knob = knob.name
        self._show_knob(knob)

    def _turn(self) -> None:
        if self._plots is not None:
            self._stack.setCurrentWidget(self._plots[self.as_lines.isChecked()])

    def _other(self) -> None:
        (self.as_scatter if self.as_lines.isChecked() else self.as_lines).setChecked(True)

    def _keep(self, *_: int) -> None:
        self._moved = True

    def _arrange(self) -> None:
        self.setAccessibleName(tr("Knobs against latency"))
        group = QButtonGroup(self)
        for button in (self.as_scatter, self.as_lines):
            group.addButton(button)
        self.as_lines.toggled.connect(self._turn)
        self.table.row_picked.connect(self._pick_knob)
        inside = Qt.ShortcutContext.WidgetWithChildrenShortcut
        QShortcut(QKeySequence(Qt.Key.Key_P), self, self._other, context=inside)
        divide(self._split, self.table, self._stack, weights=(0, 1))
        self._split.splitterMoved.connect(self._keep)
        buttons = self.as_scatter, self.as_lines
        head = beside((self.sentence, 1), *buttons, margins=(0, 4, 8, 0), spacing=4)
        page = surface(stacked(head, (self._split, 1), margins=0, spacing=2))
        pages(self._pages, self.notice, page, on=self)
