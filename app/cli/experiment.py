"""What `tunewright experiment` does: a matrix of runs, unattended, and its table."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from app.cli.driver import DriverOf
from app.cli.output import Reply, say, table
from app.cli.queue import QueueProgress
from engine.experiments.place import Place
from engine.experiments.running import Ran, carry_out
from engine.experiments.schema import read_experiment
from engine.experiments.summary import groups
from engine.experiments.table import HEADS, NUMBERS, text_rows
from engine.experiments.writing import write_results
from engine.interface.driven_queue import DrivenQueue


def experiment(file: Path, jobs: int | None) -> Reply:
    """Run what is not done of an experiment; its table, and where the rest is."""
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
    with QueueProgress() as progress, DriverOf(progress, DrivenQueue(path)) as driver:
        yield driver


def _text(ran: Ran, place: Place) -> str:
    lines = [table([HEADS, *text_rows(groups(ran.outcomes))], NUMBERS)]
    for each in ran.outcomes:
        if each.state == "failed":
            lines.append(f"{each.cell.name} failed: {each.message}")
    if any(not each.done for each in ran.outcomes):
        lines.append("The same command goes on with what is not done.")
    lines.append(f"{place.folder / 'index.html'}")
    return "\n".join(lines)
