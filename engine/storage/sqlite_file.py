"""A kind of SQLite file: is one ours, whole, and of a version that this program knows?

What fails here is raised as SQLite or the system put it; callers wrap it in the kind's `storage`.
"""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from engine.records.errors import ProjectError
from engine.records.sentences import Sentence
from engine.storage.copies import journal, uri
from engine.storage.failures import Wording, shown

if TYPE_CHECKING:
    from sqlite_utils import Database

Step = Callable[["Database"], None]

BUSY_S = 10.0  # how long a commit waits for a reader, and a reader for a commit

_SHAPE = """
SELECT m.type, m.name, x.name, x.type, x."notnull", x.pk, x.hidden
FROM sqlite_master AS m LEFT JOIN pragma_table_xinfo(m.name) AS x
WHERE m.type != 'index' AND m.name NOT LIKE 'sqlite!_%' ESCAPE '!'
ORDER BY m.name, x.cid
"""


@dataclass
class FileKind(Wording):
    """Files with a number of their own and tables that are made step by step, forward only.

    Step n makes version n of version n - 1: steps are added at the end, and what a release has had
    never changes. sqlite-utils has migrations of its own, but keeps their names in a table, where a
    file needs a number: to refuse a newer one, to name the copy of an older one, and to know a
    stranger's tables.
    """

    application_id: int
    steps: tuple[Step, ...]

    @property
    def newest(self) -> int:
        """The version of the files that this program writes."""
        return len(self.steps)

    def is_older(self, db: Database) -> bool:
        """Whether the file lacks steps."""
        return pragma(db, "user_version") < self.newest

    def migrate(self, db: Database, to: int | None = None) -> None:
        """Take the missing steps, up to version `to`, inside the caller's transaction."""
        for version, step in enumerate(self.steps[:to], 1):
            if version > pragma(db, "user_version"):
                step(db)
                db.execute(f"PRAGMA application_id = {self.application_id}")
                db.execute(f"PRAGMA user_version = {version}")

    def make(self, path: Path, *settings: str) -> Database:
        """The file for writing: made where there is none, else migrated; `settings` are pragmas."""
        path.parent.mkdir(parents=True, exist_ok=True)
        refuse_folder(path)
        db = connect(path, "rwc")
        with closed_on_error(db):
            with immediate(db):  # of two processes that find none, one makes it
                if db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                    self._check(db, path)
                elif pragma(db, "application_id"):
                    raise self.damaged(path)
                self.migrate(db)
            for setting in settings:
                db.execute(f"PRAGMA {setting}")
        return db

    def open(self, path: Path) -> Database:
        """An existing file as it is."""
        refuse_folder(path)
        path.stat()
        db = connect(path)
        with closed_on_error(db):
            self._check(db, path)
        return db

    def open_reader(self, path: Path) -> Database:
        """An existing file for reading; an older one is migrated in memory only."""
        db = self.open(path)
        if not self.is_older(db):
            db.execute("PRAGMA query_only = on")
            return db
        with closing(db):
            return self.empty(db)

    def empty(self, older: Database | None = None) -> Database:
        """A file in memory, for reading; what `older` holds is in it."""
        db = _memory()
        with closed_on_error(db):
            if older is not None:
                older.conn.backup(db.conn)
            self.migrate(db)
            db.execute("PRAGMA query_only = on")
        return db

    def _check(self, db: Database, path: Path) -> None:
        """Raise ProjectError unless the file is a whole one that this program can read."""
        if pragma(db, "application_id") != self.application_id:
            raise self.foreign(path)
        version = pragma(db, "user_version")
        if version > self.newest:
            raise self.newer(path, version, self.newest)
        if version < 1 or db.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
            raise self.damaged(path)
        if _shape(db) != self._shape_of(version):
            raise self.damaged(path)

    def _shape_of(self, version: int) -> list[tuple[Any, ...]]:
        db = _memory()
        try:
            self.migrate(db, version)
            return _shape(db)
        finally:
            db.close()


class OpenFile:
    """An open file of some kind; used from the thread that opened it."""

    def __init__(self, path: Path, db: Database) -> None:
        """For `open`."""
        self._path = path
        self._db = db

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; idempotent."""
        self._db.close()

    @property
    def path(self) -> Path:
        return self._path


def located(path: str | Path) -> Path:
    """The absolute path without links, so that a file has one name and one lock."""
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
        raise ProjectError(
            Sentence("{path} exists already.", path=shown(path)),
            "Choose another name or delete it.",
        )
    journal(path).unlink(missing_ok=True)  # of a deleted file: it would be played into ours
    db = connect(path, "rwc")
    try:
        with closed_on_error(db):
            db.execute("PRAGMA foreign_keys = on")
            yield db
    except BaseException:
        with suppress(OSError):
            path.unlink()
        raise


@contextmanager
def closed_on_error(db: Database) -> Iterator[None]:
    """Close the file where what is done with it fails."""
    try:
        yield
    except BaseException:
        db.close()
        raise


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


def pragma(db: Database, name: str) -> int:
    """A number that SQLite keeps of a file."""
    return int(db.execute(f"PRAGMA {name}").fetchone()[0])


def _wrapped(connection: sqlite3.Connection) -> Database:
    from sqlite_utils import Database

    db = Database(connection, execute_plugins=False)
    for switch in ("trusted_schema = off", "cell_size_check = on"):
        db.execute(f"PRAGMA {switch}")
    return db


def _memory() -> Database:
    return _wrapped(sqlite3.connect(":memory:"))


def _shape(db: Database) -> list[tuple[Any, ...]]:
    """Every column of every table; views and triggers, which no file of ours has, show too."""
    return db.execute(_SHAPE).fetchall()
