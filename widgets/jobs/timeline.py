"""What had the cores and the devices over time: bars by job and stage, live; idle time is told."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QHideEvent, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import (
    QScrollBar,
    QToolButton,
    QWidget,
)

from engine.records.stage import StageSpan
from widgets.jobs.painter import JobPainter
from widgets.jobs.places import GUTTER, JobPlaces, least_height
from widgets.jobs.spans import Bars, SpanStore
from widgets.jobs.words import idle_text, stage_text
from widgets.look.language import tr
from widgets.look.theme import theme
from widgets.parts.pieces import beside, scrolled, stacked
from widgets.plots.time_axis import Keys, TimeAxis

CLOSEST_S = 0.05
FOLLOWED_S = 120.0
AHEAD = 0.03
SLACK_PIXELS = 2.0


class JobTimeline(TimeAxis):
    """Draws a SpanStore until `now_s`. It follows the last seconds until a person moves it.

    `picked` carries the number of the job whose bar a person chose, None for none.
    """

    picked = Signal(object)
    follow_changed = Signal(bool)
    range_changed = Signal()

    def __init__(self, store: SpanStore, room: QWidget) -> None:
        """`room` is where the text beside the pointer has room."""
        super().__init__(CLOSEST_S, tr("Cores and devices over time"), room)
        self.store = store
        self.color_of: Callable[[int | str], QColor] = lambda _: theme().muted
        self.title_of: Callable[[int | str], str] = str
        self.queue_text: Callable[[], str] = str
        self._follow, self._followed_s = True, FOLLOWED_S
        self._job: int | str | None = None
        self._current: tuple[int, int] | None = None
        self.now_s = 0.0
        self.setMinimumHeight(least_height(()))

    # What is shown

    def advance(self, now_s: float) -> None:
        """Draw what is known, until this moment."""
        self.now_s = self._span.end_s = max(now_s, self.store.end_s)
        wanted = least_height(self.store.lanes)
        if wanted != self.minimumHeight():
            self.setMinimumHeight(wanted)
            self.updateGeometry()
        if self._follow:
            self._look_at_end()
        self._changed()

    def leave_bar(self) -> None:
        """The bars are others than before: none has the keyboard."""
        self._current = None

    @property
    def follow(self) -> bool:
        """Whether the last seconds stay in sight."""
        return self._follow

    def set_follow(self, follow: bool) -> None:
        """Keep the last seconds in sight, or leave the view where it is."""
        if follow and not self._follow:
            low, high = self.range
            whole = (low, high) == (0.0, self._span.end_s * (1 + AHEAD))
            self._followed_s = FOLLOWED_S if whole else high - low
        changed, self._follow = follow != self._follow, follow
        if follow:
            self._look_at_end()
        elif changed:
            low, high = self.range
            self._span.look_at(low, high - low)
        self._changed()
        if changed:
            self.follow_changed.emit(follow)

    def select(self, job: int | str | None) -> None:
        if job != self._job:
            self._job = job
            self.update()

    def fit(self) -> None:
        """All of the time in sight."""
        self._let_go()
        super().fit()
        self._changed()

    def scroll_to(self, start_s: float) -> None:
        """Show as many seconds as now, from this one on."""
        self._let_go()
        low, high = self.range
        self._span.look_at(start_s, high - low)
        self._changed()

    @property
    def places(self) -> JobPlaces:
        return JobPlaces(*self._seen, self.store.lanes)

    def bar_rect(self, lane: int, bar: int) -> QRectF:
        """Where a bar is, by its number in its lane."""
        found = self.store.lanes[lane].bars[bar]
        end_s = min(float(found["end_s"]), self.now_s)
        sizes = int(found["top"]), int(found["high"])
        return self.places.rect(lane, float(found["start_s"]), end_s, *sizes)

    def text_at(self, at: QPointF) -> str:
        """The stage under a point, or why there is none; empty beside the lanes."""
        found, places = self._lane_at(at), self.places
        if found is None:
            return ""
        place, row = found
        lane, at_s = self.store.lanes[place], places.seconds_at(at.x())
        span = self._span_at(at)
        if span is not None:
            return self._stage_text(span)
        idle = self.store.idle(lane, at_s, row, self.now_s)
        return "" if idle is None else idle_text(idle, self.now_s, self.queue_text())

    def sizeHint(self) -> QSize:
        return QSize(400, least_height(self.store.lanes) + 60)

    # What a person does

    def _keys(self) -> Keys:
        """Arrows go from bar to bar and lane to lane, Page keys move, F follows."""
        return {
            Qt.Key.Key_Up: lambda: self._step_lane(-1),
            Qt.Key.Key_Down: lambda: self._step_lane(1),
            Qt.Key.Key_PageUp: lambda: self._move(0.8 * self.places.time_width),
            Qt.Key.Key_PageDown: lambda: self._move(-0.8 * self.places.time_width),
            Qt.Key.Key_F: lambda: self.set_follow(not self._follow),
            Qt.Key.Key_Escape: lambda: self._pick(None),
        }

    def _click(self, at: QPointF) -> None:
        span = self._span_at(at)
        self._pick(span.job if span is not None else None)

    # Drawing

    def paintEvent(self, event: QPaintEvent) -> None:
        """Bars in lanes over an axis of time."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme().surface)
        drawing = JobPainter(
            painter, self.places, self.store.spans, self.color_of, self.now_s, self._job
        )
        drawing.paint()
        if self.hasFocus() and self._current is not None and self._bars(self._current[0]).size:
            drawing.ring(self.bar_rect(*self._current))
        self._paint_focus(painter)

    # Moving and choosing

    def _zoom(self, factor: float, around_s: float) -> None:
        self._let_go()
        super()._zoom(factor, around_s)
        self._changed()

    def _move(self, pixels: float) -> None:
        self._let_go()
        super()._move(pixels)
        self._changed()

    def _let_go(self) -> None:
        if self._follow:
            self.set_follow(False)

    def _look_at_end(self) -> None:
        width = self._followed_s
        self._span.look_at(self._span.end_s - width * (1 - AHEAD), width)

    def _changed(self) -> None:
        self.update()
        self.range_changed.emit()

    def _middle(self) -> float:
        if self._current is None or not self._bars(self._current[0]).size:
            return super()._middle()
        bar = self._bars(self._current[0])[self._current[1]]
        return (float(bar["start_s"]) + min(float(bar["end_s"]), self.now_s)) / 2

    def _lane_at(self, at: QPointF) -> tuple[int, int] | None:
        return self.places.lane_at(at.y()) if at.x() >= GUTTER else None

    def _span_at(self, at: QPointF) -> StageSpan | None:
        found, places = self._lane_at(at), self.places
        if found is None:
            return None
        slack_s = SLACK_PIXELS * (self.range[1] - self.range[0]) / places.time_width
        at_s = places.seconds_at(at.x())
        number = self.store.lanes[found[0]].at(at_s, found[1], slack_s)
        return None if number is None or at_s > self.now_s + slack_s else self.store.spans[number]

    def _stage_text(self, span: StageSpan) -> str:
        until_s = self.now_s + self.store.origin_s if span.until_s is None else span.until_s
        seconds = max(0.0, until_s - span.since_s)
        title, goes_on = self.title_of(span.job), span.until_s is None
        return stage_text(span.kind, span.task, title, seconds, goes_on, span.cores)

    def _bars(self, lane: int) -> Bars:
        return self.store.lanes[lane].bars

    def _count(self) -> int:
        return len(self._bars(self._lane)) if self.store.lanes else 0

    def _place(self) -> int | None:
        return None if self._current is None else self._current[1]

    @property
    def _lane(self) -> int:
        return self._current[0] if self._current is not None else 0

    def _step_lane(self, by: int) -> None:
        """To the bar of another lane at the same time."""
        if not self.store.lanes:
            return
        if self._current is None:
            self._go(0)
            return
        at_s = float(self._bars(self._current[0])[self._current[1]]["start_s"])
        lane = min(max(self._current[0] + by, 0), len(self.store.lanes) - 1)
        earlier = int((self._bars(lane)["start_s"] <= at_s).sum())
        self._current = lane, max(0, earlier - 1)
        self._go(self._current[1])

    def _go_to(self, place: int) -> None:
        self._current = self._lane, place
        found = self._bars(self._lane)[place]
        start_s = float(found["start_s"])
        low, high = self.range
        if not low <= start_s <= high:
            self._let_go()
            self._span.show(start_s)
        span = self.store.spans[int(found["span"])]
        self._pick(span.job)
        self._changed()
        self._tell(self._stage_text(span), self.bar_rect(*self._current))

    def _pick(self, job: int | str | None) -> None:
        if job is None:
            self._current = None
        self.select(job)
        self.picked.emit(job)


GAP = 4
MOST_LEAST = 110
TICK_MS = 500
STEPS_A_SECOND = 20


class JobResources(QWidget):
    """Shows the stages of a queue; `job_picked` carries the job whose bar a person chose."""

    job_picked = Signal(object)

    def __init__(
        self, room: QWidget, cores: int = 1, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`room` is where the text beside the pointer has room; `clock` is that of the spans."""
        super().__init__()
        self._clock, self._live, self._forgotten = clock, False, 0
        self.store = SpanStore(cores)
        self.timeline = JobTimeline(self.store, room)
        self.follow = QToolButton()
        self.follow.setText(tr("Follow"))
        self.follow.setToolTip(tr("Keep the last seconds in sight (F)"))
        self.follow.setCheckable(True)
        self.follow.setChecked(True)
        self.follow.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.whole = QToolButton()
        self.whole.setText(tr("All"))
        self.whole.setToolTip(tr("Show all of the time (0)"))
        self.whole.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.bar = QScrollBar(Qt.Orientation.Horizontal)
        self.bar.setAccessibleName(tr("Seconds in sight"))
        self._timer = QTimer(self)
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self.tick)
        self._arrange()
        self.follow.clicked.connect(self.timeline.set_follow)
        self.whole.clicked.connect(self.timeline.fit)
        self.bar.valueChanged.connect(self._scrolled)
        self.timeline.follow_changed.connect(self.follow.setChecked)
        self.timeline.range_changed.connect(self._show_range)
        self.timeline.picked.connect(self.job_picked)
        self._show_range()

    def share(self, store: SpanStore) -> None:
        """Show this store, which others show, too, and which its owner fills; `refresh` tells."""
        self.store = self.timeline.store = store
        self.timeline.leave_bar()
        self.refresh()

    def put(self, spans: Sequence[StageSpan]) -> None:
        """Take in stages that began or ended."""
        self.store.put(spans)
        self.refresh()

    def refresh(self) -> None:
        if self.store.forgotten != self._forgotten:
            self._forgotten = self.store.forgotten
            self.timeline.leave_bar()
        self._run_clock()
        self.tick()

    def set_live(self, live: bool) -> None:
        """Whether time goes on where no stage runs: while the queue does."""
        if live != self._live:
            self.tick()
            self._live = live
            self._run_clock()

    def tick(self) -> None:
        going = self._live or self.store.running
        now_s = self._clock() - self.store.origin_s if going and self.store.spans else 0.0
        self.timeline.advance(max(now_s, self.timeline.now_s))
        self._area.setMinimumHeight(min(self.timeline.minimumHeight(), MOST_LEAST))

    def stop(self) -> None:
        self._timer.stop()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._run_clock()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._timer.stop()

    def _run_clock(self) -> None:
        wanted = self.isVisible() and bool(self.store.spans) and (self._live or self.store.running)
        if wanted and not self._timer.isActive():
            self._timer.start()
        elif not wanted:
            self._timer.stop()

    def _show_range(self) -> None:
        low, high = self.timeline.range
        width, end = high - low, max(high, self.timeline.now_s)
        self.bar.blockSignals(True)
        self.bar.setRange(0, round(max(0.0, end - width) * STEPS_A_SECOND))
        self.bar.setPageStep(max(1, round(width * STEPS_A_SECOND)))
        self.bar.setSingleStep(max(1, round(width * STEPS_A_SECOND / 10)))
        self.bar.setValue(round(low * STEPS_A_SECOND))
        self.bar.blockSignals(False)
        self.bar.setEnabled(self.bar.maximum() > 0)

    def _scrolled(self, value: int) -> None:
        self.timeline.scroll_to(value / STEPS_A_SECOND)

    def _arrange(self) -> None:
        row = beside(
            self.follow, self.whole, (self.bar, 1), margins=(2 * GAP, 0, 2 * GAP, GAP), spacing=GAP
        )
        self._area = area = scrolled(self.timeline)
        stacked((area, 1), row, on=self, margins=0, spacing=0)
