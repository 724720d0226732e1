"""Jobs: the queue as a table, and below it what has the cores and the devices."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QMenu, QSplitter, QStackedWidget, QWidget

from engine.records.job import DEFAULT_LIMIT, QueuedJob
from engine.records.stage import StageSpan
from engine.scheduling.registry import DEFAULT_SCHEDULING
from widgets.jobs.bar import JobBar
from widgets.jobs.spans import SpanStore
from widgets.jobs.table import JobModel, JobTable, moved
from widgets.jobs.timeline import JobResources
from widgets.jobs.words import summary
from widgets.look.language import QT_TR_NOOP, tr
from widgets.look.theme import blend, theme, theme_notifier
from widgets.parts.notice import Notice
from widgets.parts.pieces import divide, stacked

NO_JOBS = QT_TR_NOOP(
    "Nothing is queued yet. Jobs tunes several models on one machine, and no measurement is "
    "disturbed. Add a model, or the open project."
)
NO_QUEUE = QT_TR_NOOP(
    "Jobs needs the real engine: this window replays a recording, or has none yet."
)


class JobView(QWidget):
    """Shows a queue and asks for what a person wants of it; it decides nothing.

    Signals carry the number of a job; `order_wanted` all numbers in their new order, and
    `pause_wanted` whether the job is to be held. `cores` is how many this machine has, and `clock`
    that of the spans.
    """

    project_wanted = Signal()
    model_wanted = Signal()
    run_wanted = Signal(bool)
    stop_wanted = Signal()
    pause_wanted = Signal(int, bool)
    cancel_wanted = Signal(int)
    remove_wanted = Signal(int)
    open_wanted = Signal(int)
    order_wanted = Signal(list)
    priority_wanted = Signal(int, int)
    policy_wanted = Signal(str)
    limit_wanted = Signal(int)

    def __init__(self, cores: int = 1, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._jobs: tuple[QueuedJob, ...] = ()
        self._running = self._holding = self._elsewhere = self._connected = False
        self._has_project = False
        self._policy, self._limit = DEFAULT_SCHEDULING, DEFAULT_LIMIT
        self.colors = JobColors()
        self.model = JobModel(self.colors.of, self)
        self.table = JobTable(self.model)
        self.bar = JobBar()
        self.resources = JobResources(self, cores, clock)
        self.timeline = self.resources.timeline
        self.notice = Notice(tr("Add a model file…"))
        self._pages = QStackedWidget()
        self._arrange()
        self._listen()
        self._refresh()

    # What is shown

    def connect_queue(self, connected: bool) -> None:
        """Whether there is a queue."""
        self._connected = connected
        self._refresh()

    def show_jobs(
        self,
        jobs: Sequence[QueuedJob],
        running: bool = False,
        holding: bool = False,
        elsewhere: bool = False,
    ) -> None:
        """The queue as it is now: whether this process runs it, and then begins no other job, or
        another process does."""
        chosen = self.table.selected()
        self._jobs = tuple(jobs)
        self._running, self._holding, self._elsewhere = running, holding, elsewhere
        self.colors.know(sorted(job.id for job in jobs))
        if self.model.show_jobs(jobs):
            self.table.select(chosen)
        self.resources.set_live(running)
        self._refresh()

    def show_choices(self, policy: str, limit: int) -> None:
        """By which policy stages start, and how many jobs run at once."""
        self._policy, self._limit = policy, limit
        self._refresh()

    def put_spans(self, spans: Sequence[StageSpan]) -> None:
        """Take in stages that began or ended."""
        self.resources.put(spans)
        self._show_page()

    def share_spans(self, store: SpanStore) -> None:
        """Show the stages of this store, which its owner fills; `refresh_spans` tells of them."""
        self.resources.share(store)
        self._show_page()

    def refresh_spans(self) -> None:
        self.resources.refresh()
        self._show_page()

    def allow_project(self, allowed: bool) -> None:
        """Whether there is an open project that can be added."""
        self._has_project = allowed
        self.bar.allow_project(allowed)
        self._offer()

    @property
    def jobs(self) -> tuple[QueuedJob, ...]:
        """The queue in its order."""
        return self._jobs

    def job(self) -> QueuedJob | None:
        return self.table.job()

    def select(self, job: int | None) -> None:
        """Mark a job in table and timeline."""
        self.table.select(job)
        self.timeline.select(job)
        self._show_job()

    def first_part(self) -> QWidget:
        if self._pages.currentIndex():
            return self.table
        button = self.notice.button
        return button if button.isEnabled() and not button.isHidden() else self

    def close(self) -> bool:
        self.resources.stop()
        return super().close()

    # What a person does

    def _pause(self) -> None:
        job = self.job()
        if job is not None and not job.state.over:
            self.pause_wanted.emit(job.id, not job.paused)

    def _emit(self, signal: Any) -> None:
        job = self.job()
        if job is not None:
            signal.emit(job.id)

    def _remove(self) -> None:
        job = self.job()
        if job is not None and not job.state.active:
            self.remove_wanted.emit(job.id)

    def _open(self) -> None:
        if self.bar.open.isEnabled():
            self._emit(self.open_wanted)

    def _move(self, number: int, by: int) -> None:
        ids = [job.id for job in self._jobs]
        if number in ids:
            order = moved(ids, number, by)
            if order != ids:
                self.order_wanted.emit(order)

    def _move_marked(self, by: int) -> None:
        job = self.job()
        if job is not None:
            self._move(job.id, by)

    def _fill_menu(self, menu: QMenu) -> None:
        """The same by the right button, and the priority."""
        job = self.job()
        if job is None:
            return
        for button in (self.bar.pause, self.bar.cancel, self.bar.remove, self.bar.open):
            action = menu.addAction(button.icon(), button.text(), button.click)
            action.setEnabled(button.isEnabled())
        urgent = menu.addMenu(tr("P&riority"))
        number = job.id
        for level in sorted({*range(-2, 3), job.priority}):
            action = urgent.addAction(_priority_text(level))
            action.setCheckable(True)
            action.setChecked(level == job.priority)
            action.triggered.connect(
                lambda _=False, level=level: self.priority_wanted.emit(number, level)
            )
        urgent.setEnabled(not job.state.over)
        menu.addSeparator()

    def _picked(self, job: object) -> None:
        self.table.select(job if isinstance(job, int) else None)
        self._show_job()

    def _row_picked(self, job: object) -> None:
        self.timeline.select(job if isinstance(job, int) else None)
        self._show_job()

    # Keeping up

    def _refresh(self) -> None:
        can_run = self._connected and not self._elsewhere
        runs = self._running and not self._holding
        text = summary(self._jobs, self._running, self._holding, self._policy == "parallel")
        if self._elsewhere:
            text = tr("Another Tunewright runs this queue.")
        waits = any(not job.state.over for job in self._jobs)
        self.bar.allow(self._connected)
        self.bar.show_choices(self._policy, self._limit, self._why_not())
        self.bar.show_queue(self._running, self._holding, can_run and (waits or runs), text)
        self._show_job()
        self._show_page()

    def _why_not(self) -> str:
        """Why the policy cannot be chosen now."""
        if self._elsewhere:
            return tr("The Tunewright that runs the queue chose it")
        return tr("Cannot be changed while the queue runs") if self._running else ""

    def _show_job(self) -> None:
        job = self.job()
        peers = [each.id for each in self._jobs if job and each.priority == job.priority]
        place = peers.index(job.id) if job is not None and job.id in peers else 0
        self.bar.show_job(job, place, len(peers))

    def _show_page(self) -> None:
        filled = bool(self._jobs or self.resources.store.spans)
        self._pages.setCurrentIndex(1 if filled and self._connected else 0)
        self._offer()

    def _offer(self) -> None:
        text = tr("Add the open project…") if self._has_project else tr("Add a model file…")
        self.notice.button.setText(text)
        self.notice.put(tr(NO_JOBS if self._connected else NO_QUEUE), self._connected)

    def _add(self) -> None:
        (self.project_wanted if self._has_project else self.model_wanted).emit()

    def _title_of(self, job: int | str) -> str:
        if isinstance(job, str):
            return job or tr("not of the queue")
        found = self.model.job(job)
        return found.title if found is not None else tr("job {number}", number=job)

    def _queue_text(self) -> str:
        """Why nothing comes now, as far as the queue says."""
        waiting = [job for job in self._jobs if not job.state.over]
        if not waiting:
            return tr("Nothing is queued.")
        if all(job.paused for job in waiting):
            return tr("All jobs are paused.")
        return "" if self._running and not self._holding else tr("The queue is held.")

    def _recolor(self) -> None:
        self.show_jobs(self._jobs, self._running, self._holding, self._elsewhere)
        self.timeline.update()

    def _listen(self) -> None:
        bar, table, timeline = self.bar, self.table, self.timeline
        timeline.color_of, timeline.title_of = self.colors.of, self._title_of
        timeline.queue_text = self._queue_text
        self.notice.find_wanted.connect(self._add)
        bar.project_wanted.connect(self.project_wanted)
        bar.model_wanted.connect(self.model_wanted)
        bar.run_pressed.connect(self.run_wanted)
        bar.stop_pressed.connect(self.stop_wanted)
        bar.choices.policy_chosen.connect(self.policy_wanted)
        bar.choices.limit_chosen.connect(self.limit_wanted)
        bar.pause_pressed.connect(self._pause)
        bar.cancel_pressed.connect(lambda: self._emit(self.cancel_wanted))
        bar.remove_pressed.connect(self._remove)
        bar.up_pressed.connect(lambda: self._move_marked(-1))
        bar.down_pressed.connect(lambda: self._move_marked(1))
        bar.open_pressed.connect(self._open)
        table.row_picked.connect(self._row_picked)
        table.menu_made.connect(self._fill_menu)
        table.move_wanted.connect(self._move)
        table.pause_wanted.connect(lambda _: self._pause())
        table.remove_wanted.connect(lambda _: self._remove())
        table.open_wanted.connect(lambda _: self._open())
        self.resources.job_picked.connect(self._picked)
        theme_notifier().changed.connect(self._recolor)

    def _arrange(self) -> None:
        upper = QWidget()
        stacked(self.bar, (self.table, 1), on=upper, margins=0, spacing=4)
        split = divide(QSplitter(Qt.Orientation.Vertical), upper, self.resources, weights=(3, 2))
        self._pages.addWidget(self.notice)
        self._pages.addWidget(split)
        stacked(self._pages, on=self, margins=0)


def _priority_text(level: int) -> str:
    words = {-2: tr("most urgent"), 0: tr("as usual"), 2: tr("least urgent")}
    word = words.get(level, "")
    return f"{level} ({word})" if word else f"{level}"


_TINTS = (0.0, 0.4, 0.65)


class JobColors:
    """After eight jobs the colours come again, paler; a job keeps its colour while it is known."""

    def __init__(self) -> None:
        self._ranks: dict[int, int] = {}

    def know(self, jobs: Iterable[int]) -> None:
        """Give those that are new a colour, in this order."""
        for job in jobs:
            self._ranks.setdefault(job, len(self._ranks))

    def of(self, job: int | str) -> QColor:
        """The job's colour in the theme in force; work that is no job's is grey."""
        rank = None if isinstance(job, str) else self._ranks.get(job)
        colors = theme()
        if rank is None:
            return colors.muted
        count = len(colors.categories)
        tint = _TINTS[rank // count % len(_TINTS)]
        return blend(colors.category(rank), colors.surface, tint)
