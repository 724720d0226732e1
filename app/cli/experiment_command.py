"""The command that runs an experiment."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from app.cli.options import AsJson
from app.cli.output import Reply


def experiment(
    file: Annotated[Path, typer.Argument(metavar="FILE.yaml", help="What to vary.")],
    jobs: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, max=64, help="Cells at once. Default: the file's, or 1."),
    ] = None,
    as_json: AsJson = False,
) -> Reply:
    """Tune every cell of a matrix of models, targets, policies, budgets and seeds.

    A cell that fails leaves the others alone. Asked again, it goes on with what is not done. The
    table, CSV, JSON and drawings are in a folder beside the file.
    """
    from app.cli.experiment import experiment as work

    return work(file, jobs)
