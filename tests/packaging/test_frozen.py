"""The program that `make package` made: it tunes, and its workers are only workers."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
import tomllib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import pytest
from PySide6.QtGui import QImage

from tests.engine.models.build import conv_relu_model, save
from tests.packaging.recipes import ROOT
from tests.replayed import folded, replayed_events, stored

PROGRAM = ROOT / "dist" / "tunewright" / "tunewright"
APP_FOLDER = ROOT / "build" / "Tunewright.AppDir"
SOURCES = ("app", "widgets", "engine", "resources", "packaging")
PATIENCE_S = 240
LOOK_S = 0.1
SECOND_WINDOW_S = 1.5  # it would be there by then


def _why_not() -> str:
    """Why the program cannot be tested, empty where it can."""
    if not PROGRAM.is_file():
        return "`make package` makes what is tested here"
    built = PROGRAM.stat().st_mtime
    files = (path for folder in SOURCES for path in (ROOT / folder).rglob("*.*"))
    newer = (path for path in files if path.suffix != ".pyc" and path.stat().st_mtime > built)
    late = next(newer, None)
    return f"{late} is newer than the program in dist: `make package`" if late else ""


REASON = _why_not()
pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(REASON), reason=REASON)]


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    """An environment without a Python, a display, or a person's files."""
    return {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "QT_QPA_PLATFORM": "offscreen",
            "LANG": "C.UTF-8"}  # fmt: skip


def run(home: dict[str, str], *arguments: object) -> Any:
    """One command to its end; its JSON answer."""
    done = subprocess.run(
        [PROGRAM, *map(str, arguments), "--json"],
        env=home, cwd=home["HOME"], capture_output=True, text=True, check=False, timeout=PATIENCE_S,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout)


def watch(process: subprocess.Popen[str], ended: Callable[[], bool]) -> set[str]:
    """The command lines of all that a process starts until it has `ended`.

    A process looks like its parent until it has become what it was started for, so those are left
    out that are gone at the next look.
    """
    before: dict[int, str] = {}
    lasting: set[str] = set()
    end = time.monotonic() + PATIENCE_S
    while not ended() and time.monotonic() < end:
        now = _children(process.pid)
        lasting |= {line for pid, line in now.items() if before.get(pid) == line}
        before = now
        time.sleep(LOOK_S)
    assert ended()
    return lasting


def _children(pid: int) -> dict[int, str]:
    """The command lines of all that descends from a process, by process id."""
    found = {}
    with suppress(psutil.NoSuchProcess):
        for child in psutil.Process(pid).children(recursive=True):
            with suppress(psutil.NoSuchProcess):
                found[child.pid] = " ".join(child.cmdline())
    return found


def repeats(lines: set[str]) -> list[str]:
    """Those command lines that start the program for something else than work."""
    ours = [line for line in lines if line.startswith(str(PROGRAM))]
    assert ours
    return [line for line in ours if "from multiprocessing." not in line]


def test_it_tunes_and_its_workers_open_nothing_and_repeat_nothing(
    home: dict[str, str], tmp_path: Path
) -> None:
    model = save(conv_relu_model(), tmp_path / "tiny.onnx")
    command = [str(PROGRAM), "tune", str(model), "--trials", "4", "--target", "cpu", "--json"]
    with subprocess.Popen(
        command, env=home, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        seen = watch(process, lambda: process.poll() is not None)
        answer, words = process.communicate()
    assert process.returncode == 0, answer + words
    result = json.loads(answer)
    assert (result["state"], result["trials"], result["errors"]) == ("finished", 4, 0)
    assert repeats(seen) == []
    exported = run(home, "export", tmp_path / "tiny.tune", "-o", tmp_path / "module")
    assert exported["max_abs_diff"] < 1e-3
    assert (tmp_path / "module" / "run.py").is_file()


def test_its_doctor_finds_nothing_missing(home: dict[str, str]) -> None:
    checks = run(home, "doctor")["checks"]
    assert [check for check in checks if check["verdict"] == "missing"] == []


def test_it_draws_the_console(home: dict[str, str], tmp_path: Path) -> None:
    project = stored(folded(replayed_events()), tmp_path / "net.tune")
    png = tmp_path / "console.png"
    run(home, "picture", project, png)
    assert (QImage(str(png)).width(), QImage(str(png)).height()) == (1440, 900)


def test_its_window_opens_once_and_closes_with_all_that_it_started(
    home: dict[str, str], tmp_path: Path
) -> None:
    with subprocess.Popen(
        [PROGRAM, "gui"], env=home, cwd=tmp_path, stderr=subprocess.PIPE, text=True
    ) as process:
        watch(process, lambda: "forkserver" in str(_children(process.pid)))
        began = time.monotonic()
        seen = watch(process, lambda: time.monotonic() > began + SECOND_WINDOW_S)
        workers = psutil.Process(process.pid).children(recursive=True)
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE_S) == 0, process.communicate()[1]
    assert repeats(seen) == []
    assert psutil.wait_procs(workers, timeout=10)[1] == []


def test_the_deb_has_all_that_a_desktop_needs() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    (deb,) = (ROOT / "dist").glob(f"tunewright_{version}_*.deb")
    listed = subprocess.run(["dpkg-deb", "-c", deb], capture_output=True, text=True, check=True)
    names = {line.split(None, 5)[5] for line in listed.stdout.splitlines()}
    assert "./usr/bin/tunewright -> ../lib/tunewright/tunewright" in names
    assert {
        "./usr/lib/tunewright/tunewright",
        "./usr/share/applications/tunewright.desktop",
        "./usr/share/mime/packages/tunewright.xml",
        "./usr/share/icons/hicolor/48x48/apps/tunewright.png",
        "./usr/share/icons/hicolor/scalable/apps/tunewright.svg",
        "./usr/share/doc/tunewright/copyright",
    } <= names
    assert not any("/pytest" in name or "QtQml" in name for name in names)


def test_the_appimages_folder_starts_the_program(home: dict[str, str]) -> None:
    done = subprocess.run(
        [APP_FOLDER / "AppRun", "--version"], env=home, capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("tunewright ")
    for name in ("tunewright.desktop", "tunewright.png", ".DirIcon"):
        assert os.access(APP_FOLDER / name, os.R_OK)
