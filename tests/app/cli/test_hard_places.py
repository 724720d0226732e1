"""The command line where a machine withholds something, or kills what it starts."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from engine.project.repository import Project
from engine.records.settings import RunState
from tests.app.cli.support import environment
from tests.engine.models.build import conv_relu_model, save
from tests.engine.project.support import new_project, new_trial
from tests.killing import ROLES, killing
from tests.processor import running

TRIALS = 8
NOTHING_IS_MOUNTED = (
    subprocess.run(
        ["unshare", "-m", "mount", "-t", "tmpfs", "none", "/mnt"], check=False, capture_output=True
    ).returncode
    != 0
)
"""Whether no namespace of one's own may have mounts here."""

Tune = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def tune(tmp_path: Path) -> Iterator[Tune]:
    """Starts `tunewright tune` on the tiny model, in `folder`, after other commands of a shell; in
    a namespace of its own where these mount anything."""
    begun = []
    model = save(conv_relu_model(), tmp_path / "tiny.onnx")

    def start(
        *before: str, folder: Path = tmp_path, trials: int = TRIALS, home: str = str(tmp_path)
    ) -> subprocess.Popen[str]:
        line = [sys.executable, *running("app"), "tune", model, "-o", folder / "tiny.tune"]
        script = [*before, shlex.join(map(str, ["exec", *line, "--trials", trials]))]
        apart = ["unshare", "-m"] if any("mount" in each for each in before) else []
        process = subprocess.Popen(
            [*apart, "sh", "-ec", "\n".join(script)],
            env=environment(Path(home)) | {"HOME": home},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        begun.append(process)
        return process

    yield start
    for process in begun:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def run_of(path: Path) -> tuple[RunState, int, int]:
    """The state of a project's run, its trials, and how many of them failed."""
    with Project.open(path, read_only=True) as project:
        snapshot = project.snapshot()
    failed = sum(trial.error is not None for trial in snapshot.trials)
    return snapshot.runs[-1].state, len(snapshot.trials), failed


@pytest.mark.long
def test_a_run_needs_few_files_no_home_and_no_shared_memory(tune: Tune, tmp_path: Path) -> None:
    mounts = [] if NOTHING_IS_MOUNTED else ["mount -t tmpfs -o ro none /dev/shm"]
    out, err = tune("ulimit -n 64", *mounts, home="/proc/nowhere").communicate(timeout=300)
    assert "Traceback" not in err
    assert "finished" in out
    assert run_of(tmp_path / "tiny.tune") == (RunState.FINISHED, TRIALS, 0)


@pytest.mark.long
def test_too_few_files_are_told_in_a_sentence(tune: Tune) -> None:
    process = tune("ulimit -n 24")
    _, err = process.communicate(timeout=300)
    assert process.returncode == 1
    assert "Traceback" not in err
    assert "Too many open files" in err.splitlines()[-1]


@pytest.mark.long
@pytest.mark.skipif(NOTHING_IS_MOUNTED, reason="no file system may be mounted here")
@pytest.mark.parametrize("after_s", [0, 5, 10, 20, 30, 40])
def test_a_disk_that_fills_up_ends_a_run_in_a_sentence(
    after_s: int, tune: Tune, tmp_path: Path
) -> None:
    small = tmp_path / "small"
    small.mkdir()
    mounted = f"mount -t tmpfs -o size=20m none {small}"
    filling = f"(sleep {after_s}; head -c 30m /dev/zero > {small}/fill) 2> /dev/null &"
    process = tune(mounted, filling, folder=small, trials=5000)
    _, err = process.communicate(timeout=300)
    assert process.returncode == 1
    assert "Traceback" not in err
    assert "The disk is full" in err.splitlines()[-1]


@pytest.mark.long
def test_killed_helpers_are_nothing_that_a_person_hears_of(tune: Tune, tmp_path: Path) -> None:
    process = tune()
    with killing(ROLES, seed=7, every_s=0.7, kills=12, top=process.pid) as killer:
        _, err = process.communicate(timeout=300)
    assert killer.killed
    assert process.returncode == 0
    assert not [word for word in ("Traceback", "Warning", "leaked", "relaunching") if word in err]
    assert run_of(tmp_path / "tiny.tune") == (RunState.FINISHED, TRIALS, 0)


@pytest.mark.long
def test_a_run_that_builds_nothing_any_more_fails_in_a_sentence(tune: Tune, tmp_path: Path) -> None:
    process = tune()
    roles = ("build worker",)
    with killing(roles, seed=8, every_s=0.02, kills=10**6, top=process.pid, at_once=True):
        _, err = process.communicate(timeout=300)
    assert process.returncode == 1
    assert "die again and again" in err.splitlines()[-1]
    assert "tunewright resume" in err.splitlines()[-1]
    assert run_of(tmp_path / "tiny.tune") == (RunState.FAILED, 0, 0)


def test_an_opener_that_is_always_killed_is_told_as_that(tune: Tune) -> None:
    process = tune()
    with killing(("opener",), seed=9, every_s=0.01, kills=10**6, top=process.pid):
        _, err = process.communicate(timeout=300)
    assert process.returncode == 1
    assert "was killed each time (SIGKILL)" in err.splitlines()[-1]


@pytest.mark.parametrize("home", ["/proc/nowhere", "protected"])
@pytest.mark.parametrize(
    "command",
    [
        ("queue", "list"),
        ("queue", "add", "{folder}/tiny.onnx", "--trials", "2"),
        ("library", "add", "{folder}/net.tune"),
        ("tune", "squeezenet", "--trials", "2"),
    ],
    ids=" ".join,
)
def test_a_home_that_takes_no_files_is_named_with_what_helps(
    command: tuple[str, ...], home: str, tmp_path: Path
) -> None:
    if home == "protected" and NOTHING_IS_MOUNTED:
        pytest.skip("no file system may be mounted here")
    save(conv_relu_model(), tmp_path / "tiny.onnx")
    with new_project(tmp_path / "net.tune") as project:
        project.add_trial(new_trial(0))
    place = tmp_path / "home" if home == "protected" else Path(home)
    if home == "protected":
        place.mkdir()
    line = [sys.executable, *running("app"), *(word.format(folder=tmp_path) for word in command)]
    apart = ["unshare", "-m", "sh", "-ec", f'mount -t tmpfs -o ro none {place}; exec "$@"', "sh"]
    done = subprocess.run(
        [*(apart if home == "protected" else []), *line],
        env=environment(tmp_path) | {"HOME": str(place), "XDG_DATA_HOME": f"{place}/data"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    told = done.stderr.splitlines()[-1]
    assert f"{place}/data/tunewright" in told
    assert "XDG_DATA_HOME" in told
    assert "Traceback" not in done.stderr
