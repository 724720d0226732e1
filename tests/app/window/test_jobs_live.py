"""Two small jobs queued in the real window and tuned by the real engine, on a tiny model."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.process.job_desk import JobDesk
from app.process.main import Session
from app.process.settings import Settings
from app.window.siblings import Alone
from engine.jobs.engine import Engine
from engine.jobs.host import Host
from engine.project.repository import Project
from engine.queueing.api import JobQueue
from engine.records.job import JobState
from engine.records.settings import Budget
from tests.engine.jobs.support import QUICK
from tests.engine.models.build import conv_relu_model, save
from widgets.jobs.view import JobView

pytestmark = pytest.mark.slow

SLOW_MS = 120_000


class Person:
    """Adds jobs, presses the buttons of the view and waits for what comes of it."""

    def __init__(self, session: Session, desk: JobDesk, view: JobView, qtbot: QtBot) -> None:
        self.session, self.desk, self.view, self.qtbot = session, desk, view, qtbot
        self.failures: list[str] = []
        desk.failed.connect(lambda what, _: self.failures.append(what))

    def until(self, seen: Callable[[], object]) -> None:
        """Wait, and let the window go on."""
        self.qtbot.waitUntil(lambda: bool(self.failures or seen()), timeout=SLOW_MS)
        assert self.failures == []

    def add(self, model: Path) -> None:
        """Queue a model file, with the settings that the sheet shows."""
        jobs = self.session.window.aids.jobs
        count = len(self.view.jobs)
        jobs.ask_of_model(model)
        assert jobs.sheet is not None and jobs.sheet.target_box is not None
        jobs.sheet.target_box.setEditText("cpu")
        jobs.sheet.start_button.click()
        self.until(lambda: len(self.view.jobs) == count + 1)

    def titles(self) -> list[str]:
        """The queue as it is shown."""
        return [job.title for job in self.view.jobs]

    def state(self, title: str) -> JobState:
        """What a job does."""
        return next(job.state for job in self.view.jobs if job.title == title)

    def mark(self, title: str) -> None:
        """Choose a job's row."""
        self.view.select(next(job.id for job in self.view.jobs if job.title == title))


@pytest.fixture
def person(qtbot: QtBot, tmp_path: Path) -> Iterator[Person]:
    host = Host()
    desk = JobDesk(lambda: JobQueue(host, tmp_path / "jobs.queue"))
    session = Session(lambda: Engine(host), Settings(memory=True), Alone(desk))
    session.window.complete = lambda: None  # type: ignore[method-assign]
    view = session.window.aids.jobs.make_view()
    qtbot.addWidget(session.window)
    qtbot.addWidget(view)
    session.begin()
    desk.open()
    session.commands.keep(replace(QUICK, budget=Budget(trials=4), finalists=1))
    view.show()
    yield Person(session, desk, view, qtbot)
    view.close()
    session.window.close_now()
    session.end()
    desk.close()


@pytest.mark.long
def test_two_jobs_are_queued_reordered_paused_and_finished(person: Person, tmp_path: Path) -> None:
    view = person.view
    for name in ("first", "second"):
        person.add(save(conv_relu_model(), tmp_path / f"{name}.onnx"))
    person.mark("second")
    QTest.keyClick(view.table, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    person.until(lambda: person.titles() == ["second", "first"])
    person.mark("first")
    view.bar.pause.click()
    person.until(lambda: view.jobs[1].paused)

    view.bar.run.click()
    person.until(lambda: person.state("second") is JobState.RUNNING)
    assert person.state("first") is JobState.WAITING
    view.bar.pause.click()
    person.until(lambda: {job.state for job in view.jobs} == {JobState.FINISHED})
    person.until(lambda: not person.desk.running)

    kinds = {span.kind for span in view.resources.store.spans}
    assert {"search", "build", "measurement"} <= kinds and not view.resources.store.running
    for job in view.jobs:
        assert job.best_s and job.progress == 1.0
        with Project.open(Path(job.project), read_only=True) as project:
            assert project.snapshot().trials
