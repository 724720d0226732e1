"""The commands of the job queue."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from app.cli.options import (
    AsJson,
    Cluster,
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
    Trials,
    Values,
    budget_of,
)
from app.cli.output import Reply
from engine.interface.models import device_target
from engine.records.formats import is_project
from engine.records.precision import DEFAULT_PRECISION
from engine.records.settings import RunSettings

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


def add_queue(app: typer.Typer) -> None:
    """Give the command line its commands."""
    app.add_typer(queue)


@queue.command()
def add(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A model, a sample or a project.")],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE.tune", help="A model's project. Default: near it."
        ),
    ] = None,
    target: Annotated[
        str, typer.Option(metavar="T", help="A model's: auto, cpu, cuda, a TVM tag, or JSON.")
    ] = "auto",
    device: Device = None,
    devices: Devices = "",
    shape: Shapes = None,
    value: Values = None,
    precision: Precision = DEFAULT_PRECISION,
    trials: Trials = None,
    seconds: Seconds = None,
    latency_ms: Latency = None,
    seed: Seed = 0,
    policy: PolicyName = RunSettings().policy,
    plan: Plan = "search",
    repeat: Repeat = False,
    cluster: Cluster = "",
    priority: _Priority = 0,
    title: Annotated[str, typer.Option(metavar="TEXT", help="The job's name.")] = "",
    as_json: AsJson = False,
) -> Reply:
    """Put a job at the end: a model into a new project, or a new run of a project.

    Nothing runs until `queue run`, unless another process runs the queue: that one takes it. The
    first limit that is reached ends a job; without one it takes 10 minutes.
    """
    from app.cli.queue import add as work
    from engine.jobs.steps.steps import parse_plan
    from engine.models.shapes import parse_shapes
    from engine.models.values import parse_values

    budget = budget_of(trials, seconds, latency_ms)
    steps = parse_plan(plan)
    settings = RunSettings(
        budget, policy, seed=seed, steps=steps, repeat=repeat, devices=devices, cluster=cluster
    )
    return work(
        file,
        output,
        device_target(device, target, "" if is_project(file) else devices),
        parse_shapes(shape or ()),
        parse_values(value or ()),
        precision,
        settings,
        title,
        priority,
    )


@queue.command(name="list")
def list_(as_json: AsJson = False) -> Reply:
    """Show all jobs, what they have reached, and whether the queue is being run."""
    from app.cli.queue import list_ as work

    return work()


@queue.command()
def run(
    jobs: Annotated[
        int | None, typer.Option(metavar="N", min=1, max=64, help="Jobs at once. Default: 4.")
    ] = None,
    scheduling: Annotated[
        str | None,
        typer.Option(metavar="POLICY", help="Which stage starts next. Default: interleaved."),
    ] = None,
    as_json: AsJson = False,
) -> Reply:
    """Run all jobs that wait, and those that are added meanwhile.

    Ctrl+C interrupts them; the next `queue run` goes on with them.
    """
    from app.cli.queue import run as work

    return work(jobs, scheduling)


@queue.command()
def pause(job: _Job, as_json: AsJson = False) -> Reply:
    """Hold a job: what runs of it goes on to its end, and nothing else starts."""
    from app.cli.queue import change

    return change(job, lambda store: store.set_paused(job, True), "paused")


@queue.command()
def unpause(job: _Job, as_json: AsJson = False) -> Reply:
    """Let a job go on."""
    from app.cli.queue import change

    return change(job, lambda store: store.set_paused(job, False), "unpaused")


@queue.command()
def cancel(job: _Job, as_json: AsJson = False) -> Reply:
    """End a job; every result of it is kept."""
    from app.cli.queue import change

    return change(job, lambda store: store.cancel(job), "cancelled")


@queue.command()
def remove(job: _Job, as_json: AsJson = False) -> Reply:
    """Take a job that does not run off the list; its project stays."""
    from app.cli.queue import remove as work

    return work(job)


@queue.command()
def move(
    job: _Job,
    place: Annotated[int, typer.Argument(metavar="PLACE", min=1, help="1 is the first.")],
    as_json: AsJson = False,
) -> Reply:
    """Put a job at a place among those of its priority that are not over."""
    from app.cli.queue import change

    return change(job, lambda store: store.move(job, place), "moved")


@queue.command(context_settings={"ignore_unknown_options": True})
def priority(
    job: _Job,
    number: Annotated[int, typer.Argument(metavar="N", help="A lower number is more urgent.")],
    as_json: AsJson = False,
) -> Reply:
    """Make a job more urgent, or less: -1 goes before 0."""
    from app.cli.queue import change

    return change(job, lambda store: store.set_priority(job, number), "given its priority")
