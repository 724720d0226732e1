"""How many donors a transfer would find, before it is started."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.jobs.steps import donations
from engine.jobs.steps.steps import TransferOptions
from engine.jobs.steps.transfer import count_donors
from engine.passes.donor import Donor
from engine.records.errors import TunewrightError
from engine.records.settings import RunSettings
from engine.records.task import Task
from tests.engine.project.support import TASKS, new_project, new_trial


def _donor(path: Path) -> str:
    with new_project(path, model_name="other") as project:
        run = project.start_run(RunSettings())
        for seed in range(3):
            project.add_trial(new_trial(seed, run=run))
    return str(path)


def _of_the_same_workload(task: Task, donors: list[Donor], *_: str) -> list[Donor]:
    return [donor for donor in donors if donor.fingerprint == task.fingerprint]


def test_the_donors_of_each_task_are_counted_and_its_own_project_has_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with new_project(tmp_path / "net.tune") as project:
        path = str(project.path)
    donor = _donor(tmp_path / "other.tune")
    monkeypatch.setattr(donations, "rank", _of_the_same_workload)  # these tasks have no blocks
    found = count_donors(path, TransferOptions((donor, path), library=False))
    assert set(found) == {TASKS[0].index} and all(found.values())
    assert count_donors(path, TransferOptions((path,), library=False)) == {}


def test_a_place_that_cannot_be_read_has_no_donors(tmp_path: Path) -> None:
    with new_project(tmp_path / "net.tune") as project:
        path = str(project.path)
    (tmp_path / "bad.tune").write_text("none")
    options = TransferOptions((str(tmp_path / "bad.tune"), "/nowhere.tune"), library=False)
    assert count_donors(path, options) == {}
    with pytest.raises(TunewrightError):
        count_donors("/nowhere.tune", options)
