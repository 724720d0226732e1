"""What a project keeps for jobs: cost models, the devices of a run, the device it is tuned on."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.project.repository import Project
from engine.records.devices import Devices, Probed
from engine.records.errors import ProjectError
from engine.records.settings import RunSettings
from tests.engine.project.support import new_project, new_trial
from tests.engine.project.test_versions import BACK_TO_5, change

DEVICES = Devices(
    (Probed("cuda:0", "A", 1e-4), Probed("cuda:1", "B", 2e-4)),
    (("cuda:0",), ("cuda:1",)),
    {0: "cuda:1"},
)


def test_a_cost_model_is_kept_as_the_last_trial_it_is_made_of(tmp_path: Path) -> None:
    with new_project(tmp_path / "net.tune") as project:
        assert project.trained_to(0) is None
        for last in (16, 32):
            project.set_trained_to(0, last)
    with Project.open(tmp_path / "net.tune", read_only=True) as reader:
        assert reader.trained_to(0) == 32
        assert reader.trained_to(1) is None


def test_the_devices_of_the_last_run_are_kept_with_it(tmp_path: Path) -> None:
    with new_project(tmp_path / "net.tune", device="cuda:1") as project:
        assert project.devices() is None
        run = project.start_run(RunSettings(devices="cuda:0,cuda:1"))
        project.set_devices(run, Devices(DEVICES.probed, DEVICES.groups))
        project.set_devices(run, DEVICES)
        assert project.run_settings(run).devices == "cuda:0,cuda:1"
    with Project.open(tmp_path / "net.tune", read_only=True) as reader:
        assert reader.devices() == DEVICES
        assert reader.device == "cuda:1"


def test_trials_after_a_number_are_found(tmp_path: Path) -> None:
    with new_project(tmp_path / "net.tune") as project:
        for salt in range(3):
            project.add_trial(new_trial(salt))
        everything = project.trials_of(0)
        assert project.trials_of(0, after=1) == [one for one in everything if one.number > 1]


@pytest.mark.parametrize("devices", ["", "[]", "{}", '{"probed": [{}], "groups": [], "pins": {}}'])
def test_a_strangers_devices_are_refused(tmp_path: Path, devices: str) -> None:
    path = tmp_path / "net.tune"
    with new_project(path) as project:
        run = project.start_run(RunSettings())
    change(path, f"INSERT INTO run_devices VALUES ({run}, '{devices}')")
    with Project.open(path) as project, pytest.raises(ProjectError):
        project.devices()


def test_a_strangers_cost_model_is_a_number_or_refused(tmp_path: Path) -> None:
    path = tmp_path / "net.tune"
    new_project(path).close()
    change(path, "INSERT INTO cost_models VALUES (0, -3)")
    with Project.open(path) as project, pytest.raises(ProjectError):
        project.trained_to(0)


def test_a_project_of_the_fifth_version_keeps_models_from_then_on(tmp_path: Path) -> None:
    path = tmp_path / "net.tune"
    new_project(path).close()
    change(path, *BACK_TO_5)
    with Project.open(path) as project:
        assert project.device == ""
        project.set_trained_to(0, 1)
        assert project.trained_to(0) == 1
