"""The allocation view: slots over time, the policy's terms, why this task now."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from engine.history.history import History
from engine.history.open_project import OpenProject
from engine.records.events import Event, RunChanged, SlotStarted, TaskChanged
from engine.records.settings import Budget, RunSettings, RunState
from engine.records.snapshot import SlotInfo
from engine.records.task import TaskState
from tests.feeding import begin, feed
from tests.replayed import folded, opened, replayed_events
from tests.samples import make_task, make_trial, squeezenet_like_snapshot
from widgets.allocation.series import Bar, cost_text, finish_after, named, task_condition
from widgets.allocation.view import COLUMNS, NO_SLOTS, AllocationView
from widgets.look.task_colors import TaskColors
from widgets.look.theme import apply_theme
from widgets.parts.notice import NO_MODEL

LEFT, NO_KEY = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
DYNATUNE = replayed_events()
PROJECT = folded(DYNATUNE)


@pytest.fixture
def view(qtbot: QtBot) -> Iterator[AllocationView]:
    """A view of 900 x 500, without a project."""
    made = AllocationView(OpenProject())
    qtbot.addWidget(made)
    made.resize(900, 500)
    made.show()
    yield made
    made.close()


@pytest.fixture
def picked(view: AllocationView) -> list[object]:
    """What the view says a person picked."""
    heard: list[object] = []
    view.task_picked.connect(heard.append)
    return heard


def place(view: AllocationView, number: int) -> QPoint:
    QApplication.processEvents()
    return view.timeline.rect_of(number).center().toPoint()


def cell(view: AllocationView, task: int, key: str) -> str:
    row = view.model.row_of(task)
    assert row is not None
    column = [column.key for column in COLUMNS].index(key)
    return str(view.model.index(row, column).data())


def shown_terms(view: AllocationView) -> set[str]:
    return {c.key for i, c in enumerate(COLUMNS) if not view.table.isColumnHidden(i)}


def test_empty_states_say_the_next_step(view: AllocationView) -> None:
    begin(view, replace(squeezenet_like_snapshot(), tasks=(), operators=()))
    assert (view.notice.isVisible(), view.notice.text()) == (True, NO_MODEL)
    begin(view, squeezenet_like_snapshot())
    assert (view.notice.isVisible(), view.notice.text()) == (True, NO_SLOTS)
    feed(view, [SlotStarted(SlotInfo(1, 1, 0, 0.0, "its turn"))])
    assert not view.notice.isVisible()
    assert view.why.text() == "Slot 1 goes to fused_conv2d_add_relu: its turn."


def test_why_this_task_is_one_sentence_with_names_for_numbers(view: AllocationView) -> None:
    begin(view, PROJECT)
    last = PROJECT.slots[-1]
    assert view.why.text().startswith(f"Slot {last.number} went to {PROJECT.tasks[last.task].name}")
    assert named("task 1 promises more, task 12", "t{}".format) == "t1 promises more, t12"


def test_the_cost_of_deciding_is_shown_where_it_is_known(view: AllocationView) -> None:
    begin(view, PROJECT)
    assert view.cost.text().startswith("The policy takes ")
    assert " % of the time" in view.cost.text()
    begin(view, folded(replayed_events("round-robin")))
    assert view.cost.isHidden()
    assert cost_text(None) == ""


def test_the_profile_says_what_the_slots_took_live_and_reopened(
    view: AllocationView, qtbot: QtBot
) -> None:
    begin(view, PROJECT)
    assert view.profile.isVisible()
    said = view.profile.accessibleName()
    for part in ("search", "build", "waiting", "measuring"):
        assert re.search(rf"\b{part} [\d.]+ \w+", said)
    live = AllocationView(OpenProject())
    qtbot.addWidget(live)
    live.show()
    begin(live, opened(DYNATUNE))
    feed(live, DYNATUNE)
    assert live.profile.accessibleName() == said
    begin(view, squeezenet_like_snapshot())
    feed(view, [SlotStarted(SlotInfo(1, 1, 0, 0.0, "its turn"))])
    assert not view.profile.isVisible()


def test_a_low_view_leaves_the_profile_s_legend_to_its_tip(view: AllocationView) -> None:
    begin(view, PROJECT)
    assert view.profile.legend.isVisible()
    view.resize(900, 240)
    assert not view.profile.legend.isVisible()
    assert "waiting" in view.profile.toolTip()


@pytest.mark.parametrize(
    ("policy", "has", "lacks"),
    [
        ("dynatune", {"gain_s", "spread_s", "bonus", "ucb"}, {"probability", "gradient_s"}),
        ("softmax", {"gain_s", "probability"}, {"ucb", "bonus", "gradient_s"}),
        ("ansor", {"gradient_s"}, {"ucb", "gain_s", "probability", "slot_s"}),
        ("round-robin", set(), {"ucb", "gain_s", "probability", "gradient_s", "slot_s"}),
    ],
)
def test_only_the_terms_that_the_policy_has_get_a_column(
    view: AllocationView, policy: str, has: set[str], lacks: set[str]
) -> None:
    begin(view, folded(replayed_events(policy)))
    assert shown_terms(view) & (has | lacks) == has
    assert {"name", "condition", "slots", "trials", "gained"} <= shown_terms(view)


def test_another_run_forgets_the_terms_of_the_one_before(view: AllocationView) -> None:
    begin(view, PROJECT)
    assert "ucb" in shown_terms(view)
    number = PROJECT.slots[-1].number + 1
    feed(view, [SlotStarted(SlotInfo(number, 2, 0, PROJECT.elapsed_s, "its turn"))])
    assert "ucb" not in shown_terms(view)


def test_live_and_reopened_the_table_is_the_same(view: AllocationView, qtbot: QtBot) -> None:
    begin(view, PROJECT)
    live = AllocationView(OpenProject())
    qtbot.addWidget(live)
    live.show()
    begin(live, opened(DYNATUNE))
    for event in DYNATUNE:
        feed(live, [event])
    for key in ("slots", "trials", "seconds", "gained", "ucb", "gain_s"):
        for task in PROJECT.tasks:
            assert cell(live, task.index, key) == cell(view, task.index, key)


def test_a_click_on_a_slot_selects_its_task(view: AllocationView, picked: list[object]) -> None:
    begin(view, PROJECT)
    slot = PROJECT.slots[6]
    QTest.mouseClick(view.timeline, LEFT, NO_KEY, place(view, slot.number))
    assert picked == [slot.task]
    assert view.table.selected() == slot.task


def test_a_drag_from_a_slot_moves_the_timeline_and_selects_nothing(
    view: AllocationView, picked: list[object]
) -> None:
    begin(view, PROJECT)
    timeline = view.timeline
    QTest.keyClick(timeline, Qt.Key.Key_Plus)
    start, before = place(view, PROJECT.slots[6].number), timeline.range[0]
    QTest.mousePress(timeline, LEFT, NO_KEY, start)
    for pixels in (30, 60):
        QTest.mouseMove(timeline, start + QPoint(pixels, 0))
    QTest.mouseRelease(timeline, LEFT, NO_KEY, start + QPoint(60, 0))
    assert timeline.range[0] < before and picked == []


def test_the_pointer_is_told_all_about_a_slot(view: AllocationView) -> None:
    begin(view, PROJECT)
    slot = PROJECT.slots[6]
    QTest.mouseMove(view.timeline, place(view, slot.number))
    text = view.timeline.readout.text()
    assert text.startswith(f"slot {slot.number}  {PROJECT.tasks[slot.task].name}")
    assert "trials" in text and "gained" in text and "expected to save" in text


def test_keys_go_from_slot_to_slot_and_escape_clears(
    view: AllocationView, picked: list[object]
) -> None:
    begin(view, PROJECT)
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Left, Qt.Key.Key_End):
        QTest.keyClick(view.timeline, key)
    numbers = [0, 1, 0, len(PROJECT.slots) - 1]
    assert picked == [PROJECT.slots[number].task for number in numbers]
    assert f"slot {PROJECT.slots[-1].number}" in view.timeline.accessibleDescription()
    QTest.keyClick(view.timeline, Qt.Key.Key_Escape)
    assert picked[-1] is None


def test_a_selection_made_elsewhere_is_not_answered(
    view: AllocationView, picked: list[object]
) -> None:
    begin(view, PROJECT)
    view.select_task(2)
    assert view.table.selected() == 2
    view.select_task(None)
    assert view.table.selected() is None
    assert picked == []


def test_a_zoom_stays_while_slots_come_and_goes_with_zero(view: AllocationView) -> None:
    begin(view, PROJECT)
    whole = view.timeline.range
    at = QPointF(450.0, 20.0)
    wheel = QWheelEvent(
        at, view.timeline.mapToGlobal(at), QPoint(), QPoint(0, 240), Qt.MouseButton.NoButton,
        NO_KEY, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(view.timeline, wheel)
    close = view.timeline.range
    assert close[1] - close[0] == pytest.approx((whole[1] - whole[0]) / 2)
    feed(view, [SlotStarted(SlotInfo(99, 1, 0, PROJECT.elapsed_s + 5, ""))])
    assert view.timeline.range == close
    QTest.keyClick(view.timeline, Qt.Key.Key_0)
    assert view.timeline.range[0] == 0.0
    assert view.timeline.range[1] > PROJECT.elapsed_s + 5


def test_slots_that_overlap_have_rows_and_the_view_is_high_enough(view: AllocationView) -> None:
    begin(view, PROJECT)
    assert view.timeline.rows == 2
    tops = {view.timeline.rect_of(slot.number).top() for slot in PROJECT.slots}
    assert len(tops) == 2
    assert view.timeline.height() >= 2 * 26


def test_rows_become_lower_where_there_is_no_room_and_the_axis_stays(view: AllocationView) -> None:
    timeline = view.timeline
    bars = [Bar(n, n, 1, n, 0.0, 9.0, f"task {n}", False) for n in range(14)]
    timeline.show_bars(bars, view.model.colors, 10.0)
    assert timeline.minimumHeight() <= 110
    timeline.resize(400, timeline.minimumHeight())
    places = [timeline.rect_of(bar.number) for bar in bars]
    assert all(low.bottom() <= high.top() for low, high in pairwise(places))
    assert places[-1].bottom() < timeline.height() - 20


def test_what_comes_while_it_is_hidden_is_there_when_it_is_shown(view: AllocationView) -> None:
    view.hide()
    begin(view, PROJECT)
    assert view.why.text() == ""
    view.show()
    assert view.why.text()


@pytest.mark.parametrize("name", ["light", "dark"])
def test_it_is_drawn_in_both_themes(view: AllocationView, qapp: QApplication, name: str) -> None:
    apply_theme(qapp, "light" if name == "light" else "dark")
    try:
        begin(view, PROJECT)
        QApplication.processEvents()
        image = view.grab().toImage()
        at = view.timeline.mapTo(view, place(view, PROJECT.slots[3].number))
        shown = image.pixelColor(at + QPoint(0, 10))
        assert shown == view.model.colors.of(PROJECT.slots[3].task)
    finally:
        apply_theme(qapp, "light")


# Who is finished, and why


def test_an_ended_task_says_what_the_engine_said(view: AllocationView) -> None:
    begin(view, replace(PROJECT, runs=()))
    feed(view, [TaskChanged(1, TaskState.FINISHED, "every schedule was tried")])
    assert cell(view, 1, "condition") == "finished: every schedule was tried"


def test_a_task_that_its_policy_left_says_for_how_long_it_brought_nothing() -> None:
    trials = tuple(make_trial(number, 0, 1e-3) for number in range(1, 8))
    history = History(replace(squeezenet_like_snapshot(), trials=trials))
    told = "finished: 6 trials without improvement"
    assert task_condition(history, 0, "", frozenset({0}), 0) == told
    assert task_condition(history, 0, "", frozenset(), 1) == "open"
    assert task_condition(history, 0, "", None, 6) == told
    assert task_condition(history, 0, "", None, 7) == "open"
    assert task_condition(history, 0, "", None, 0) == "open"


def test_a_task_with_a_slot_says_so(view: AllocationView) -> None:
    events: list[Event] = [
        RunChanged(1, RunState.RUNNING),
        SlotStarted(SlotInfo(1, 1, 2, 0.0)),
        TaskChanged(2, TaskState.SEARCHING),
    ]
    begin(view, replace(PROJECT, trials=(), slots=(), runs=()))
    feed(view, events)
    assert cell(view, 2, "condition") == "has a slot"
    assert cell(view, 0, "condition") == "open"


@pytest.mark.parametrize(
    ("policy", "options", "limit"),
    [
        ("dynatune", {}, 200), ("dynatune", {"finish_after": 30}, 30), ("round-robin", {}, 0),
        ("da-random", {}, 200), ("gone", {}, 0), ("dynatune", {"finish_after": "x"}, 0),
    ],
)  # fmt: skip
def test_the_limit_comes_from_the_runs_policy(
    policy: str, options: dict[str, object], limit: int
) -> None:
    assert finish_after(RunSettings(Budget(), policy, dict(options))) == limit


# Colours


def test_colours_do_not_change_while_a_model_is_tuned_and_differ_for_the_costliest() -> None:
    tasks = [make_task(i, f"t{i}", 1e-3 * (i + 1)) for i in range(20)]
    colors = TaskColors(tasks)
    costliest = [colors.of(task).name() for task in range(19, 11, -1)]
    assert len(set(costliest)) == 8
    assert len({colors.of(task).name() for task in range(20)}) == 20
    assert TaskColors(list(reversed(tasks))).of(3) == colors.of(3)
