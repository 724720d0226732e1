"""Real runs through the command line: tune, kill, resume, stop, export."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from collections import Counter
from pathlib import Path

import numpy as np
import onnx
import pytest

from engine.history.history import History
from engine.models.reference import random_inputs, reference_outputs
from engine.project.repository import Project
from engine.records.snapshot import Snapshot
from engine.records.task import TensorSpec
from tests.app.cli.support import Done, Here, environment, finish, start
from tests.engine.models.build import conv_relu_model, save

pytestmark = pytest.mark.slow

TRIALS = 8
TUNE_FIELDS = {
    *("project", "target", "tasks", "trials", "errors"),
    *("untuned_latency_s", "tuned_latency_s", "wall_s"),
}
EXPORT_FIELDS = {
    *("dir", "tuned_latency_s", "reference_latency_s"),
    *("max_abs_diff", "coverage", "sha256"),
}


@pytest.fixture
def here(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Here:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return Here(capfd)


@pytest.fixture(scope="module")
def tuned(tmp_path_factory: pytest.TempPathFactory) -> Done:
    """A tiny model, tuned where Qt cannot be imported; read its project, do not change it."""
    folder = tmp_path_factory.mktemp("tuned")
    model = save(conv_relu_model(), folder / "tiny.onnx")
    command = ("tune", model, "--trials", str(TRIALS), "--seed", "7", "--target", "cpu", "--json")
    return finish(start(folder, *command, qt=False))


@pytest.fixture
def project(tuned: Done, tmp_path: Path) -> Path:
    """A copy of its project."""
    return Path(shutil.copy(tuned.json["project"], tmp_path / "copy.tune"))


def snapshot(path: Path) -> Snapshot:
    with Project.open(path, read_only=True) as opened:
        return opened.snapshot()


def trace_keys(path: Path) -> Counter[tuple[int, str]]:
    return Counter((trial.task, trial.trace_key) for trial in snapshot(path).trials)


def until_trials(process: subprocess.Popen[str], path: Path, count: int) -> int:
    """Wait until another process has stored so many trials; how many there are then."""
    for _ in range(2400):
        assert process.poll() is None, finish(process)
        if path.exists() and path.stat().st_size:
            found = len(snapshot(path).trials)
            if found >= count:
                return found
        time.sleep(0.05)
    raise AssertionError("there are no trials")


def test_tune_answers_with_one_object_and_needs_no_qt(tuned: Done) -> None:
    assert tuned.code == 0, tuned
    found = tuned.json
    assert set(found) >= TUNE_FIELDS
    assert found["state"] == "finished"
    assert found["reason"] == "the trials are spent"
    assert found["trials"] == TRIALS
    assert found["tasks"] >= 1
    for latency in ("untuned_latency_s", "tuned_latency_s", "reference_latency_s"):
        assert 0 < found[latency] < 1
    assert "running" in tuned.err
    assert "Traceback" not in tuned.err


def test_a_project_goes_beside_its_model_by_default(tuned: Done) -> None:
    path = Path(tuned.json["project"])
    assert path.name == "tiny.tune"
    assert (path.parent / "tiny.onnx").exists()


def test_info_agrees_with_what_tune_said(here: Here, tuned: Done) -> None:
    found = here("info", tuned.json["project"], "--json").json
    for same in ("trials", "errors", "target", "untuned_latency_s", "tuned_latency_s", "state"):
        assert found[same] == tuned.json[same]
    assert sum(task["trials"] for task in found["tasks"]) == TRIALS
    assert found["runs"][0]["seed"] == 7


@pytest.mark.long
def test_a_new_budget_is_a_new_run_after_the_old_trials(here: Here, project: Path) -> None:
    before = trace_keys(project)
    done = here("resume", project, "--trials", "4", "--json")
    assert done.code == 0, done
    assert done.json["run_trials"] == 4
    assert done.json["trials"] == TRIALS + 4
    assert max(trace_keys(project).values()) == 1
    assert before < trace_keys(project)
    assert [run.settings.seed for run in snapshot(project).runs] == [7, 7]


@pytest.mark.long
def test_a_killed_run_is_interrupted_and_goes_on_without_measuring_anything_twice(
    here: Here, tmp_path: Path
) -> None:
    model = save(conv_relu_model(16), tmp_path / "tiny.onnx")
    path = tmp_path / "run.tune"
    process = start(tmp_path, "tune", model, "-o", path, "--trials", "20", "--json")
    seen = until_trials(process, path, 4)
    assert here("info", path, "--json").json["state"] == "running"
    process.send_signal(signal.SIGKILL)
    finish(process)

    found = here("info", path, "--json").json
    assert found["state"] == "interrupted"
    kept = found["trials"]
    assert seen <= kept < 20
    before = snapshot(path)
    assert sum(task["trials"] for task in found["tasks"]) == kept

    done = finish(start(tmp_path, "resume", path, "--json"))
    assert done.code == 0, done
    after = snapshot(path)
    assert [trial.samples for trial in after.trials[:kept]] == [
        trial.samples for trial in before.trials
    ]
    assert len(after.trials) == done.json["trials"] == done.json["run_trials"]
    assert kept < len(after.trials) <= 20
    assert max(trace_keys(path).values()) == 1
    assert [run.id for run in after.runs] == [1]
    times = [trial.elapsed_s for trial in after.trials]
    assert min(times[kept:]) >= times[kept - 1]
    assert here("info", path, "--json").json["state"] == "finished"


def test_ctrl_c_stops_the_run_and_keeps_its_results(here: Here, tmp_path: Path) -> None:
    model = save(conv_relu_model(16), tmp_path / "tiny.onnx")
    path = tmp_path / "run.tune"
    process = start(tmp_path, "tune", model, "-o", path, "--seconds", "100", "--json")
    seen = until_trials(process, path, 1)
    process.send_signal(signal.SIGINT)
    done = finish(process, 30)
    assert done.code == 0, done
    assert done.json["state"] == "stopped"
    assert done.json["trials"] >= seen
    assert done.json["tuned_latency_s"] is None
    assert done.json["estimated_latency_s"] > 0
    assert here("info", path, "--json").json["state"] == "stopped"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda n: n.name)
def test_a_signal_while_the_model_is_read_ends_the_command(
    tmp_path: Path, number: signal.Signals
) -> None:
    command = ("tune", "resnet50", "-o", tmp_path / "a.tune", "--json")
    process = start(tmp_path, *command)
    assert process.stderr is not None
    while "Reading" not in process.stderr.readline():
        assert process.poll() is None
    process.send_signal(number)
    done = finish(process, 30)
    assert done.code == 1
    assert done.json["error"] == "Stopped before the end."
    assert "Traceback" not in done.err


def test_a_second_signal_ends_the_process_at_once(tmp_path: Path) -> None:
    script = (
        "from concurrent.futures import Future; from app.cli.driver import driving; "
        "from app.cli.driver import Progress\n"
        "with driving(Progress()) as driver:\n"
        "    print('ready', flush=True)\n"
        "    driver.whole_result(Future())\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(tmp_path),
    )
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGINT)
    assert "again" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    assert finish(process, 30).code == 130


def test_an_exported_module_runs_alone_and_agrees_with_onnx_runtime(
    here: Here, project: Path, tuned: Done, tmp_path: Path
) -> None:
    folder = tmp_path / "out"
    done = here("export", project, "-o", folder, "--wheel", "My-Net", "1.0", "--json")
    assert done.code == 0, done
    assert set(done.json) >= EXPORT_FIELDS
    wheel = Path(done.json["wheel"])
    assert (wheel.parent, wheel.name.startswith("my_net-1.0-py3-none-")) == (tmp_path, True)
    with zipfile.ZipFile(wheel) as archive:
        module = archive.read("my_net/module/module.so")
    assert module == (folder / "module.so").read_bytes()
    assert done.json["dir"] == str(folder)
    assert done.json["max_abs_diff"] < 1e-4
    history = History(snapshot(project))  # a kernel that is no faster than untuned is no record
    kept = [task for task in range(len(history.tasks)) if history.record(task) is not None]
    assert 0 <= done.json["coverage"] <= 1
    assert (done.json["coverage"] > 0) == bool(kept)
    assert json.loads((folder / "manifest.json").read_text())["files"]

    inputs = random_inputs([("x", TensorSpec((1, 3, 8, 8), "float32"))], seed=3)
    np.savez(tmp_path / "in.npz", x=inputs["x"])
    script = [sys.executable, "-P", str(folder / "run.py"), str(tmp_path / "in.npz")]
    ran = subprocess.run(
        [*script, "--save", str(tmp_path / "out.npz")],
        capture_output=True, text=True, check=False, cwd=tmp_path,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    model = onnx.load_model(Path(tuned.json["project"]).with_suffix(".onnx"))
    expected = reference_outputs(model, inputs)
    with np.load(tmp_path / "out.npz") as found:
        for name, array in expected.items():
            np.testing.assert_allclose(found[name], array, atol=1e-4)


def test_an_export_into_a_folder_with_other_files_is_refused(
    here: Here, project: Path, tmp_path: Path
) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("precious")
    done = here("export", project, "-o", tmp_path / "mine", "--json")
    assert done.code == 1
    assert "no part of an export" in done.json["error"]
    assert [item.name for item in (tmp_path / "mine").iterdir()] == ["thesis.txt"]


def test_a_model_that_changed_since_is_refused(
    here: Here, project: Path, tuned: Done, tmp_path: Path
) -> None:
    model = Path(tuned.json["project"]).with_suffix(".onnx")
    original = model.read_bytes()
    try:
        save(conv_relu_model(5), model)
        done = here("export", project, "-o", tmp_path / "out", "--json")
        assert done.code == 1
        assert "has changed" in done.json["error"]
    finally:
        model.write_bytes(original)
