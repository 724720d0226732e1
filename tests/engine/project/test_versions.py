"""Older files are copied and migrated, newer and foreign ones are refused."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from engine.project.migrations import APPLICATION_ID, PROJECT_FILE
from engine.project.repository import Project
from engine.records.errors import ProjectError, StorageError
from engine.records.network import Judged, Verdict
from engine.records.settings import RunSettings
from engine.records.trial import Check
from tests.engine.project.ios_data import COST
from tests.engine.project.support import FILE_NODES, new_project, new_trial

if TYPE_CHECKING:
    from sqlite_utils import Database


# From version 8 to the tables of versions 7, 6, 5, 4, 3 and 2.
BACK_TO_7 = ("ALTER TABLE project DROP COLUMN judged", "PRAGMA user_version = 7")
BACK_TO_6 = (
    *BACK_TO_7,
    "ALTER TABLE trials DROP COLUMN checked",
    "ALTER TABLE project DROP COLUMN device_uuid",
    "PRAGMA user_version = 6",
)
BACK_TO_5 = (
    *BACK_TO_6,
    "DROP TABLE cost_models",
    "DROP TABLE run_devices",
    "ALTER TABLE project DROP COLUMN device",
    "PRAGMA user_version = 5",
)
BACK_TO_4 = (*BACK_TO_5, "DROP TABLE labels", "PRAGMA user_version = 4")
BACK_TO_3 = (*BACK_TO_4, "DROP TABLE file_nodes", "PRAGMA user_version = 3")
BACK_TO_2 = (
    *BACK_TO_3,
    "DROP TABLE stage_costs",
    "DROP TABLE schedules",
    "ALTER TABLE tasks DROP COLUMN merged",
    "PRAGMA user_version = 2",
)


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


def add_clusters(db: Database) -> None:
    """A migration that a later version may bring."""
    db.table("clusters").create({"id": int, "name": str}, pk="id")


def fail_half_way(db: Database) -> None:
    add_clusters(db)
    db.execute("INSERT INTO nowhere VALUES (1)")


@pytest.fixture
def older(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of version 7 with a trial, for a program that knows version 8."""
    with new_project(tmp_path / "net.tune") as project:
        project.add_trial(new_trial(0))
    monkeypatch.setattr(PROJECT_FILE, "steps", (*PROJECT_FILE.steps, add_clusters))
    return tmp_path / "net.tune"


def test_a_new_file_says_whose_and_which_version_it_is(tmp_path: Path) -> None:
    new_project(tmp_path / "net.tune").close()
    assert pragma(tmp_path / "net.tune", "application_id") == APPLICATION_ID
    assert pragma(tmp_path / "net.tune", "user_version") == PROJECT_FILE.newest == 8


def test_an_older_file_is_copied_then_migrated(older: Path) -> None:
    with Project.open(older) as project:
        trials = project.snapshot(texts=True).trials
    backup = older.with_name("net.tune.v8.bak")
    assert [pragma(file, "user_version") for file in (older, backup)] == [9, 8]
    assert trials == (new_trial(0, number=1),)
    assert sorted(file.name for file in older.parent.iterdir()) == [older.name, backup.name]
    connection = sqlite3.connect(backup)
    assert connection.execute("SELECT number FROM trials").fetchall() == [(1,)]
    connection.close()
    Project.open(older).close()


def test_a_project_of_the_first_version_opens_with_all_it_holds(tmp_path: Path) -> None:
    path = tmp_path / "net.tune"
    with new_project(path) as project:
        run = project.start_run(RunSettings())
        project.add_trial(new_trial(0, run=run))
        before = project.snapshot(texts=True)
    settings = RunSettings().as_dict()
    del settings["steps"], settings["repeat"]  # which that version did not have
    change(
        path,
        *BACK_TO_2,
        *(f"DROP TABLE {table}" for table in ("spaces", "clusterings", "moves", "unused")),
        "ALTER TABLE trials DROP COLUMN origin",
        "ALTER TABLE runs DROP COLUMN progress",
        f"UPDATE runs SET settings = '{json.dumps(settings)}'",
        "PRAGMA user_version = 1",
    )
    with Project.open(path) as project:
        after = project.snapshot(texts=True)
        assert after.trials == before.trials
        assert after.runs[0].settings == RunSettings()
    assert pragma(path, "user_version") == PROJECT_FILE.newest
    assert path.with_name("net.tune.v1.bak").exists()


def test_a_project_of_the_second_version_opens_and_keeps_measured_stages_from_then_on(
    tmp_path: Path,
) -> None:
    path = tmp_path / "net.tune"
    with new_project(path) as project:
        project.add_trial(new_trial(0))
        before = project.snapshot(texts=True)
    change(path, *BACK_TO_2)
    with Project.open(path, read_only=True) as reader:
        assert reader.snapshot(texts=True) == replace(before, file_nodes=())
        assert reader.stage_costs() == []
    with Project.open(path) as project:
        assert project.snapshot(texts=True) == replace(before, file_nodes=())
        project.add_stage_costs([COST])
        assert project.stage_costs() == [COST]
    assert pragma(path, "user_version") == PROJECT_FILE.newest
    assert pragma(path.with_name("net.tune.v2.bak"), "user_version") == 2


def test_a_project_of_the_third_version_gets_its_files_nodes_when_the_model_is_read_again(
    tmp_path: Path,
) -> None:
    path = tmp_path / "net.tune"
    new_project(path).close()
    change(path, *BACK_TO_3)
    with Project.open(path) as project:
        assert project.snapshot().file_nodes == ()
        for nodes in (FILE_NODES, FILE_NODES[:1]):
            project.add_file_nodes(nodes)
            assert project.snapshot().file_nodes == FILE_NODES


def test_trials_of_the_sixth_version_were_never_checked_and_may_be_then(tmp_path: Path) -> None:
    path = tmp_path / "net.tune"
    with new_project(path) as project:
        project.add_trial(new_trial(0))
        project.check_trial(1, Check.AGREES)
    change(path, *BACK_TO_6)
    with Project.open(path, read_only=True) as reader:
        assert reader.trial(1).checked is None
    with Project.open(path) as project:
        assert project.snapshot().trials[0].checked is None
        assert project.check_trial(1, Check.NOT_COMPARED).checked is Check.NOT_COMPARED


def test_a_project_of_the_seventh_version_is_not_judged_yet(tmp_path: Path) -> None:
    path = tmp_path / "net.tune"
    new_project(path).close()
    change(path, *BACK_TO_7)
    judged = Judged("ONNX Runtime", (Verdict("zeros", 0, 0.5),), "this module")
    with Project.open(path) as project:
        assert project.judged() is None
        project.set_judged(judged)
        assert project.judged() == project.snapshot().judged == judged


@pytest.mark.parametrize(
    "text", ["1", "[]", "{}", '{"reference": 3}', '{"reference": "", "first": {}}', "{"]
)
def test_a_strangers_judgement_is_checked(tmp_path: Path, text: str) -> None:
    path = tmp_path / "net.tune"
    new_project(path).close()
    change(path, f"UPDATE project SET judged = '{text}'")
    with pytest.raises(ProjectError), Project.open(path) as project:
        project.snapshot()


def test_a_copy_of_an_older_file_never_replaces_an_earlier_copy(older: Path) -> None:
    older.with_name("net.tune.v8.bak").write_text("kept")
    Project.open(older).close()
    assert older.with_name("net.tune.v8.bak").read_text() == "kept"
    assert pragma(older.with_name("net.tune.v8.2.bak"), "user_version") == 8


def test_a_reader_shows_an_older_file_and_leaves_it_as_it_is(older: Path) -> None:
    before = older.read_bytes()
    with Project.open(older, read_only=True) as reader:
        assert reader.snapshot(texts=True).trials == (new_trial(0, number=1),)
    assert older.read_bytes() == before
    assert list(older.parent.iterdir()) == [older]


def test_a_migration_that_fails_leaves_the_older_file_as_it_was(
    older: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = older.read_bytes()
    monkeypatch.setattr(PROJECT_FILE, "steps", (*PROJECT_FILE.steps, fail_half_way))
    with pytest.raises(ProjectError):
        Project.open(older)
    assert older.read_bytes() == before
    assert list(older.parent.iterdir()) == [older]


def test_an_older_file_that_cannot_be_copied_is_not_migrated(
    older: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = older.read_bytes()

    def refuse(_: Path, __: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(StorageError, match="disk is full"):
        Project.open(older)
    assert older.read_bytes() == before
    assert list(older.parent.iterdir()) == [older]


@pytest.mark.parametrize("read_only", [False, True])
def test_a_newer_file_is_refused(tmp_path: Path, read_only: bool) -> None:
    path = tmp_path / "net.tune"
    new_project(path).close()
    change(path, "PRAGMA user_version = 10")
    before = path.read_bytes()
    with pytest.raises(ProjectError, match=r"newer Tunewright \(file version 10.*Update"):
        Project.open(path, read_only)
    assert path.read_bytes() == before


@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize("content", [b"", b"PK\3\4", b"SQLite format 3\0", b"{}" * 5_000])
def test_a_file_that_was_never_a_project_is_refused(
    tmp_path: Path, content: bytes, read_only: bool
) -> None:
    path = tmp_path / "net.tune"
    path.write_bytes(content)
    with pytest.raises(ProjectError, match="not a Tunewright project"):
        Project.open(path, read_only)
    assert path.read_bytes() == content
    assert list(tmp_path.iterdir()) == [path]


def test_another_programs_database_is_refused(tmp_path: Path) -> None:
    change(tmp_path / "net.tune", "CREATE TABLE trials (id)", "PRAGMA user_version = 1")
    with pytest.raises(ProjectError, match="not a Tunewright project"):
        Project.open(tmp_path / "net.tune")


@pytest.mark.parametrize(
    "statement",
    [
        "DROP TABLE runs",
        "ALTER TABLE trials RENAME COLUMN cut TO cut_off",
        "ALTER TABLE trials ADD COLUMN more TEXT AS (hex(trace))",
        "CREATE TABLE more (id)",
        "CREATE VIEW more AS SELECT 1",
        "CREATE VIRTUAL TABLE more USING fts5(text)",
        "CREATE TRIGGER more AFTER INSERT ON trials BEGIN DELETE FROM trials; END",
        "PRAGMA user_version = 0",
        "PRAGMA user_version = -3",
        "DELETE FROM project",
    ],
)
def test_a_project_with_other_tables_than_ours_is_refused(tmp_path: Path, statement: str) -> None:
    new_project(tmp_path / "net.tune").close()
    change(tmp_path / "net.tune", statement)
    with pytest.raises(ProjectError, match="damaged"):
        Project.open(tmp_path / "net.tune")


def test_a_project_in_another_journal_mode_goes_on_with_a_rollback_journal(tmp_path: Path) -> None:
    path = tmp_path / "net.tune"
    new_project(path).close()
    change(path, "PRAGMA journal_mode = wal")
    with Project.open(path) as project:
        project.add_trial(new_trial(0))
        assert project._db.journal_mode == "delete"
        assert {file.name for file in tmp_path.iterdir()} == {"net.tune", ".net.tune.lock"}
