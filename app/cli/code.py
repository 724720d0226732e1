"""The command `code`: the schedule of a trial, and what the compiler makes of it."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.options import AsJson, ProjectFile
from app.cli.output import Reply
from engine.records.errors import UsageError

if TYPE_CHECKING:
    from engine.project.repository import Project


class Text(StrEnum):
    """The texts of a trial; each value is its key in `describe`."""

    SCHEDULE = "trace"
    TENSORIR = "tir"
    SOURCE = "source"


def code(
    project: ProjectFile,
    task: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="A task, as `info` names it: its best trial."),
    ] = None,
    trial: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="This trial, whose task counts.")
    ] = None,
    text: Annotated[
        str,
        typer.Option(metavar="WHICH", help="schedule, tensorir or source (CUDA, or assembly)."),
    ] = "source",
    as_json: AsJson = False,
) -> Reply:
    """Print the code of a task's best trial, or of any trial; without either of the costliest task.

    The trace is applied and compiled again, in a process of its own; nothing is measured.
    """
    from engine.deploy.detail import describe
    from engine.jobs.opening.isolation import shown_apart
    from engine.project.repository import Project
    from engine.records.machine import prepare_environment

    if text.upper() not in Text.__members__:
        raise UsageError(f"There is no text {text}.", "Choose schedule, tensorir or source.")
    with Project.open(project, read_only=True) as opened:
        number = _number(opened, task, trial)
        found = opened.trial(number)
        of = opened.tasks()[found.task]
        target = opened.target
    subject = f"The schedule of trial {number} of {of.name}"
    given = subject, of.workload, found.trace, target
    prepare_environment()  # before the worker's server is forked
    texts = shown_apart(subject, describe, *given)
    data = {"project": str(project), "task": of.name, "trial": number}
    data |= {name.lower(): texts[key] for name, key in Text.__members__.items()}
    return Reply(data, texts[Text[text.upper()]])


def _number(project: Project, task: str | None, trial: int | None) -> int:
    """The trial that is meant."""
    from engine.history.history import History

    snapshot = project.snapshot()
    if trial is not None:
        if trial not in {each.number for each in snapshot.trials}:
            raise UsageError(f"The project has no trial {trial}.", "`tunewright info` counts them.")
        return trial
    history = History(snapshot)
    tasks = [each for each in history.tasks if task in (None, each.name)]
    if not tasks:
        raise UsageError(f"The project has no task {task}.", "`tunewright info` lists them.")
    costliest = max(tasks, key=lambda each: history.share(each.index) or 0.0)
    best = history.best_trial(costliest.index)
    if best is None:
        raise UsageError(
            f"No trial of {costliest.name} has a latency yet.", "Tune first: `tunewright resume`."
        )
    return best
