"""From any older file to today's tables, forward only.

sqlite-utils has migrations of its own, but keeps their names in a table, where a project needs a
number: to refuse a newer file, to name the copy of an older one, and to know a stranger's tables.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING

from engine.project.file_rows import add_file_nodes
from engine.project.ios_schema import add_ios
from engine.project.jobs_schema import add_jobs
from engine.project.label_rows import add_labels
from engine.project.passes_schema import add_passes
from engine.project.schema import create_tables
from engine.storage.copies import copy_to

if TYPE_CHECKING:
    from sqlite_utils import Database

Step = Callable[["Database"], None]

# Step n makes version n of version n - 1. Add at the end; never change what a release has had.
STEPS: tuple[Step, ...] = (
    create_tables,
    add_passes,
    add_ios,
    add_file_nodes,
    add_labels,
    add_jobs,
)


def newest() -> int:
    """The version of the files that this program writes."""
    return len(STEPS)


def version_of(db: Database) -> int:
    """The version of an open file, 0 where it is empty."""
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def migrate(db: Database, to: int | None = None) -> None:
    """Take the missing steps, up to version `to`, in one transaction."""
    with db.atomic():
        for version, step in enumerate(STEPS[:to], 1):
            if version > version_of(db):
                step(db)
                db.execute(f"PRAGMA user_version = {version}")


def migrate_file(db: Database, path: Path) -> None:
    """Copy the older file beside itself, then migrate it; a failure leaves it as it was."""
    backup = _backup_name(path, version_of(db))
    copy_to(db, backup)
    try:
        migrate(db)
    except BaseException:
        with suppress(OSError):
            backup.unlink()
        raise


def _backup_name(path: Path, version: int) -> Path:
    """NAME.tune.v<N>.bak, or the first free name after it: a copy is never overwritten."""
    endings = chain(("",), (f".{n}" for n in count(2)))
    files = (path.with_name(f"{path.name}.v{version}{ending}.bak") for ending in endings)
    return next(file for file in files if not file.exists())
