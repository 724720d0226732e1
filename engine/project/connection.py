"""Opening a file: is it ours, whole, and of a version that this program knows?

What fails here is raised as SQLite or the system put it; callers wrap it in `storage`.
"""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.project.migrations import migrate, migrate_file, newest, version_of
from engine.project.schema import APPLICATION_ID
from engine.records.errors import ProjectError
from engine.storage.copies import journal, uri
from engine.storage.failures import damaged, foreign, shown

if TYPE_CHECKING:
    from sqlite_utils import Database

BUSY_S = 10.0  # how long a commit waits for a reader, and a reader for a commit

_SHAPE = """
SELECT m.type, m.name, x.name, x.type, x."notnull", x.pk, x.hidden
FROM sqlite_master AS m LEFT JOIN pragma_table_xinfo(m.name) AS x
WHERE m.type != 'index' AND m.name NOT LIKE 'sqlite!_%' ESCAPE '!'
ORDER BY m.name, x.cid
"""


def located(path: str | Path) -> Path:
    """The absolute path without links, so that a project has one name and one lock."""
    try:
        return Path(os.path.realpath(path))
    except ValueError as error:
        raise ProjectError("A file's name cannot hold a null character.", "Rename it.") from error


def refuse_folder(path: Path) -> None:
    """Raise IsADirectoryError where `path` is one: SQLite would only say that it cannot open it."""
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))


def connect(path: Path, mode: str = "rw") -> Database:
    """A connection that distrusts what the file's schema says; mode as SQLite's URIs have it.

    A reader takes "rw" too: a journal that a kill left must be played back before reading.
    """
    return _wrapped(sqlite3.connect(uri(path, mode), uri=True, timeout=BUSY_S))


@contextmanager
def new_file(path: Path) -> Iterator[Database]:
    """A connection to a file that did not exist; after an error the file is gone again."""
    refuse_folder(path)
    if path.exists() and path.stat().st_size:
        raise ProjectError(f"{shown(path)} exists already.", "Choose another name or delete it.")
    journal(path).unlink(missing_ok=True)  # of a deleted project: it would be played into ours
    db = connect(path, "rwc")
    try:
        db.execute("PRAGMA foreign_keys = on")
        yield db
    except BaseException:
        db.close()
        with suppress(OSError):
            path.unlink()
        raise


def open_writer(path: Path) -> Database:
    """An existing project for writing, migrated where it is older. Hold its lock."""
    db = _checked(path)
    try:
        if db.journal_mode != "delete":
            db.execute("PRAGMA journal_mode = delete")
        if version_of(db) < newest():
            migrate_file(db, path)
        db.execute("PRAGMA foreign_keys = on")
    except BaseException:
        db.close()
        raise
    return db


def open_reader(path: Path) -> Database:
    """An existing project for reading; an older one is migrated in memory only."""
    db = _checked(path)
    if version_of(db) < newest():
        older, db = db, _wrapped(sqlite3.connect(":memory:"))
        try:
            older.conn.backup(db.conn)
            migrate(db)
        finally:
            older.close()
    db.execute("PRAGMA query_only = on")
    return db


def _wrapped(connection: sqlite3.Connection) -> Database:
    from sqlite_utils import Database

    db = Database(connection, execute_plugins=False)
    for pragma in ("trusted_schema = off", "cell_size_check = on"):
        db.execute(f"PRAGMA {pragma}")
    return db


def _checked(path: Path) -> Database:
    refuse_folder(path)
    path.stat()
    db = connect(path)
    try:
        _check(db, path)
    except BaseException:
        db.close()
        raise
    return db


def _check(db: Database, path: Path) -> None:
    """Raise ProjectError unless the file is a whole project that this program can read."""
    if db.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise foreign(path)
    version = version_of(db)
    if version > newest():
        raise ProjectError(
            f"{shown(path)} was saved by a newer Tunewright (file version {version}, "
            f"this one knows {newest()}).",
            "Update Tunewright to open it.",
        )
    if version < 1 or db.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
        raise damaged(path)
    if table_shape(db) != _expected_shape(version):
        raise damaged(path)


def table_shape(db: Database) -> list[tuple[Any, ...]]:
    """Every column of every table; views and triggers, which a project has none of, show too."""
    return db.execute(_SHAPE).fetchall()


def _expected_shape(version: int) -> list[tuple[Any, ...]]:
    db = _wrapped(sqlite3.connect(":memory:"))
    try:
        migrate(db, version)
        return table_shape(db)
    finally:
        db.close()
