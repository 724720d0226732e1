"""`experiment`: a matrix of runs, unattended, and its table."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.options import AsJson, Connect
from app.cli.output import Reply, say, table

if TYPE_CHECKING:
    from app.cli.driver import DriverOf
    from engine.experiments.place import Place
    from engine.experiments.running import Ran
    from engine.interface.driven_queue import DrivenQueue


def experiment(
    file: Annotated[Path, typer.Argument(metavar="FILE.yaml", help="What to vary.")],
    jobs: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, max=64, help="Cells at once. Default: the file's, or 1."),
    ] = None,
    connect: Connect = None,
    as_json: AsJson = False,
) -> Reply:
    """Tune every cell of a matrix of models, targets, policies, budgets and seeds.

    A cell that fails leaves the others alone. Asked again, it goes on with what is not done. The
    table, CSV, JSON and drawings are in a folder beside the file.
    """
    from engine.experiments.place import Place
    from engine.experiments.running import carry_out
    from engine.experiments.schema import read_experiment
    from engine.experiments.writing import write_results

    wanted = read_experiment(file)
    if jobs is not None:
        wanted = replace(wanted, jobs=jobs)
    place = Place.beside(file)
    say(f"{wanted.name}: {len(wanted)} cells, in {place.folder}")
    ran = carry_out(wanted, place, _driving)
    data = write_results(wanted.name, ran.outcomes, place)
    failed = any(each.state == "failed" for each in ran.outcomes)
    return Reply({**data, "folder": str(place.folder)}, _text(ran, place), 1 if failed else 0)


@contextmanager
def _driving(path: Path) -> Iterator[DriverOf[DrivenQueue]]:
    from app.cli.driver import DriverOf, QueueProgress
    from engine.interface.driven_queue import DrivenQueue

    with QueueProgress() as progress, DriverOf(progress, DrivenQueue(path)) as driver:
        yield driver


def _text(ran: Ran, place: Place) -> str:
    from engine.experiments.summary import groups
    from engine.experiments.table import HEADS, NUMBERS, text_rows

    lines = [table([HEADS, *text_rows(groups(ran.outcomes))], NUMBERS)]
    for each in ran.outcomes:
        if each.state == "failed":
            lines.append(f"{each.cell.name} failed: {each.message}")
    if any(not each.done for each in ran.outcomes):
        lines.append("The same command goes on with what is not done.")
    lines.append(f"{place.folder / 'index.html'}")
    return "\n".join(lines)
