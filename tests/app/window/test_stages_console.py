"""Finding stages, clicked through in the real window over a fake engine."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from engine.jobs.steps.steps import STEPS
from engine.records.errors import TuningError
from engine.records.events import Progress, ProjectOpened, RunChanged, ScheduleFound, StageSearch
from engine.records.schedule import IosOptions
from engine.records.settings import RunState
from engine.records.snapshot import Snapshot
from tests.app.conftest import Console
from tests.samples import run_begins
from tests.stage_data import branched_snapshot, find
from widgets.stages.layout import END
from widgets.stages.sheet import StageSheet

LEFT, NO_KEY = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
PLAIN = branched_snapshot(2, searched=False)
FOUND, LOOKS = find(PLAIN)
STATE = replace(LOOKS[-1].state, seconds=60.0, seconds_left=240.0)


@pytest.fixture
def opened(console: Console) -> Console:
    """A complete console on screen with a project that has no schedule."""
    console.window.complete()
    console.window.resize(1440, 900)  # room for the button
    console.window.show()
    console.tell(ProjectOpened(PLAIN))
    return console


def sheet_of(console: Console, snapshot: Snapshot = PLAIN) -> StageSheet:
    """Press the toolbar's button in this project."""
    if snapshot is not PLAIN:
        console.tell(ProjectOpened(snapshot))
    QTest.mouseClick(console.window.toolbar.button("stages"), LEFT)
    sheet = console.window.aids.stages.sheet
    assert sheet is not None
    return sheet


def searching(console: Console) -> Console:
    """A search that was asked for by the sheet and goes on."""
    QTest.mouseClick(sheet_of(console).start_button, LEFT)
    console.tell(StageSearch(STATE, LOOKS[-1].best))
    return console


def shown(console: Console) -> str:
    return str(console.window.aids.late.stages.parts.sentence.text())


# From the button to the schedule


def test_find_stages_is_clicked_and_the_schedule_is_shown(opened: Console) -> None:
    sheet = sheet_of(opened)
    assert sheet.isVisible() and not sheet.isModal()
    sheet.form.controls["r"].set_value(2)
    QTest.mouseClick(sheet.start_button, LEFT)
    assert opened.engine.calls[-1] == ("find_schedule", IosOptions(r=2))
    assert opened.window.aids.stages.sheet is None
    view = opened.window.aids.late.stages
    assert (
        opened.window.console.workspace.currentWidget()
        is opened.window.console.workspace.pages["stages"]
    )
    assert view.progress.isVisible()
    opened.tell(Progress("Compiling the model"))
    assert "Compiling" in opened.window.status.sentence.text()
    opened.tell(Progress(""), StageSearch(STATE, LOOKS[-1].best))
    opened.tell(ScheduleFound(FOUND), StageSearch(STATE, None, running=False))
    opened.engine.answer("find_schedule", FOUND)
    opened.tick()
    assert not view.progress.isVisible()
    assert shown(opened).startswith("IOS, both: ")
    assert view.timeline.isVisible()
    assert opened.document.head.schedule == FOUND
    assert opened.enabled("stages")


def test_the_empty_state_opens_the_sheet_too(opened: Console) -> None:
    opened.do("go-stages")
    notice = opened.window.aids.late.stages.notice
    assert notice.button.hasFocus()
    QTest.mouseClick(notice.button, LEFT)
    sheet = opened.window.aids.stages.sheet
    assert sheet is not None
    QTest.keyClick(sheet, Qt.Key.Key_Escape)
    assert opened.window.aids.stages.sheet is None


def test_while_it_searches_nothing_else_begins_and_the_status_bar_says_how_far(
    opened: Console,
) -> None:
    searching(opened)
    for action in ("stages", "start", "export", "open-model", "library"):
        assert not opened.enabled(action), action
    assert opened.enabled("stop")
    status = opened.window.status
    assert status.sentence.text().startswith("Finding stages: ")
    assert status.sentence.text().endswith("4:00 left")
    assert (status.bar.value(), status.bar.maximum()) == (200, 1000)


def test_stop_ends_the_search_from_the_view_and_from_the_toolbar(opened: Console) -> None:
    searching(opened)
    button = opened.window.aids.late.stages.progress.stop_button
    QTest.mouseClick(button, LEFT)
    assert button.text() == END
    opened.do("stop")
    assert opened.engine.names()[-2:] == ["stop", "stop"]


def test_a_search_that_fails_frees_the_window(opened: Console) -> None:
    searching(opened)
    opened.engine.refuse("find_schedule", TuningError("A kernel crashed.", "Search again."))
    opened.tick()
    (row,) = opened.window.console.messages.rows()
    assert row.what == "A kernel crashed."
    assert opened.enabled("stages")
    assert opened.window.aids.late.stages.notice.button.isEnabled()
    assert not opened.window.aids.late.stages.progress.isVisible()
    assert not opened.window.status.bar.isVisible()


def test_a_search_refused_at_once_leaves_no_strip(opened: Console) -> None:
    QTest.mouseClick(sheet_of(opened).start_button, LEFT)
    assert not opened.enabled("stages")
    opened.engine.refuse("find_schedule", TuningError("A run goes on.", "Stop it first."))
    opened.tick()
    assert opened.enabled("stages")
    assert not opened.window.aids.late.stages.progress.isVisible()


def test_it_is_not_offered_during_a_run_in_a_replay_or_without_a_project(
    console: Console,
) -> None:
    console.window.complete()
    assert not console.enabled("stages")
    console.tell(ProjectOpened(replace(PLAIN, path="")))
    assert not console.enabled("stages")
    console.tell(ProjectOpened(PLAIN))
    assert console.enabled("stages")
    console.tell(*run_begins(1))
    assert not console.enabled("stages")
    assert not console.window.aids.late.stages.notice.button.isEnabled()


def test_a_run_that_begins_while_the_sheet_is_open_bars_its_start(opened: Console) -> None:
    sheet = sheet_of(opened)
    opened.tell(*run_begins(1))
    assert not sheet.start_button.isEnabled()
    opened.tell(RunChanged(1, RunState.FINISHED))
    assert sheet.start_button.isEnabled()


def test_a_stored_schedule_is_there_when_its_project_is_opened(opened: Console) -> None:
    opened.do("go-stages")
    opened.tell(ProjectOpened(replace(PLAIN, path="/nowhere/other.tune", schedule=FOUND)))
    assert shown(opened).startswith("IOS, both: ")
    opened.do("close-project")
    opened.engine.answer("close_project")
    opened.tick()
    assert opened.document.head.schedule is None


def test_merged_operators_are_tuned_by_a_sheet_of_their_own(opened: Console) -> None:
    assert opened.enabled("merge") == ("merge" in STEPS)


# One selection


def test_a_stage_is_selected_in_the_graph_and_an_operator_of_the_graph_in_the_stages(
    opened: Console, qtbot: QtBot
) -> None:
    late, tasks = opened.window.aids.late, opened.window.views.tasks
    opened.tell(ProjectOpened(replace(PLAIN, schedule=FOUND)))
    qtbot.waitUntil(lambda: not late.pending())
    opened.do("go-stages")
    timeline = late.stages.timeline
    stage = next(s for s in FOUND.schedule.stages if len(s.groups) > 1)
    place = FOUND.schedule.stages.index(stage)
    QTest.mouseClick(timeline, LEFT, NO_KEY, timeline.head_of(place).center().toPoint())
    assert opened.document.operators == stage.operators
    assert {node.key for node in late.graph.scene.selected_nodes()} == stage.operators
    assert opened.document.task is None
    click(timeline, timeline.rect_of(0).center())
    assert opened.document.task == PLAIN.operators[0].task
    assert tasks.table.selected() == PLAIN.operators[0].task
    late.graph.canvas.picked.emit(3)
    same = {o.id for o in PLAIN.operators if o.task == PLAIN.operators[3].task}
    assert timeline.selected == same
    assert opened.document.operators == frozenset()


def click(timeline: object, at: QPointF) -> None:
    QTest.mouseClick(timeline, LEFT, NO_KEY, at.toPoint())  # type: ignore[call-overload]


def test_escape_clears_selected_operators_and_a_refresh_keeps_them(opened: Console) -> None:
    chosen = frozenset({1, 2})
    opened.document.select_operators(chosen)
    assert opened.enabled("clear-selection")
    opened.tell(ProjectOpened(replace(PLAIN, elapsed_s=1.0)))
    assert opened.document.operators == chosen
    assert opened.window.aids.late.stages.timeline.selected == chosen
    opened.do("clear-selection")
    assert opened.document.operators == frozenset()
    assert opened.window.aids.late.stages.timeline.selected == frozenset()
    assert not opened.enabled("clear-selection")


def test_operators_of_one_task_select_it_and_following_ends(opened: Console) -> None:
    opened.do("follow")
    same = frozenset(o.id for o in PLAIN.operators if o.task == 3)
    opened.window.aids.late.stages.operators_picked.emit(same)
    assert (opened.document.task, opened.document.operators) == (3, same)
    assert not opened.document.follow


# Around it


def test_the_window_with_stages_fits_a_small_screen(opened: Console) -> None:
    opened.tell(ProjectOpened(replace(PLAIN, schedule=FOUND)))
    opened.do("go-stages")
    smallest = opened.window.minimumSizeHint()
    assert smallest.width() <= 1024
    assert smallest.height() <= 640
