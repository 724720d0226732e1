"""The command that finds a schedule of stages."""

from __future__ import annotations

from typing import Annotated

import typer

from app.cli.options import AsJson, ProjectFile
from app.cli.output import Reply
from engine.records.schedule import IosOptions

_DEFAULT = IosOptions()


def ios(
    project: ProjectFile,
    r: Annotated[
        int, typer.Option("--r", metavar="N", help="Operators a group, at most.")
    ] = _DEFAULT.r,
    s: Annotated[
        int, typer.Option("--s", metavar="N", help="Groups a stage, at most.")
    ] = _DEFAULT.s,
    strategy: Annotated[
        str, typer.Option(metavar="WHICH", help="parallel, merge or both.")
    ] = _DEFAULT.strategies,
    seconds: Annotated[
        float, typer.Option(metavar="S", help="End the search after S seconds.")
    ] = _DEFAULT.seconds,
    merge_trials: Annotated[
        int | None,
        typer.Option(metavar="N", help="First tune merged operators, N trials for each."),
    ] = None,
    as_json: AsJson = False,
) -> Reply:
    """Find operators to run side by side, or merged, by measuring stages of them.

    Ctrl+C ends the search with the best schedule so far. Asked again, it goes on from what was
    measured.
    """  # fmt: skip
    from app.cli.ios import ios as work

    return work(project, IosOptions(r, s, strategy, seconds), merge_trials)
