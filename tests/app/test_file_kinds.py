"""Which files are projects: one rule, at every door that takes a model or a project."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.cli import gui
from app.process.handing_over import is_openable, is_ours
from engine import Tuning
from engine.interface.models import find_model
from engine.records.errors import UsageError
from engine.records.formats import MODEL_SUFFIXES, is_model, is_project
from tests.app.cli.support import Here
from tests.app.conftest import Console
from tests.test_structure import FILES

PROJECTS = ("net.tune", "NET.TUNE", "net.Tune", "two.dots.tUNE")
OTHERS = ("net.onnx", "net.tunes", "net.tune.bak", "tune", "net", "net.tune.onnx")


@pytest.fixture
def here(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Here:
    for name in ("XDG_DATA_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    return Here(capfd)


each_project = pytest.mark.parametrize("name", PROJECTS)
each_other = pytest.mark.parametrize("name", OTHERS)


@each_project
def test_a_project_is_one_in_whatever_case_its_name_is_written(name: str) -> None:
    assert is_project(name) and is_project(Path("/a") / name)
    assert not is_model(name)


@each_other
def test_a_name_that_only_resembles_a_projects_is_none(name: str) -> None:
    assert not is_project(name)


@each_project
def test_each_command_that_takes_either_takes_it_as_a_project(
    here: Here, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert f"There is no file {name}." in here("queue", "add", name, "--trials", "1").err
    assert "A project has its model" in here("queue", "add", name, "--target", "cpu").err
    assert "is a project, not a model" in here("tune", name).err
    assert "is a project, not a model" in here("check", name).err
    assert gui._found(name) == (Path(name), None)


@each_project
def test_programs_and_experiments_take_it_as_a_project(name: str) -> None:
    with pytest.raises(UsageError, match="is a project"):
        find_model(name)
    with pytest.raises(UsageError, match="has its model"):
        Tuning(name).target("cpu").run()


@each_project
def test_the_window_opens_it_as_a_project(console: Console, name: str, tmp_path: Path) -> None:
    console.commands.open_path(tmp_path / name)
    assert console.engine.names()[-1] == "open_project"


@each_other
def test_the_window_opens_anything_else_as_a_model(
    console: Console, name: str, tmp_path: Path
) -> None:
    console.commands.open_path(tmp_path / name)
    assert console.engine.names()[-1] == "open_model"


@pytest.mark.parametrize("name", [*PROJECTS, *(f"net{end}".upper() for end in MODEL_SUFFIXES)])
def test_it_can_be_dropped_and_handed_over(name: str, tmp_path: Path) -> None:
    (tmp_path / name).touch()
    assert is_ours(Path(name)) and is_openable(tmp_path / name)


def test_one_file_alone_decides_by_a_name_what_a_project_is() -> None:
    assert [path.name for path in FILES for _ in _decisions(path)] == ["formats.py"]


def _decisions(path: Path) -> Iterator[ast.AST]:
    """Comparisons with a project's suffix."""
    for node in ast.walk(ast.parse(path.read_text())):
        if not isinstance(node, ast.Compare | ast.Call):
            continue
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") != "endswith":
            continue
        named = (getattr(part, "id", getattr(part, "value", None)) for part in ast.walk(node))
        if any(name in ("PROJECT_SUFFIX", ".tune") for name in named):
            yield node
