"""The composition root: the order of the start, the end, and pictures without a display."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.process.main import render_console, run_gui
from app.process.no_engine import NoEngine
from app.window.aids.picture import picture
from engine.project.repository import Project
from engine.records.errors import ProjectError, StorageError
from engine.records.source import ModelSource
from tests.app.fake_engine import FakeEngine
from tests.samples import squeezenet_like_snapshot

START = """
import json, sys
from PySide6.QtCore import QTimer
from app.process.main import application, run_gui
from tests.app.fake_engine import FakeEngine

class Watching(FakeEngine):
    def start(self):
        super().start()
        seen["at engine start"] = painted()

def painted():
    return [w.isVisible() and w._painted for w in app.topLevelWidgets() if hasattr(w, "_painted")]

app, seen = application(), {}
heavy = ("tvm", "onnx", "onnxruntime", "pyqtgraph", "xgboost")
engine = Watching()

def loaded():
    seen["before paint"] = [name for name in heavy if name in sys.modules]

QTimer.singleShot(0, loaded)
QTimer.singleShot(1500, app.closeAllWindows)
code = run_gui(sample="squeezenet", engine=engine)
print(json.dumps({**seen, "code": code, "calls": engine.names()}))
"""


def in_process_of_its_own(script: str, tmp_path: Path) -> str:
    environment = {
        **os.environ,
        "QT_QPA_PLATFORM": "offscreen",
        "XDG_CONFIG_HOME": str(tmp_path),
        "XDG_STATE_HOME": str(tmp_path),
    }
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_window_is_painted_before_anything_heavy_is_loaded_or_started(tmp_path: Path) -> None:
    seen = json.loads(in_process_of_its_own(START, tmp_path))
    assert seen["before paint"] == []
    assert seen["at engine start"] == [True]
    assert seen["calls"] == ["start", "open_model", "shutdown"]
    assert seen["code"] == 0


def test_importing_the_window_loads_no_tvm(tmp_path: Path) -> None:
    heavy = "('tvm', 'onnx', 'pyqtgraph')"
    script = f"import sys, app.process.main; print([m for m in {heavy} if m in sys.modules])"
    assert in_process_of_its_own(script, tmp_path).strip() == "[]"


def test_a_picture_of_a_saved_project_is_made_without_a_display(tmp_path: Path) -> None:
    path = saved_project(tmp_path)
    png = tmp_path / "console.png"
    script = (
        "from pathlib import Path; from app.process.main import render_console;"
        f"render_console(Path({str(path)!r}), Path({str(png)!r}), (1100, 700))"
    )
    in_process_of_its_own(script, tmp_path)
    image = QImage(str(png))
    assert (image.width(), image.height()) == (1100, 700)
    points = [(x, y) for x in range(0, 1100, 7) for y in range(0, 700, 7)]
    assert len({image.pixelColor(x, y).name() for x, y in points}) > 20


def saved_project(folder: Path) -> Path:
    snapshot = squeezenet_like_snapshot(120)
    path = folder / "net.tune"
    with Project.create(
        path, ModelSource("sample", "squeezenet"), model_name="SqueezeNet", target="{}",
        target_title="cpu", tvm_version="0", tasks=snapshot.tasks, operators=snapshot.operators,
    ):  # fmt: skip
        pass
    return path


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_console_is_shown_in_both_themes(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path, theme: str
) -> None:
    png = tmp_path / "console.png"
    picture(squeezenet_like_snapshot(200), png, (1024, 640), "dark" if theme == "dark" else "light")
    image = QImage(str(png))
    corner = image.pixelColor(2, image.height() - 5).lightness()
    assert corner < 60 if theme == "dark" else corner > 200


def test_a_picture_that_cannot_be_written_says_so(qtbot: QtBot, tmp_path: Path) -> None:
    with pytest.raises(StorageError):
        picture(squeezenet_like_snapshot(0), tmp_path / "no" / "folder.png", (1024, 640))


def test_a_picture_of_no_project_is_refused_with_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(ProjectError):
        render_console(tmp_path / "none.tune", tmp_path / "console.png")


def test_the_engine_of_a_picture_refuses_every_command() -> None:
    engine = NoEngine()
    engine.start()
    engine.shutdown()
    assert engine.events.drain() == []
    for future in (engine.pause(), engine.stop(), engine.trial_detail(1)):
        assert future.exception() is not None


def test_closing_the_window_shuts_the_engine_down(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.process.main.Settings", _memory_settings)
    monkeypatch.setattr("app.process.main.CrashLog", lambda: _crash_log(tmp_path))
    engine = FakeEngine()
    looks = QTimer(interval=50)
    looks.timeout.connect(lambda: "open_model" in engine.names() and qapp.closeAllWindows())
    looks.start()
    assert run_gui(path=tmp_path / "net.onnx", engine=engine) == 0
    assert engine.names() == ["start", "open_model", "shutdown"]


def _memory_settings():  # type: ignore[no-untyped-def]
    from app.process.settings import Settings

    return Settings(memory=True)


def _crash_log(folder: Path):  # type: ignore[no-untyped-def]
    from app.process.crash_log import CrashLog

    return CrashLog(folder)
