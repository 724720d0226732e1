"""A job queue that only keeps a list: it does at once what it is asked, and tells it."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Any

from engine.queueing.commands import QueueCommands
from engine.records.errors import TunewrightError, UsageError
from engine.records.events import Event, Failure, QueueChanged, SpansChanged
from engine.records.job import JobState, QueuedJob
from engine.records.settings import RunSettings
from engine.records.source import ModelSource
from engine.records.stage import StageSpan


class FakeQueue(QueueCommands):
    """Remembers calls by name; `put` changes a job as the engine would."""

    def __init__(self, jobs: Sequence[QueuedJob] = (), running: bool = False) -> None:
        super().__init__()
        self.calls: list[tuple[Any, ...]] = []
        self.jobs, self.running, self.closed = list(jobs), running, False

    def put(self, number: int, **changes: Any) -> None:
        """A job is another one now."""
        self.jobs = [replace(j, **changes) if j.id == number else j for j in self.jobs]
        self._tell()

    def span(self, *spans: StageSpan) -> None:
        """Stages began or ended."""
        self.events.put(SpansChanged(spans))

    def start(self) -> Future[Any]:
        """It tells what it has."""
        return self._did("start")

    def add(
        self,
        source: ModelSource | None = None,
        *,
        project: Path | None = None,
        target: str = "auto",
        settings: RunSettings = RunSettings(),
        title: str = "",
        priority: int = 0,
    ) -> Future[Any]:
        """At the end."""
        number = max((job.id for job in self.jobs), default=0) + 1
        path = project or Path(source.location if source else "")
        kept = None if source is None else source.as_dict()
        self.jobs.append(
            QueuedJob(
                number, path.stem, str(project or ""), kept, target, settings, priority, number
            )
        )
        return self._did("add", number)

    def pause(self, job: int) -> Future[Any]:
        """Held."""
        return self._change("pause", job, paused=True)

    def unpause(self, job: int) -> Future[Any]:
        """Not held."""
        return self._change("unpause", job, paused=False)

    def cancel(self, job: int) -> Future[Any]:
        """Over."""
        return self._change("cancel", job, state=JobState.CANCELLED)

    def remove(self, job: int) -> Future[Any]:
        """Off the list, unless it goes on."""
        found = next(each for each in self.jobs if each.id == job)
        if found.state.active:
            return self._refuse(UsageError("The job is under way.", "Cancel it first."))
        self.jobs.remove(found)
        return self._did("remove", job)

    def reorder(self, jobs: Sequence[int]) -> Future[Any]:
        """In this order."""
        self.jobs.sort(key=lambda job: list(jobs).index(job.id))
        return self._did("reorder", list(jobs))

    def set_priority(self, job: int, priority: int) -> Future[Any]:
        """More or less urgent."""
        return self._change("set_priority", job, priority=priority)

    def set_policy(self, name: str, options: dict[str, Any] | None = None) -> Future[Any]:
        """Remembered."""
        return self._did("set_policy", name)

    def set_limit(self, jobs: int) -> Future[Any]:
        """Remembered."""
        return self._did("set_limit", jobs)

    def run(self) -> Future[Any]:
        """It runs."""
        self.running = True
        return self._did("run")

    def hold(self) -> Future[Any]:
        """It gives itself back where nothing is under way."""
        self.running = any(job.state.active for job in self.jobs)
        return self._did("hold")

    def stop(self) -> Future[Any]:
        """All that was under way waits."""
        self.running = False
        states = JobState.INTERRUPTED
        self.jobs = [replace(j, state=states) if j.state.active else j for j in self.jobs]
        return self._did("stop")

    def close(self, timeout_s: float = 5) -> None:
        """Remembered."""
        self.closed = True

    def _change(self, name: str, job: int, **changes: Any) -> Future[Any]:
        self.put(job, **changes)
        return self._did(name, job, *changes.values())

    def _did(self, *call: Any) -> Future[Any]:
        self.calls.append(call)
        self._tell()
        future: Future[Any] = Future()
        future.set_result(None)
        return future

    def _refuse(self, error: TunewrightError) -> Future[Any]:
        self.events.put(Failure(error.what, error.todo))
        future: Future[Any] = Future()
        future.set_exception(error)
        return future

    def _tell(self) -> None:
        event: Event = QueueChanged(tuple(self.jobs), self.running)
        self.events.put(event)
