"""Several windows in one process, each with an engine and a project of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from PySide6.QtCore import Signal
from PySide6.QtGui import QCloseEvent, QPaintEvent
from PySide6.QtWidgets import QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from app.process.handing_over import Request
from app.process.session import Session
from app.process.settings import Settings
from app.process.windows import Windows
from app.window.siblings import Siblings
from tests.app.fake_engine import FakeEngine
from tests.app.window.drops import dropped

# Light stand-ins: a real console takes half a second to make


class Window(QWidget):
    """A window that closes when it is asked to, unless its run goes on."""

    first_painted, closed = Signal(), Signal()

    def __init__(self) -> None:
        super().__init__()
        self.running = False

    def paintEvent(self, event: QPaintEvent) -> None:
        self.first_painted.emit()

    def closeEvent(self, event: QCloseEvent) -> None:
        if self.running:
            event.ignore()
            return
        super().closeEvent(event)
        self.closed.emit()

    def close_now(self) -> None:
        self.running = False
        self.close()


class Light:
    """A session that only remembers."""

    def __init__(self) -> None:
        self.window, self.calls = Window(), list[Any]()
        self.begun = False
        self.left: Callable[[], None] | None = None
        self.document = SimpleNamespace(path="", failed=SimpleNamespace(emit=self._told))
        self.commands = SimpleNamespace(open_sample=self.calls.append, watch=self.calls.append)

    @property
    def is_free(self) -> bool:
        return self.begun and not self.document.path

    def _told(self, what: str, todo: str) -> None:
        self.calls.append(what)

    def begin(self, path: Path | None = None, sample: str | None = None, watched: str = "") -> None:
        self.begun = True
        if path or sample or watched:
            self.calls.append(path or sample or watched)
            self.document.path = str(path or sample or watched)

    def show_file(self, path: Path) -> None:
        self.calls.append(path)
        self.document.path = str(path)

    def leave(self, left: Callable[[], None]) -> None:
        self.left = left

    def end(self) -> None:
        self.calls.append("end")

    def deleteLater(self) -> None:
        pass


class Process:
    """All windows, and the sessions that were made for them."""

    def __init__(self) -> None:
        self.made = list[Light]()
        self.windows = Windows(self._make)

    def _make(self, windows: Siblings) -> Session:
        self.made.append(Light())
        return cast(Session, self.made[-1])

    def new(self, path: str = "") -> Light:
        self.windows.new()
        self.made[-1].begin(Path(path) if path else None)
        return self.made[-1]

    @property
    def open(self) -> list[Light]:
        return cast(list[Light], self.windows.sessions)


@pytest.fixture
def process(qtbot: QtBot) -> Iterator[Process]:
    made = Process()
    yield made
    made.windows.close_now()
    made.windows.end()


def test_a_file_is_shown_where_it_is_open_already(process: Process, tmp_path: Path) -> None:
    first = process.new(str(tmp_path / "net.tune"))
    process.new()
    found = process.windows.open(tmp_path / "folder" / ".." / "net.tune")
    assert cast(Light, found) is first and len(first.calls) == 1


def test_a_file_is_shown_in_a_window_without_a_project(process: Process) -> None:
    process.new("/a.tune")
    empty = process.new()
    process.windows.open(Path("/b.tune"))
    assert empty.calls == [Path("/b.tune")] and len(process.made) == 2


def test_where_every_window_has_a_project_a_new_one_is_made(process: Process, qtbot: QtBot) -> None:
    process.new("/a.tune")
    process.windows.open(Path("/b.onnx"))
    qtbot.waitUntil(lambda: process.made[1].begun)
    assert process.made[1].calls == [Path("/b.onnx")]
    assert process.made[1].window.pos() != process.made[0].window.pos()


def test_a_second_start_shows_its_file_its_sample_or_an_empty_window(process: Process) -> None:
    first = process.new("/a.tune")
    process.windows.take(Request())
    second = process.made[1]
    second.begin()
    process.windows.take(Request(sample="squeezenet"))
    second.document.path = "/squeezenet.tune"
    process.windows.take(Request(path="/a.tune"))
    assert (len(process.made), first.calls, second.calls) == (2, [Path("/a.tune")], ["squeezenet"])
    process.windows.take(Request(watched="ssh://rack/a.tune"))
    third = process.made[2]
    third.begin(watched="ssh://rack/a.tune")
    third.document.path = ""
    process.windows.take(Request(watched="ssh://rack/b.tune"))
    assert third.calls == ["ssh://rack/a.tune", "ssh://rack/b.tune"]


def test_a_closed_window_is_left_without_holding_up_the_others(
    process: Process, qtbot: QtBot
) -> None:
    first, second = process.new(), process.new()
    second.window.close()
    qtbot.waitUntil(lambda: second.left is not None)
    assert process.open == [first] and not second.calls
    assert second.left is not None
    second.left()
    process.windows.end()
    assert (first.calls, second.calls) == (["end"], [])


def test_what_is_still_being_left_ends_with_the_program(process: Process) -> None:
    process.new()
    second = process.new()
    second.window.close()
    process.windows.end()
    assert second.calls == ["end"]


def test_quitting_closes_all_windows_and_leaves_those_whose_run_goes_on(
    process: Process,
) -> None:
    process.new()
    second = process.new()
    second.window.running = True
    process.windows.close_all()
    assert process.open == [second] and second.window.isVisible()


def test_an_error_of_our_own_is_told_in_the_last_window_where_none_is_in_front(
    process: Process,
) -> None:
    process.new()
    second = process.new()
    process.windows.tell("It broke.", "See the log.")
    assert second.calls == ["It broke."]


# Real ones


def test_consoles_share_settings_and_take_files_wherever_they_are_dropped(
    qtbot: QtBot, tmp_path: Path
) -> None:
    engines, settings = list[FakeEngine](), Settings(memory=True)

    def engine() -> FakeEngine:
        engines.append(FakeEngine())
        return engines[-1]

    def make(windows: Siblings) -> Session:
        session = Session(engine, settings, windows)
        session.window.complete = lambda: None  # type: ignore[method-assign]
        return session

    windows = Windows(make)
    first = windows.new()
    qtbot.waitUntil(lambda: first.begun)
    window = first.window
    window.drops.watch_parts()
    line = window.findChildren(QLineEdit)[0]
    before = line.text()
    for widget in (window, line, window.console.panels["trials"]):
        assert dropped(widget, tmp_path / "a.tune")
        engines[0].answer("open_project")
        first.bridge.tick()
    assert engines[0].names().count("open_project") == 3 and line.text() == before
    assert not dropped(window, tmp_path / "a.txt")

    assert dropped(window, tmp_path / "a.onnx", tmp_path / "b.pt2")  # and a window for the second
    second = windows.sessions[1]
    qtbot.waitUntil(lambda: second.begun)
    assert [call[0] for call in engines[1].calls] == ["start", "open_model"]

    window.shortcuts.set("export", "Ctrl+Alt+E")
    assert second.window.console.actions["export"].shortcut().toString() == "Ctrl+Alt+E"
    first.commands.recent_files.remember("/a/net.tune")
    assert len(second.window.menus.recent_menu.actions()) == 4

    second.window.close_now()
    qtbot.waitUntil(lambda: "close_project" in engines[1].names())
    engines[1].answer("close_project")
    qtbot.waitUntil(lambda: engines[1].names()[-1] == "shutdown")
    assert "shutdown" not in engines[0].names()
    window.console.actions["quit"].trigger()
    windows.end()
    assert engines[0].names()[-1] == "shutdown"
