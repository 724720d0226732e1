"""`queue`: the commands of the job queue. Only `run` starts an engine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.cli.options import (
    AsJson,
    Cluster,
    Cold,
    Connect,
    Despite,
    Device,
    Devices,
    Latency,
    Plan,
    PolicyName,
    Precision,
    Repeat,
    Seconds,
    Seed,
    Shapes,
    Target,
    Trials,
    Values,
    WithoutReference,
    inputs_of,
    settings_of,
)
from app.cli.output import Reply, table
from engine.interface.models import device_target, model_source
from engine.interface.shape_sets import with_shapes
from engine.records.errors import AddressNotGiven, UsageError
from engine.records.formats import is_project
from engine.records.precision import DEFAULT_PRECISION
from engine.records.settings import RunSettings
from engine.records.units import format_duration, format_seconds

if TYPE_CHECKING:
    from engine.queueing.store import QueueStore
    from engine.records.job import QueuedJob

queue = typer.Typer(
    name="queue",
    help="Your queue of jobs: several tunings that share this machine.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

_Job = Annotated[int, typer.Argument(metavar="ID", help="A job's number.")]
_Priority = Annotated[
    int, typer.Option(metavar="N", help="A lower number is more urgent; it may be negative.")
]


@queue.command()
def add(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A model, a sample or a project.")],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE.tune", help="A model's project. Default: near it."
        ),
    ] = None,
    target: Target = "auto",
    device: Device = None,
    devices: Devices = "",
    shape: Shapes = None,
    value: Values = None,
    precision: Precision = DEFAULT_PRECISION,
    without_reference: WithoutReference = False,
    trials: Trials = None,
    seconds: Seconds = None,
    latency_ms: Latency = None,
    seed: Seed = 0,
    policy: PolicyName = RunSettings().policy,
    plan: Plan = "search",
    repeat: Repeat = False,
    cluster: Cluster = "",
    despite: Despite = False,
    cold: Cold = False,
    connect: Connect = None,
    priority: _Priority = 0,
    title: Annotated[str, typer.Option(metavar="TEXT", help="The job's name.")] = "",
    as_json: AsJson = False,
) -> Reply:
    """Put a job at the end: a model into a new project, or a new run of a project.

    Nothing runs until `queue run`, unless another process runs the queue: that one takes it. The
    first limit that is reached ends a job; without one it takes 10 minutes.
    """
    from app.cli.runs import settled, warn_of_cluster
    from engine.queueing.adding import make_job
    from engine.queueing.store import QueueStore

    exists = is_project(file)
    wanted = settings_of(
        trials, seconds, latency_ms, policy, seed, plan, repeat, devices, cluster, despite, cold
    )
    target = device_target(device, target, "" if exists else devices)
    shapes, values = inputs_of(shape, value)
    warn_of_cluster(cluster, target)
    settings = settled(wanted)
    if exists:
        new = (output, shapes or None, values or None, without_reference or None)
        if any(new) or target != "auto" or precision != DEFAULT_PRECISION:
            raise UsageError(
                "A project has its model, its shapes, its precision and its target already.",
                "Leave --output, --target, --device, --shape, --value and --precision out.",
            )
        made = make_job(None, Path(file), "auto", settings, title, priority)
    else:
        source = with_shapes(model_source(file, {}, values, precision, without_reference), shapes)
        made = make_job(source, output, target, settings, title, priority)
    with QueueStore.open() as store:
        job = store.add(made)
        running = store.is_run
    soon = "The queue is being run, and takes it." if running else "`tunewright queue run` runs it."
    return Reply({"job": job_data(job), "running": running}, f"Job {job.id}: {job.title}. {soon}")


@queue.command(name="list")
def list_(as_json: AsJson = False) -> Reply:
    """Show all jobs, what they have reached, and whether the queue is being run."""
    from engine.queueing.store import QueueStore

    with QueueStore.open() as store:
        jobs, running, path = store.jobs(), store.is_run, store.path
    data = {"queue": str(path), "running": running, "jobs": [job_data(job) for job in jobs]}
    if not jobs:
        return Reply(data, "The queue is empty.")
    words = "being run" if running else "not being run"
    return Reply(data, f"{_table(jobs)}\nThe queue is {words}.")


@queue.command()
def run(
    jobs: Annotated[
        int | None, typer.Option(metavar="N", min=1, max=64, help="Jobs at once. Default: 4.")
    ] = None,
    scheduling: Annotated[
        str | None,
        typer.Option(metavar="POLICY", help="Which stage starts next. Default: interleaved."),
    ] = None,
    connect: Connect = None,
    as_json: AsJson = False,
) -> Reply:
    """Run all jobs that wait, and those that are added meanwhile.

    Ctrl+C interrupts them; the next `queue run` goes on with them.
    """
    from app.cli.driver import DriverOf, QueueProgress
    from engine.interface.driven_queue import DrivenQueue
    from engine.records.job import JobState

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
    if any(AddressNotGiven.SAYS in job.message for job in ran):
        text += "\n`tunewright queue add FILE --connect HOST:PORT` allows an address."
    return Reply({"jobs": [job_data(job) for job in ran]}, text, 1 if failed else 0)


@queue.command()
def pause(job: _Job, as_json: AsJson = False) -> Reply:
    """Hold a job: what runs of it goes on to its end, and nothing else starts."""
    return _change(job, lambda store: store.set_paused(job, True), "paused")


@queue.command()
def unpause(job: _Job, as_json: AsJson = False) -> Reply:
    """Let a job go on."""
    return _change(job, lambda store: store.set_paused(job, False), "unpaused")


@queue.command()
def cancel(job: _Job, as_json: AsJson = False) -> Reply:
    """End a job; every result of it is kept."""
    return _change(job, lambda store: store.cancel(job), "cancelled")


@queue.command()
def remove(job: _Job, as_json: AsJson = False) -> Reply:
    """Take a job that does not run off the list; its project stays."""
    from engine.queueing.store import QueueStore

    with QueueStore.open() as store:
        store.remove(job)
    return Reply({"removed": job}, f"Job {job} is off the list.")


@queue.command()
def move(
    job: _Job,
    place: Annotated[int, typer.Argument(metavar="PLACE", min=1, help="1 is the first.")],
    as_json: AsJson = False,
) -> Reply:
    """Put a job at a place among those of its priority that are not over."""
    return _change(job, lambda store: store.move(job, place), "moved")


@queue.command(context_settings={"ignore_unknown_options": True})
def priority(
    job: _Job,
    number: Annotated[int, typer.Argument(metavar="N", help="A lower number is more urgent.")],
    as_json: AsJson = False,
) -> Reply:
    """Make a job more urgent, or less: -1 goes before 0."""
    return _change(job, lambda store: store.set_priority(job, number), "given its priority")


def _change(number: int, work: Callable[[QueueStore], None], done: str) -> Reply:
    """Change a job; how it is then. `done` says in a word what became of it."""
    from engine.queueing.store import QueueStore

    with QueueStore.open() as store:
        work(store)
        job = store.job(number)
    being = "being " if job.state.active else ""  # by the process that runs the queue
    return Reply({"job": job_data(job)}, f"Job {job.id} is {being}{done}.")


def job_data(job: QueuedJob) -> dict[str, Any]:
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
