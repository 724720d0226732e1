"""The queue's timeline with its switches and its scroll bar; it ticks while something runs."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QScrollArea,
    QScrollBar,
    QToolButton,
    QWidget,
)

from engine.records.stage import StageSpan
from widgets.jobs.spans import SpanStore
from widgets.jobs.timeline import JobTimeline
from widgets.look.language import tr
from widgets.parts.pieces import beside, stacked

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
        """The store has changed."""
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
        """It is now."""
        going = self._live or self.store.running
        now_s = self._clock() - self.store.origin_s if going and self.store.spans else 0.0
        self.timeline.advance(max(now_s, self.timeline.now_s))
        self._area.setMinimumHeight(min(self.timeline.minimumHeight(), MOST_LEAST))

    def stop(self) -> None:
        """Tick no more."""
        self._timer.stop()

    def showEvent(self, event: QShowEvent) -> None:
        """Tick while in sight."""
        super().showEvent(event)
        self._run_clock()

    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody looks."""
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
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(self.timeline)
        self._area = area
        stacked((area, 1), row, on=self, margins=0, spacing=0)
