"""The project's kind of file, and from any older one to today's tables, forward only."""

from __future__ import annotations

from contextlib import suppress
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING

from engine.project.file_rows import add_file_nodes
from engine.project.ios_schema import add_ios
from engine.project.jobs_schema import add_jobs
from engine.project.label_rows import add_labels
from engine.project.passes_schema import add_passes
from engine.project.schema import APPLICATION_ID, create_tables
from engine.storage.copies import copy_to
from engine.storage.sqlite_file import FileKind, closed_on_error, pragma

if TYPE_CHECKING:
    from sqlite_utils import Database

PROJECT_FILE = FileKind(
    "{}",
    "{} is not a Tunewright project.",
    "Choose a .tune file.",
    "Open a backup or an earlier copy of it.",
    "Update Tunewright to open it.",
    APPLICATION_ID,
    (create_tables, add_passes, add_ios, add_file_nodes, add_labels, add_jobs),
)


def open_writer(path: Path) -> Database:
    """An existing project for writing, migrated where it is older. Hold its lock."""
    db = PROJECT_FILE.open(path)
    with closed_on_error(db):
        if db.journal_mode != "delete":
            db.execute("PRAGMA journal_mode = delete")
        if PROJECT_FILE.is_older(db):
            migrate_file(db, path)
        db.execute("PRAGMA foreign_keys = on")
    return db


def migrate_file(db: Database, path: Path) -> None:
    """Copy the older file beside itself, then migrate it; a failure leaves it as it was."""
    backup = _backup_name(path, pragma(db, "user_version"))
    copy_to(db, backup)
    try:
        with db.atomic():
            PROJECT_FILE.migrate(db)
    except BaseException:
        with suppress(OSError):
            backup.unlink()
        raise


def _backup_name(path: Path, version: int) -> Path:
    """NAME.tune.v<N>.bak, or the first free name after it: a copy is never overwritten."""
    endings = chain(("",), (f".{n}" for n in count(2)))
    files = (path.with_name(f"{path.name}.v{version}{ending}.bak") for ending in endings)
    return next(file for file in files if not file.exists())
