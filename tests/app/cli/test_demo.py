"""The demonstration that `make run` gives without a display."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from app.cli.demo import Places, _draw, _reply, demo
from engine.project.repository import Project
from engine.records.settings import RunState
from engine.records.source import ModelSource
from engine.storage.lock import ProjectLock
from tests.app.cli.support import Here
from tests.engine.models.build import conv_relu_model, save
from tests.samples import squeezenet_like_snapshot

MANIFEST = {"latency_s": 2e-3, "max_abs_diff": 1e-6, "coverage": 0.98, "threads": 2}


@pytest.fixture
def here(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Here:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return Here(capfd)


@pytest.mark.slow
@pytest.mark.long
def test_a_model_is_tuned_exported_and_drawn(tmp_path: Path) -> None:
    model = save(conv_relu_model(), tmp_path / "tiny.onnx")
    folder = tmp_path / "demo"
    reply = demo(folder, 6.0, ModelSource("file", str(model)))
    assert reply.code == 0, reply
    found = reply.data
    assert found["trials"] > 0
    assert found["max_abs_diff"] < 1e-3
    for latency in ("untuned_latency_s", "tuned_latency_s", "reference_latency_s"):
        assert found[latency] > 0
    with Project.open(folder / "tiny.tune", read_only=True) as project:
        assert len(project.snapshot().trials) == found["trials"]
    assert json.loads((folder / "tiny" / "manifest.json").read_text())["files"]
    assert (folder / "console.png").read_bytes().startswith(b"\x89PNG")


def test_the_table_has_what_a_person_wants_to_know(tmp_path: Path) -> None:
    snapshot = squeezenet_like_snapshot(50)
    places = Places(tmp_path / "a.tune", tmp_path / "a", tmp_path / "a.png")
    reply = _reply(snapshot, MANIFEST, places, "", 200.0)
    assert reply.code == 0
    for row in ("untuned", "tuned", "ONNX Runtime", "largest difference", "trials", "seconds"):
        assert row in reply.text
    assert "2 threads each" in reply.text
    assert snapshot.runs[-1].state is RunState.FINISHED


def test_a_picture_that_could_not_be_made_is_said_and_makes_it_fail(tmp_path: Path) -> None:
    places = Places(tmp_path / "none.tune", tmp_path / "a", tmp_path / "a.png")
    problem = _draw(places)
    assert "none.tune" in problem
    reply = _reply(squeezenet_like_snapshot(5), MANIFEST, places, problem, 1.0)
    assert reply.code == 1
    assert "not made" in reply.text
    assert reply.data["picture"] is None


def test_a_hanging_picture_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def hang(command: list[str], **options: object) -> None:
        raise subprocess.TimeoutExpired(command, 1.0)

    monkeypatch.setattr(subprocess, "run", hang)
    assert "no end" in _draw(Places(tmp_path / "a.tune", tmp_path / "a", tmp_path / "a.png"))


def test_a_demonstration_that_is_open_elsewhere_is_not_cleared_away(
    here: Here, tmp_path: Path
) -> None:
    path = tmp_path / "squeezenet.tune"
    path.write_text("")
    lock = ProjectLock(path)
    try:
        done = here("demo", "-o", tmp_path, "--json")
    finally:
        lock.release()
    assert done.code == 1
    assert "open in another" in done.json["error"]
    assert path.exists()


def test_a_folder_that_cannot_be_made_is_refused(here: Here, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = here("demo", "-o", tmp_path / "file" / "demo", "--json")
    assert done.code == 1
    assert "cannot be written" in done.json["error"]
    assert here("demo", "-o", tmp_path, "--seconds", "0", "--json").code == 2
