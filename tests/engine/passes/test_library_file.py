"""The library's file: its version, its shape, and whatever bytes a stranger puts there."""

from __future__ import annotations

import random
import sqlite3
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.passes.library import Library
from engine.passes.library_file import LIBRARY_FILE
from engine.records.errors import ProjectError, StorageError
from tests.engine.passes.donor_data import digest, donor
from tests.engine.project.support import new_project

if TYPE_CHECKING:
    from sqlite_utils import Database

CHANGES = st.lists(
    st.tuples(
        st.integers(0, 15),
        st.one_of(st.integers(0, 110), st.integers(0, 4095)),
        st.integers(0, 255),
    ),
    min_size=1,
    max_size=20,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "library.db"


def pragma(path: Path, name: str) -> int:
    connection = sqlite3.connect(path)
    value = int(connection.execute(f"PRAGMA {name}").fetchone()[0])
    connection.close()
    return value


def change(path: Path, *statements: str) -> None:
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


@pytest.fixture
def stored(path: Path) -> Path:
    with Library.open(path) as library:
        library.add([donor(1), donor(2, model="alexnet")])
    return path


def add_column(db: Database) -> None:
    """A step that a later version may bring."""
    db.execute("ALTER TABLE donors ADD COLUMN note TEXT")


def fail_half_way(db: Database) -> None:
    add_column(db)
    db.execute("INSERT INTO nowhere VALUES (1)")


def test_a_new_file_says_whose_and_which_version_it_is(stored: Path) -> None:
    assert pragma(stored, "application_id") == int.from_bytes(b"TWLB")
    assert pragma(stored, "user_version") == LIBRARY_FILE.newest == 1


def test_an_older_file_is_migrated_by_a_writer_and_in_memory_by_a_reader(
    stored: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LIBRARY_FILE, "steps", (*LIBRARY_FILE.steps, add_column))
    before = stored.read_bytes()
    with Library.open(stored, read_only=True) as reader:
        assert len(reader.donors()) == 2
    assert stored.read_bytes() == before
    Library.open(stored).close()
    assert pragma(stored, "user_version") == 2
    with Library.open(stored) as library:
        assert len(library.donors()) == 2


def test_a_migration_that_fails_leaves_the_file_as_it_was(
    stored: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LIBRARY_FILE, "steps", (*LIBRARY_FILE.steps, fail_half_way))
    before = stored.read_bytes()
    with pytest.raises(ProjectError):
        Library.open(stored)
    assert stored.read_bytes() == before


@pytest.mark.parametrize("read_only", [False, True])
def test_a_newer_file_is_refused(stored: Path, read_only: bool) -> None:
    change(stored, "PRAGMA user_version = 9")
    with pytest.raises(ProjectError, match=r"newer Tunewright \(file version 9.*Update"):
        Library.open(stored, read_only)


@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize(
    "statement",
    [
        "DROP TABLE donors",
        "ALTER TABLE donors RENAME COLUMN at TO moment",
        "CREATE TABLE more (id)",
        "CREATE VIEW more AS SELECT 1",
        "CREATE TRIGGER more AFTER INSERT ON donors BEGIN DELETE FROM donors; END",
        "PRAGMA user_version = 0",
        "PRAGMA user_version = -3",
    ],
)
def test_a_library_with_other_tables_than_ours_is_refused(
    stored: Path, statement: str, read_only: bool
) -> None:
    change(stored, statement)
    with pytest.raises(ProjectError, match="damaged"):
        Library.open(stored, read_only)


def test_a_library_in_another_journal_mode_goes_on_with_a_rollback_journal(stored: Path) -> None:
    change(stored, "PRAGMA journal_mode = wal")
    with Library.open(stored) as library:
        library.add([donor(3)])
        assert library._db.journal_mode == "delete"
        assert list(stored.parent.iterdir()) == [stored]


# Strangers' files


@pytest.mark.parametrize("read_only", [False, True])
def test_a_file_that_is_no_library_is_refused_and_left_as_it_is(
    tmp_path: Path, read_only: bool
) -> None:
    project, other = tmp_path / "net.tune", tmp_path / "other.db"
    new_project(project).close()
    change(other, "CREATE TABLE donors (id)", "PRAGMA user_version = 1")
    junk = tmp_path / "junk.db"
    junk.write_bytes(b"{}" * 5_000)
    for path in (project, other, junk):
        before = path.read_bytes()
        with pytest.raises(ProjectError, match="not a library of Tunewright"):
            Library.open(path, read_only)
        assert path.read_bytes() == before
    with pytest.raises(ProjectError, match="folder"):
        Library.open(tmp_path, read_only)


BAD: dict[str, list[Any]] = {
    "args": ["", "{", "{}", "1", "[1]", "[[1]]", '[[[-1],"f"]]', "[" * 100_000, '[["1","f"]]'],
    "flops": [-1.0, float("inf")],
    "latency_s": [0.0, -1.0, float("inf")],
    "untuned_latency_s": [-1.0],
    "trace": [b"", b"x", zlib.compress(b"\xff"), zlib.compress(b"x")[:-1]],
    "at": [-1.0],
}


@pytest.mark.parametrize("column", BAD)
def test_a_value_that_makes_no_sense_is_a_damaged_library(stored: Path, column: str) -> None:
    for value in BAD[column]:
        connection = sqlite3.connect(stored)
        connection.execute(f"UPDATE donors SET {column} = ? WHERE id = 2", [value])
        connection.commit()
        connection.close()
        with (
            Library.open(stored, read_only=True) as library,
            pytest.raises(ProjectError, match="damaged"),
        ):
            library.donors()


def use(path: Path) -> None:
    """Do with a library what the program does."""
    with Library.open(path, read_only=True) as reader:
        reader.entries()
    with Library.open(path) as library:
        library.donors()
        library.add([donor(7), donor(8), donor(1)])
        library.entries()
        library.remove("resnet")


def use_expecting_sentences(path: Path) -> None:
    try:
        use(path)
    except (ProjectError, StorageError) as error:
        assert error.what.endswith(".")
        assert error.todo.endswith(".")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("whole") / "library.db"
    with Library.open(path) as library:
        library.add([donor(seed, fingerprint=digest(str(seed))) for seed in range(12)])
    return path


@settings(max_examples=50, deadline=None, database=None)
@given(changes=CHANGES)
def test_changed_bytes_end_in_a_library_or_a_sentence(
    whole: Path, changes: list[tuple[int, int, int]]
) -> None:
    content = bytearray(whole.read_bytes())
    for page, offset, value in changes:
        content[(page * 4096 + offset) % len(content)] = value
    place = whole.with_name("changed.db")
    place.with_name("changed.db-journal").unlink(missing_ok=True)
    place.write_bytes(content)
    use_expecting_sentences(place)


def test_a_truncated_library_ends_in_a_library_or_a_sentence(whole: Path) -> None:
    content, dice = whole.read_bytes(), random.Random(0)
    for length in [0, 1, 99, 100, 4096, *(dice.randrange(len(content)) for _ in range(12))]:
        place = whole.with_name("cut.db")
        place.with_name("cut.db-journal").unlink(missing_ok=True)
        place.write_bytes(content[:length])
        use_expecting_sentences(place)


def test_using_a_closed_library_is_a_bug_and_not_the_files_fault(path: Path) -> None:
    library = Library.open(path)
    library.close()
    library.close()
    with pytest.raises(sqlite3.ProgrammingError):
        library.donors()
