"""Donors come from other projects' best records, cheaply, and from nowhere else."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from engine.passes.donors import donors_of, without
from engine.project.repository import Project
from engine.records.errors import ProjectError, StorageError
from engine.records.settings import RunSettings
from engine.records.trial import ErrorKind
from tests.engine.project.support import TARGET, TASKS, new_project, new_trial

ROOT = Path(__file__).parents[3]


def tuned(path: Path) -> Project:
    """Task 0 (untuned 1 ms) tuned, task 1 (untuned 0.05 ms) slower than untuned, task 2 failed."""
    project = new_project(path)
    project.set_untuned(1.0, {1: 5e-5})
    project.add_trial(new_trial(0, samples=(4e-4,)))
    project.add_trial(new_trial(1, samples=(2e-4,), at=1.75e9))
    project.add_trial(new_trial(2, samples=(3e-4,)))
    project.add_trial(new_trial(3, task=1, samples=(9e-5,)))
    project.add_trial(new_trial(4, task=2, samples=(), error=ErrorKind.RUN_CRASH))
    return project


def test_each_task_that_tuning_made_faster_gives_its_best_record(tmp_path: Path) -> None:
    tuned(tmp_path / "net.tune").close()
    (found,) = donors_of(tmp_path / "net.tune")
    task, trial = TASKS[0], new_trial(1)
    assert (found.model, found.task, found.op_class) == ("net", task.name, task.op_class)
    assert (found.args, found.flops, found.fingerprint) == (task.args, task.flops, "f0" * 32)
    assert (found.latency_s, found.untuned_latency_s) == (2e-4, 1e-3)
    assert (found.trace, found.trace_key) == (trial.trace, trial.trace_key)
    assert (found.target, found.target_title) == (TARGET, "cpu znver4 x2")
    assert (found.tvm_version, found.at) == ("0.27.0", 1.75e9)
    assert found.place == str(tmp_path / "net.tune")


def test_a_task_without_an_untuned_latency_gives_its_best_record(tmp_path: Path) -> None:
    with new_project(tmp_path / "net.tune") as project:
        project.add_trial(new_trial(0, task=1))
    (found,) = donors_of(tmp_path / "net.tune")
    assert (found.task, found.untuned_latency_s) == ("pool", None)


def test_what_was_confirmed_decides_which_record_is_given(tmp_path: Path) -> None:
    with tuned(tmp_path / "net.tune") as project:
        project.confirm_trial(2, (5e-4,))
        project.confirm_trial(3, (3.5e-4,))
    (found,) = donors_of(tmp_path / "net.tune")
    assert found.trace_key == new_trial(2).trace_key
    assert found.latency_s == 3.5e-4


def test_results_that_a_person_left_out_are_no_donors(tmp_path: Path) -> None:
    with new_project(tmp_path / "net.tune") as project:
        run = project.start_run(RunSettings())
        project.add_trial(new_trial(0, run=run))
        project.set_used(run, False)
    assert donors_of(tmp_path / "net.tune") == []


def test_a_project_without_trials_has_no_donors(tmp_path: Path) -> None:
    new_project(tmp_path / "net.tune").close()
    assert donors_of(tmp_path / "net.tune") == []


def test_a_project_gives_donors_while_another_process_writes_it(tmp_path: Path) -> None:
    with tuned(tmp_path / "net.tune") as writer:
        before = donors_of(tmp_path / "net.tune")
        writer.add_trial(new_trial(9, samples=(1e-4,)))
        after = donors_of(tmp_path / "net.tune")
    assert (before[0].latency_s, after[0].latency_s) == (2e-4, 1e-4)


def test_a_file_that_is_missing_foreign_or_damaged_is_refused_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(ProjectError, match=r"no file none\.tune"):
        donors_of(tmp_path / "none.tune")
    with pytest.raises(StorageError, match="folder"):
        donors_of(tmp_path / "nowhere" / "none.tune")
    with pytest.raises(ProjectError, match="folder"):
        donors_of(tmp_path)
    junk = tmp_path / "junk.tune"
    junk.write_bytes(b"{}" * 900)
    with pytest.raises(ProjectError, match="not a Tunewright project"):
        donors_of(junk)
    tuned(tmp_path / "net.tune").close()
    data = (tmp_path / "net.tune").read_bytes()
    junk.write_bytes(data[:4096] + b"\x5a" * (len(data) - 4096))
    with pytest.raises(ProjectError, match="damaged"):
        donors_of(junk)


def test_a_project_is_no_donor_for_itself_under_any_of_its_names(tmp_path: Path) -> None:
    tuned(tmp_path / "net.tune").close()
    (tmp_path / "link.tune").symlink_to(tmp_path / "net.tune")
    found = donors_of(tmp_path / "net.tune")
    other = replace(found[0], place="/elsewhere/net.tune")
    for own in ("net.tune", "link.tune", "../" + tmp_path.name + "/net.tune"):
        assert without([*found, other], tmp_path / own) == [other]
    assert without(found, None) == found


def test_reading_donors_loads_neither_tvm_nor_onnx(tmp_path: Path) -> None:
    tuned(tmp_path / "net.tune").close()
    code = (
        "import sys; from engine.passes.donors import donors_of;"
        f"assert len(donors_of({str(tmp_path / 'net.tune')!r})) == 1;"
        "print(sorted({'tvm', 'onnx', 'onnxruntime', 'networkx'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
