"""Workers live and die with their parent, whatever its main module is."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from engine.workers.artifacts import ArtifactFolder

ROOT = Path(__file__).parents[3]
MODES = {
    "script": [str(Path(__file__).with_name("family.py"))],
    "module": ["-m", "tests.engine.measure.family"],
}
PATIENCE = 30.0

Start = Callable[[str], "subprocess.Popen[str]"]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts tests/engine/measure/family.py in a process group of its own."""
    parents = []

    def launch(mode: str) -> subprocess.Popen[str]:
        parent = subprocess.Popen(
            [sys.executable, *MODES[mode], str(tmp_path / "log"), str(tmp_path / "artifacts")],
            cwd=tmp_path if mode == "script" else ROOT,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        parents.append(parent)
        return parent

    yield launch
    for parent in parents:
        with suppress(ProcessLookupError):
            os.killpg(parent.pid, signal.SIGKILL)
        parent.communicate()


def wait_for(parent: subprocess.Popen[str], line: str) -> str:
    """The lines a parent printed up to `line`."""
    assert parent.stdout is not None
    seen = ""
    while not seen.endswith(f"{line}\n"):
        seen += (text := parent.stdout.readline())
        assert text, f"the parent ended after: {seen}"
    return seen


def alive(processes: list[psutil.Process]) -> list[psutil.Process]:
    """Those that still run; a zombie does not."""
    return [p for p in processes if p.is_running() and p.status() != psutil.STATUS_ZOMBIE]


@pytest.mark.parametrize("mode", MODES)
def test_no_worker_outlives_a_killed_parent_and_none_runs_its_main(
    start: Start, mode: str, tmp_path: Path
) -> None:
    parent = start(mode)
    assert "measured None" in wait_for(parent, "busy")
    family = psutil.Process(parent.pid).children(recursive=True)
    assert len(alive(family)) >= 5  # two servers, two builders, a runner
    parent.kill()
    parent.wait()
    deadline = time.monotonic() + PATIENCE
    while alive(family) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert alive(family) == []
    assert (tmp_path / "log").read_text() == "main ran\n"


def test_what_a_killed_parent_left_on_disk_is_swept_up(start: Start, tmp_path: Path) -> None:
    parent = start("script")
    wait_for(parent, "busy")
    parent.kill()
    parent.wait()
    assert len(list((tmp_path / "artifacts").glob("run-*"))) == 2
    folder = ArtifactFolder(tmp_path / "artifacts")
    assert list(folder.path.parent.glob("run-*.lock")) == [folder.path.with_suffix(".lock")]
    folder.close()
    assert list((tmp_path / "artifacts").iterdir()) == []


def test_ctrl_c_in_the_terminal_reaches_no_worker(start: Start) -> None:
    parent = start("module")
    wait_for(parent, "starting")
    for _ in range(10):
        os.killpg(parent.pid, signal.SIGINT)
        time.sleep(0.05)
    assert "measured None" in wait_for(parent, "busy")
    family = psutil.Process(parent.pid).children(recursive=True)
    os.killpg(parent.pid, signal.SIGINT)
    time.sleep(0.3)
    assert len(alive(family)) == len(family)
