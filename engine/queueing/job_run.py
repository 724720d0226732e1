"""One job at work: its project, its run, and what is told of them."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from engine.history.figure import figure_of
from engine.jobs.engine import Engine
from engine.jobs.host import Host, RunQueue
from engine.measure.build_cache import BuildCache
from engine.measure.remote.rpc_tracker import has_server
from engine.queueing.adding import refuse_place
from engine.queueing.places import device_of
from engine.records.addresses import RpcAddress, parse_remote
from engine.records.errors import DeviceMissing, TunewrightError
from engine.records.events import (
    Event,
    Message,
    Progress,
    ProjectOpened,
    RunChanged,
    Scores,
    TrialDone,
)
from engine.records.job import JobState, QueuedJob
from engine.records.outstanding import Wait
from engine.records.sentences import Sentence, together
from engine.records.settings import Budget, RunState
from engine.records.snapshot import Snapshot
from engine.records.source import ModelSource
from engine.records.units import format_seconds
from engine.records.words import RunEnd
from engine.storage.refusals import explained

_log = logging.getLogger(__name__)
_LOOK_S = 5.0  # between two looks for a device that is lost
_AWAY_S = 3600.0  # that it may be


class JobRun:
    """Carries one job through, with an engine of its own. The loop's own; `job` is as it is now.

    `placed` is told the job's device before the first of its stages waits. A device elsewhere that
    was there and is lost is waited for, `away` meanwhile: then the job goes on.
    """

    def __init__(
        self,
        job: QueuedJob,
        host: Host,
        turns: RunQueue,
        say: Callable[[Event], None],
        placed: Callable[[str], None],
        builds: BuildCache | None = None,
    ) -> None:
        self.job = replace(
            job, state=JobState.PREPARING, message="", started=job.started or time.time()
        )
        self._begun = job.started is not None or job.run > 0
        self._host, self._say, self._placed = host, say, placed
        self._engine = Engine(host, str(job.id), turns, builds)
        self._progress = JobProgress(job.settings.budget)
        self._run_state: RunState | None = None
        self._reason = self._said = ""
        self._asked: JobState | None = None
        self._device = ""
        self._lost_at: float | None = None
        self._closing = False
        self.away = False
        self._task = asyncio.create_task(self._carry())

    @property
    def done(self) -> bool:
        """Whether the job is over, or interrupted, and its project closed."""
        return self._task.done()

    async def wait(self) -> None:
        await asyncio.wait([self._task])

    def end(self, state: JobState) -> None:
        """End it as CANCELLED or INTERRUPTED, with every result kept."""
        if self._asked is None and not self._closing and not self._task.done():
            self._asked = state
            self._task.cancel()

    def follow(self, row: QueuedJob) -> None:
        """Take over what a person asks of the job."""
        self.job = replace(
            self.job,
            title=row.title,
            priority=row.priority,
            place=row.place,
            paused=row.paused,
        )

    def tell_wait(self, wait: Wait | None, text: str) -> None:
        """What its stages wait for, and that in words; None where they go on."""
        if not self._closing:
            self.job = replace(self.job, wait=wait, message=text if wait else self._said)

    def look(self) -> None:
        """Take in what the engine has said since the last time."""
        for event in self._engine.events.drain():
            self._hear(event)
        if self._task.done():
            return
        if self.job.paused and self._run_state is RunState.RUNNING:
            _unheard(self._engine.pause())
        elif not self.job.paused and self._run_state is RunState.PAUSED:
            _unheard(self._engine.unpause())
        prepares = self._run_state in (None, RunState.PREPARING)
        state = JobState.PREPARING if prepares else JobState.RUNNING
        self.job = replace(self.job, state=JobState.PAUSED if self.job.paused else state)

    async def _carry(self) -> None:
        try:
            state, message = await self._work_on()
        except asyncio.CancelledError:
            state, message = self._asked or JobState.INTERRUPTED, ""
        except TunewrightError as error:
            state, message = JobState.FAILED, together(error.what, error.todo)
        except Exception as error:
            _log.exception("A job failed.")
            known = explained(error)
            state, message = JobState.FAILED, together(known.what, known.todo)
        self._closing = True
        await self._close()
        for event in self._engine.events.drain():
            self._hear(event)
        done = 1.0 if state in (JobState.FINISHED, JobState.MET) else self.job.progress
        self.job = replace(
            self.job,
            state=state,
            message=message,
            progress=done,
            wait=None,
            left_s=None,
            ended=None if state is JobState.INTERRUPTED else time.time(),
        )

    async def _work_on(self) -> tuple[JobState, str]:
        """What comes of the work, which begins again where it lost its device and has it back."""
        while True:
            try:
                return await self._work()
            except DeviceMissing as error:
                if self.job.untuned_s is None:  # it was never there
                    raise
                await self._close()
                await self._wait_for_device(error)

    async def _wait_for_device(self, lost: DeviceMissing) -> None:
        """Until the device may be there again; `lost` once more where nothing was measured there
        for `_AWAY_S` since it was first lost."""
        for event in self._engine.events.drain():
            self._hear(event)
        self._run_state, self._begun, self.away = None, True, True
        self._said = Sentence("Waits for its device. {what}", what=lost.what)
        self.job = replace(self.job, message=self._said, left_s=None)
        if self._lost_at is None:
            self._lost_at = time.monotonic()
        try:
            while time.monotonic() <= self._lost_at + _AWAY_S:
                await asyncio.sleep(_LOOK_S)
                if await asyncio.to_thread(_may_be_there, self._device):
                    return
            raise lost
        finally:
            self.away = False

    async def _work(self) -> tuple[JobState, str]:
        await asyncio.shield(asyncio.wrap_future(self._host.loaded))
        self._device = device_of(self.job)  # in this thread: jobs are placed in their order
        self._placed(self._device)
        opened = await self._open()
        figure = figure_of(opened)
        now_s = figure.latency_s
        self.job = replace(
            self.job, project=opened.path, untuned_s=opened.untuned_latency_s, best_s=now_s
        )
        wanted_s = self.job.settings.budget.latency_s
        proven = figure.measured and not figure.is_taken_disturbed  # an estimate is none
        if not self.job.run and wanted_s and proven and now_s is not None and now_s <= wanted_s:
            return JobState.MET, Sentence(
                "The project has {latency} already, where {wanted} was asked for.",
                latency=format_seconds(now_s),
                wanted=format_seconds(wanted_s),
            )
        if await self._start(opened):
            await asyncio.wrap_future(self._engine.wait())
            for event in self._engine.events.drain():
                self._hear(event)
        if self._run_state is RunState.STOPPED:  # by nobody of the queue
            return JobState.CANCELLED, self._reason
        if self._reason == RunEnd.KNOWN:
            return JobState.MET, self._reason
        return JobState.FINISHED, self._reason

    async def _open(self) -> Snapshot:
        job, engine = self.job, self._engine
        project = Path(job.project) if job.project else None
        if job.source is not None and project is not None and not self._begun:
            refuse_place(project)  # another job may have made it since this one was added
        if job.source is None or (project is not None and project.exists()):
            assert project is not None
            return await asyncio.wrap_future(engine.open_project(project))
        source = ModelSource.from_dict(job.source)
        return await asyncio.wrap_future(engine.open_model(source, job.target, project))

    async def _start(self, opened: Snapshot) -> bool:
        """Start the job's run, or go on with it; whether there was anything to do."""
        last = opened.runs[-1] if opened.runs else None
        ours = last is not None and self.job.run == last.id
        self._progress.begin(opened, self.job.run if ours else 0)
        if ours and last is not None and last.state is RunState.FINISHED:
            self._reason = last.reason
            return False
        if ours:
            run = await asyncio.wrap_future(self._engine.resume_run())
        else:
            run = await asyncio.wrap_future(self._engine.start_run(self.job.settings))
        self.job = replace(self.job, run=run)
        return True

    async def _close(self) -> None:
        try:
            await asyncio.wrap_future(self._engine.close_project())
        except Exception:
            _log.exception("A job's project did not close.")

    def _hear(self, event: Event) -> None:
        if isinstance(event, RunChanged):
            self._run_state, self._reason = event.state, event.reason
        elif isinstance(event, ProjectOpened):
            self.job = replace(self.job, untuned_s=event.snapshot.untuned_latency_s)
        elif isinstance(event, Scores):
            self.job = replace(
                self.job,
                best_s=event.figure.latency_s,
                untuned_s=event.figure.untuned_s,
                left_s=event.time_left_s,
                progress=self._progress.share(event),
            )
        elif isinstance(event, TrialDone) and event.trial.samples:
            self._lost_at = None
        elif isinstance(event, Progress):
            text = Sentence.of(event.text)
            self._said = text.filled(about=event.about) if event.about else text
            self.job = replace(self.job, message=self._said)
        elif isinstance(event, Message) and event.level != "info":
            self._say(
                Message(
                    event.level,
                    Sentence("{title}: {said}", title=self.job.title, said=Sentence.of(event.text)),
                )
            )


def _may_be_there(device: str) -> bool:
    """Whether to try a device elsewhere: of one behind a tracker that is known before."""
    with suppress(TunewrightError):
        address = parse_remote(device)
        return not isinstance(address, RpcAddress) or has_server(address)
    return False


def _unheard(future: Future[Any]) -> None:
    """A run that ended meanwhile can no longer be held."""

    def hear(done: Future[Any]) -> None:
        with suppress(BaseException):
            done.result()

    future.add_done_callback(hear)


class JobProgress:
    """Knows what the project had before the job's run."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._trials = 0
        self._elapsed_s = 0.0

    def begin(self, opened: Snapshot, run: int) -> None:
        """The run begins, or goes on where `run` is its number; 0 is a new one."""
        self._trials = sum(trial.run != run for trial in opened.trials)
        of_run = next((info.elapsed_s for info in opened.runs if info.id == run), 0.0)
        self._elapsed_s = opened.elapsed_s - of_run

    def share(self, scores: Scores) -> float | None:
        """From 0 to 1; None where neither trials nor seconds are limited."""
        budget = self._budget
        shares = []
        if budget.trials is not None:
            shares.append((scores.trials - self._trials) / budget.trials)
        if budget.seconds is not None:
            shares.append((scores.elapsed_s - self._elapsed_s) / budget.seconds)
        return min(1.0, max(0.0, *shares)) if shares else None
