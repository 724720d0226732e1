"""The library from the command line: what it takes in, shows and gives up."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

import pytest

from app.cli.library import add, list_, remove
from engine.passes.library import Library
from engine.records.errors import ProjectError, UsageError
from tests.engine.passes.donor_data import donor
from tests.engine.project.support import new_project, new_trial


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder of its own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    return tmp_path / "home" / "tunewright" / "library.db"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path = tmp_path / "net.tune"
    with new_project(path) as made:
        for seed in range(4):
            made.add_trial(new_trial(seed, task=seed % 2))
    return path


def test_a_projects_best_records_are_added_once(project: Path, home: Path) -> None:
    first, second = add(project), add(project)
    assert first.data == {
        "project": str(project),
        "library": str(home),
        "model": "net",
        "target": "cpu znver4 x2",
        "new": 2,
        "better": 0,
        "known": 0,
    }
    assert "no weights" in first.text
    assert str(home) in first.text
    assert (second.data["new"], second.data["known"]) == (0, 2)
    assert first.code == second.code == 0


def test_what_was_added_is_listed_by_model_and_target(project: Path, home: Path) -> None:
    add(project)
    with Library.open() as library:
        library.add([donor(model="alexnet", at=9e10)])
    reply = list_()
    assert reply.data["library"] == str(home)
    alexnet, net = reply.data["entries"]
    assert (alexnet["model"], net["model"]) == ("alexnet", "net")
    assert (net["target"], net["tvm_version"]) == ("cpu znver4 x2", "0.27.0")
    assert (net["tasks"], net["records"]) == (2, 2)
    assert net["at"] > 1.7e9
    lines = reply.text.splitlines()
    assert lines[0].split() == ["model", "target", "TVM", "tasks", "records", "last", "measured"]
    assert "4821-" in lines[1]
    assert lines[2].startswith("net ")


def test_an_empty_library_says_how_to_fill_it_and_makes_no_file(home: Path) -> None:
    reply = list_()
    assert reply.data["entries"] == []
    assert "tunewright library add" in reply.text
    assert not home.exists()


def test_a_model_is_removed_by_name(project: Path) -> None:
    add(project)
    with Library.open() as library:
        library.add([donor(model="alexnet")])
    reply = remove("net")
    assert (reply.data["removed"], reply.data["model"]) == (2, "net")
    assert reply.text == "Removed 2 records of net."
    assert [entry["model"] for entry in list_().data["entries"]] == ["alexnet"]
    assert remove("alexnet").text == "Removed 1 record of alexnet."


def test_a_model_that_is_not_there_is_refused_and_the_others_are_named(
    project: Path, home: Path
) -> None:
    with pytest.raises(UsageError, match=r"nothing of 'nett'\. It is empty"):
        remove("nett")
    assert not home.exists()
    add(project)
    with pytest.raises(UsageError, match=r"nothing of 'nett'\. It has net"):
        remove("nett")


def test_a_project_without_records_is_refused(tmp_path: Path, home: Path) -> None:
    new_project(tmp_path / "new.tune").close()
    with pytest.raises(ProjectError, match=r"new\.tune has no record"):
        add(tmp_path / "new.tune")
    assert not home.exists()


def test_a_file_that_is_no_project_or_no_library_is_refused(project: Path, home: Path) -> None:
    with pytest.raises(ProjectError, match="no file"):
        add(project.with_name("none.tune"))
    home.parent.mkdir(parents=True)
    home.write_bytes(os.urandom(9_000))
    for command in (partial(add, project), list_, partial(remove, "net")):
        with pytest.raises(ProjectError, match="not a library"):
            command()
