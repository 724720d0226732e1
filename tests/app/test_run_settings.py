"""One truth of a run: the window shows the settings that the engine runs with and the file has."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.process.main import Session
from app.process.settings import Settings
from engine.allocation.wishes import Wishes
from engine.jobs import session as jobs
from engine.jobs.engine import Engine
from engine.measure.remote.given import give
from engine.project.repository import Project
from engine.records.events import RunChanged
from engine.records.settings import Budget, RunSettings, RunState, Step
from engine.records.snapshot import RunInfo
from tests.engine.project.support import have_models, new_project

FIRST = RunSettings(
    Budget(trials=100),
    "round-robin",
    seed=3,
    devices="cuda:0,cuda:1",
    cluster="dask://127.0.0.1:8786",
)
KEPT = RunSettings(Budget(seconds=60.0), "da-random", seed=4)
WISHES = Wishes(pinned=frozenset({1}), floors={2: 3})


class Running:
    """A console over an engine whose runs end at once, as `end` says."""

    def __init__(self, qtbot: QtBot, path: Path) -> None:
        self.ran: list[RunSettings] = []
        self.end = RunState.FINISHED
        self.path = path
        self.session = Session(Engine, Settings(memory=True))
        self.session.attach()
        self.session.engine.start()
        self._qtbot = qtbot
        self.commands, self.document = self.session.commands, self.session.document

    async def run_to_end(self, session: jobs.Session, run: int, settings: RunSettings) -> None:
        """In place of the engine's."""
        self.ran.append(settings)
        session.project.set_run(run, state=self.end)
        session.emit(RunChanged(run, self.end))

    def open(self) -> None:
        """Open the project, and wait until the window has it."""
        self.commands.open_path(self.path)
        self.until(lambda: self.document.is_open and not self.document.is_busy)

    def carry(self, act: Callable[[Running], object]) -> RunInfo:
        """Act and wait for the run that comes of it: as the window has it."""
        before = len(self.ran)
        act(self)
        self.until(lambda: len(self.ran) > before)
        self.until(lambda: self.document.state is self.end and not self.document.is_busy)
        assert self.document.run is not None
        return self.document.run

    def until(self, seen: Callable[[], bool]) -> None:
        """Wait, as the window's timer does."""

        def looked() -> bool:
            self.session.bridge.tick()
            return seen()

        self._qtbot.waitUntil(looked, timeout=10_000)


@pytest.fixture
def running(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[RunState | None], Running]]:
    """A console over a project whose last run has FIRST and came to this state, or has no run."""
    made: list[Running] = []
    monkeypatch.setattr("engine.jobs.host.load_libraries", lambda: None)
    have_models(monkeypatch)

    def make(state: RunState | None) -> Running:
        path = tmp_path / "net.tune"
        give(FIRST.cluster, "dask://127.0.0.1:1")
        with new_project(path) as project:
            if state is not None:
                project.set_run(project.start_run(FIRST), state=state)
        made.append(Running(qtbot, path))
        qtbot.addWidget(made[0].session.window)
        monkeypatch.setattr("engine.jobs.engine.run_to_end", made[0].run_to_end)
        made[0].commands.keep_settings(KEPT)
        made[0].open()
        return made[0]

    yield make
    for each in made:
        each.session.window.close_now()
        each.session.engine.shutdown()


def take_back(running: Running) -> None:
    """Start after an edit of the settings was undone."""
    running.commands.keep(replace(KEPT, seed=9))
    running.commands.edits.undo.undo()
    running.commands.start()


def wish(running: Running) -> None:
    """Start with wishes."""
    running.document.set_wishes(WISHES)
    running.commands.start()


def launch(running: Running) -> None:
    """Start a pass."""
    running.commands.start_pass((Step("droplet"),), Budget(trials=7))


STOPPED, FINISHED = RunState.STOPPED, RunState.FINISHED
AGAIN = replace(FIRST, budget=KEPT.budget)
WAYS: dict[str, tuple[RunState | None, Callable[[Running], object], RunSettings]] = {
    "start": (None, lambda r: r.commands.start(), KEPT),
    "start with others": (STOPPED, lambda r: r.commands.start_with(FIRST), FIRST),
    "start with wishes": (FINISHED, wish, replace(KEPT, wishes=WISHES.as_dict())),
    "start after an undo": (FINISHED, take_back, KEPT),
    "start a pass": (
        FINISHED, launch, replace(FIRST, steps=(Step("droplet"),), budget=Budget(trials=7)),
    ),
    "resume under its own budget": (STOPPED, lambda r: r.commands.resume(), FIRST),
    "resume after a kill": (RunState.RUNNING, lambda r: r.commands.resume(), FIRST),
    "resume under another budget": (FINISHED, lambda r: r.commands.resume(), AGAIN),
    "start by another way": (FINISHED, lambda r: r.session.engine.start_run(KEPT), KEPT),
    "resume by another way": (
        STOPPED, lambda r: r.session.engine.resume_run(KEPT.budget), AGAIN,
    ),
    "resume on other devices": (
        STOPPED, lambda r: r.session.engine.resume_run(devices="cuda:2"),
        replace(FIRST, devices="cuda:2"),
    ),
    "resume with no cluster": (
        STOPPED, lambda r: r.session.engine.resume_run(cluster="none"), replace(FIRST, cluster=""),
    ),
    "resume elsewhere under another budget": (
        FINISHED, lambda r: r.session.engine.resume_run(KEPT.budget, "dask://127.0.0.1:1", "none"),
        replace(AGAIN, cluster="dask://127.0.0.1:1", devices=""),
    ),
}  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
def test_the_window_the_engine_and_the_file_have_the_same_settings_of_a_run(
    running: Callable[[RunState | None], Running], way: str
) -> None:
    state, act, expected = WAYS[way]
    console = running(state)
    shown = console.carry(act)
    assert console.ran == [expected]
    with Project.open(console.path, read_only=True) as project:
        stored = project.snapshot().runs
    assert stored[-1].settings == shown.settings == expected
    assert [run.id for run in stored] == [run.id for run in console.document.head.runs]
    console.open()
    assert console.document.run is not None
    assert console.document.run.settings == expected


def test_a_run_that_is_resumed_elsewhere_stays_there(
    running: Callable[[RunState | None], Running],
) -> None:
    console = running(STOPPED)
    console.end = STOPPED
    console.carry(lambda r: r.session.engine.resume_run(devices="cuda:2"))
    console.carry(lambda r: r.commands.resume())
    assert [settings.devices for settings in console.ran] == ["cuda:2", "cuda:2"]
