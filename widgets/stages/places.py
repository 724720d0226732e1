"""Where the parts of the stages' timeline are: seconds and lanes in pixels, and back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from PySide6.QtCore import QPointF, QRectF

from widgets.plots.axes import latency_text
from widgets.plots.ticks import ticks
from widgets.plots.time_axis import AXIS, TimePlaces
from widgets.stages.series import SEQUENTIAL_LANE, StageBar, StageColumn, Timeline

GUTTER, TOP = 84.0, 6.0
HEAD, BETWEEN, GAP = 18.0, 8.0, 2.0
LEAST_ROW, MOST_ROW = 13.0, 26.0
NARROWEST = 1.5


@dataclass(frozen=True, slots=True)
class Places(TimePlaces):
    """Where the parts of a timeline are."""

    timeline: Timeline
    left: ClassVar[float] = GUTTER

    @property
    def row(self) -> float:
        """The height of a lane."""
        rows = self.timeline.lanes + 1
        room = self.height - fixed_height() - rows * GAP
        return min(max(room / rows, LEAST_ROW), MOST_ROW)

    @property
    def area(self) -> QRectF:
        """Where bars are: all between the names of the lanes, the edge and the axis."""
        return QRectF(self.left, 0.0, self.time_width, self.bottom)

    @property
    def bottom(self) -> float:
        """Where the lanes end and the axis is."""
        return self.head + HEAD + self.timeline.lanes * (self.row + GAP) + GAP

    @property
    def head(self) -> float:
        """Where the stages begin, with a row of latencies."""
        return TOP + self.row + BETWEEN

    def ticks(self) -> list[tuple[float, str]]:
        low, high = self.range
        values = ticks(low, high, self.room_for_ticks)
        return [(value, latency_text(value, high)) for value in values]

    def top_of(self, lane: int) -> float:
        if lane == SEQUENTIAL_LANE:
            return TOP
        return self.head + HEAD + lane * (self.row + GAP)

    def rect(self, bar: StageBar) -> QRectF:
        left, right = self.x(bar.start_s), self.x(bar.end_s)
        return QRectF(left, self.top_of(bar.lane), max(NARROWEST, right - left - 1.0), self.row)

    def column_rect(self, column: StageColumn) -> QRectF:
        """Where a stage is, its row of latency included."""
        left, right = self.x(column.start_s), self.x(column.end_s)
        return QRectF(left, self.head, max(NARROWEST, right - left), self.bottom - self.head)

    def head_rect(self, column: StageColumn) -> QRectF:
        """Where a stage's latency is printed."""
        rect = self.column_rect(column)
        rect.setHeight(HEAD)
        return rect

    def in_sight(self, part: StageBar | StageColumn) -> bool:
        """Whether any of it is within the seconds shown."""
        low, high = self.range
        return part.end_s >= low and part.start_s <= high

    def bar_at(self, at: QPointF) -> StageBar | None:
        """The bar under a point, a narrow one also a pixel beside it."""
        if not self.area.contains(at):
            return None
        bars = self.timeline.sequential if at.y() < self.head else self.timeline.bars
        near = [bar for bar in bars if self.rect(bar).adjusted(-1, 0, 2, 0).contains(at)]
        return near[-1] if near else None

    def column_at(self, at: QPointF) -> StageColumn | None:
        """The stage under a point."""
        if not self.area.contains(at) or at.y() < self.head:
            return None
        columns = self.timeline.columns
        return next((column for column in columns if self.column_rect(column).contains(at)), None)


def fixed_height() -> float:
    """What is there beside the rows."""
    return TOP + BETWEEN + HEAD + GAP + AXIS


def height_for(lanes: int, row: float) -> int:
    """What so many lanes and the sequential program need."""
    return round(fixed_height() + (lanes + 1) * (row + GAP))
