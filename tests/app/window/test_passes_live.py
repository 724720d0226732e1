"""Each pass clicked through in the real window over the real engine, on tiny models."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.process.main import Session
from app.process.settings import Settings
from engine.jobs.engine import Engine
from engine.project.repository import Project
from engine.records.settings import RunState
from engine.records.snapshot import Snapshot
from engine.records.source import ModelSource
from engine.records.trial import Source
from tests.engine.jobs.support import QUICK
from tests.engine.models.build import save, two_convs_model
from widgets.passes.options import PassOptions
from widgets.passes.sheet import PassSheet

pytestmark = pytest.mark.slow

SLOW_MS = 120_000
SHARED, TRANSFERRED, POLISHED = Source.SHARED, Source.TRANSFERRED, Source.DROPLET


class Person:
    """Opens models, presses buttons and waits for what comes of it."""

    def __init__(self, session: Session, qtbot: QtBot, folder: Path) -> None:
        self.session, self.qtbot, self.folder = session, qtbot, folder
        self.window, self.document = session.window, session.document
        self.failures: list[str] = []
        self.document.failed.connect(lambda what, _: self.failures.append(what))

    def until(self, seen: object) -> None:
        """Wait, and let the window go on."""
        self.qtbot.waitUntil(seen, timeout=SLOW_MS)  # type: ignore[arg-type]
        assert self.failures == []

    def open(self, name: str, first: int, second: int) -> Path:
        """Import a model of two convolutions."""
        model = save(two_convs_model(first, second), self.folder / f"{name}.onnx")
        self.session.commands.set_target("cpu")
        self.session.commands.open_model(ModelSource("file", str(model)))
        path = self.folder / f"{name}.tune"
        self.until(lambda: self.document.path == str(path) and self.document.idle)
        return path

    def search(self) -> None:
        """Press Start and wait for the end."""
        self.session.commands.keep(QUICK)
        self.window.console.actions["start"].trigger()
        self.until_finished(len(self.document.head.runs) + 1)

    def sheet(self, kind: str, **options: Any) -> PassSheet:
        """Open a pass's sheet and fill it in, ten trials as the budget."""
        self.window.console.actions[kind].trigger()
        self.until(lambda: kind in self.window.aids.passes.sheets)
        sheet = self.window.aids.passes.sheets[kind]
        assert isinstance(sheet.options, PassOptions)
        if (places := sheet.options.places) is not None:
            places.library.setChecked(bool(options.pop("library")))
            places.add(options.pop("places"))
        for name, value in options.items():
            sheet.options.form.controls[name].set_value(value)
        trials, seconds = sheet.budget.controls["trials"], sheet.budget.controls["seconds"]
        assert trials.tick is not None and seconds.tick is not None
        trials.tick.click()
        trials.set_value(10)
        seconds.tick.click()
        return sheet

    def run(self, sheet: PassSheet) -> None:
        """Press the sheet's Start, wait for the end, look at what it says, close it."""
        runs = len(self.document.head.runs) + 1
        QTest.mouseClick(sheet.start_button, Qt.MouseButton.LeftButton)
        self.until_finished(runs)
        assert sheet.outcome.run == runs
        assert sheet.outcome.state.text().startswith("Finished")
        assert "trial" in sheet.outcome.sums.text()
        assert sheet.outcome.use.isChecked()
        sheet.close()

    def until_finished(self, runs: int) -> None:
        """Wait for the end of a run."""
        self.until(lambda: len(self.document.head.runs) == runs and self.document.idle)
        assert self.document.state is RunState.FINISHED
        assert isinstance(self.session.engine, Engine)
        self.until(self.session.engine.wait().done)  # it clears away after it has said so


@pytest.fixture
def person(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Person]:
    """A person in front of a window that has just been started."""
    for name in ("XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    session = Session(Engine, Settings(memory=True))
    qtbot.addWidget(session.window, before_close_func=lambda _: session.window.views.close())
    session.window.show()
    session.begin()
    yield Person(session, qtbot, tmp_path)
    session.window.close_now()
    session.end()


def read(path: Path) -> Snapshot:
    with Project.open(path, read_only=True) as project:
        return project.snapshot()


@pytest.mark.skipif(
    shutil.which("Xvfb") is not None,
    reason="the journey under Xvfb clicks through the same, and more",
)
def test_each_pass_is_clicked_through_and_shows_what_it_did(person: Person) -> None:
    donor = shutil.copy(person.open("donor", 96, 64), person.folder / "copy.tune")
    person.search()
    shutil.copy(person.folder / "donor.tune", donor)
    path = person.open("heir", 64, 96)
    person.search()
    person.run(person.sheet("share", threshold=0.0, top_k=2))
    person.run(person.sheet("transfer", library=False, places=(str(donor),), per_task=2))
    person.run(person.sheet("droplet", per_task=3))
    snapshot = read(path)
    sources = Counter(trial.source for trial in snapshot.trials)
    assert all(sources[source] for source in (SHARED, TRANSFERRED, POLISHED)), sources
    assert [run.state for run in snapshot.runs] == [RunState.FINISHED] * 4
    shown(person, sources)


def shown(person: Person, sources: Counter[Source]) -> None:
    """What was tried is in the views."""
    views = person.window.aids.late
    for part in ("clusters", "transfer", "droplet", "sources"):
        person.window.console.actions[f"go-{part}"].trigger()
    person.document.select_task(None)
    views.transfer.only_selected.setChecked(False)
    assert views.transfer.model.rowCount() == sources[TRANSFERRED]
    polished = views.droplet.tasks_model
    place = [column.key for column in polished.columns].index("tried")
    tried = [polished.index(row, place).data() for row in range(polished.rowCount())]
    assert sum(map(int, tried)) == sources[POLISHED]
    rows = {int(id_): row for row, id_ in enumerate(views.sources.model.ids)}
    assert set(rows) >= {list(Source).index(source) for source in sources}
    person.window.console.actions["go-clusters"].trigger()
    person.until(lambda: bool(views.clusters.scene.nodes))
    assert len(views.clusters.scene.nodes) == len(person.document.project.history.tasks)
