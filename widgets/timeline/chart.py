"""The timeline of one inference: the whole, its kernels in order, their parts of the peak."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from engine.history.inference import NO_INFERENCE, Inference, KernelRun
from widgets.look.language import tr
from widgets.look.task_colors import TaskColors
from widgets.look.theme import theme
from widgets.plots.time_axis import Keys, TimeAxis
from widgets.timeline.painter import InferencePainter
from widgets.timeline.places import Places, least_height
from widgets.timeline.words import describe_gap, describe_run, describe_whole

CLOSEST_S = 1e-7
NOTHING: frozenset[int] = frozenset()


class InferenceChart(TimeAxis):
    """Draws an Inference. `picked` carries the operators that a person chose, as a frozenset."""

    picked = Signal(object)

    def __init__(self, room: QWidget) -> None:
        """`room` is where the text beside the pointer has room."""
        super().__init__(CLOSEST_S, tr("Timeline of one inference"), room)
        self.found = NO_INFERENCE
        self._colors = TaskColors()
        self._selected = NOTHING
        self._current: KernelRun | None = None
        self.setMinimumHeight(least_height())

    def show_inference(self, found: Inference, colors: TaskColors) -> None:
        """Draw this; a person's zoom stays."""
        self.found, self._colors, self._current = found, colors, None
        self._span.end_s = found.end_s
        self.update()

    def select(self, operators: frozenset[int]) -> None:
        """Accent the kernels of operators."""
        self._selected = operators
        if self._current is not None and self._current.operator not in operators:
            self._current = None
        self.update()

    @property
    def selected(self) -> frozenset[int]:
        return self._selected

    @property
    def places(self) -> Places:
        return Places(*self._seen, self.found)

    def rect_of(self, operator: int) -> QRectF:
        """Where an operator's kernel is; empty where it has none."""
        runs = (run for run in self.found.kernels if run.operator == operator)
        run = next(runs, None)
        return QRectF() if run is None else self.places.rect(run)

    def sizeHint(self) -> QSize:
        return QSize(400, 2 * least_height())

    # What a person does

    def _keys(self) -> Keys:
        """Arrows go from kernel to kernel, F shows all, Escape clears."""
        return {Qt.Key.Key_F: self.fit, Qt.Key.Key_Escape: lambda: self._pick(NOTHING)}

    def _click(self, at: QPointF) -> None:
        self._current = self.places.run_at(at)
        self._pick(frozenset({self._current.operator}) if self._current else NOTHING)

    def text_at(self, at: QPointF) -> str:
        places = self.places
        if (run := places.run_at(at)) is not None:
            return describe_run(self.found, run)
        if places.gap_rect().contains(at):
            return describe_gap(self.found)
        return describe_whole(self.found) if places.whole_rect().contains(at) else ""

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme().surface)
        current = self._current.operator if self._current and self.hasFocus() else None
        color_of = self._colors.of
        InferencePainter(painter, self.places, color_of, self._selected, current).paint()
        self._paint_focus(painter)

    # Moving and choosing

    def _pick(self, operators: frozenset[int]) -> None:
        self.select(operators)
        self.picked.emit(operators)

    def _middle(self) -> float:
        run = self._current
        return (run.start_s + run.end_s) / 2 if run else super()._middle()

    def _count(self) -> int:
        return len(self.found.kernels)

    def _place(self) -> int | None:
        runs = self.found.kernels
        return runs.index(self._current) if self._current in runs else None

    def _go_to(self, place: int) -> None:
        run = self.found.kernels[place]
        self._current = run
        self._pick(frozenset({run.operator}))
        self._span.show((run.start_s + run.end_s) / 2)
        self.update()
        self._tell(describe_run(self.found, run), self.places.rect(run))
