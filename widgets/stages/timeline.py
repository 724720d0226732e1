"""The stages over time, above them the sequential program, both to one scale."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from widgets.look.language import tr
from widgets.look.theme import theme
from widgets.plots.time_axis import Keys, TimeAxis
from widgets.stages.painter import StagePainter
from widgets.stages.places import LEAST_ROW, MOST_ROW, Places, height_for
from widgets.stages.series import StageBar, StageColumn, Timeline

CLOSEST_S = 1e-7
NOTHING: frozenset[int] = frozenset()


class StageTimeline(TimeAxis):
    """Draws a Timeline. `picked` carries the operators that a person chose, as a frozenset."""

    picked = Signal(object)

    def __init__(self, room: QWidget) -> None:
        """`room` is where the text beside the pointer has room."""
        super().__init__(CLOSEST_S, tr("Stages over time"), room)
        self._timeline = Timeline()
        self._selected: frozenset[int] = NOTHING
        self._current: StageBar | None = None
        self.lane_word = tr("Stream")
        self.color_of: Callable[[int], QColor] = lambda _: theme().muted
        self.name_of: Callable[[int], str] = str
        self.describe_bar: Callable[[StageBar], str] = str
        self.describe_stage: Callable[[StageColumn], str] = str

    # What is shown

    def show_timeline(self, timeline: Timeline) -> None:
        """Draw another schedule; a person's zoom stays."""
        if timeline != self._timeline:
            self._timeline, self._current = timeline, None
            self._span.end_s = timeline.end_s
            self.setMinimumHeight(height_for(timeline.lanes, LEAST_ROW))
            self.updateGeometry()
        self.update()

    def forget(self) -> None:
        """Another project: all of it in sight, nothing chosen."""
        self._span.fit()
        self._selected, self._current = NOTHING, None
        self._say("", QPointF())

    def select(self, operators: frozenset[int]) -> None:
        self._selected = operators
        if self._current is not None and not operators & set(self._current.operators):
            self._current = None
        self.update()

    @property
    def selected(self) -> frozenset[int]:
        return self._selected

    @property
    def places(self) -> Places:
        return Places(*self._seen, self._timeline)

    def rect_of(self, operator: int, sequential: bool = False) -> QRectF:
        """Where an operator is, in its stage or in the sequential program; empty: nowhere."""
        bars = self._timeline.sequential if sequential else self._timeline.bars
        found = next((bar for bar in bars if operator in bar.operators), None)
        return QRectF() if found is None else self.places.rect(found)

    def head_of(self, stage: int) -> QRectF:
        """Where a stage's latency is."""
        return self.places.head_rect(self._timeline.columns[stage])

    def sizeHint(self) -> QSize:
        """As high as the lanes may well be."""
        return QSize(400, height_for(self._timeline.lanes, MOST_ROW))

    # What a person does

    def _keys(self) -> Keys:
        """Arrows go from bar to bar, Enter takes the whole stage, F shows all, Escape clears."""
        return {
            Qt.Key.Key_Up: lambda: self._step_stage(-1),
            Qt.Key.Key_Down: lambda: self._step_stage(1),
            Qt.Key.Key_Return: self._pick_stage,
            Qt.Key.Key_Enter: self._pick_stage,
            Qt.Key.Key_F: self.fit,
            Qt.Key.Key_Escape: lambda: self._pick(NOTHING),
        }

    # Drawing

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme().surface)
        current = self._current if self.hasFocus() else None
        StagePainter(
            painter, self.places, self.color_of, self.name_of, self._selected, current
        ).paint(self.lane_word)
        self._paint_focus(painter)

    def text_at(self, at: QPointF) -> str:
        places = self.places
        if (bar := places.bar_at(at)) is not None:
            return self.describe_bar(bar)
        column = places.column_at(at)
        return "" if column is None else self.describe_stage(column)

    # Moving and choosing

    def _click(self, at: QPointF) -> None:
        places = self.places
        bar, column = places.bar_at(at), places.column_at(at)
        if bar is not None:
            self._current = bar
            self._pick(frozenset(bar.operators))
        else:
            self._pick(column.stage.operators if column is not None else NOTHING)

    def _pick(self, operators: frozenset[int]) -> None:
        self.select(operators)
        self.picked.emit(operators)

    def _pick_stage(self) -> None:
        if self._current is not None:
            column = self._timeline.columns[self._current.stage]
            self.setAccessibleDescription(self.describe_stage(column).replace("\n", ", "))
            self._pick(column.stage.operators)

    def _middle(self) -> float:
        bar = self._current
        return (bar.start_s + bar.end_s) / 2 if bar else super()._middle()

    def _count(self) -> int:
        return len(self._timeline.bars)

    def _place(self) -> int | None:
        bars = self._timeline.bars
        return bars.index(self._current) if self._current in bars else None

    def _step_stage(self, by: int) -> None:
        """To the first bar of the stage before or after."""
        bars = self._timeline.bars
        stage = self._current.stage + by if self._current in bars and self._current else 0
        stage = min(max(stage, 0), len(self._timeline.columns) - 1)
        self._go(next((place for place, bar in enumerate(bars) if bar.stage == stage), 0))

    def _go_to(self, place: int) -> None:
        bar = self._timeline.bars[place]
        self._current = bar
        self._pick(frozenset(bar.operators))
        self._span.show(bar.start_s)
        self.update()
        self._tell(self.describe_bar(bar), self.places.rect(bar))
