"""The job queue: commands in, events out, as with the engine."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from engine.jobs.granting import Need
from engine.jobs.host import Host
from engine.jobs.together import end
from engine.queueing.adding import make_job
from engine.queueing.commands import QueueCommands
from engine.queueing.runner import QueueRunner, Scheduling
from engine.queueing.store import QueueStore
from engine.records.errors import TunewrightError
from engine.records.events import Failure, Message, QueueChanged, SpansChanged
from engine.records.job import DEFAULT_LIMIT, QueuedJob
from engine.records.sentences import together
from engine.records.settings import RunSettings
from engine.records.source import ModelSource
from engine.records.stage import StageSpan
from engine.records.units import whole_number
from engine.storage.refusals import explained

_log = logging.getLogger(__name__)
_T = TypeVar("_T")
_LOOK_EVERY_S = 0.5


class SpanLog:
    """Hears of stages (`StageListener`). The loop's own."""

    def __init__(self) -> None:
        self._running: dict[int, StageSpan] = {}
        self._new: dict[int, StageSpan] = {}

    def began(self, number: int, job: str, need: Need, cores: int, at_s: float) -> None:
        """A stage begins; one of no kind is none of a run's."""
        if need.kind is None:
            return
        queued = whole_number(job)
        whose = job if queued is None else queued
        lane = need.device or need.group
        span = StageSpan(number, whose, need.kind, need.task, lane, cores, at_s)
        self._running[number] = self._new[number] = span

    def ended(self, number: int, at_s: float) -> None:
        if (span := self._running.pop(number, None)) is not None:
            self._new[number] = replace(span, until_s=at_s)

    def drain(self) -> tuple[StageSpan, ...]:
        """What began or ended since the last time."""
        new, self._new = self._new, {}
        return tuple(new.values())


class JobQueue(QueueCommands):
    """The queue is a file that several processes may change; at most one of them runs it.

    `QueueChanged` tells of every change, whoever made it, and `SpansChanged` of the stages of this
    process.
    """

    def __init__(
        self, host: Host | None = None, path: Path | None = None, share_builds: bool = True
    ) -> None:
        super().__init__()
        self._share_builds = share_builds
        self._host = host or Host()
        self._path = path
        self._entered = False
        self._runner: QueueRunner | None = None
        self._store: QueueStore | None = None
        self._spans = SpanLog()
        self._watch: asyncio.Task[None] | None = None
        self._told: QueueChanged | None = None
        self._failure = ""
        self._limit = DEFAULT_LIMIT
        self._scheduling = Scheduling()

    def start(self) -> Future[QueueChanged]:
        self._host.enter()
        self._entered = True
        return self._submit(self._open())

    def close(self, timeout_s: float = 5) -> None:
        if not self._entered:
            return
        self._entered = False
        with suppress(TimeoutError, CancelledError):
            self._submit(self._close()).exception(timeout_s)
        self._host.leave(timeout_s)

    # Jobs

    def add(
        self,
        source: ModelSource | None = None,
        *,
        project: Path | None = None,
        target: str = "auto",
        settings: RunSettings = RunSettings(),
        title: str = "",
        priority: int = 0,
    ) -> Future[QueuedJob]:
        def work() -> QueuedJob:
            made = make_job(source, project, target, settings, title, priority)
            return self._require_store().add(made)

        return self._change(work)

    def pause(self, job: int) -> Future[None]:
        return self._change(lambda: self._require_store().set_paused(job, True))

    def unpause(self, job: int) -> Future[None]:
        return self._change(lambda: self._require_store().set_paused(job, False))

    def cancel(self, job: int) -> Future[None]:
        return self._change(lambda: self._require_store().cancel(job))

    def remove(self, job: int) -> Future[None]:
        return self._change(lambda: self._require_store().remove(job))

    def set_priority(self, job: int, priority: int) -> Future[None]:
        return self._change(lambda: self._require_store().set_priority(job, priority))

    def reorder(self, jobs: Sequence[int]) -> Future[None]:
        return self._change(lambda: self._require_store().reorder(jobs))

    # The queue

    def run(self) -> Future[None]:
        return self._submit(self._run())

    def hold(self) -> Future[None]:
        return self._submit(self._hold())

    def stop(self) -> Future[None]:
        return self._submit(self._stop())

    def wait(self) -> Future[None]:
        """Done when this process does not run the queue any more."""
        return self._submit(self._wait())

    def snapshot(self) -> Future[QueueChanged]:
        """The queue as it is now."""
        return self._submit(self._snapshot())

    def set_policy(self, name: str, options: dict[str, Any] | None = None) -> Future[None]:
        return self._submit(self._set_policy(Scheduling(name, dict(options or {}))))

    def set_limit(self, jobs: int) -> Future[None]:
        return self._submit(self._set_limit(max(1, jobs)))

    # In the host's thread

    def _submit(self, command: Coroutine[Any, Any, _T]) -> Future[_T]:
        return asyncio.run_coroutine_threadsafe(self._answer(command), self._host.loop)

    def _change(self, work: Callable[[], _T]) -> Future[_T]:
        """Change the file, and do what follows of it."""

        async def command() -> _T:
            made = work()
            self._require_runner().reread()
            self._tell()
            return made

        return self._submit(command())

    async def _answer(self, command: Coroutine[Any, Any, _T]) -> _T:
        try:
            return await command
        except TunewrightError as error:
            self.events.put(Failure(error.what, error.todo))
            raise
        except Exception as error:
            _log.exception("A command to the queue failed.")
            self.events.put(Failure(explained(error).what, explained(error).todo))
            raise

    async def _open(self) -> QueueChanged:
        assert self._host.resources is not None
        self._host.resources.granting.listener = self._spans
        self._watch = asyncio.create_task(self._look())
        self._require_runner()
        return self._now()

    async def _close(self) -> None:
        if self._watch is not None:
            await end(self._watch)
        if self._runner is not None:
            await self._runner.stop()
        if self._host.resources is not None:
            self._host.resources.granting.listener = None
        self._tell()
        if self._store is not None:
            self._store.close()
        self._runner = self._store = None

    async def _look(self) -> None:
        """Look at the file, and at the jobs that run, now and then."""
        while True:
            await asyncio.sleep(_LOOK_EVERY_S)
            try:
                self._require_runner().reconcile()
                self._failure = ""
            except TunewrightError as error:
                if error.what != self._failure:  # said once, and tried again
                    self._failure = error.what
                    self.events.put(Message("error", together(error.what, error.todo)))
            except Exception:
                _log.exception("Looking at the queue failed.")
            self._tell()

    async def _run(self) -> None:
        self._require_runner().run()
        self._tell()

    async def _hold(self) -> None:
        self._require_runner().hold()
        self._tell()

    async def _stop(self) -> None:
        await self._require_runner().stop()
        self._tell()

    async def _wait(self) -> None:
        await self._require_runner().idle.wait()

    async def _snapshot(self) -> QueueChanged:
        self._require_runner().reconcile()
        return self._now()

    async def _set_policy(self, scheduling: Scheduling) -> None:
        self._require_runner().follow(scheduling)
        self._scheduling = scheduling

    async def _set_limit(self, jobs: int) -> None:
        self._limit = self._require_runner().limit = jobs
        self._require_runner().reconcile()

    def _now(self) -> QueueChanged:
        runner = self._require_runner()
        return QueueChanged(runner.jobs, runner.running, runner.elsewhere)

    def _tell(self) -> None:
        """Say what has changed since the last time."""
        if spans := self._spans.drain():
            self.events.put(SpansChanged(spans))
        if self._runner is None:
            return
        now, told = self._now(), self._told
        if told is None or replace(now, at=told.at) != told:
            self._told = now
            self.events.put(now)

    def _require_store(self) -> QueueStore:
        self._require_runner()
        assert self._store is not None
        return self._store

    def _require_runner(self) -> QueueRunner:
        """The file is opened again where that failed before."""
        if self._runner is None:
            store = self._store or QueueStore.open(self._path)
            self._store = store
            self._runner = QueueRunner(self._host, store, self.events.put, self._share_builds)
            self._runner.limit, self._runner.scheduling = self._limit, self._scheduling
            self._runner.reread()
        return self._runner
