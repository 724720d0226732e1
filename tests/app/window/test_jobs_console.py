"""The queue in a console: two jobs are added, moved, held and finished; what closing asks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog
from pytestqt.qtbot import QtBot

from app.process.handing_over import Request
from app.process.job_desk import JobDesk
from app.process.queue_watch import QueueEnd, QueueWatch, queue_sentence
from app.process.session import Session
from app.process.settings import Settings
from app.process.windows import Windows
from app.window.closing import CancelQuestion, JobsQuestion
from app.window.siblings import Siblings
from engine.records.events import ProjectOpened
from engine.records.job import JobState
from engine.records.machine import TargetSpec
from engine.records.settings import Budget
from tests.app.conftest import Console
from tests.app.fake_engine import FakeEngine
from tests.app.fake_queue import FakeQueue
from tests.job_data import JOBS, spans, waiting
from tests.samples import run_begins, squeezenet_like_snapshot
from widgets.jobs.view import NO_QUEUE


class Desk:
    """A console with a queue that only keeps a list."""

    def __init__(self, qtbot: QtBot) -> None:
        self.queue = FakeQueue()
        self.desk = JobDesk(lambda: self.queue)
        self.console = Console(qtbot, desk=self.desk)
        self.window = self.console.window
        self.view = self.window.aids.jobs.make_view()
        qtbot.addWidget(self.view)
        self.desk.open()
        self.desk.tick()

    def order(self) -> list[int]:
        """The jobs as the view shows them."""
        self.desk.tick()
        return [job.id for job in self.view.jobs]

    def open_project(self) -> None:
        """Have a project in the window."""
        snapshot = replace(squeezenet_like_snapshot(), path="/m/net.tune", runs=())
        self.console.tell(ProjectOpened(snapshot))

    def dialogs(self, kind: type[QDialog]) -> list[Any]:
        """Those on show."""
        return [each for each in self.window.findChildren(kind) if not each.isHidden()]


@pytest.fixture
def desk(qtbot: QtBot) -> Iterator[Desk]:
    made = Desk(qtbot)
    yield made
    made.desk.close()
    made.view.close()
    made.window.close_now()
    made.console.session.end()


def test_two_jobs_are_added_reordered_held_and_finished(desk: Desk, tmp_path: Path) -> None:
    console, view = desk.console, desk.view
    for name in ("a.onnx", "b.onnx"):
        desk.window.aids.jobs.ask_of_model(tmp_path / name)
        sheet = desk.window.aids.jobs.sheet
        assert sheet is not None
        sheet.budget.set_value(Budget(trials=8))
        sheet.priority_box.setValue(1)
        sheet.start_button.click()
    assert desk.order() == [1, 2]
    job = desk.queue.jobs[0]
    assert (job.title, job.target, job.priority) == ("a", "auto", 1)
    assert job.settings.budget == Budget(trials=8)

    view.select(2)
    view.bar.up.click()
    assert desk.order() == [2, 1]
    view.bar.pause.click()
    desk.order()
    assert view.jobs[0].paused and view.bar.pause.text() == "Go on"
    view.bar.pause.click()
    console.do("run-jobs")
    desk.order()
    assert console.window.console.actions["run-jobs"].text() == "Hold &queue of jobs"
    for number in (2, 1):
        desk.queue.put(number, state=JobState.RUNNING, progress=0.5)
        desk.queue.span(*spans(2))
        desk.order()
        desk.queue.put(number, state=JobState.FINISHED, progress=1.0)
    desk.order()
    assert [job.state for job in view.jobs] == [JobState.FINISHED] * 2
    assert view.bar.summary.text() == "2 of 2 jobs have ended"
    called = [call[0] for call in desk.queue.calls]
    assert called == ["start", "add", "add", "reorder", "pause", "unpause", "run"]


def test_the_open_project_is_closed_here_before_it_is_queued(desk: Desk) -> None:
    console = desk.console
    assert console.enabled("add-model-job") and not console.enabled("add-job")
    desk.open_project()
    console.do("add-job")
    sheet = desk.window.aids.jobs.sheet
    assert sheet is not None and sheet.target_box is None
    sheet.start_button.click()
    assert not desk.queue.jobs and "close_project" in console.engine.names()
    console.engine.answer("close_project")
    console.tick()
    assert [job.project for job in desk.queue.jobs] == ["/m/net.tune"]
    assert not console.document.is_open


def test_a_project_whose_run_goes_on_cannot_be_queued(desk: Desk) -> None:
    desk.open_project()
    desk.console.tell(*run_begins(1))
    assert not desk.console.enabled("add-job") and not desk.view.bar.add_project.isEnabled()


def test_a_model_file_is_asked_for_and_a_sheet_that_is_cancelled_adds_nothing(
    desk: Desk, tmp_path: Path
) -> None:
    desk.console.do("add-model-job")
    (dialog,) = desk.dialogs(QFileDialog)
    dialog.fileSelected.emit(str(tmp_path / "net.onnx"))
    dialog.close()
    sheet = desk.window.aids.jobs.sheet
    assert sheet is not None and sheet.path == str(tmp_path / "net.onnx")
    sheet.reject()
    assert desk.window.aids.jobs.sheet is None and not desk.queue.jobs


def test_a_model_is_queued_in_a_precision_that_its_own_target_has(
    desk: Desk, tmp_path: Path
) -> None:
    engine = desk.console.engine
    gpu = TargetSpec('{"kind": "cuda", "arch": "sm_90"}', "cuda NVIDIA H200", "cuda:0", 8)
    desk.console.commands.precisions.wanted = "float16"
    (tmp_path / "net.onnx").write_bytes(b"")
    for target, found, precision in (("cpu", replace(gpu, device="cpu"), "float32"),
                                     ("cuda", gpu, "float16")):  # fmt: skip
        desk.window.aids.jobs.ask_of_model(tmp_path / "net.onnx")
        sheet = desk.window.aids.jobs.sheet
        assert sheet is not None and sheet.target_box is not None
        assert sheet.precision_box is not None
        sheet.target_box.setEditText(target)
        sheet.target_chosen.emit(target)
        assert engine.looked_at == target and not sheet.precision_box.isEnabled()
        engine.answer("look_at_target", found)
        desk.console.tick()
        assert (sheet.precision_box.isEnabled(), sheet.precision) == (found is gpu, precision)
        sheet.start_button.click()
        source = desk.queue.jobs[-1].source
        assert source is not None and source.get("precision", "float32") == precision


def test_cancelling_asks_where_work_is_under_way_and_only_there(desk: Desk) -> None:
    desk.queue.jobs = [*JOBS[:2], *waiting(4)[3:]]
    desk.queue.put(4)
    desk.order()
    desk.view.cancel_wanted.emit(4)
    assert desk.queue.calls[-1] == ("cancel", 4, JobState.CANCELLED)
    desk.view.cancel_wanted.emit(2)
    (question,) = desk.dialogs(CancelQuestion)
    assert desk.queue.calls[-1][1] == 4
    question.end_button.click()
    assert desk.queue.calls[-1] == ("cancel", 2, JobState.CANCELLED)


def test_what_the_queue_refuses_is_told_once(desk: Desk) -> None:
    told: list[str] = []
    desk.desk.failed.connect(lambda what, todo: told.append(what))
    desk.queue.jobs = [JOBS[1]]
    desk.view.remove_wanted.emit(2)
    desk.desk.tick()
    assert told == ["The job is under way."]


def test_without_a_project_the_jobs_are_the_only_page(desk: Desk) -> None:
    window = desk.window
    window.console.go_to("jobs")
    assert not window.console.workspace.isHidden() and window.welcome.isHidden()
    window.console.workspace.setCurrentWidget(window.console.workspace.pages["graph"])
    assert window.console.workspace.isHidden()
    window.console.go_to("jobs")
    desk.open_project()  # who opens one wants to see it
    assert window.console.workspace.currentWidget() is window.console.workspace.pages["graph"]


def test_a_window_over_a_recording_has_no_queue(console: Console, qtbot: QtBot) -> None:
    view = console.window.aids.jobs.make_view()
    qtbot.addWidget(view)
    assert view.notice.text() == NO_QUEUE
    assert not any(map(console.enabled, ("add-job", "add-model-job", "run-jobs")))
    assert not console.window.closing.ask_of_jobs()


# How it is run, and how it ends


def test_what_was_chosen_is_asked_of_the_queue_and_remembered() -> None:
    settings = Settings(memory=True)
    first, second = FakeQueue(), FakeQueue()
    desk = JobDesk(lambda: first, settings)
    desk.open()
    desk.set_policy("predictive")
    desk.set_limit(2)
    desk.close()
    assert first.calls == [("start",), ("set_policy", "predictive"), ("set_limit", 2)]
    later = JobDesk(lambda: second, settings)
    later.open()
    later.close()
    assert second.calls == first.calls and (later.policy, later.limit) == ("predictive", 2)
    settings.set("jobs.scheduling", "none such")
    settings.set("jobs.limit", 1000)
    assert (later.policy, later.limit) == ("interleaved", 64)


def test_the_end_of_a_queue_is_told_by_what_came_of_its_jobs() -> None:
    now = [0.0]
    watch = QueueWatch(lambda: now[0])
    old, *jobs = [replace(job, state=JobState.WAITING) for job in JOBS[:4]]
    old = replace(old, state=JobState.FINISHED)
    assert watch.look((old, *jobs), running=False) is None
    assert watch.look((old, *jobs), running=True) is None
    now[0] = 60.0
    done = [replace(job, state=JobState.FINISHED) for job in jobs]
    end = watch.look((old, *done), running=False)
    assert end == QueueEnd(3, 0, 0, 60.0) and queue_sentence(end) == "The queue is done: 3 jobs."
    assert watch.look((old, *done), running=False) is None

    watch.look((old, *jobs), running=True)
    end = watch.look((old, replace(jobs[0], state=JobState.FAILED), *jobs[1:]), running=False)
    assert end == QueueEnd(1, 1, 2, 0.0)
    said = "The queue has ended: 1 job, of which 1 failed; 2 did not run."
    assert queue_sentence(end) == said


def test_a_queue_that_a_person_stops_or_that_did_nothing_is_not_told() -> None:
    watch = QueueWatch()
    watch.look(JOBS, running=True)
    assert watch.look(JOBS, running=False) is None
    watch.look(JOBS, running=True)
    watch.stopped()
    done = [replace(job, state=JobState.CANCELLED) for job in JOBS]
    assert watch.look(done, running=False) is None


# The last window


class Process:
    """Windows that share a queue, as in the program."""

    def __init__(self) -> None:
        self.queue = FakeQueue(JOBS, running=True)
        self.quits: list[int] = []
        self.desk = JobDesk(lambda: self.queue)
        self.engines: list[FakeEngine] = []
        self.windows = Windows(self._make, desk=self.desk)
        self.windows.reachable = True
        self.session = self.windows.new()
        self.desk.open()
        self.desk.tick()

    def _make(self, windows: Siblings) -> Session:
        self.engines.append(FakeEngine())
        engine = self.engines[-1]
        session = Session(lambda: engine, Settings(memory=True), windows)
        session.window.complete = lambda: None  # type: ignore[method-assign]
        return session

    def question(self) -> JobsQuestion:
        """What the last window asks as it is closed."""
        self.session.window.close()
        found = self.session.window.findChildren(JobsQuestion)
        assert len(found) == 1
        return found[0]


@pytest.fixture
def process(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[Process]:
    made = Process()
    monkeypatch.setattr(QApplication, "quit", lambda *_: made.quits.append(1))
    qtbot.waitUntil(lambda: made.session.begun)
    yield made
    made.windows.close_now()
    made.windows.end()
    made.desk.close()
    QApplication.setQuitOnLastWindowClosed(True)


def test_the_queue_goes_on_without_a_window_and_a_later_start_shows_it(
    process: Process, qtbot: QtBot
) -> None:
    process.question().keep_button.click()
    qtbot.waitUntil(lambda: "close_project" in process.engines[0].names())
    process.engines[0].answer("close_project")
    qtbot.waitUntil(lambda: process.engines[0].names()[-1] == "shutdown")
    assert not process.windows.sessions and not process.queue.closed
    assert not QApplication.quitOnLastWindowClosed() and not process.quits

    process.windows.take(Request())
    second = process.windows.sessions[0]
    qtbot.waitUntil(lambda: second.begun)
    assert second.window.console.windows.desk is process.desk and second.window.isVisible()
    assert QApplication.quitOnLastWindowClosed()
    process.session = second


def test_without_a_window_the_process_ends_with_its_queue(process: Process, qtbot: QtBot) -> None:
    process.question().keep_button.click()
    qtbot.waitUntil(lambda: "close_project" in process.engines[0].names())
    process.engines[0].answer("close_project")
    qtbot.waitUntil(lambda: process.engines[0].names()[-1] == "shutdown")
    process.queue.running = False
    process.queue.put(1)
    process.desk.tick()
    assert process.quits


class Desktop:
    """Shows messages, which a person clicks at once where `clicks`."""

    def __init__(self, clicks: bool) -> None:
        self.told: list[str] = []
        self._clicks = clicks

    def tell(self, title: str, text: str, clicked: Callable[[], object]) -> bool:
        self.told.append(text)
        if self._clicks:
            clicked()
        return True


def test_a_queue_that_ends_is_told_in_the_window_and_on_the_desktop(process: Process) -> None:
    window = process.session.window
    window.aids.notifier.desktop = desktop = Desktop(clicks=True)
    window.isActiveWindow = lambda: False  # type: ignore[method-assign]
    process.desk.ended.emit(QueueEnd(3, 1, 0, 100.0))
    process.desk.ended.emit(QueueEnd(2, 0, 0, 1.0))  # short work is only told in the window
    assert desktop.told == ["The queue has ended: 3 jobs, of which 1 failed."]
    assert window.console.workspace.currentWidget() is window.console.workspace.pages["jobs"]
    shown = [row.text() for row in window.console.messages.rows()]
    assert shown == ["The queue is done: 2 jobs."]


def test_without_a_window_the_end_is_told_before_the_process_ends(
    process: Process, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.process.windows.MESSAGE_MS", 0)
    process.windows.desktop = desktop = Desktop(clicks=False)
    process.question().keep_button.click()
    qtbot.waitUntil(lambda: "close_project" in process.engines[0].names())
    process.engines[0].answer("close_project")
    qtbot.waitUntil(lambda: process.engines[0].names()[-1] == "shutdown")
    process.desk.ended.emit(QueueEnd(3, 0, 0, 100.0))
    process.queue.running = False
    process.queue.put(1)
    process.desk.tick()
    assert desktop.told == ["The queue is done: 3 jobs."] and not process.quits
    qtbot.waitUntil(lambda: bool(process.quits))


def test_stopping_closes_the_window_and_cancelling_keeps_it(process: Process) -> None:
    question = process.question()
    question.cancel_button.click()
    assert process.session.window.isVisible()
    process.session.window.close()
    process.session.window.findChildren(JobsQuestion)[-1].stop_button.click()
    assert not process.session.window.isVisible()


def test_only_the_last_window_asks_and_only_while_jobs_are_left(process: Process) -> None:
    second = process.windows.new()
    second.begin()
    assert not second.window.closing.ask_of_jobs()
    second.window.close_now()
    process.queue.jobs = [JOBS[0]]
    process.queue.put(1)
    process.desk.tick()
    assert not process.session.window.closing.ask_of_jobs()


def test_where_nobody_finds_the_process_again_the_window_is_only_minimised(
    process: Process,
) -> None:
    process.windows.reachable = False
    question = process.question()
    assert question.keep_button.text() == "Keep running, minimised"
    question.keep_button.click()
    assert process.session.window.isMinimized()
