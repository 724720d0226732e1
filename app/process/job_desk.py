"""The job queue of the process, which all windows share and which outlives each of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from app.process.bridge import Bridge, Failed
from app.process.queue_watch import QueueWatch
from app.process.settings import Settings
from engine.jobs.event_queue import EventQueue
from engine.queueing.commands import QueueCommands
from engine.records.events import Event, Failure, QueueChanged, SpansChanged
from engine.records.job import DEFAULT_LIMIT, QueuedJob
from engine.records.machine import usable_cores
from engine.records.settings import RunSettings
from engine.records.source import ModelSource
from engine.records.stage import StageSpan
from engine.scheduling.registry import DEFAULT_SCHEDULING, SCHEDULING
from widgets.jobs.spans import SpanStore

POLICY_KEY, LIMIT_KEY = "jobs.scheduling", "jobs.limit"
MOST_JOBS = 64


class JobDesk(QObject):
    """Passes on what windows want of the queue, and tells them what becomes of it.

    The queue is made by `open`, when the first window has been painted; a desk without `make` has
    none. What fails is told once, by `failed`. The stages of the queue are in `store`, which the
    views of all windows show.
    """

    changed = Signal()
    spans_put = Signal()  # into the store
    failed = Signal(object, object)  # what, todo
    stopped = Signal()  # it ran, and does no longer
    ended = Signal(object)  # the QueueEnd, where jobs of it came to an end by themselves

    def __init__(
        self,
        make: Callable[[], QueueCommands] | None = None,
        settings: Settings | None = None,
        parent: QObject | None = None,
    ) -> None:
        """`settings` keeps how the queue is run; without them nothing is remembered."""
        super().__init__(parent)
        self._make = make
        self.settings = settings or Settings(memory=True)
        self._watch = QueueWatch()
        self._queue: QueueCommands | None = None
        self._bridge = Bridge(EventQueue(), self)
        self._bridge.events.connect(self._take)
        self.store = SpanStore(usable_cores())
        self.jobs: tuple[QueuedJob, ...] = ()
        self.running = self.elsewhere = False
        self.holding = False  # it runs, and begins no other job

    @property
    def is_open(self) -> bool:
        """Whether there is a queue."""
        return self._queue is not None

    @property
    def busy(self) -> bool:
        """Whether the queue runs here, and has jobs that are not over."""
        return self.running and any(not job.state.over for job in self.jobs)

    def open(self) -> None:
        """Make the queue and hear what it says."""
        if self._queue is not None or self._make is None:
            return
        self._queue = self._make()
        self._queue.start()
        if self.policy != DEFAULT_SCHEDULING:
            self._queue.set_policy(self.policy)
        if self.limit != DEFAULT_LIMIT:
            self._queue.set_limit(self.limit)
        self._bridge.attach(self._queue.events)
        self._bridge.start()
        self.changed.emit()

    def tick(self) -> None:
        """What the bridge's timer does."""
        self._bridge.tick()

    def close(self) -> None:
        """Leave the queue; jobs that are under way end, and go on the next time."""
        queue, self._queue = self._queue, None
        if queue is not None:
            queue.close()
            self._bridge.stop()

    # What a person wants

    def add_project(
        self, path: Path, settings: RunSettings, priority: int, refused: Failed | None = None
    ) -> None:
        """Put a project at the end; `refused` hears why that is not done."""
        if self._queue is not None:
            adding = self._queue.add(project=path, settings=settings, priority=priority)
            self._bridge.watch(adding, failed=refused)

    def add_model(
        self, source: ModelSource, target: str, settings: RunSettings, priority: int
    ) -> None:
        """Put a model at the end; its project is made when its turn comes."""
        self._ask(
            lambda queue: queue.add(source, target=target, settings=settings, priority=priority)
        )

    def set_paused(self, job: int, paused: bool) -> None:
        """Hold a job, or let it go on."""
        self._ask(lambda queue: queue.pause(job) if paused else queue.unpause(job))

    def cancel(self, job: int) -> None:
        self._ask(lambda queue: queue.cancel(job))

    def remove(self, job: int) -> None:
        """Take a job off the list."""
        self._ask(lambda queue: queue.remove(job))

    def reorder(self, jobs: Sequence[int]) -> None:
        """Put the jobs into this order."""
        self._ask(lambda queue: queue.reorder(jobs))

    def set_priority(self, job: int, priority: int) -> None:
        """Make a job more or less urgent."""
        self._ask(lambda queue: queue.set_priority(job, priority))

    def set_running(self, running: bool) -> None:
        """Run the queue, or begin no other job."""
        self.holding = not running and self.running
        self._ask(lambda queue: queue.run() if running else queue.hold())
        self.changed.emit()

    @property
    def policy(self) -> str:
        """What decides which stage starts."""
        name = self.settings.get(POLICY_KEY, DEFAULT_SCHEDULING)
        return name if name in SCHEDULING else DEFAULT_SCHEDULING

    @property
    def limit(self) -> int:
        """How many jobs run at once."""
        return min(max(self.settings.get(LIMIT_KEY, DEFAULT_LIMIT), 1), MOST_JOBS)

    def set_policy(self, name: str) -> None:
        """Choose what decides which stage starts, from now on."""
        self.settings.set(POLICY_KEY, name)
        self._ask(lambda queue: queue.set_policy(name))
        self.changed.emit()

    def set_limit(self, jobs: int) -> None:
        """Choose how many jobs run at once, from now on."""
        self.settings.set(LIMIT_KEY, jobs)
        self._ask(lambda queue: queue.set_limit(jobs))
        self.changed.emit()

    def stop(self) -> None:
        """Interrupt the jobs that are under way; they go on when the queue is run again."""
        self._watch.stopped()
        self._ask(lambda queue: queue.stop())

    def job(self, number: int) -> QueuedJob | None:
        """A job by its number."""
        return next((job for job in self.jobs if job.id == number), None)

    # What the queue says

    def _ask(self, call: Callable[[QueueCommands], Future[Any]]) -> None:
        if self._queue is not None:
            call(self._queue)  # what is refused is told by a Failure, too

    def _take(self, events: list[Event]) -> None:
        ran, spans = self.running, list[StageSpan]()
        changed = False
        for event in events:
            match event:
                case QueueChanged():
                    self.jobs = event.jobs
                    self.running, self.elsewhere = event.running, event.elsewhere
                    self.holding = self.holding and self.running
                    changed = True
                case SpansChanged():
                    spans += event.spans
                case Failure(what=what, todo=todo):
                    self.failed.emit(what, todo)
        if spans:
            self.store.put(spans)
            self.spans_put.emit()
        if changed:
            self.changed.emit()
        end = self._watch.look(self.jobs, self.running)
        if end is not None:
            self.ended.emit(end)
        if ran and not self.running:
            self.stopped.emit()
