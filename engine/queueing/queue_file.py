"""The queue's file: is it ours, whole, and of a version that this program knows?"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.passes.library_file import file_storage, immediate
from engine.project.connection import connect, refuse_folder, table_shape
from engine.records.errors import ProjectError
from engine.storage.failures import shown

if TYPE_CHECKING:
    from sqlite_utils import Database

APPLICATION_ID = int.from_bytes(b"TWJQ")

_JOBS = """
CREATE TABLE jobs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  place INTEGER NOT NULL,
  priority INTEGER NOT NULL,
  title TEXT NOT NULL,
  project TEXT NOT NULL,
  source TEXT,
  target TEXT NOT NULL,
  settings TEXT NOT NULL,
  paused INTEGER NOT NULL,
  cancel INTEGER NOT NULL,
  state TEXT NOT NULL,
  message TEXT NOT NULL,
  run INTEGER NOT NULL,
  progress REAL,
  best_s REAL,
  untuned_s REAL,
  left_s REAL,
  created REAL,
  started REAL,
  ended REAL
) STRICT
"""


def default_path() -> Path:
    """The queue in the user's data folder."""
    from platformdirs import user_data_path

    return user_data_path("tunewright") / "queue.db"


def create_tables(db: Database) -> None:
    """The first version. Never change it; add a step instead."""
    db.execute(_JOBS)
    db.execute("CREATE TABLE notes (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT")
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")


# Step n makes version n of version n - 1. Add at the end; never change what a release has had.
STEPS: tuple[Callable[[Database], None], ...] = (create_tables,)


def open_file(path: Path) -> Database:
    """The queue, made where there is none and migrated where it is older.

    It is written ahead of, so that one process may read while another one writes.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    refuse_folder(path)
    db = connect(path, "rwc")
    try:
        with immediate(db):  # of two processes that find no queue, one makes it
            if db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                _check(db, path)
            elif _pragma(db, "application_id"):
                raise damaged(path)
            _migrate(db)
        db.execute("PRAGMA journal_mode = wal")
        db.execute("PRAGMA synchronous = normal")
    except BaseException:
        db.close()
        raise
    return db


def queue_storage(path: Path) -> AbstractContextManager[None]:
    """Turn failures of the queue's file into ProjectError or StorageError."""
    return file_storage(path, damaged, foreign)


def damaged(path: Path) -> ProjectError:
    """The file is ours, but what is in it makes no sense."""
    return ProjectError(
        f"The queue {shown(path)} is damaged, or was changed by another program.",
        "Move it away; a new one is made then, and the projects of its jobs stay.",
    )


def foreign(path: Path) -> ProjectError:
    """The file was never a queue."""
    return ProjectError(
        f"{shown(path)} is not a queue of Tunewright.", "Move it away, or name another file."
    )


def _check(db: Database, path: Path) -> None:
    """Raise ProjectError unless the file is a whole queue that this program can read."""
    if _pragma(db, "application_id") != APPLICATION_ID:
        raise foreign(path)
    version = _pragma(db, "user_version")
    if version > len(STEPS):
        raise ProjectError(
            f"The queue {shown(path)} was saved by a newer Tunewright (file version {version}, "
            f"this one knows {len(STEPS)}).",
            "Update Tunewright to use it.",
        )
    if version < 1 or db.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
        raise damaged(path)
    if table_shape(db) != _expected_shape(version):
        raise damaged(path)


def _migrate(db: Database, to: int | None = None) -> None:
    for version, step in enumerate(STEPS[:to], 1):
        if version > _pragma(db, "user_version"):
            step(db)
            db.execute(f"PRAGMA user_version = {version}")


def _expected_shape(version: int) -> list[tuple[Any, ...]]:
    from sqlite_utils import Database

    db = Database(sqlite3.connect(":memory:"), execute_plugins=False)
    try:
        _migrate(db, version)
        return table_shape(db)
    finally:
        db.close()


def _pragma(db: Database, name: str) -> int:
    return int(db.execute(f"PRAGMA {name}").fetchone()[0])
