"""The journey itself; `test_journey.py` runs it in a process that has a display.

With TUNEWRIGHT_JOURNEY_PICTURES=FOLDER every stop leaves a picture there.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialogButtonBox
from pytestqt.qtbot import QtBot

from app.process.main import Session, application
from app.process.settings import Settings
from engine.jobs.engine import Engine
from engine.project.repository import Project
from engine.records.settings import RunState
from engine.records.snapshot import Snapshot
from engine.records.trial import Source
from tests.engine.jobs.support import QUICK
from tests.engine.models.build import branches_model, save
from tests.journey.hand import Hand
from widgets.parts.run_dialog import RunDialog
from widgets.passes.options import PassOptions
from widgets.passes.sheet import PassSheet
from widgets.stages.sheet import StageSheet

CLOSE = QDialogButtonBox.StandardButton.Close
SOURCES = {Source.SEARCH, Source.SHARED, Source.TRANSFERRED, Source.DROPLET}
TRIALS = 6
SIZE = 48  # untuned it takes longer than a busy machine's stalls, so that any search finds better
GRACE_S = 10.0


class Traveller:
    """Sits in front of a window that has just been started, and knows only what it shows."""

    def __init__(self, session: Session, qtbot: QtBot, folder: Path) -> None:
        self.session, self.folder = session, folder
        self.window, self.document = session.window, session.document
        self.hand = Hand(session.window, qtbot)
        self.stops = 0

    def stop(self, name: str) -> None:
        """Take a picture where one is wanted."""
        pictures = os.environ.get("TUNEWRIGHT_JOURNEY_PICTURES")
        if pictures:
            screen = self.window.screen()
            screen.grabWindow(0).save(f"{pictures}/{self.stops:02}-{name}.png")
        self.stops += 1

    def open_model(self, name: str, channels: int) -> Path:
        """Open a model by the button and the file dialog; its project's path."""
        # Two convolutions for the passes: of 3x3 they might be products of matrices.
        proto = branches_model((5, 5), channels, SIZE, (64, 96))
        model = save(proto, self.folder / f"{name}.onnx")
        self.hand.button("open-model")
        self.hand.file(model)
        project = self.folder / f"{name}.tune"
        self.hand.until(lambda: self.document.path == str(project) and self.document.idle)
        self.stop(f"open-{name}")
        return project

    def until_run(self, number: int, state: RunState = RunState.FINISHED) -> None:
        """Wait until this run is in this state, and the engine is done with it."""
        document = self.document
        self.hand.until(lambda: len(document.head.runs) == number and document.state is state)
        if not state.active:
            assert isinstance(self.session.engine, Engine)
            self.hand.until(lambda: self.document.idle)
            self.hand.until(self.session.engine.wait().done)


@pytest.fixture
def traveller(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Traveller]:
    """A person; afterwards nothing of the session may be left, neither threads nor processes."""
    for name in ("XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    application()
    settings = Settings(memory=True)
    settings.set("run", QUICK.as_dict())
    before = threading.enumerate()
    session = Session(Engine, settings)
    qtbot.addWidget(session.window, before_close_func=lambda _: session.window.views.close())
    session.window.first_painted.connect(session.begin)
    session.window.show()
    person = Traveller(session, qtbot, tmp_path)
    yield person
    person.stop("end")
    session.window.close_now()
    session.end()
    late = [thread for thread in threading.enumerate() if thread not in before]
    for thread in late:
        thread.join(GRACE_S)  # a slot of a search ends by itself
    assert [thread.name for thread in late if thread.is_alive()] == []
    workers = [each.cmdline() for each in psutil.Process().children(recursive=True)]
    servers = ("forkserver", "resource_tracker")  # they serve all sessions of a process
    assert [line for line in workers if not any(name in str(line) for name in servers)] == []


def read(path: Path) -> Snapshot:
    """What a project file holds."""
    with Project.open(path, read_only=True) as project:
        return project.snapshot()


def test_a_person_opens_tunes_passes_exports_and_comes_back(traveller: Traveller) -> None:
    hand = traveller.hand
    hand.until(lambda: traveller.window.aids.late.is_made("jobs"))
    donor(traveller)
    heir = traveller.open_model("heir", 16)
    tune_with_a_pause(traveller)
    code(traveller)
    passes(traveller)
    stages(traveller)
    export(traveller)
    come_back(traveller, heir)


def donor(traveller: Traveller) -> None:
    """Tune a first model, and keep its records for others."""
    hand, window = traveller.hand, traveller.window
    hand.write(window.toolbar.target, "cpu")
    hand.keys(Qt.Key.Key_Return)
    traveller.open_model("donor", 8)
    hand.button("settings")
    dialog = hand.sheet(RunDialog)
    hand.fill(dialog.budget.controls["trials"], 4)
    hand.fill(dialog.budget.controls["seconds"], None)
    hand.click(dialog.keep_button)
    hand.button("start")
    traveller.until_run(1)
    traveller.stop("donor-tuned")
    hand.menu("library")
    hand.until(lambda: any("library has" in row.what for row in window.console.messages.rows()))


def tune_with_a_pause(traveller: Traveller) -> None:
    """Start, hold and go on by keys; stop and continue by mouse."""
    hand, document = traveller.hand, traveller.document
    hand.button("settings")
    dialog = hand.sheet(RunDialog)
    hand.fill(dialog.budget.controls["trials"], TRIALS)
    hand.click(dialog.start_button)
    hand.until(lambda: document.state is RunState.RUNNING)
    hand.keys("pause")
    traveller.until_run(1, RunState.PAUSED)
    traveller.stop("paused")
    hand.button("pause")
    hand.until(lambda: document.state is RunState.RUNNING)
    hand.button("stop")
    traveller.until_run(1, RunState.STOPPED)
    hand.menu("resume")
    traveller.until_run(1)
    assert document.run_trials() == TRIALS
    traveller.stop("tuned")


def code(traveller: Traveller) -> None:
    """Read the code of the best schedule, and find something in it."""
    hand, view = traveller.hand, traveller.window.aids.late.code
    hand.keys("go-code")
    hand.until(lambda: "def main(" in view.page.toPlainText())
    hand.keys("find-node")
    hand.until(view.field.hasFocus)
    hand.keys(Qt.Key.Key_T, Qt.Key.Key_Period, Qt.Key.Key_Return)
    hand.until(lambda: view.page.at == 2)
    hand.click(view.kinds["source"])
    hand.until(lambda: ".globl" in view.page.toPlainText())
    traveller.stop("code")


def passes(traveller: Traveller) -> None:
    """Each pass from its button, with a budget, to its result."""
    walk_pass(traveller, "share", 10, threshold=0, top_k=2)
    walk_pass(traveller, "transfer", TRIALS, per_task=2)
    walk_pass(traveller, "droplet", TRIALS, per_task=2)
    late, tasks = traveller.window.aids.late, traveller.window.views.tasks
    for page in ("transfer", "droplet", "sources", "allocation", "knobs", "timeline", "clusters"):
        traveller.hand.keys(f"go-{page}")
        traveller.stop(page)
    assert late.timeline.chart.found.kernels
    traveller.hand.until(lambda: len(late.clusters.scene.nodes) == len(tasks.model.ids))
    shown = {int(id_) for id_ in late.sources.model.ids}
    assert shown >= {list(Source).index(source) for source in SOURCES}


def walk_pass(traveller: Traveller, kind: str, trials: int, **options: float) -> None:
    """Open a pass's sheet, fill it in, start it, read its result, close it."""
    hand, runs = traveller.hand, len(traveller.document.head.runs) + 1
    hand.button(kind)
    sheet = hand.sheet(PassSheet)
    assert isinstance(sheet.options, PassOptions)
    for name, value in options.items():
        hand.fill(sheet.options.form.controls[name], value)
    hand.fill(sheet.budget.controls["trials"], trials)
    hand.fill(sheet.budget.controls["seconds"], None)
    traveller.stop(f"{kind}-asked")
    hand.click(sheet.start_button)
    traveller.until_run(runs)
    hand.until(lambda: sheet.outcome.run == runs and not sheet.outcome.active)
    assert "trial" in sheet.outcome.sums.text()
    traveller.stop(f"{kind}-done")
    hand.click(sheet.buttons.button(CLOSE))


def stages(traveller: Traveller) -> None:
    """Find stages, within limits of a few seconds."""
    hand, document = traveller.hand, traveller.document
    hand.button("stages")
    sheet = hand.sheet(StageSheet)
    hand.fill(sheet.form.controls["strategies"], "parallel")
    hand.fill(sheet.form.controls["r"], 1)
    hand.fill(sheet.form.controls["s"], 2)
    hand.fill(sheet.form.controls["seconds"], 0.1)
    hand.click(sheet.start_button)
    hand.until(lambda: document.head.schedule is not None and document.idle)
    assert traveller.window.aids.late.stages.timeline.isVisible()
    traveller.stop("stages")


def export(traveller: Traveller) -> None:
    """Export by the keys; the folder is new."""
    hand, folder = traveller.hand, traveller.folder / "exported"
    hand.keys("export")
    hand.file(folder)
    hand.until(lambda: traveller.document.head.exports and traveller.document.idle)
    assert (folder / "manifest.json").is_file()
    traveller.stop("exported")


def come_back(traveller: Traveller, project: Path) -> None:
    """Close the project, open it again from the recent files: all is as it was."""
    hand, document, menus = traveller.hand, traveller.document, traveller.window.menus
    schedule = document.head.schedule
    hand.keys("close-project")
    hand.until(lambda: not document.is_open and document.idle)
    traveller.stop("closed")
    recent = menus.recent_menu
    hand.pull([menus.menus["&File"], recent], lambda: recent.actions()[0])
    hand.until(lambda: document.path == str(project) and document.idle)
    stored = read(project)
    assert {trial.source for trial in stored.trials} >= SOURCES
    assert [run.state for run in stored.runs] == [RunState.FINISHED] * 4
    assert sum(run.trials for run in stored.runs) == len(stored.trials)
    assert stored.schedule == document.head.schedule == schedule
    assert len(stored.exports) == len(document.head.exports) == 1
    traveller.stop("reopened")
