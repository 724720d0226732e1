"""Timeline: one inference, kernel by kernel, as it was last timed."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from engine.history.inference import inference_of
from engine.history.open_project import OpenProject
from engine.records.events import Event, ModelMeasured, RunChanged, SlotStarted
from engine.targets.known_peak import known_bytes, known_peak
from widgets.look.language import QT_TR_NOOP, tr
from widgets.look.task_colors import TaskColors
from widgets.parts.notice import MEASURE, NO_MODEL, OPEN, Notice
from widgets.parts.pieces import pages, stacked, surface, text_label
from widgets.parts.view import View, identity
from widgets.timeline.chart import NOTHING, InferenceChart
from widgets.timeline.words import inference_sentence

NOT_TIMED = QT_TR_NOOP(
    "No inference was timed kernel by kernel yet: a run does that at its end, and Measure again at "
    "any time."
)
LEGEND = QT_TR_NOOP(
    "Of the peak: ■ arithmetic is nearer to its own, ▨ memory is. Kernels stand one after the "
    "other, as each takes by itself; hatched behind them is what the whole takes beyond them."
)
LOW = 260  # pixels of height under which the legend makes room


class InferenceView(View):
    """Shows the module with the schedules of now, or else the last that was timed.

    `operators_picked` carries the operators that a person chose, as a frozenset.
    """

    operators_picked = Signal(object)

    def __init__(self, project: OpenProject, parent: QWidget | None = None) -> None:
        super().__init__(project, parent)
        self._identity: tuple[str, ...] = ()
        self.chart = InferenceChart(self)
        self.chart.picked.connect(self.operators_picked)
        self.sentence = text_label(name=tr("The inference in words"), margins=(12, 6, 12, 2))
        self.legend = text_label(tr(LEGEND), "muted", name=tr("Legend"), margins=(12, 2, 12, 6))
        self.notice = Notice()
        self._pages = QStackedWidget()
        parts = self.sentence, (self.chart, 1), self.legend
        self.setAccessibleName(tr("Timeline of one inference"))
        pages(self._pages, self.notice, surface(stacked(*parts, margins=0, spacing=0)), on=self)

    def first_part(self) -> QWidget:
        return self.chart if self._pages.currentIndex() else self

    # The view protocol

    def show_project(self) -> None:
        """Show this project's inference; where it is the same project a zoom stays."""
        before, self._identity = self._identity, identity(self.project.head)
        if before != self._identity:
            self.chart.fit()
            self.chart.select(NOTHING)
        self._refresh()

    def apply(self, events: Sequence[Event]) -> None:
        """A measurement brings another inference, a run may make it one of earlier schedules."""
        if any(isinstance(event, ModelMeasured | RunChanged | SlotStarted) for event in events):
            self._refresh()

    def select_task(self, task: int | None) -> None:
        """Accent all the operators of a task."""
        operators = self.project.head.operators
        own = (each.id for each in operators if task is not None and each.task == task)
        self.select_operators(frozenset(own))

    def select_operators(self, operators: frozenset[int]) -> None:
        self.chart.select(operators)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.legend.setVisible(self.height() >= LOW)

    # How it is kept up

    def _refresh(self) -> None:
        if self._is_hidden():
            return
        head = self.project.head
        text = head.hardware.text
        found = inference_of(head, self._history, known_peak(text), known_bytes(text))
        self._pages.setCurrentIndex(0 if found is None else 1)
        if found is None:
            known = bool(head.tasks)
            self.notice.offer(tr(NOT_TIMED if known else NO_MODEL), MEASURE if known else OPEN)
            return
        self.chart.show_inference(found, TaskColors(head.tasks))
        self.sentence.setText(inference_sentence(found))
