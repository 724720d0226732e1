"""The passes over a project's records: one run each, and a table of what it gave."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.options import AsJson, Connect, Latency, ProjectFile, Seconds, Trials, budget_of
from app.cli.output import Reply, table
from engine.jobs.steps.steps import (
    DropletOptions,
    ShareOptions,
    TransferOptions,
    options_of,
    parse_plan,
    plan_text,
)
from engine.records.settings import Budget, Step
from engine.records.units import UNKNOWN, format_ratio, format_seconds

if TYPE_CHECKING:
    from engine.history.before_after import Row
    from engine.records.snapshot import Snapshot

_SHARE, _TRANSFER, _DROPLET = ShareOptions(), TransferOptions(), DropletOptions()


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
    connect: Connect = None,
    as_json: AsJson = False,
) -> Reply:
    """Tune one task of each cluster, and give its best schedules to the others.

    Without a budget it takes 10 minutes.
    """
    from engine.passes.similarity import find_metric

    options = {
        "metric": metric,
        "threshold": find_metric(metric).threshold if threshold is None else threshold,
        "stored": not again,
        "top_k": top_k,
        "tune_weak": tune_weak,
    }
    budget = budget_of(trials, seconds, latency_ms)
    return _run(project, (Step("share", options),), budget)


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
    connect: Connect = None,
    as_json: AsJson = False,
) -> Reply:
    """Measure the best schedules of other models on the tasks of the same class."""
    places = [str(place.absolute()) for place in donors or ()]
    options = {"places": places, "library": not no_library, "per_task": per_task}
    budget = budget_of(trials, seconds, latency_ms)
    return _run(project, (Step("transfer", options),), budget)


def droplet(
    project: ProjectFile,
    per_task: Annotated[
        int, typer.Option(metavar="N", help="Neighbours that a task tries at most.")
    ] = _DROPLET.per_task,
    trials: Trials = None,
    seconds: Seconds = None,
    latency_ms: Latency = None,
    connect: Connect = None,
    as_json: AsJson = False,
) -> Reply:
    """Move each task's best schedule to a neighbour as long as that is surely faster."""
    budget = budget_of(trials, seconds, latency_ms)
    return _run(project, (Step("droplet", {"per_task": per_task}),), budget)


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
    connect: Connect = None,
    as_json: AsJson = False,
) -> Reply:
    """Take several steps in turn: bursts of search, transfer, Droplet, sharing.

    A number after a step is its trials. Without a budget it takes 10 minutes.
    """
    budget = budget_of(trials, seconds, latency_ms)
    return _run(project, parse_plan(steps), budget, repeat)


def _run(path: Path, steps: tuple[Step, ...], budget: Budget, repeat: bool = False) -> Reply:
    """Carry a plan out on a project; what each task gained."""
    from app.cli.driver import driving, make_progress
    from engine.interface import work

    began = time.monotonic()
    for step in steps:
        options_of(step)  # refused before the model is read
    with driving(make_progress()) as driver:
        work.carry_out(driver, path, steps, budget, repeat)
    return _reply(work.read_project(path), time.monotonic() - began)


def _reply(snapshot: Snapshot, wall_s: float) -> Reply:
    from app.cli.reports import run_reply
    from engine.history.before_after import before_after

    run = snapshot.runs[-1]
    changes = before_after(snapshot, run.id)
    reply = run_reply(snapshot, wall_s)
    data = {
        **reply.data,
        "plan": plan_text(run.settings.steps),
        "tasks_changed": [
            {
                "task": snapshot.tasks[change.task].name,
                "before_s": change.before_s,
                "after_s": change.after_s,
                "trials": change.trials,
                "source": None if change.source is None else change.source.value,
            }
            for change in changes.rows
        ],
        "before_latency_s": changes.before_s,
        "after_latency_s": changes.after_s,
        "moves": [
            {
                "task": snapshot.tasks[move.task].name,
                "axis": move.axis,
                "gain": move.gain,
                "p_value": move.p_value,
                "accepted": move.accepted,
            }
            for move in snapshot.moves
            if move.run == run.id
        ],
    }
    return Reply(data, f"{_table(snapshot, changes.rows)}\n\n{reply.text}")


def _table(snapshot: Snapshot, changes: tuple[Row, ...]) -> str:
    rows = [("task", "before", "after", "gain", "trials", "source")]
    for change in changes:
        if change.trials:
            rows.append(
                (
                    snapshot.tasks[change.task].name,
                    format_seconds(change.before_s),
                    format_seconds(change.after_s),
                    UNKNOWN if change.gain is None else format_ratio(1 + change.gain),
                    str(change.trials),
                    "" if change.source is None else change.source.value,
                )
            )
    return table(rows) if len(rows) > 1 else "No task had a trial."
