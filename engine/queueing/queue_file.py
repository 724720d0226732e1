"""The queue's kind of file: its tables, and how it is opened."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from engine.storage.sqlite_file import FileKind

if TYPE_CHECKING:
    from sqlite_utils import Database

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


QUEUE_FILE = FileKind(
    "The queue {}",
    "{} is not a queue of Tunewright.",
    "Move it away, or name another file.",
    "Move it away; a new one is made then, and the projects of its jobs stay.",
    "Update Tunewright to use it.",
    int.from_bytes(b"TWJQ"),
    (create_tables,),
)


def open_file(path: Path) -> Database:
    """The queue, made where there is none and migrated where it is older.

    It is written ahead of, so that one process may read while another one writes.
    """
    return QUEUE_FILE.make(path, "journal_mode = wal", "synchronous = normal")
