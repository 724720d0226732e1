"""Every kind of SQLite file of ours: what is none of its kind, or newer, is refused and left."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from itertools import permutations
from pathlib import Path

import pytest

from engine.passes.library import Library
from engine.passes.library_file import LIBRARY_FILE
from engine.project.migrations import PROJECT_FILE
from engine.project.repository import Project
from engine.queueing.store import QUEUE_FILE, QueueStore
from engine.records.errors import ProjectError
from engine.storage.sqlite_file import FileKind
from tests.engine.project.support import new_project

KINDS: dict[str, tuple[FileKind, Callable[[Path], Library | Project | QueueStore]]] = {
    "project": (PROJECT_FILE, Project.open),
    "library": (LIBRARY_FILE, Library.open),
    "queue": (QUEUE_FILE, QueueStore.open),
}
each_kind = pytest.mark.parametrize("name", KINDS)


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    """A file of each kind."""
    found = {name: tmp_path / f"a.{name}" for name in KINDS}
    new_project(found["project"]).close()
    Library.open(found["library"]).close()
    QueueStore.open(found["queue"]).close()
    return found


def refused(name: str, path: Path) -> ProjectError:
    """What the kind says of a file, which stays as it is."""
    before = path.read_bytes() if path.is_file() else b""
    with pytest.raises(ProjectError) as caught:
        KINDS[name][1](path)
    assert caught.value.what.endswith(".") and caught.value.todo.endswith(".")
    assert not path.is_file() or path.read_bytes() == before
    return caught.value


def test_kinds_have_numbers_of_their_own() -> None:
    assert len({kind.application_id for kind, _ in KINDS.values()}) == len(KINDS)


@each_kind
def test_a_file_is_of_the_newest_version_of_its_kind(name: str, files: dict[str, Path]) -> None:
    kind = KINDS[name][0]
    with closing(sqlite3.connect(files[name])) as db:
        assert db.execute("PRAGMA application_id").fetchone() == (kind.application_id,)
        assert db.execute("PRAGMA user_version").fetchone() == (kind.newest,)


@pytest.mark.parametrize(("name", "other"), list(permutations(KINDS, 2)))
def test_a_file_of_one_kind_is_none_of_another(
    name: str, other: str, files: dict[str, Path]
) -> None:
    assert KINDS[name][0].foreign(files[other]).what == refused(name, files[other]).what


@each_kind
@pytest.mark.parametrize("ahead", [1, 1000])
def test_a_newer_file_is_refused(name: str, ahead: int, files: dict[str, Path]) -> None:
    newest = KINDS[name][0].newest
    with closing(sqlite3.connect(files[name])) as db:
        db.execute(f"PRAGMA user_version = {newest + ahead}")
    found = refused(name, files[name])
    assert f"version {newest + ahead}, this one knows {newest}" in found.what
    assert "Update" in found.todo


@each_kind
def test_a_folder_is_told_with_what_is_wanted_there(name: str, tmp_path: Path) -> None:
    found = refused(name, tmp_path)
    assert found.what == f"{tmp_path.name} is a folder."
    assert (".tune" in found.todo) == (name == "project")
