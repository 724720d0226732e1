"""A session that dies: what the next one finds of it, and what is recovered."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from app.process.crash_log import CrashLog, crash_report
from app.process.drafts import Draft, Drafts
from app.process.recovery import CRASHED, ENDED, PROJECT, SETTINGS, WISHES, CrashReport, Recovery
from engine.allocation.wishes import Wishes
from engine.records.events import ProjectOpened
from engine.records.settings import Budget
from tests.app.conftest import Console
from tests.samples import squeezenet_like_snapshot
from widgets.parts.message_bar import MessageRow

ROOT = Path(__file__).parents[3]
OPENED = replace(squeezenet_like_snapshot(20), path="/somewhere/net.tune")
# Opens a crash log, says that it is there, and dies as it is told.
SESSION = """
import ctypes, os, signal, sys
from pathlib import Path
from app.process.crash_log import CrashLog
log = CrashLog(Path(sys.argv[1]))
log.open(lambda *_: None)
print(log.name, flush=True)
def die_here():
    ctypes.string_at(0)
if sys.argv[2] == "crash beside TVM":
    import tvm
if sys.argv[2].startswith("crash"):
    die_here()
if sys.argv[2] == "wait":
    sys.stdin.read()
log.close()
"""


def session(folder: Path, end: str) -> subprocess.Popen[str]:
    """A process with a crash log, which has begun."""
    process = subprocess.Popen(
        [sys.executable, "-c", SESSION, str(folder), end],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline().strip() == str(process.pid)
    return process


def next_log(folder: Path) -> CrashLog:
    """What the next session finds."""
    log = CrashLog(folder)
    log.open(lambda *_: None)
    log.close()
    return log


@pytest.mark.parametrize("end", ["crash", "crash beside TVM"])
def test_a_crash_is_found_with_its_trace_at_the_next_start_only(tmp_path: Path, end: str) -> None:
    process = session(tmp_path, end)
    process.communicate()
    assert process.returncode == -signal.SIGSEGV
    found = next_log(tmp_path)
    assert not found.lives(str(process.pid))
    assert found.previous is not None
    assert "Segmentation fault" in found.previous.words
    assert "die_here" in found.previous.words
    assert next_log(tmp_path).previous is None


def test_a_session_that_lives_or_ended_well_is_no_crash(tmp_path: Path) -> None:
    session(tmp_path, "end").communicate()
    alive = session(tmp_path, "wait")
    found = next_log(tmp_path)
    assert found.previous is None
    assert found.lives(str(alive.pid))
    alive.send_signal(signal.SIGKILL)
    alive.communicate()
    found = next_log(tmp_path)
    assert found.previous is None
    assert not found.lives(str(alive.pid))


def test_the_report_has_versions_trace_and_log_and_no_home_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    session(tmp_path, "crash").communicate()
    (tmp_path / "tunewright.log").write_text(f"first\nwarning: {tmp_path}/model.onnx\n")
    found = next_log(tmp_path)
    assert found.previous is not None
    report = crash_report(found.previous, found.log)
    for words in ("Python 3", "PySide6", "Segmentation fault", "~/model.onnx"):
        assert words in report
    assert str(tmp_path) not in report


# Drafts


@pytest.fixture
def owner(qtbot: QtBot) -> QObject:
    return QObject()


NOTE = Draft("note", "a note", "/a.tune", "text")


def died(session: str) -> bool:
    return False


def test_drafts_are_kept_while_they_differ_from_what_is_saved(
    tmp_path: Path, owner: QObject
) -> None:
    now: list[Draft | None] = [NOTE]
    drafts = Drafts(tmp_path, "1", owner)
    drafts.watch(lambda: now[0])
    drafts.keep()
    before = (tmp_path / "drafts-1.json").stat().st_mtime_ns
    drafts.keep()  # nothing changed: nothing is written
    assert (tmp_path / "drafts-1.json").stat().st_mtime_ns == before
    now[0] = None
    drafts.keep()
    assert list(tmp_path.iterdir()) == []


def test_drafts_of_dead_sessions_outlive_any_number_of_crashes(
    tmp_path: Path, owner: QObject
) -> None:
    kept: list[Draft] = []
    for number in range(1, 6):
        kept.append(replace(NOTE, project=f"/{number}.tune"))
        drafts = Drafts(tmp_path, str(number), owner)
        assert drafts.adopt(died) == kept[:-1]
        drafts.watch(partial(kept.__getitem__, number - 1))
        drafts.keep()
        assert [path.name for path in tmp_path.iterdir()] == [f"drafts-{number}.json"]
    last = Drafts(tmp_path, "6", owner)
    assert last.adopt(died) == kept
    last.drop([kept[1], kept[3]])
    assert Drafts(tmp_path, "7", owner).adopt(died) == kept[::2]


def test_drafts_of_a_session_that_lives_are_left_to_it(tmp_path: Path, owner: QObject) -> None:
    drafts = Drafts(tmp_path, "1", owner)
    drafts.watch(lambda: NOTE)
    drafts.keep()
    assert Drafts(tmp_path, "2", owner).adopt(lambda session: session == "1") == []
    assert (tmp_path / "drafts-1.json").exists()


def test_a_session_finds_the_drafts_of_a_dead_one_of_its_own_number(
    tmp_path: Path, owner: QObject
) -> None:
    drafts = Drafts(tmp_path, "1", owner)
    drafts.watch(lambda: NOTE)
    drafts.keep()
    assert Drafts(tmp_path, "1", owner).adopt(lambda _: True) == [NOTE]


def test_an_end_without_a_decision_keeps_what_was_left_and_nothing_else(
    tmp_path: Path, owner: QObject
) -> None:
    first = Drafts(tmp_path, "1", owner)
    first.watch(lambda: NOTE)
    first.keep()
    second = Drafts(tmp_path, "2", owner)
    second.adopt(died)
    second.watch(lambda: replace(NOTE, project="/b.tune"))
    second.keep()
    second.close()
    third = Drafts(tmp_path, "3", owner)
    assert third.adopt(died) == [NOTE]
    third.drop([NOTE])
    third.close()
    assert list(tmp_path.iterdir()) == []


def test_drafts_that_cannot_be_adopted_stay_where_they_are(
    tmp_path: Path, owner: QObject, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = Drafts(tmp_path, "1", owner)
    first.watch(lambda: NOTE)
    first.keep()

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "full")

    with monkeypatch.context() as patch:
        patch.setattr("app.process.drafts.write_whole", full)
        assert Drafts(tmp_path, "2", owner).adopt(died) == [NOTE]
    assert Drafts(tmp_path, "3", owner).adopt(died) == [NOTE]


def test_an_orderly_end_leaves_no_drafts(tmp_path: Path, owner: QObject) -> None:
    drafts = Drafts(tmp_path, "1", owner)
    drafts.watch(lambda: NOTE)
    drafts.keep()
    assert list(tmp_path.iterdir())
    drafts.close()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[1]", '[{"kind": "x"}]', "null", '{"a": 1}', "[" * 100_000),
        '[{"kind": "x", "title": 3, "project": null, "value": 1}]',
    ],
)
def test_damaged_drafts_are_no_drafts(tmp_path: Path, owner: QObject, text: str) -> None:
    (tmp_path / "drafts-1.json").write_text(text)
    assert Drafts(tmp_path, "2", owner).adopt(died) == []
    assert list(tmp_path.iterdir()) == []


def test_a_source_that_is_gone_is_asked_no_more(tmp_path: Path, owner: QObject) -> None:
    asked = []

    def read() -> Draft | None:
        asked.append(1)
        raise RuntimeError("deleted")

    drafts = Drafts(tmp_path, "1", owner)
    drafts.watch(read)
    drafts.keep()
    drafts.keep()
    assert asked == [1]


# Recovery


@pytest.fixture
def log(tmp_path: Path) -> Iterator[CrashLog]:
    yield CrashLog(tmp_path)


def recovering(console: Console, log: CrashLog) -> Recovery:
    made = Recovery(console.window.aids, log)
    made.begin()
    return made


def leave(log: CrashLog, *drafts: Draft) -> None:
    """Drafts of a dead session."""
    rows = [
        {"kind": d.kind, "title": d.title, "project": d.project, "value": d.value} for d in drafts
    ]
    (log.folder / "drafts-7.json").write_text(json.dumps(rows))


def test_settings_and_wishes_that_no_run_has_are_kept_aside(
    console: Console, log: CrashLog
) -> None:
    recovery = recovering(console, log)
    console.tell(ProjectOpened(OPENED))
    console.document.set_wishes(Wishes(pinned=frozenset({2})))
    dialog = console.window.aids.dialogs.run_settings()
    changed = replace(console.commands.run_settings, budget=Budget(trials=77))
    dialog.show_settings(changed)
    recovery.drafts.keep()
    rows = json.loads((log.folder / f"drafts-{os.getpid()}.json").read_text())
    found = {row["kind"]: row["value"] for row in rows}
    assert set(found) == {SETTINGS, WISHES, PROJECT}
    assert found[SETTINGS]["budget"]["trials"] == 77
    assert found[WISHES]["pinned"] == [2]
    dialog.reject()
    recovery.drafts.keep()
    assert "77" not in (log.folder / f"drafts-{os.getpid()}.json").read_text()
    recovery.close()


def test_what_was_left_is_recovered_into_its_project_and_offered_no_more(
    console: Console, log: CrashLog
) -> None:
    settings = replace(console.commands.run_settings, budget=Budget(trials=88))
    wishes = Wishes(skipped=frozenset({1}))
    leave(
        log,
        Draft(SETTINGS, "run settings", "", settings.as_dict()),
        Draft(WISHES, "wishes", OPENED.path, wishes.as_dict()),
        Draft(PROJECT, "net.tune", OPENED.path, None),
    )
    recovery = recovering(console, log)
    (row,) = console.window.console.messages.rows()
    assert ENDED in row.text()
    assert "run settings, wishes, net.tune" in row.text()
    assert row.action_button is not None
    row.action_button.click()
    dialog = console.window.aids.dialogs.run_dialog
    assert dialog is not None
    assert dialog.settings().budget.trials == 88
    assert console.engine.calls[-1] == ("open_project", Path(OPENED.path))
    console.tell(ProjectOpened(OPENED))
    assert console.document.wishes == wishes
    dialog.reject()
    recovery.close()
    again = recovering(console, log)
    assert not console.window.console.messages.rows()
    again.close()


def lost() -> list[Draft]:
    """Edits of several projects."""
    return [
        draft
        for name in ("net", "b", "c")
        for path in [f"/somewhere/{name}.tune"]
        for draft in (
            Draft(WISHES, f"tasks of {name}", path, Wishes(skipped=frozenset({1})).as_dict()),
            Draft(PROJECT, f"{name}.tune", path, None),
        )
    ]


def offered(console: Console) -> MessageRow:
    (row,) = console.window.console.messages.rows()
    return row


@pytest.mark.parametrize("end", ["crash", "end", "dismiss"])
def test_what_is_undecided_is_offered_again(console: Console, log: CrashLog, end: str) -> None:
    leave(log, *lost())
    for _ in range(3):
        recovery = recovering(console, log)
        row = offered(console)
        assert all(draft.title in row.text() for draft in lost())
        recovery.drafts.keep()
        if end == "dismiss":
            row.dismiss_button.click()
        if end == "crash":
            recovery.deleteLater()  # its file stays
        else:
            recovery.close()
        console.window.console.messages.clear()
    assert log.folder.joinpath(f"drafts-{log.name}.json").exists()


def test_what_was_discarded_is_offered_no_more(console: Console, log: CrashLog) -> None:
    leave(log, *lost())
    recovering(console, log)  # and crashes
    row = offered(console)
    assert row.look_button is not None
    row.look_button.click()
    assert not console.window.console.messages.rows()
    recovering(console, log)
    assert not console.window.console.messages.rows()
    assert not list(log.folder.glob("drafts-*"))


def test_what_was_recovered_only_in_part_is_offered_again(console: Console, log: CrashLog) -> None:
    leave(log, *lost())
    recovery = recovering(console, log)
    row = offered(console)
    assert row.action_button is not None
    row.action_button.click()
    console.tell(ProjectOpened(OPENED))  # the others cannot be opened
    recovery.close()
    again = recovering(console, log)
    assert "net" not in offered(console).text()
    assert "tasks of b, b.tune, tasks of c, c.tune" in offered(console).text()
    again.close()


def test_a_crash_after_recovering_loses_no_edit(console: Console, log: CrashLog) -> None:
    leave(log, *lost()[:2])
    recovery = recovering(console, log)
    row = offered(console)
    assert row.action_button is not None
    row.action_button.click()
    assert log.folder.joinpath(f"drafts-{log.name}.json").exists()
    console.tell(ProjectOpened(OPENED))
    recovery.drafts.keep()
    recovery.deleteLater()  # it crashes
    recovering(console, log)
    assert "net.tune" in offered(console).text()


def test_drafts_that_make_no_sense_are_left_out(console: Console, log: CrashLog) -> None:
    leave(
        log,
        Draft(SETTINGS, "run settings", "", {"budget": 3}),
        Draft(WISHES, "wishes", OPENED.path, {"pinned": "x", "floors": 3}),
    )
    recovery = recovering(console, log)
    (row,) = console.window.console.messages.rows()
    assert row.action_button is not None
    row.action_button.click()
    console.tell(ProjectOpened(OPENED))
    assert console.document.wishes == Wishes()
    recovery.close()


def test_a_crash_is_told_with_its_report_to_copy(
    console: Console, tmp_path: Path, qtbot: QtBot
) -> None:
    session(tmp_path, "crash").communicate()
    found = next_log(tmp_path)
    recovery = recovering(console, found)
    (row,) = console.window.console.messages.rows()
    assert row.what == CRASHED
    assert row.action_button is not None
    row.action_button.click()
    (report,) = console.window.findChildren(CrashReport)
    report.copy_button.click()
    assert "Segmentation fault" in QGuiApplication.clipboard().text()
    report.close()
    recovery.close()
