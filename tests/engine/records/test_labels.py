"""Names and notes: stored over earlier ones, of what there is alone, checked when they are read."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.project.repository import Project
from engine.records.errors import ProjectError, UsageError
from engine.records.labels import (
    LONGEST_NAME,
    LONGEST_NOTE,
    NO_LABEL,
    PROJECT,
    Label,
    Subject,
    SubjectKind,
    run_subject,
    task_subject,
)
from engine.records.settings import RunSettings
from tests.engine.project.support import new_project


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with new_project(tmp_path / "net.tune") as made:
        yield made


def test_names_and_notes_are_there_when_the_file_is_opened_again(project: Project) -> None:
    run = project.start_run(RunSettings())
    labels = {
        PROJECT: Label("Nightly", "two lines\nof a note"),
        task_subject(1): Label(note="pools are cheap"),
        run_subject(run): Label("wide"),
    }
    for subject, label in labels.items():
        project.set_label(subject, label)
    project.close()
    with Project.open(project.path, read_only=True) as read:
        assert read.snapshot().labels == labels


def test_a_later_label_replaces_the_first_and_an_empty_one_leaves_nothing(
    project: Project,
) -> None:
    project.set_label(PROJECT, Label("a", "b"))
    project.set_label(PROJECT, Label("c"))
    assert project.snapshot().labels == {PROJECT: Label("c")}
    project.set_label(PROJECT, NO_LABEL)
    assert project.snapshot().labels == {}


@pytest.mark.parametrize(
    "subject", [task_subject(3), run_subject(1), Subject(SubjectKind.PROJECT, 1)]
)
def test_what_is_not_there_gets_no_name(project: Project, subject: Subject) -> None:
    with pytest.raises(ValueError, match="cannot store"):
        project.set_label(subject, Label("x"))
    assert project.snapshot().labels == {}


@pytest.mark.parametrize(
    ("name", "note"), [("x" * (LONGEST_NAME + 1), ""), ("two\nlines", ""), ("", "x" * 20_001)]
)
def test_what_is_too_long_is_refused_with_a_sentence(name: str, note: str) -> None:
    with pytest.raises(UsageError, match="at most"):
        Label(name, note)
    assert LONGEST_NOTE == 20_000


@pytest.mark.parametrize(
    "row",
    [
        ("nothing", 0, "", ""),
        ("task", 9, "x", ""),
        ("task", -1, "x", ""),
        ("project", 0, "two\nlines", ""),
        ("run", 1, "x", ""),
    ],
)
def test_a_label_that_makes_no_sense_is_a_damaged_file(
    project: Project, row: tuple[str | int, ...]
) -> None:
    project.close()
    connection = sqlite3.connect(project.path)
    connection.execute("INSERT INTO labels VALUES (?, ?, ?, ?)", row)
    connection.commit()
    connection.close()
    with Project.open(project.path) as read, pytest.raises(ProjectError, match="damaged"):
        read.snapshot()
