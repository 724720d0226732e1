"""Runs a queue: some jobs at once, whose stages a scheduling policy interleaves."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from engine.jobs.granting import ALONE, NO_JOB, Granting
from engine.jobs.host import Host, RunQueue
from engine.measure.build_cache import BuildCache
from engine.queueing.job_run import JobRun
from engine.queueing.store import QueueStore, changes_of
from engine.records.errors import ProjectError, TunewrightError, UsageError
from engine.records.events import Event
from engine.records.job import DEFAULT_LIMIT, JobState, QueuedJob
from engine.records.outstanding import wait_sentence
from engine.records.stage import Job
from engine.records.words import JOB_QUEUE, Say
from engine.scheduling.registry import DEFAULT_SCHEDULING, make_scheduling
from engine.scheduling.stage_times import StageTimes
from engine.storage.lock import ProjectLock

WAITS_S = 1.0  # less is nothing that a person could read
_CHANGED = 0.1  # of the seconds left that are worth telling a policy


@dataclass(slots=True)
class Scheduling:
    """A policy by name, with its options."""

    name: str = DEFAULT_SCHEDULING
    options: dict[str, Any] = field(default_factory=dict)


class QueueRunner:
    """The one that runs a queue's jobs while it has the file's lock. The loop's own.

    `reconcile` does what has become possible: it is called after every change and now and then.
    With `share_builds` what one of its jobs has built is not built again by another.
    """

    def __init__(
        self,
        host: Host,
        store: QueueStore,
        say: Callable[[Event], None],
        share_builds: bool = True,
    ) -> None:
        self.limit = DEFAULT_LIMIT
        self.scheduling = Scheduling()
        self.holding = False
        self.idle = asyncio.Event()
        self.idle.set()
        self.runs: dict[int, JobRun] = {}
        self._host = host
        self._store = store
        self._say = say
        self._turns = SharedTurns(host.queue)
        self._lock: ProjectLock | None = None
        self._rows: tuple[QueuedJob, ...] = ()
        self._written: dict[int, QueuedJob] = {}
        self._put: dict[int, Job] = {}
        self._devices: dict[int, str] = {}
        self._times = StageTimes()
        self._version = -1
        self._was_run = False
        self._share_builds = share_builds
        self._builds: BuildCache | None = None

    @property
    def running(self) -> bool:
        """Whether this process runs the queue."""
        return self._lock is not None

    @property
    def elsewhere(self) -> bool:
        return not self.running and self._was_run

    @property
    def jobs(self) -> tuple[QueuedJob, ...]:
        """The queue as it is now."""
        return tuple(self.runs[row.id].job if row.id in self.runs else row for row in self._rows)

    def run(self) -> None:
        """Take the queue, and start what waits; UsageError where another process runs it."""
        self.holding = False
        if self._lock is None:
            try:
                self._lock = ProjectLock(self._store.path)
            except ProjectError as error:
                raise UsageError(
                    "Another Tunewright runs the queue.", "It runs what is added here, too."
                ) from error
            self.idle.clear()
            self._builds = BuildCache() if self._share_builds else None
            self._store.interrupt()
            self._times = self._store.stage_times()
            self.follow(self.scheduling)
        self.reread()

    def hold(self) -> None:
        """Start no more jobs; those that run go on."""
        self.holding = True
        self.reconcile()

    async def stop(self) -> None:
        """Interrupt the jobs that run, and give the queue back."""
        self.holding = True
        for run in self.runs.values():
            run.end(JobState.INTERRUPTED)
        for run in list(self.runs.values()):
            await run.wait()
        try:
            self.reconcile()
        except TunewrightError:
            self._abandon()
            raise

    def follow(self, scheduling: Scheduling) -> None:
        """Have another policy decide; UsageError where there is none of that name."""
        make_scheduling(scheduling.name, self._granting.policy.free.like(), scheduling.options)
        self.scheduling = scheduling
        if self.running:
            self._granting.use(scheduling.name, scheduling.options, self._times)

    def reread(self) -> None:
        """The file was changed here."""
        self._version = -1
        self.reconcile()

    def reconcile(self) -> None:
        """Read the file where it was changed, and do what follows of it."""
        self._read()
        if not self.running:
            return
        for number, run in list(self.runs.items()):
            self._look(number, run)
        self._write()
        if not self.holding:
            self._start()
        if not self.runs and (self.holding or self._next() is None):
            self._give_back()

    # Within

    @property
    def _granting(self) -> Granting:
        assert self._host.resources is not None
        return self._host.resources.granting

    def _read(self) -> None:
        was_run, version = self.running or self._store.is_run, self._store.version()
        if (version, was_run) == (self._version, self._was_run):
            return
        self._version, self._was_run = version, was_run
        self._rows = self._store.jobs()
        if not self.running:
            return
        cancelled = self._store.cancelled()
        rows = {row.id: row for row in self._rows}
        for number, run in self.runs.items():
            row = rows.get(number)
            if row is None or row.state.over or number in cancelled:
                run.end(JobState.CANCELLED)
            else:
                run.follow(row)

    def _look(self, number: int, run: JobRun) -> None:
        """See how a job is, and tell the policy what has changed of it."""
        run.look()
        if not run.done:
            self._tell_wait(number, run)
            self._tell(run.job)
            return
        del self.runs[number]
        self._put.pop(number, None)
        self._devices.pop(number, None)
        self._granting.end_job(str(number))
        self._keep([run.job])
        self._store.put_stage_times(self._times)

    def _tell_wait(self, number: int, run: JobRun) -> None:
        wait = None if run.job.paused else self._granting.wait(str(number), WAITS_S)
        run.tell_wait(wait, wait_sentence(wait, self._name) if wait else "")

    def _name(self, job: str) -> str:
        """What the holder of cores is called: a job of the queue, or a window's run."""
        names = {str(row.id): row.title for row in self._rows}
        return names.get(job, "a window" if job == NO_JOB else job)

    def _place(self, job: QueuedJob, device: str) -> None:
        """A job's device is known: from now on a policy knows the job."""
        self._devices[job.id] = device
        self._tell(self.runs[job.id].job if job.id in self.runs else job)

    def _tell(self, job: QueuedJob) -> None:
        device = self._devices.get(job.id)
        if device is None:
            return
        before, left_s = self._put.get(job.id), job.left_s or 0.0
        if before is not None and abs(left_s - before.left_s) <= _CHANGED * before.left_s:
            left_s = before.left_s
        made = Job(str(job.id), job.priority, job.place, job.paused, device, left_s)
        if made != before:
            self._put[job.id] = made
            self._granting.put_job(made)

    def _start(self) -> None:
        """Start jobs in their order while there is room; one that is held, or whose device is away,
        needs none."""
        while sum(not (run.job.paused or run.away) for run in self.runs.values()) < self.limit:
            row = self._next()
            if row is None:
                return
            placed = partial(self._place, row)
            self.runs[row.id] = JobRun(
                row, self._host, self._turns, self._say, placed, self._builds
            )
            self._write()

    def _next(self) -> QueuedJob | None:
        """The first job that may start: not held, and no other one has its project."""
        taken = {os.path.realpath(run.job.project) for run in self.runs.values() if run.job.project}
        for row in self._rows:
            waits = row.state.waits and not row.paused and row.id not in self.runs
            if waits and not (row.project and os.path.realpath(row.project) in taken):
                return row
        return None

    def _write(self) -> None:
        changed = [
            run.job for run in self.runs.values() if run.job != self._written.get(run.job.id)
        ]
        if changed:
            self._keep(changed)

    def _keep(self, jobs: list[QueuedJob]) -> None:
        """Write what became of jobs."""
        self._store.put(changes_of(jobs))
        self._written |= {job.id: job for job in jobs}
        new = {job.id: job for job in jobs}
        self._rows = tuple(new.get(row.id, row) for row in self._rows)

    def _abandon(self) -> None:
        """The file cannot be read or written: what waits for the queue's end must not hang."""
        for number in self.runs:
            self._granting.end_job(str(number))
        self.runs.clear()
        self._put.clear()
        self._devices.clear()
        with suppress(TunewrightError):
            self._give_back()

    def _give_back(self) -> None:
        if self._lock is not None:
            if self._builds is not None:
                self._builds.close()
            self._granting.use(ALONE, {}, StageTimes())
            self._lock.release()
            self._lock = None
            self._version = -1
            self._written.clear()
        self.idle.set()
        self._read()


class SharedTurns(RunQueue):
    """The first job on a device takes the queue's turn there, and the last one gives it back."""

    def __init__(self, outer: RunQueue) -> None:
        super().__init__()
        self._outer = outer
        self._guards: dict[str, asyncio.Lock] = {}
        self._jobs: Counter[str] = Counter()
        self._stacks: dict[str, AsyncExitStack] = {}

    @asynccontextmanager
    async def turn(
        self, device: str, name: str, say: Say = lambda *said: None
    ) -> AsyncIterator[None]:
        """Hold `device` inside the block, with other jobs of the queue."""
        async with self._guards.setdefault(device, asyncio.Lock()):
            if not self._jobs[device]:
                stack = AsyncExitStack()
                await stack.enter_async_context(self._outer.turn(device, JOB_QUEUE, say))
                self._stacks[device] = stack
            self._jobs[device] += 1
        try:
            yield
        finally:
            self._jobs[device] -= 1
            if not self._jobs[device]:
                await self._stacks.pop(device).aclose()
