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
from engine.records.errors import UsageError

if TYPE_CHECKING:
    from app.cli.driver import DriverOf
    from engine.experiments.matrix import Experiment
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
    of_cores: Annotated[int | None, typer.Option(hidden=True)] = None,
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
        wanted = _with_jobs(wanted, jobs)
    place = Place.beside(file)
    if of_cores is None:
        say(f"{wanted.name}: {len(wanted)} cells, in {place.folder}")
    if of_cores is None and wanted.cores != (None,):
        ran = _by_cores(wanted, place, file, jobs)
    else:
        ran = carry_out(wanted, place, _driving, of_cores)
    data = write_results(wanted.name, ran.outcomes, place)
    failed = any(each.state == "failed" for each in ran.outcomes)
    return Reply({**data, "folder": str(place.folder)}, _text(ran, place), 1 if failed else 0)


def _with_jobs(wanted: Experiment, jobs: int) -> Experiment:
    """The experiment with so many cells at once; UsageError where its file varies that."""
    if wanted.concurrency != (None,):
        raise UsageError(
            "The experiment's file says how many cells run at once.", "Leave --jobs out."
        )
    return replace(wanted, jobs=jobs)


def _by_cores(wanted: Experiment, place: Place, file: Path, jobs: int | None) -> Ran:
    """Run the rounds of each number of cores in a process of its own that has so many: what is
    loaded and started there knows no others."""
    from app.cli.fewer_cores import on_cores, require_cores
    from engine.experiments.running import Ran, outcomes

    counts = [count for count in wanted.cores if count is not None]
    for count in counts:
        require_cores(count)
    more = [] if jobs is None else ["--jobs", str(jobs)]
    stopped = False
    for count in counts:
        say(f"On {count} cores:")
        command = ["experiment", str(file), "--of-cores", str(count), "--json", *more]
        if stopped := on_cores(command, count):
            break
    return Ran(outcomes(tuple(wanted.cells()), place), stopped)


@contextmanager
def _driving(path: Path) -> Iterator[DriverOf[DrivenQueue]]:
    from app.cli.driver import DriverOf, QueueProgress
    from engine.interface.driven_queue import DrivenQueue

    with QueueProgress() as progress, DriverOf(progress, DrivenQueue(path)) as driver:
        yield driver


def _text(ran: Ran, place: Place) -> str:
    from engine.experiments.summary import groups, rounds
    from engine.experiments.table import ROUND_HEADS, ROUND_NUMBERS, round_rows, text_table

    heads, rows, numbers = text_table(groups(ran.outcomes))
    lines = [table([heads, *rows], numbers)]
    if together := rounds(ran.outcomes):
        lines += ["", table([ROUND_HEADS, *round_rows(together)], ROUND_NUMBERS), ""]
    for each in ran.outcomes:
        if each.state == "failed":
            lines.append(f"{each.cell.name} failed: {each.message}")
    if any(not each.done for each in ran.outcomes):
        lines.append("The same command goes on with what is not done.")
    lines.append(f"{place.folder / 'index.html'}")
    return "\n".join(lines)
