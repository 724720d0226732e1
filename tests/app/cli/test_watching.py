"""`watch` and the commands that look show a project of another machine as one of this."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from engine.records.settings import RunSettings, RunState
from tests.app.cli.support import Here
from tests.engine.project.support import new_project, new_trial
from tests.fake_ssh import FakeSsh


@pytest.fixture
def ssh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeSsh:
    return FakeSsh(tmp_path / "ssh", monkeypatch)


@pytest.fixture
def here(capfd: pytest.CaptureFixture[str]) -> Here:
    return Here(capfd)


@pytest.mark.parametrize("command", ["info", "profile", "watch"])
def test_a_project_elsewhere_is_told_as_one_here(
    ssh: FakeSsh, here: Here, tmp_path: Path, command: str
) -> None:
    with new_project(tmp_path / "net.tune") as project:
        project.add_trial(new_trial(1))
    address = f"ssh://me@rack{project.path}"
    local = here(command, project.path, "--json")
    remote = here(command, address, "--json")
    assert (local.code, remote.code) == (0, 0), remote.err
    if "project" in remote.json:
        assert remote.json["project"] == address
    assert {**remote.json, "project": ""} == {**local.json, "project": ""}


@pytest.mark.parametrize("elsewhere", [True, False])
def test_a_run_is_followed_until_its_process_ends(
    ssh: FakeSsh, here: Here, tmp_path: Path, elsewhere: bool
) -> None:
    project = new_project(tmp_path / "net.tune")
    project.set_run(project.start_run(RunSettings()), state=RunState.RUNNING)
    closing = threading.Timer(2.0, project._lock.release if project._lock else project.close)
    closing.start()
    done = here("watch", f"ssh://rack{project.path}" if elsewhere else project.path)
    closing.join()
    project.close()
    assert done.code == 0, done.err
    assert "running" in done.err
    assert "interrupted" in done.err
    assert "interrupted" in done.out


def test_an_address_that_names_nothing_is_bad_use(ssh: FakeSsh, here: Here) -> None:
    done = here("info", "ssh://rack/net.onnx")
    assert done.code == 2
    assert "is no project" in done.err
    assert ssh.started() == []


def test_a_machine_without_the_file_is_a_failure(ssh: FakeSsh, here: Here, tmp_path: Path) -> None:
    done = here("watch", f"ssh://rack{tmp_path}/net.tune")
    assert done.code == 1
    assert "There is no file net.tune" in done.err
