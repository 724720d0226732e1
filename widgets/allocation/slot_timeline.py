"""Slots over tuning time, coloured by task, a row for each that goes on at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QWidget

from widgets.allocation.series import Bar
from widgets.look.language import tr
from widgets.look.task_colors import TaskColors
from widgets.look.theme import blend, text_on, theme
from widgets.plots.time_axis import AXIS, SIDE, Keys, TimeAxis, TimePlaces

TOP = 6
ROW, GAP = 26, 2
LEAST_ROW, MOST_LEAST = 4, 108  # rows become lower where there is no room, the axis stays
NAMED_ROW = 12
ROOM_FOR_NAME = 28
CLOSEST_S = 0.5
FAINT = 0.55


class SlotTimeline(TimeAxis):
    """Draws bars. `picked` carries the slot that a person chose, None for none."""

    picked = Signal(object)

    def __init__(self, describe: Callable[[int], str], room: QWidget) -> None:
        """`describe` gives the text for a slot's number; `room` is where it has room."""
        super().__init__(CLOSEST_S, tr("Timeline of slots"), room)
        self._describe = describe
        self._bars: tuple[Bar, ...] = ()
        self._colors = TaskColors()
        self._task: int | None = None
        self._slot: int | None = None
        self.rows = 1

    # What is shown

    def show_bars(self, bars: Sequence[Bar], colors: TaskColors, end_s: float) -> None:
        """Draw these, until `end_s`."""
        self._bars, self._colors, self._span.end_s = tuple(bars), colors, end_s
        rows = max((bar.row for bar in bars), default=0) + 1
        if rows != self.rows or not self.minimumHeight():
            self.rows = rows
            self.setMinimumHeight(min(TOP + int(AXIS) + rows * (LEAST_ROW + GAP), MOST_LEAST))
            self.updateGeometry()
        self.update()

    def forget(self) -> None:
        """Another project: all of it in sight, nothing chosen."""
        self._span.fit()
        self._task = self._slot = None
        self._say("", QPointF())

    def select(self, task: int | None) -> None:
        bar = self._bar(self._slot)
        if bar is not None and bar.task != task:
            self._slot = None
        self._task = task
        self.update()

    @property
    def places(self) -> TimePlaces:
        """Where the seconds in sight are."""
        return TimePlaces(*self._seen)

    def rect_of(self, number: int) -> QRectF:
        """Where a slot is; empty where there is none."""
        bar = self._bar(number)
        return QRectF() if bar is None else self._rect(bar)

    def sizeHint(self) -> QSize:
        return QSize(400, TOP + int(AXIS) + self.rows * (ROW + GAP))

    # What a person does

    def _keys(self) -> Keys:
        return {Qt.Key.Key_Escape: lambda: self._pick(None)}

    def _click(self, at: QPointF) -> None:
        bar = self._bar_at(at)
        if bar is not None:
            self._pick(bar)

    def text_at(self, at: QPointF) -> str:
        """The slot under a point."""
        bar = self._bar_at(at)
        return self._describe(bar.number) if bar else ""

    # Drawing

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        colors = theme()
        painter.fillRect(self.rect(), colors.surface)
        self.places.paint_axis(painter, TOP)
        painter.setClipRect(int(SIDE), 0, self.width() - 2 * int(SIDE), self.height())
        low, high = self.range
        before: Bar | None = None
        for bar in self._bars:
            if bar.end_s >= low and bar.start_s <= high:
                self._paint_bar(painter, bar)
                if before is not None and before.run != bar.run:
                    self._paint_run(painter, bar)
            before = bar
        chosen = self._bar(self._slot)
        if chosen is not None:
            painter.setPen(QPen(colors.text, 2))
            painter.drawRect(self._rect(chosen).adjusted(1, 1, -1, -1))
        painter.setClipping(False)
        self._paint_focus(painter)

    def _paint_bar(self, painter: QPainter, bar: Bar) -> None:
        colors, rect = theme(), self._rect(bar)
        color = self._color(bar)
        painter.fillRect(rect, color)
        if rect.width() > 4:
            painter.setPen(blend(color, colors.text, 0.2))
            painter.drawRect(rect.adjusted(0, 0, -1, -1))
        if bar.running:
            painter.fillRect(QRectF(rect.right() - 3, rect.top(), 3, rect.height()), colors.text)
        if rect.width() > ROOM_FOR_NAME and rect.height() >= NAMED_ROW:
            inner = rect.adjusted(4, 0, -4, 0).intersected(QRectF(self.rect()))
            metrics = self.fontMetrics()
            text = metrics.elidedText(
                bar.name.removeprefix("fused_"), Qt.TextElideMode.ElideLeft, int(inner.width())
            )
            painter.setPen(text_on(color))
            painter.drawText(inner, int(Qt.AlignmentFlag.AlignVCenter), text)

    def _paint_run(self, painter: QPainter, bar: Bar) -> None:
        x = self.places.x(bar.start_s)
        painter.setPen(QPen(theme().text, 1, Qt.PenStyle.DashLine))
        painter.drawLine(QPointF(x, 0), QPointF(x, self.places.bottom))

    def _color(self, bar: Bar) -> QColor:
        color = self._colors.of(bar.task)
        faint = self._task is not None and bar.task != self._task
        return blend(color, theme().surface, FAINT) if faint else color

    # Places

    def _rect(self, bar: Bar) -> QRectF:
        left, right = self.places.x(bar.start_s), self.places.x(bar.end_s)
        pitch = min((self.height() - TOP - AXIS) / self.rows, ROW + GAP)
        top, high = TOP + bar.row * pitch, max(1.5, pitch - GAP)
        return QRectF(left, top, max(1.5, right - left - 1.0), high)

    def _middle(self) -> float:
        bar = self._bar(self._slot)
        return (bar.start_s + bar.end_s) / 2 if bar else super()._middle()

    def _bar(self, number: int | None) -> Bar | None:
        return next((bar for bar in self._bars if bar.number == number), None)

    def _bar_at(self, at: QPointF) -> Bar | None:
        near = [bar for bar in self._bars if self._rect(bar).adjusted(-1, 0, 2, 0).contains(at)]
        return near[-1] if near else None

    def _count(self) -> int:
        return len(self._bars)

    def _place(self) -> int | None:
        numbers = [bar.number for bar in self._bars]
        return numbers.index(self._slot) if self._slot in numbers else None

    def _go_to(self, place: int) -> None:
        bar = self._bars[place]
        self._pick(bar)
        self._span.show(bar.start_s)
        self.update()
        self._tell(self._describe(bar.number), self._rect(bar))

    def _pick(self, bar: Bar | None) -> None:
        self._slot = bar.number if bar else None
        self._task = bar.task if bar else None
        self.update()
        self.picked.emit(self._slot)
