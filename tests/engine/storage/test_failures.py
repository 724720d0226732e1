"""Full disks, refused folders, lost and busy files: a sentence, and nothing is lost.

The tests may run as root, whom permissions do not stop: a read-only file is one that SQLite was
told to open so, a read-only folder one whose system calls are made to fail as the system would.
"""

from __future__ import annotations

import errno
import fcntl
import os
import resource
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any, NoReturn

import pytest

from engine.project.migrations import APPLICATION_ID, PROJECT_FILE
from engine.project.repository import Project
from engine.queueing.store import QueueStore
from engine.records.errors import ProjectError, StorageError
from engine.storage import sqlite_file
from tests.engine.project.support import new_project, new_trial

LIMITED = """
import resource, sys
from pathlib import Path
from engine.records.errors import StorageError
from engine.project.repository import Project
from tests.engine.project.support import new_trial
path = Path(sys.argv[1])
with Project.open(path) as project:
    size = path.stat().st_size
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + 20_000, resource.RLIM_INFINITY))
    seed = 0
    try:
        while True:
            project.add_trial(new_trial(seed))
            seed += 1
    except StorageError as error:
        print(error.what)
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
    print(project.add_trial(new_trial(seed)).number == seed + 1, len(project.trials_of(0)) > 5)
"""


def failing(code: int) -> Any:
    """A stand-in for a system call that fails."""

    def refuse(*_: Any, **__: Any) -> NoReturn:
        raise OSError(code, os.strerror(code))

    return refuse


def test_a_full_disk_costs_the_trial_and_the_project_goes_on(tmp_path: Path) -> None:
    with new_project(tmp_path / "net.tune") as project:
        project.add_trial(new_trial(0))
        pages = project._db.execute("PRAGMA page_count").fetchone()[0]
        project._db.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(StorageError, match=r"disk is full.*Free some space"):
            for seed in range(1, 50):
                project.add_trial(new_trial(seed))
        stored = project.trials_of(0)
        project._db.execute(f"PRAGMA max_page_count = {pages + 100}")
        added = project.add_trial(new_trial(50))
        assert project.trials_of(0) == [*stored, added]
        assert added.number == len(stored) + 1


def test_a_new_project_on_a_full_disk_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect = sqlite_file.connect

    def small(path: Path, mode: str) -> Any:
        db = connect(path, mode)
        db.execute("PRAGMA max_page_count = 10")
        return db

    monkeypatch.setattr(sqlite_file, "connect", small)
    with pytest.raises(StorageError, match="disk is full"):
        new_project(tmp_path / "net.tune")
    assert list(tmp_path.iterdir()) == []


def test_a_size_limit_of_the_system_gives_a_sentence(tmp_path: Path) -> None:
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[1] == resource.RLIM_INFINITY
    new_project(tmp_path / "net.tune").close()
    command = [sys.executable, "-c", LIMITED, str(tmp_path / "net.tune")]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert output.splitlines() == [
        "The disk failed while net.tune was read or written.",
        "True True",
    ]


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        (errno.EACCES, "protected"),
        (errno.EPERM, "protected"),
        (errno.EROFS, "protected"),
        (errno.ENOSPC, "disk is full"),
        (errno.EDQUOT, "disk is full"),
        (errno.ENOLCK, "gives no locks"),
    ],
)
def test_a_folder_that_refuses_the_lock_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, sentence: str
) -> None:
    new_project(tmp_path / "net.tune").close()
    monkeypatch.setattr(os, "open", failing(code))
    with pytest.raises(StorageError, match=sentence):
        Project.open(tmp_path / "net.tune")
    with pytest.raises(StorageError, match=sentence):
        new_project(tmp_path / "new.tune")
    monkeypatch.undo()
    assert [file.name for file in tmp_path.iterdir()] == ["net.tune"]


def test_a_read_only_file_is_refused_for_writing_and_opens_for_reading(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    new_project(tmp_path / "net.tune").close()
    connect = sqlite_file.connect
    monkeypatch.setattr(sqlite_file, "connect", lambda path: connect(path, "ro"))
    with pytest.raises(StorageError, match="protected"):
        Project.open(tmp_path / "net.tune")
    with Project.open(tmp_path / "net.tune", read_only=True) as reader:
        assert len(reader.snapshot().tasks) == 3
    assert [file.name for file in tmp_path.iterdir()] == ["net.tune"]


@pytest.mark.parametrize("read_only", [False, True])
def test_a_missing_file_a_folder_and_a_place_under_a_file_are_refused(
    tmp_path: Path, read_only: bool
) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "folder.tune").mkdir()
    cases = {
        "none.tune": r"no file none\.tune",
        "nowhere/net.tune": "folder of net.tune does not exist",
        "file/net.tune": "folder of net.tune does not exist",
        "folder.tune": "is a folder",
        "x" * 300: "is too long",
        "a\0b": "null character",
    }
    for name, sentence in cases.items():
        with pytest.raises((ProjectError, StorageError), match=sentence):
            Project.open(tmp_path / name, read_only)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["file", "folder.tune"]


def test_a_new_project_needs_a_folder_and_a_free_name(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("content")
    (tmp_path / "empty").write_text("")
    (tmp_path / "folder").mkdir()
    cases = {
        "nowhere/net.tune": "folder of net.tune does not exist",
        "file/net.tune": "folder of net.tune does not exist",
        "folder": "is a folder",
        "file": "exists already",
    }
    for name, sentence in cases.items():
        with pytest.raises((ProjectError, StorageError), match=sentence):
            new_project(tmp_path / name)
    new_project(tmp_path / "empty").close()
    assert (tmp_path / "file").read_text() == "content"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["empty", "file", "folder"]


def test_a_file_in_use_by_another_program_gives_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_file, "BUSY_S", 0.05)
    with new_project(tmp_path / "net.tune") as project:
        other = sqlite3.connect(project.path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(ProjectError, match=r"Another program is using net\.tune"):
            project.add_trial(new_trial(0))
        other.execute("ROLLBACK")
        other.close()
        assert project.add_trial(new_trial(0)).number == 1


@pytest.mark.parametrize("code", [errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS])
def test_a_drive_without_locks_is_told_by_a_sentence_and_left_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    project, queue = tmp_path / "net.tune", tmp_path / "queue.db"
    new_project(project).close()
    QueueStore.open(queue).close()
    monkeypatch.setattr(fcntl, "flock", failing(code))
    with pytest.raises(StorageError, match="gives no locks"):
        Project.open(project)
    with pytest.raises(StorageError, match="gives no locks"):
        new_project(tmp_path / "new.tune")
    with Project.open(project, read_only=True) as read, QueueStore.open(queue) as store:
        assert read.snapshot().trials == ()
        assert not store.is_run
    monkeypatch.setattr(sqlite_file, "BUSY_S", 0.05)
    with closing(sqlite3.connect(project, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")  # SQLite calls a drive without locks one in use
        with pytest.raises(StorageError, match="gives no locks"):
            Project.open(project, read_only=True)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["net.tune", "queue.db"]


@pytest.mark.parametrize("lose", [Path.unlink, lambda path: path.rename(f"{path}.moved")])
def test_a_project_whose_file_vanished_can_be_saved_elsewhere(tmp_path: Path, lose: Any) -> None:
    with new_project(tmp_path / "net.tune") as project:
        project.add_trial(new_trial(0))
        lose(project.path)
        with pytest.raises(StorageError, match=r"moved or deleted.*another name"):
            project.add_trial(new_trial(1))
        project.save_as(tmp_path / "again.tune")
        assert project.add_trial(new_trial(1)).number == 2


def test_a_new_project_ignores_the_journal_of_a_deleted_one(tmp_path: Path) -> None:
    (tmp_path / "net.tune-journal").write_bytes(b"\xd9\xd5\x05\xf9 \xa1c\xd7" + bytes(9_000))
    new_project(tmp_path / "net.tune").close()
    with Project.open(tmp_path / "net.tune") as project:
        assert len(project.tasks()) == 3
    assert [file.name for file in tmp_path.iterdir()] == ["net.tune"]


def test_save_as_goes_on_in_the_copy_with_its_lock(tmp_path: Path) -> None:
    with new_project(tmp_path / "net.tune") as project:
        first = project.add_trial(new_trial(0))
        project.save_as(tmp_path / "copy.tune")
        assert project.path == tmp_path / "copy.tune"
        second = project.add_trial(new_trial(1))
        with pytest.raises(ProjectError, match="already open"):
            Project.open(tmp_path / "copy.tune")
        with Project.open(tmp_path / "net.tune") as old:
            assert old.trials_of(0) == [first]
        assert project.trials_of(0) == [first, second]
    assert sorted(file.name for file in tmp_path.iterdir()) == ["copy.tune", "net.tune"]


def test_save_as_keeps_what_the_file_says_it_is(tmp_path: Path) -> None:
    with new_project(tmp_path / "net.tune") as project:
        project.save_as(tmp_path / "copy.tune")
    other = sqlite3.connect(tmp_path / "copy.tune")
    assert other.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
    assert other.execute("PRAGMA user_version").fetchone() == (PROJECT_FILE.newest,)
    other.close()


@pytest.mark.parametrize("name", ["a b%20?c#d.tune", "é.tune", os.fsdecode(b"\xff.tune"), "'.tune"])
def test_any_name_that_the_system_takes_will_do(tmp_path: Path, name: str) -> None:
    with new_project(tmp_path / "net.tune") as project:
        project.save_as(tmp_path / name)
    with Project.open(tmp_path / name) as project:
        assert project.path.name == name
        assert len(project.snapshot().tasks) == 3
        with pytest.raises(ProjectError) as refused:
            Project.open(tmp_path / name)
    assert str(refused.value).isprintable()


def test_save_as_replaces_an_old_file_and_its_journal(tmp_path: Path) -> None:
    (tmp_path / "old.tune").write_text("something else")
    (tmp_path / "old.tune-journal").write_text("something else")
    with new_project(tmp_path / "net.tune") as project:
        project.save_as(tmp_path / "old.tune")
        project.save_as(tmp_path / "old.tune")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["net.tune", "old.tune"]
    Project.open(tmp_path / "old.tune").close()


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EACCES, errno.EIO])
def test_save_as_that_fails_leaves_both_files_and_the_project_as_they_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    (tmp_path / "old.tune").write_text("kept")
    (tmp_path / "folder").mkdir()
    with new_project(tmp_path / "net.tune") as project:
        monkeypatch.setattr(os, "fsync", failing(code))
        with pytest.raises(StorageError):
            project.save_as(tmp_path / "old.tune")
        monkeypatch.undo()
        for name in ("folder", "nowhere/net.tune", "old.tune/net.tune"):
            with pytest.raises((ProjectError, StorageError)):
                project.save_as(tmp_path / name)
        assert project.path == tmp_path / "net.tune"
        assert project.add_trial(new_trial(0)).number == 1
    assert (tmp_path / "old.tune").read_text() == "kept"
    names = sorted(file.name for file in tmp_path.iterdir())
    assert names == ["folder", "net.tune", "old.tune"]
