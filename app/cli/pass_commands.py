"""The commands of the passes over a project's records, and of the library."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from app.cli.options import AsJson, Latency, ProjectFile, Seconds, Trials, budget_of
from app.cli.output import Reply
from engine.jobs.steps.steps import DropletOptions, ShareOptions, TransferOptions
from engine.records.settings import Step

_SHARE, _TRANSFER, _DROPLET = ShareOptions(), TransferOptions(), DropletOptions()

library = typer.Typer(
    name="library",
    help="Your library of donors for transfer: traces and latencies, no weights of models.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


def add_passes(app: typer.Typer) -> None:
    """Give the command line its commands."""
    for command in (share, transfer, droplet, plan):
        app.command()(command)
    app.add_typer(library)


def share(
    project: ProjectFile,
    metric: Annotated[
        str, typer.Option(metavar="M", help="How similar tasks are.")
    ] = _SHARE.metric,
    threshold: Annotated[
        float | None,
        typer.Option(metavar="T", help="The least similarity in a cluster, 0 to 1."),
    ] = None,
    again: Annotated[
        bool, typer.Option("--again", help="Cluster anew, whatever clusters are stored.")
    ] = False,
    top_k: Annotated[
        int, typer.Option(metavar="K", help="Schedules that each dependant tries.")
    ] = _SHARE.top_k,
    tune_weak: Annotated[
        bool, typer.Option("--tune-weak", help="Tune dependants that stay far behind.")
    ] = False,
    trials: Trials = None,
    seconds: Seconds = None,
    latency_ms: Latency = None,
    as_json: AsJson = False,
) -> Reply:
    """Tune one task of each cluster, and give its best schedules to the others.

    Without a budget it takes 10 minutes.
    """
    from app.cli.passes import run_pass
    from engine.passes.similarity import find_metric

    options = {
        "metric": metric,
        "threshold": find_metric(metric).threshold if threshold is None else threshold,
        "stored": not again,
        "top_k": top_k,
        "tune_weak": tune_weak,
    }
    budget = budget_of(trials, seconds, latency_ms)
    return run_pass(project, (Step("share", options),), budget)


def transfer(
    project: ProjectFile,
    donors: Annotated[
        list[Path] | None,
        typer.Option("--from", metavar="FILE.tune", help="A project with donors; several times."),
    ] = None,
    no_library: Annotated[
        bool, typer.Option("--no-library", help="Leave the library's donors out.")
    ] = False,
    per_task: Annotated[
        int, typer.Option(metavar="N", help="Donors that a task tries at most.")
    ] = _TRANSFER.per_task,
    trials: Trials = None,
    seconds: Seconds = None,
    latency_ms: Latency = None,
    as_json: AsJson = False,
) -> Reply:
    """Measure the best schedules of other models on the tasks of the same class."""
    from app.cli.passes import run_pass

    places = [str(place.absolute()) for place in donors or ()]
    options = {"places": places, "library": not no_library, "per_task": per_task}
    budget = budget_of(trials, seconds, latency_ms)
    return run_pass(project, (Step("transfer", options),), budget)


def droplet(
    project: ProjectFile,
    per_task: Annotated[
        int, typer.Option(metavar="N", help="Neighbours that a task tries at most.")
    ] = _DROPLET.per_task,
    trials: Trials = None,
    seconds: Seconds = None,
    latency_ms: Latency = None,
    as_json: AsJson = False,
) -> Reply:
    """Move each task's best schedule to a neighbour as long as that is surely faster."""
    from app.cli.passes import run_pass

    budget = budget_of(trials, seconds, latency_ms)
    return run_pass(project, (Step("droplet", {"per_task": per_task}),), budget)


def plan(
    project: ProjectFile,
    steps: Annotated[
        str, typer.Argument(metavar="STEPS", help='Like "search:500,transfer,droplet".')
    ],
    repeat: Annotated[
        bool, typer.Option("--repeat", help="Take the steps again until the budget ends.")
    ] = False,
    trials: Trials = None,
    seconds: Seconds = None,
    latency_ms: Latency = None,
    as_json: AsJson = False,
) -> Reply:
    """Take several steps in turn: bursts of search, transfer, Droplet, sharing.

    A number after a step is its trials. Without a budget it takes 10 minutes.
    """
    from app.cli.passes import run_pass
    from engine.jobs.steps.steps import parse_plan

    budget = budget_of(trials, seconds, latency_ms)
    return run_pass(project, parse_plan(steps), budget, repeat)


@library.command("add")
def library_add(project: ProjectFile, as_json: AsJson = False) -> Reply:
    """Add a project's best records: traces and latencies, no weights of the model."""
    from app.cli.library import add as work

    return work(project)


@library.command("list")
def library_list(as_json: AsJson = False) -> Reply:
    """List what the library holds."""
    from app.cli.library import list_ as work

    return work()


@library.command("remove")
def library_remove(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="As the list names it.")],
    as_json: AsJson = False,
) -> Reply:
    """Take a model's records out of the library."""
    from app.cli.library import remove as work

    return work(model)
