"""What the commands of the job queue do. Only `run` starts an engine."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from app.cli.driver import DriverOf
from app.cli.output import Reply, table
from app.cli.progress import LINE_EVERY_S, Progress
from app.cli.runs import settled, warn_of_cluster
from engine.interface.driven_queue import DrivenQueue
from engine.interface.models import model_source
from engine.queueing.adding import make_job
from engine.queueing.store import QueueStore
from engine.records.errors import UsageError
from engine.records.events import Event, Message, QueueChanged
from engine.records.formats import is_project
from engine.records.job import JobState, QueuedJob
from engine.records.precision import DEFAULT_PRECISION
from engine.records.settings import RunSettings
from engine.records.units import format_duration, format_seconds


def add(
    file: str,
    output: Path | None,
    target: str,
    shapes: dict[str, tuple[int, ...]],
    values: dict[str, float],
    precision: str,
    settings: RunSettings,
    title: str,
    priority: int,
) -> Reply:
    """Put a model or a project into the queue."""
    warn_of_cluster(settings.cluster, target)
    settings = settled(settings)
    if is_project(file):
        new = (output, shapes or None, values or None)
        if any(new) or target != "auto" or precision != DEFAULT_PRECISION:
            raise UsageError(
                "A project has its model, its shapes, its precision and its target already.",
                "Leave --output, --target, --device, --shape, --value and --precision out.",
            )
        made = make_job(None, Path(file), "auto", settings, title, priority)
    else:
        source = model_source(file, shapes, values, precision)
        made = make_job(source, output, target, settings, title, priority)
    with QueueStore.open() as store:
        job = store.add(made)
        running = store.is_run
    soon = "The queue is being run, and takes it." if running else "`tunewright queue run` runs it."
    return Reply({"job": job_data(job), "running": running}, f"Job {job.id}: {job.title}. {soon}")


def list_() -> Reply:
    """All jobs."""
    with QueueStore.open() as store:
        jobs, running, path = store.jobs(), store.is_run, store.path
    data = {"queue": str(path), "running": running, "jobs": [job_data(job) for job in jobs]}
    if not jobs:
        return Reply(data, "The queue is empty.")
    words = "being run" if running else "not being run"
    return Reply(data, f"{_table(jobs)}\nThe queue is {words}.")


def change(number: int, work: Callable[[QueueStore], None], done: str) -> Reply:
    """Change a job; how it is then. `done` says in a word what became of it."""
    with QueueStore.open() as store:
        work(store)
        job = store.job(number)
    being = "being " if job.state.active else ""  # by the process that runs the queue
    return Reply({"job": job_data(job)}, f"Job {job.id} is {being}{done}.")


def remove(number: int) -> Reply:
    """Take a job off the list."""
    with QueueStore.open() as store:
        store.remove(number)
    return Reply({"removed": number}, f"Job {number} is off the list.")


def run(jobs: int | None, scheduling: str | None) -> Reply:
    """Run the queue until nothing is left that may run."""
    driven = DrivenQueue()
    progress = QueueProgress()
    with DriverOf(progress, driven) as driver:
        if scheduling is not None:
            driver.result(driven.queue.set_policy(scheduling))
        if jobs is not None:
            driver.result(driven.queue.set_limit(jobs))
        before = driver.result(driven.queue.snapshot())
        over = {job.id for job in before.jobs if job.state.over}
        driver.result(driven.queue.run())
        driver.finish_run()
        found = driver.whole_result(driven.queue.snapshot())
    ran = [job for job in found.jobs if job.id not in over]
    failed = any(job.state is JobState.FAILED for job in ran)
    text = _table(ran) if ran else "No job waited."
    return Reply({"jobs": [job_data(job) for job in ran]}, text, 1 if failed else 0)


class QueueProgress(Progress):
    """Lines: each job that entered a state, and the figures of those that run now and then."""

    def __init__(self) -> None:
        super().__init__()
        self._states: dict[int, JobState] = {}
        self._jobs: tuple[QueuedJob, ...] = ()

    def show(self, events: Iterable[Event]) -> None:
        """Take in events and show what they changed; call it often."""
        for event in events:
            if isinstance(event, QueueChanged):
                self._take(event)
            elif isinstance(event, Message):
                self.say(event.text)
        active = [job for job in self._jobs if job.state.active]
        if active and time.monotonic() - self._said_at >= LINE_EVERY_S:
            self.say("; ".join(map(_line, active)))

    def _take(self, event: QueueChanged) -> None:
        for job in event.jobs:
            before = self._states.get(job.id)
            self._states[job.id] = job.state
            if before is not None and before is not job.state:
                self.say(f"Job {job.id} ({job.title}): {_state(job)}")
        self._jobs = event.jobs


def job_data(job: QueuedJob) -> dict[str, Any]:
    """A job, JSON-ready."""
    return {
        "id": job.id,
        "title": job.title,
        "state": str(job.state),
        "paused": job.paused,
        "message": job.message,
        "project": job.project or None,
        "model": None if job.source is None else job.source["location"],
        "target": None if job.source is None else job.target,
        "precision": None if job.source is None else _precision(job.source),
        "priority": job.priority,
        "budget": {
            "trials": job.settings.budget.trials,
            "seconds": job.settings.budget.seconds,
            "latency_s": job.settings.budget.latency_s,
        },
        "progress": job.progress,
        "best_latency_s": job.best_s,
        "untuned_latency_s": job.untuned_s,
        "time_left_s": job.left_s,
        "created": job.created,
        "started": job.started,
        "ended": job.ended,
    }


def _precision(source: Mapping[str, Any]) -> str:
    return str(source.get("precision", DEFAULT_PRECISION))


def _table(jobs: Iterable[QueuedJob]) -> str:
    rows = [("job", "title", "state", "done", "now", "untuned", "objective", "left", "")]
    rows += [
        (
            str(job.id),
            job.title,
            "paused" if job.paused and job.state.waits else str(job.state),
            "" if job.progress is None else f"{job.progress:.0%}",
            format_seconds(job.best_s),
            format_seconds(job.untuned_s),
            format_seconds(job.objective_s),
            format_duration(job.left_s),
            job.message,
        )
        for job in jobs
    ]
    return table(rows, frozenset({0, 3, 4, 5, 6, 7}))


def _state(job: QueuedJob) -> str:
    words = "waiting, paused" if job.paused and job.state.waits else str(job.state)
    return f"{words} ({job.message})" if job.message and job.state.over else words


def _line(job: QueuedJob) -> str:
    parts = [f"{job.id} {job.title}: {job.message or job.state}"]
    if job.progress is not None:
        parts.append(f"{job.progress:.0%}")
    if job.best_s is not None:
        parts.append(format_seconds(job.best_s))
    if job.left_s is not None:
        parts.append(f"{format_duration(job.left_s)} left")
    return ", ".join(parts)
