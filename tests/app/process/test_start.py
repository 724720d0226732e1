"""The start screen, the guide, help and reports of the window over a fake engine."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from app.window.aids.guiding import DONE, KEY, LEFT, NEW, RUNNING
from app.window.aids.help_places import PAGES
from app.window.aids.report_paper import paper_document
from engine.project.glance import Glance, glance
from engine.records.events import ExportDone, ProjectOpened, RunChanged, TrialDone
from engine.records.settings import RunState
from engine.report.page import report
from engine.report.subject import subject_of
from tests.app.conftest import Console
from tests.engine.project.support import new_project
from tests.samples import make_trial, run_begins, squeezenet_like_snapshot
from widgets.window.help_pages import help_pages
from widgets.window.recent_list import MISSING, Recent, day_text, recent_text

OPENED = replace(squeezenet_like_snapshot(0), path="/somewhere/net.tune")
FACTS = Glance("net", "cpu znver4 x2", 8e-3, 2e-3, 90, 1.7e9, True, True, False, 4.0)


# Recent projects


def test_a_recent_project_is_told_with_model_target_latencies_and_day() -> None:
    text = recent_text(Recent("/a/net.tune", FACTS), 1.7e9 + 60)
    assert text == "net  ·  cpu znver4 x2  ·  8.00 ms → 2.00 ms (4.00x)  ·  today"
    untuned = replace(FACTS, now_s=8e-3, tuned=False)
    assert "8.00 ms untuned" in recent_text(Recent("/a/net.tune", untuned), 1.7e9)
    doubted = replace(FACTS, measured=False, disturbed=True)
    assert "(4.00x, estimate, disturbed)" in recent_text(Recent("/a/net.tune", doubted), 1.7e9)
    assert "not tuned yet" in recent_text(Recent("/a/b", replace(FACTS, now_s=None)), 1.7e9)
    assert recent_text(Recent("/a/net.tune", None, missing=True), 0.0).startswith(MISSING)


def test_days_have_names_while_they_are_near() -> None:
    noon = time.mktime((2026, 11, 28, 12, 0, 0, 0, 0, -1))
    assert day_text(noon - 3600, noon) == "today"
    assert day_text(noon - 86_400, noon) == "yesterday"
    assert day_text(noon - 2 * 86_400, noon) == "2026-11-26"
    assert day_text(1e300, noon) == ""


def test_a_glance_at_a_file_has_what_the_list_shows(tmp_path: Path) -> None:
    path = tmp_path / "net.tune"
    with new_project(path) as project:
        project.set_untuned(8e-3, {0: 1e-3, 1: 1e-3, 2: 1e-3})
        found = glance(path)  # while another writes it
    assert (found.model, found.target, found.untuned_s) == ("net", "cpu znver4 x2", 8e-3)
    assert (found.now_s, found.tuned) == (8e-3, False)
    assert Glance.from_dict(found.as_dict()) == found
    for odd in (None, 3, {}, {**found.as_dict(), "trials": "x"}, {**found.as_dict(), "now_s": "x"}):
        assert Glance.from_dict(odd) is None


def recent_rows(console: Console, qtbot: QtBot, *paths: Path) -> list[str]:
    console.settings.set("recent", [str(path) for path in paths])
    recents = console.window.aids.recents
    console.window.aids.show_recents()
    qtbot.waitUntil(lambda: not recents.busy)
    return [row.text_label.text() for row in console.window.welcome.recents.rows]


def test_recent_files_are_read_once_a_change_and_missing_ones_said(
    console: Console, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[Path] = []

    def counted(path: Path) -> Glance:
        read.append(path)
        return glance(path)

    monkeypatch.setattr("app.window.aids.recents.glance", counted)
    path, gone = tmp_path / "net.tune", tmp_path / "gone.tune"
    new_project(path).close()
    for _ in range(2):
        first, second = recent_rows(console, qtbot, path, gone)
        assert first.startswith("net  ·  cpu znver4 x2")
        assert second.startswith(MISSING)
    assert read == [path]
    os.utime(path, (1, 1))
    recent_rows(console, qtbot, path)
    assert read == [path, path]


def test_a_damaged_recent_file_is_a_name_and_no_more(
    console: Console, qtbot: QtBot, tmp_path: Path
) -> None:
    (tmp_path / "bad.tune").write_text("no project")
    (text,) = recent_rows(console, qtbot, tmp_path / "bad.tune")
    assert text == str(tmp_path)


def test_a_recent_project_is_opened_or_forgotten_by_a_press(
    console: Console, qtbot: QtBot, tmp_path: Path
) -> None:
    recent_rows(console, qtbot, tmp_path / "gone.tune")
    console.window.welcome.recents.rows[0].click()
    assert console.engine.calls[-1] == ("open_project", tmp_path / "gone.tune")
    console.window.welcome.recent_forgotten.emit(str(tmp_path / "gone.tune"))
    qtbot.waitUntil(lambda: not console.window.aids.recents.busy)
    assert console.commands.recent() == []
    assert console.window.welcome.recents.isHidden()


# The guide on the window


def guide_step(console: Console) -> str:
    step = console.window.aids.guiding.guide.step
    return step.id if step else ""


def pointed_at(console: Console) -> str:
    target = console.window.aids.guiding.bubble.points_at
    return target.accessibleName() if target else ""


def test_the_guide_leads_from_a_sample_to_an_export(console: Console, qtbot: QtBot) -> None:
    console.window.resize(1024, 640)  # all of these buttons are in sight from that on
    console.window.show()
    console.window.aids.guiding.offer()
    assert console.settings.get(KEY, NEW) == RUNNING
    assert (guide_step(console), pointed_at(console)) == ("open", "Open sample: SqueezeNet")
    console.tell(ProjectOpened(OPENED))
    assert (guide_step(console), pointed_at(console)) == ("start", "Start")
    console.tell(*run_begins(1))
    assert guide_step(console) == "watch"
    console.tell(TrialDone(make_trial(1, 0, 1e-4)))
    console.window.aids.guiding.bubble.next_button.click()
    assert (guide_step(console), pointed_at(console)) == ("end", "Stop")
    console.tell(RunChanged(1, RunState.STOPPED))
    assert guide_step(console) == "export"
    qtbot.waitUntil(lambda: pointed_at(console) == "Export")  # the bar is laid out anew
    console.tell(ExportDone("/out", {}))
    assert guide_step(console) == "done"
    console.window.aids.guiding.bubble.next_button.click()
    assert console.settings.get(KEY, NEW) == DONE
    console.window.aids.guiding.offer()
    assert guide_step(console) == ""


@pytest.mark.parametrize("step", ["open", "start", "watch", "end", "export", "done"])
def test_a_window_ends_while_the_guide_points_at_any_of_its_parts(
    console: Console, step: str
) -> None:
    window, guiding = console.window, console.window.aids.guiding
    window.resize(1024, 640)
    window.show()
    guiding.offer()
    if step != "open":
        console.tell(ProjectOpened(OPENED))
    if step not in ("open", "start"):
        console.tell(*run_begins(1), TrialDone(make_trial(1, 0, 1e-4)))
    if step not in ("open", "start", "watch"):
        guiding.bubble.next_button.click()
    if step in ("export", "done"):
        console.tell(RunChanged(1, RunState.STOPPED))
    if step == "done":
        console.tell(ExportDone("/out", {}))
    QTest.qWait(1)
    assert guide_step(console) == step  # and its fixture ends the window


def test_a_guide_that_was_left_stays_away_until_it_is_wanted(console: Console) -> None:
    console.do("tour")
    console.window.aids.guiding.bubble.leave_button.click()
    assert console.settings.get(KEY, NEW) == LEFT
    console.window.aids.guiding.offer()
    assert guide_step(console) == ""
    console.do("tour")
    assert guide_step(console) == "open"


def test_who_has_projects_is_not_led(console: Console) -> None:
    console.settings.set("recent", ["/a/net.tune"])
    console.window.aids.guiding.offer()
    assert guide_step(console) == ""


# Help


def test_f1_opens_the_page_of_the_part_that_has_the_keyboard(
    console: Console, qtbot: QtBot
) -> None:
    window = console.window
    console.tell(ProjectOpened(squeezenet_like_snapshot(30)))
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.console.go_to("tasks")
    QTest.keyClick(window, Qt.Key.Key_F1)
    helped = window.aids.help.window
    assert helped is not None
    assert (helped.browser.page, helped.browser.source().fragment()) == PAGES["tasks"]
    helped.hide()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.console.go_to("log")
    QTest.keyClick(window, Qt.Key.Key_F1)
    assert helped.browser.page == "troubleshooting"


def test_every_part_has_a_page_and_a_heading_that_exist() -> None:
    for place, (page, anchor) in PAGES.items():
        sections = help_pages()[page].sections
        assert anchor in ("", *(section.anchor for section in sections)), place


def test_a_link_to_the_outside_is_opened_only_after_a_yes(
    console: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[QUrl] = []
    monkeypatch.setattr("app.window.aids.help_window.QDesktopServices.openUrl", opened.append)
    console.do("help-contents")
    helped = console.window.aids.help.window
    assert helped is not None
    url = QUrl("https://example.org/page")
    helped.browser.follow(url)
    (box,) = helped.findChildren(QMessageBox)
    assert opened == []
    next(button for button in box.buttons() if button.text() == "Open").click()
    assert opened == [url]


# Reports


def test_a_report_is_written_in_the_background_and_offered(
    console: Console, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "net.tune"
    new_project(path).close()
    console.tell(ProjectOpened(replace(OPENED, path=str(path))))
    works = console.window.console.works
    with qtbot.waitSignal(works.ended) as ended:
        console.window.aids.reports.write(tmp_path / "net.html")
        assert [work.title for work in works.all()] == ["Writing the report"]
    assert ended.args[0].whole
    assert "<!DOCTYPE html>" in (tmp_path / "net.html").read_text()
    (row,) = console.window.console.messages.rows()
    assert row.action_button is not None


def test_a_report_that_cannot_be_written_says_so(
    console: Console, qtbot: QtBot, tmp_path: Path
) -> None:
    console.tell(ProjectOpened(replace(OPENED, path=str(tmp_path / "none.tune"))))
    with qtbot.waitSignal(console.window.console.works.ended) as ended:
        console.window.aids.reports.write(tmp_path / "net.html")
    assert not ended.args[0].whole
    assert [row.level for row in console.window.console.messages.rows()] == ["error"]


def test_a_replay_has_no_report(console: Console) -> None:
    console.tell(ProjectOpened(replace(OPENED, path="")))
    assert not console.enabled("report")
    assert not console.enabled("print-report")


def test_a_printed_report_has_the_text_and_its_curves_as_pictures(
    qtbot: QtBot, tmp_path: Path
) -> None:
    new_project(tmp_path / "net.tune").close()
    document = paper_document(report(subject_of(tmp_path / "net.tune")))
    text = document.toPlainText()
    assert "conv2d" in text
    assert "<svg" not in document.toHtml()


# Empty views


def test_an_empty_view_offers_the_action_that_is_the_next_step(
    console: Console, tmp_path: Path
) -> None:
    window = console.window
    window.complete()
    notice = window.aids.late.convergence.notice
    assert (notice.action, notice.button.isEnabled()) == ("open-model", True)
    console.tell(ProjectOpened(OPENED))
    window.show()
    for view, action in (("allocation", "start"), ("transfer", "transfer"), ("droplet", "start")):
        window.console.go_to(view)
        notice = getattr(window.aids.late, view).notice
        assert (notice.action, notice.button.isEnabled()) == (action, True)
    window.console.go_to("allocation")
    window.aids.late.allocation.notice.button.click()
    assert console.engine.names()[-1] == "start_run"
    assert not window.aids.late.allocation.notice.button.isEnabled()
