"""What stands below the window: settings, bridge, crash log, document."""

from __future__ import annotations

import logging
import sys
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QByteArray, QSettings
from pytestqt.qtbot import QtBot

from app.document.document import Document
from app.process.bridge import Bridge
from app.process.crash_log import CrashLog
from app.process.settings import Settings
from engine.jobs.event_queue import EventQueue
from engine.records.events import (
    ExportDone,
    Message,
    ModelMeasured,
    ProjectOpened,
    ProjectSaved,
    RunChanged,
    TrialDone,
)
from engine.records.settings import RunState
from engine.records.trial import Measured
from tests.samples import make_trial, run_begins, squeezenet_like_snapshot

# Settings


@pytest.mark.parametrize(
    "value", [True, False, 0, 7, 1.5, "a, b; c", "", ["x", "y"], {"k": [1, None]}]
)
def test_a_setting_keeps_its_type_between_processes(tmp_path: Path, value: Any) -> None:
    file = str(tmp_path / "settings.ini")
    first = Settings(QSettings(file, QSettings.Format.IniFormat))
    first.set("group/key", value)
    del first
    again = Settings(QSettings(file, QSettings.Format.IniFormat)).get("group/key", value)
    assert again == value
    assert type(again) is type(value)


def test_a_setting_of_another_type_gives_the_default() -> None:
    settings = Settings(memory=True)
    settings.set("key", "text")
    assert settings.get("key", 3) == 3
    settings.set("number", 3)
    assert settings.get("number", 1.0) == 3.0
    assert settings.get("flag", True) is True


def test_a_spoilt_settings_file_gives_defaults(tmp_path: Path) -> None:
    file = tmp_path / "settings.ini"
    file.write_text("[General]\nkey=@Variant(\\0\nwindow={oops\n")
    settings = Settings(QSettings(str(file), QSettings.Format.IniFormat))
    assert settings.get("window", "default") == "default"
    assert settings.get_bytes("window").isEmpty()


def test_bytes_come_back() -> None:
    settings = Settings(memory=True)
    settings.set_bytes("state", QByteArray(b"\x00\xff\x10"))
    assert settings.get_bytes("state") == QByteArray(b"\x00\xff\x10")
    settings.remove("state")
    assert settings.get_bytes("state").isEmpty()


# Bridge


def test_a_tick_hands_over_all_that_waits_in_one_batch(qtbot: QtBot) -> None:
    events = EventQueue()
    batches: list[list[Any]] = []
    bridge = Bridge(events)
    bridge.events.connect(batches.append)
    events.put(Message("info", "a"))
    events.put(Message("info", "b"))
    bridge.tick()
    bridge.tick()
    assert [[event.text for event in batch] for batch in batches] == [["a", "b"]]


def test_futures_are_answered_in_the_main_thread_after_their_events(qtbot: QtBot) -> None:
    events = EventQueue()
    heard: list[Any] = []
    bridge = Bridge(events)
    bridge.events.connect(lambda _: heard.append("event"))
    good: Future[int] = Future()
    bad: Future[int] = Future()
    gone: Future[int] = Future()
    for future in (good, bad, gone):
        bridge.watch(future, heard.append, lambda error: heard.append(str(error)))
    bridge.tick()
    assert heard == []
    events.put(Message("info", "a"))
    good.set_result(4)
    bad.set_exception(ValueError("no"))
    gone.cancel()
    bridge.tick()
    bridge.tick()
    assert heard == ["event", 4, "no"]


def test_an_answer_may_watch_another_future(qtbot: QtBot) -> None:
    bridge = Bridge(EventQueue())
    heard: list[Any] = []
    first: Future[int] = Future()
    second: Future[int] = Future()
    second.set_result(2)
    bridge.watch(first, lambda _: bridge.watch(second, heard.append))
    first.set_result(1)
    bridge.tick()
    bridge.tick()
    assert heard == [2]


def test_stopping_the_bridge_takes_in_the_last_words(qtbot: QtBot) -> None:
    events = EventQueue()
    batches: list[list[Any]] = []
    bridge = Bridge(events)
    bridge.events.connect(batches.append)
    bridge.start()
    events.put(Message("info", "last"))
    bridge.stop()
    assert len(batches) == 1


# Crash log


def test_errors_that_nobody_caught_are_logged_and_told_without_trace(tmp_path: Path) -> None:
    told: list[tuple[str, str]] = []
    log = CrashLog(tmp_path)
    log.open(lambda what, todo: told.append((what, todo)))
    try:
        error = ValueError("inner")
        sys.excepthook(ValueError, error, None)
    finally:
        log.close()
    assert "inner" in (tmp_path / "tunewright.log").read_text()
    assert "ValueError" in told[0][0]
    assert str(tmp_path) in told[0][1]


def test_a_state_folder_that_cannot_be_made_does_not_stop_the_window(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    hook = sys.excepthook
    log = CrashLog(tmp_path / "file" / "folder")
    log.open(lambda *_: None)
    log.close()
    assert sys.excepthook is hook
    assert logging.getLogger().handlers is not None


# Document


def test_events_before_an_opened_project_belong_to_the_one_before(qtbot: QtBot) -> None:
    document = Document()
    batches: list[list[Any]] = []
    document.batch.connect(batches.append)
    snapshot = squeezenet_like_snapshot(10)
    late = TrialDone(make_trial(11, 0, 1e-3))
    document.apply([TrialDone(make_trial(99, 0, 1e-3)), ProjectOpened(snapshot), late])
    assert batches == [[late]]
    assert document.project.history.trial_count == 11


def test_a_run_is_counted_by_its_own_trials_and_keeps_its_latency(qtbot: QtBot) -> None:
    document = Document()
    document.open(squeezenet_like_snapshot(10))
    document.apply([*run_begins(2)])
    document.apply([TrialDone(make_trial(n, 0, 1e-3, run=2)) for n in (11, 12, 12)])
    document.apply([ModelMeasured("ab", Measured(0.04), (2,))])
    document.apply([RunChanged(2, RunState.FINISHED, "budget")])
    run = document.head.runs[-1]
    assert (run.trials, run.tuned_latency_s, run.reason) == (2, 0.04, "budget")
    assert run.ended_at is not None


def test_the_scoreboard_of_a_reopened_project_needs_no_event(qtbot: QtBot) -> None:
    document = Document()
    snapshot = squeezenet_like_snapshot(300)
    run = replace(snapshot.runs[0], tuned_latency_s=0.02)
    document.open(replace(snapshot, runs=(run,)))
    assert document.scores is not None
    assert document.scores.figure.measured_s == 0.02
    assert document.scores.trials == 300
    assert document.scores.figure.untuned_s == snapshot.untuned_latency_s


def test_save_as_and_exports_are_told_once_a_batch(qtbot: QtBot) -> None:
    document = Document()
    told: list[Any] = []
    document.open(squeezenet_like_snapshot(0))
    document.project_changed.connect(lambda: told.append(document.path))
    document.apply([ProjectSaved("/new.tune"), ExportDone("/out", {}), ExportDone("/out2", {})])
    assert told == ["/new.tune"]
    assert [export.dir for export in document.head.exports] == ["/out", "/out2"]


def test_a_project_that_is_told_again_keeps_the_selection(qtbot: QtBot) -> None:
    document = Document()
    snapshot = squeezenet_like_snapshot(10)
    document.open(snapshot)
    document.select_trial(3)
    document.open(replace(snapshot, reference_latency_s=1.0))
    assert (document.trial, document.is_refresh) == (3, True)
    document.open(replace(snapshot, path="/other.tune"))
    assert (document.task, document.trial, document.is_refresh) == (None, None, False)


def test_selecting_what_is_selected_says_nothing(qtbot: QtBot) -> None:
    document = Document()
    told: list[Any] = []
    document.open(squeezenet_like_snapshot(10))
    document.selection_changed.connect(lambda: told.append(document.task))
    document.select_task(1)
    document.select_task(1)
    document.select_trial(1)
    document.select_trial(1)
    document.select_task(None)
    assert told == [1, 0, None]
