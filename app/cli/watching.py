"""`watch`, and projects of other machines for the commands that look."""

from __future__ import annotations

import queue
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.options import AsJson
from app.cli.output import Reply, say
from engine.watching.address import WatchedFile, names_machine, parse_watched

if TYPE_CHECKING:
    from engine.records.snapshot import Snapshot

ProjectAnywhere = Annotated[
    str,
    typer.Argument(
        metavar="FILE.tune", help="A project, or ssh://USER@HOST/PATH.tune on another machine."
    ),
]
_EVERY_S = 1.0  # a file of this machine


def watch(project: ProjectAnywhere, as_json: AsJson = False) -> Reply:
    """Follow a project that another process tunes, here or elsewhere, until its run ends."""
    from app.cli.reports import info_reply
    from app.cli.status import Status
    from engine.history.open_project import OpenProject
    from engine.records.events import ProjectOpened, RunChanged

    status = Status()
    for snapshot in _changes(project):
        opened = OpenProject(snapshot)
        run = opened.run
        lines = status.take([ProjectOpened(snapshot), opened.scores()])
        lines += status.take([RunChanged(run.id, run.state, run.reason)]) if run else []
        for line in [*lines, status.line()]:
            say(line)
        if run is None or not run.state.active:
            break
    return info_reply(snapshot)


def snapshot_of(project: str) -> Snapshot:
    """A project as it is now, wherever it is; its path is what was written."""
    from engine.project.repository import Project

    with at_hand(project) as path, Project.open(path, read_only=True) as opened:
        snapshot = opened.snapshot()
    return replace(snapshot, path=str(_named(project))) if names_machine(project) else snapshot


@contextmanager
def at_hand(project: str) -> Iterator[Path]:
    """Where the project can be read inside the block."""
    if not names_machine(project):
        yield Path(project)
        return
    from engine.watching.watch import fetched

    with fetched(_named(project)) as path:
        yield path


def _named(text: str) -> WatchedFile:
    """A file that a person names on the command line, and with it the machine."""
    from engine.measure.remote.given import give_machine

    file = parse_watched(text)
    give_machine(file.place)
    return file


def _changes(project: str) -> Iterator[Snapshot]:
    """The project now, and whenever it has changed; without end."""
    return _changes_there(project) if names_machine(project) else _changes_here(Path(project))


def _changes_there(project: str) -> Iterator[Snapshot]:
    from engine.watching.watch import Lost, Seen, Watch

    told: queue.Queue[Seen | Lost] = queue.Queue()
    file = _named(project)
    watched = Watch(file, told.put)
    watched.start()
    try:
        seen_at, lost = 0.0, False
        while True:
            found = told.get()
            if isinstance(found, Seen):
                seen_at, lost = found.at, False
                if found.snapshot is not None:
                    yield replace(found.snapshot, path=str(file))
            elif not seen_at:
                raise found.error
            elif not lost:
                lost, moment = True, time.strftime("%H:%M", time.localtime(seen_at))
                say(f"As of {moment}, connection lost: {found.error.what}")
    finally:
        watched.close()


def _changes_here(path: Path) -> Iterator[Snapshot]:
    from engine.project.repository import Project
    from engine.storage.lock import is_held

    seen: object = None
    while True:
        with Project.open(path, read_only=True) as opened:
            found = path.stat().st_mtime_ns, is_held(opened.path)
            if found != seen:
                seen = found
                yield opened.snapshot()
        time.sleep(_EVERY_S)
