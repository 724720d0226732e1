"""What does not open leaves what is open; what cannot be written is shown; a model may move."""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from engine.jobs.engine import Engine
from engine.jobs.opening.locating import located_model
from engine.project.repository import Project
from engine.records.clustering import Clustering
from engine.records.errors import ModelError, ModelMissing, ProjectError, TunewrightError
from engine.records.events import ProjectOpened, ProjectSaved
from engine.records.labels import PROJECT, Label
from engine.records.schedule import IosOptions
from engine.records.settings import RunSettings
from engine.records.source import ModelSource
from engine.storage.failures import from_os
from engine.storage.lock import ProjectLock
from tests.engine.jobs.support import QUICK, Console
from tests.engine.models.build import conv_relu_model, save, save_external
from tests.engine.project.support import new_project


@pytest.fixture
def console() -> Iterator[Console]:
    made = Console()
    yield made
    made.engine.shutdown()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    with new_project(tmp_path / "net.tune") as made:
        return made.path


def _damaged(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:5000])


def _stranger(path: Path) -> None:
    path.write_text("no project")


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize("spoil", [_damaged, _stranger, _folder, Path.unlink])
def test_a_project_that_does_not_open_leaves_the_open_one(
    console: Console, project: Path, tmp_path: Path, spoil: Callable[[Path], None]
) -> None:
    with new_project(tmp_path / "other.tune") as other:
        bad = other.path
    spoil(bad)
    console.engine.open_project(project).result(10)
    with pytest.raises(TunewrightError):
        console.engine.open_project(bad).result(10)
    assert console.engine.snapshot().result(10).path == str(project)
    console.engine.set_label(PROJECT, Label("kept")).result(10)


@pytest.mark.parametrize("name", ["absent.onnx", "text.onnx", "no.pt2", "no.tflite"])
def test_a_model_that_does_not_open_leaves_the_open_project(
    console: Console, project: Path, tmp_path: Path, name: str
) -> None:
    if name != "absent.onnx":
        (tmp_path / name).write_text("no model")
    console.engine.open_project(project).result(10)
    with pytest.raises(TunewrightError):
        console.engine.open_model(ModelSource("file", str(tmp_path / name)), "cpu").result(60)
    assert console.engine.snapshot().result(10).path == str(project)


def test_the_open_project_may_be_opened_again(console: Console, project: Path) -> None:
    for _ in range(2):
        assert console.engine.open_project(project).result(10).path == str(project)
    console.engine.set_label(PROJECT, Label("mine")).result(10)


@pytest.fixture(params=[errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOLCK])
def protected(
    request: pytest.FixtureRequest, project: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """A project where the system lets nothing be written."""

    def refuse(path: Path) -> ProjectLock:
        if path == project:
            raise from_os(OSError(request.param, "refused"), path)
        return ProjectLock(path)

    monkeypatch.setattr("engine.project.repository.ProjectLock", refuse)
    return project


def test_a_project_that_cannot_be_written_is_shown_and_says_so(
    console: Console, protected: Path
) -> None:
    shown = console.engine.open_project(protected).result(10)
    assert shown.read_only and len(shown.tasks) == 3
    (event,) = console.of(ProjectOpened)
    assert isinstance(event, ProjectOpened) and event.snapshot.read_only


@pytest.mark.parametrize(
    "change",
    [
        lambda engine: engine.start_run(RunSettings()),
        Engine.resume_run,
        Engine.find_spaces,
        lambda engine: engine.find_schedule(IosOptions()),
        lambda engine: engine.set_clustering(Clustering("", 0.5, ())),
        lambda engine: engine.set_label(PROJECT, Label("x")),
        lambda engine: engine.set_used(1, False),
        lambda engine: engine.export(Path("/nowhere")),
        lambda engine: engine.locate_model(Path("/models/net.onnx")),
    ],
)
def test_whatever_writes_is_refused_by_a_project_that_is_only_shown(
    console: Console, protected: Path, change: Callable[..., object]
) -> None:
    console.engine.open_project(protected).result(10)
    with pytest.raises(ProjectError, match="only shown"):
        change(console.engine).result(10)  # type: ignore[attr-defined]


def test_a_copy_of_a_project_that_is_only_shown_can_be_written(
    console: Console, protected: Path, tmp_path: Path
) -> None:
    console.engine.open_project(protected).result(10)
    console.engine.save_as(tmp_path / "copy.tune").result(10)
    assert console.of(ProjectSaved)
    console.engine.set_label(PROJECT, Label("mine")).result(10)
    with Project.open(tmp_path / "copy.tune", read_only=True) as copy:
        assert copy.snapshot().labels[PROJECT].name == "mine"


def test_a_model_that_was_moved_is_missed_and_can_be_located_again(
    console: Console, tmp_path: Path
) -> None:
    path = console.open(tmp_path)
    console.engine.open_project(path).result(30)
    moved = (tmp_path / "tiny.onnx").rename(tmp_path / "elsewhere.onnx")
    for ask in (
        lambda: console.engine.start_run(QUICK),
        lambda: console.engine.export(tmp_path / "out"),
        console.engine.find_spaces,
    ):
        with pytest.raises(ModelMissing, match="not at"):
            ask().result(30)
    console.engine.locate_model(moved).result(60)
    assert console.engine.snapshot().result(10).model_source == str(moved)
    console.engine.find_spaces().result(60)
    console.engine.close_project().result(10)
    with Project.open(path, read_only=True) as project:
        assert project.source.location == str(moved)


def test_another_model_is_not_taken_for_the_one_that_was_moved(tmp_path: Path) -> None:
    model = save(conv_relu_model(), tmp_path / "net.onnx")
    source = located_model(ModelSource("file", "/gone/net.onnx"), model)
    other = save(conv_relu_model(8), tmp_path / "other.onnx")
    with pytest.raises(ModelError, match="not the model"):
        located_model(source, other)
    with pytest.raises(ModelError):
        located_model(source, tmp_path / "absent.onnx")


def test_a_model_with_weights_beside_it_is_the_same_where_all_of_it_moved(tmp_path: Path) -> None:
    source = located_model(ModelSource("file", "/gone"), save_external(tmp_path))
    new = tmp_path / "new"
    new.mkdir()
    for file in [each for each in tmp_path.iterdir() if each.is_file()]:
        file.rename(new / file.name)
    moved = new / Path(source.location).name
    assert located_model(source, moved).location == str(moved)
