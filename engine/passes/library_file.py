"""The library's file: is it ours, whole, and of a version that this program knows?"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.project.connection import connect, refuse_folder, table_shape
from engine.records.errors import ProjectError
from engine.storage.failures import shown, storage
from engine.storage.fields import Malformed

if TYPE_CHECKING:
    from sqlite_utils import Database

APPLICATION_ID = int.from_bytes(b"TWLB")

_COLUMNS: dict[str, type] = {
    "id": int,
    "model": str,
    "task": str,
    "op_class": str,
    "args": str,  # JSON: [[shape, dtype], ...]
    "flops": float,
    "latency_s": float,
    "untuned_latency_s": float,
    "trace": bytes,  # packed text
    "trace_key": str,
    "fingerprint": str,
    "target": str,  # TVM's JSON
    "target_title": str,
    "tvm_version": str,
    "place": str,
    "at": float,
}


def default_path() -> Path:
    """The library in the user's data folder."""
    from platformdirs import user_data_path

    return user_data_path("tunewright") / "library.db"


def create_tables(db: Database) -> None:
    """The first version. Never change it; add a step instead."""
    table = db.table("donors")
    optional = {"id", "untuned_latency_s"}
    table.create(_COLUMNS, pk="id", not_null=set(_COLUMNS) - optional, strict=True)
    table.create_index(["fingerprint", "model", "target_title", "trace_key"], unique=True)
    table.create_index(["op_class"])
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")


# Step n makes version n of version n - 1. Add at the end; never change what a release has had.
STEPS: tuple[Callable[[Database], None], ...] = (create_tables,)


def open_writer(path: Path) -> Database:
    """The library for writing: made where there is none, migrated where it is older."""
    path.parent.mkdir(parents=True, exist_ok=True)
    refuse_folder(path)
    db = connect(path, "rwc")
    try:
        with immediate(db):  # of two processes that find no library, one makes it
            if db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                _check(db, path)
            elif _pragma(db, "application_id"):
                raise damaged(path)
            _migrate(db)
        db.execute("PRAGMA journal_mode = delete")  # a stranger's file may have another
    except BaseException:
        db.close()
        raise
    return db


def open_reader(path: Path) -> Database:
    """The library for reading: empty where there is none, migrated in memory where it is older."""
    refuse_folder(path)
    there = path.exists() and path.stat().st_size > 0
    db = connect(path) if there else _memory()
    try:
        if there:
            _check(db, path)
        if _pragma(db, "user_version") < len(STEPS):
            older, db = db, _memory()
            older.conn.backup(db.conn)
            older.close()
            _migrate(db)
        db.execute("PRAGMA query_only = on")
    except BaseException:
        db.close()
        raise
    return db


@contextmanager
def immediate(db: Database) -> Iterator[None]:
    """A transaction that waits for other writers before it reads, and so never fails half-way."""
    db.conn.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.conn.commit()
    except BaseException:
        db.conn.rollback()
        raise


def library_storage(path: Path) -> AbstractContextManager[None]:
    """Turn failures of the library's file into ProjectError or StorageError, as `storage` does."""
    return file_storage(path, damaged, foreign)


@contextmanager
def file_storage(
    path: Path, damaged: Callable[[Path], ProjectError], foreign: Callable[[Path], ProjectError]
) -> Iterator[None]:
    """The same for a file of another kind, which says in its own words what is wrong with it."""
    with storage(path):
        try:
            yield
        except (sqlite3.ProgrammingError, sqlite3.InterfaceError):  # a bug, not the file's fault
            raise
        except (Malformed, UnicodeDecodeError) as error:
            raise damaged(path) from error
        except sqlite3.DatabaseError as error:
            code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
            if code == sqlite3.SQLITE_NOTADB:
                raise foreign(path) from error
            if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_ERROR):
                raise damaged(path) from error
            raise


def damaged(path: Path) -> ProjectError:
    """The file is ours, but what is in it makes no sense."""
    return ProjectError(
        f"The library {shown(path)} is damaged, or was changed by another program.",
        "Move it away; projects that are added again make a new one.",
    )


def foreign(path: Path) -> ProjectError:
    """The file was never a library."""
    return ProjectError(
        f"{shown(path)} is not a library of Tunewright.", "Move it away, or name another file."
    )


def _check(db: Database, path: Path) -> None:
    """Raise ProjectError unless the file is a whole library that this program can read."""
    if _pragma(db, "application_id") != APPLICATION_ID:
        raise foreign(path)
    version = _pragma(db, "user_version")
    if version > len(STEPS):
        raise ProjectError(
            f"The library {shown(path)} was saved by a newer Tunewright (file version {version}, "
            f"this one knows {len(STEPS)}).",
            "Update Tunewright to use it.",
        )
    if version < 1 or db.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
        raise damaged(path)
    if table_shape(db) != _expected_shape(version):
        raise damaged(path)


def _migrate(db: Database, to: int | None = None) -> None:
    """Take the missing steps, up to version `to`, inside the caller's transaction."""
    for version, step in enumerate(STEPS[:to], 1):
        if version > _pragma(db, "user_version"):
            step(db)
            db.execute(f"PRAGMA user_version = {version}")


def _expected_shape(version: int) -> list[tuple[Any, ...]]:
    db = _memory()
    try:
        _migrate(db, version)
        return table_shape(db)
    finally:
        db.close()


def _memory() -> Database:
    from sqlite_utils import Database

    return Database(sqlite3.connect(":memory:"), execute_plugins=False)


def _pragma(db: Database, name: str) -> int:
    return int(db.execute(f"PRAGMA {name}").fetchone()[0])
