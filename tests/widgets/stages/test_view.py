"""The Stages view: the schedule to scale, its search live, one selection."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from engine.history.open_project import OpenProject
from engine.records.events import (
    Progress,
    RunChanged,
    ScheduleFound,
    StageSearch,
    TrialDone,
)
from engine.records.schedule import IosOptions
from engine.records.settings import RunState
from engine.records.snapshot import Hardware, Snapshot
from tests.feeding import begin, feed
from tests.samples import make_trial
from tests.stage_data import DEVICE, FOUND_AT, branched_snapshot, find
from widgets.look.task_colors import TaskColors
from widgets.look.theme import apply_theme
from widgets.parts.notice import NO_MODEL
from widgets.stages.layout import END, FINDING, STOP, Part
from widgets.stages.sheet import StageSheet
from widgets.stages.view import NO_SCHEDULE, REPLAYED, SEARCHING, UNTUNED, StageView

LEFT, NO_KEY = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
PLAIN = branched_snapshot(searched=False)
FOUND, LOOKS = find(PLAIN)
PROJECT = replace(PLAIN, schedule=FOUND)
STATE, BEST = LOOKS[-1].state, LOOKS[-1].best
GOING = replace(STATE, seconds=72.0, seconds_left=228.0)


@pytest.fixture
def view(qtbot: QtBot) -> Iterator[StageView]:
    """A view of 1000 x 640, without a project."""
    made = StageView(OpenProject())
    qtbot.addWidget(made)
    made.resize(1000, 640)
    made.allow_find(True)
    made.show()
    yield made
    made.close()


@pytest.fixture
def picked(view: StageView) -> list[object]:
    """The operators that the view says a person picked."""
    heard: list[object] = []
    view.operators_picked.connect(heard.append)
    return heard


def show(view: StageView, snapshot: Snapshot = PROJECT) -> None:
    begin(view, snapshot)
    QApplication.processEvents()


def click(view: StageView, at: QPointF) -> None:
    QTest.mouseClick(view.timeline, LEFT, NO_KEY, at.toPoint())


def wheel(view: StageView, at: QPointF, turned: QPoint) -> None:
    event = QWheelEvent(
        at, view.timeline.mapToGlobal(at), QPoint(), turned, Qt.MouseButton.NoButton, NO_KEY,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(view.timeline, event)


def merged_operators() -> frozenset[int]:
    stages = FOUND.schedule.stages
    return next(stage.operators for stage in stages if stage.strategy.value == "merge")


# What is missing


def test_empty_states_say_the_next_step(view: StageView) -> None:
    wanted: list[bool] = []
    view.find_wanted.connect(lambda: wanted.append(True))
    notice = view.notice
    show(view, replace(PLAIN, tasks=(), operators=()))
    assert (notice.label.text(), notice.button.isVisible()) == (NO_MODEL, False)
    show(view, replace(PLAIN, path=""))
    assert (notice.label.text(), notice.button.isVisible()) == (REPLAYED, False)
    show(view, replace(PLAIN, trials=()))
    assert notice.label.text() == f"{NO_SCHEDULE} {UNTUNED}"
    show(view, PLAIN)
    assert notice.label.text() == NO_SCHEDULE
    QTest.mouseClick(notice.button, LEFT)
    assert wanted == [True]
    view.allow_find(False)
    assert not notice.button.isEnabled()


# The search live


def test_a_search_is_followed_to_its_schedule(view: StageView) -> None:
    show(view, PLAIN)
    view.show_searching(True)
    assert view.progress.isVisible()
    assert view.notice.label.text() == SEARCHING
    assert not view.notice.button.isVisible()
    feed(view, [Progress("Compiling the model")])
    assert view.progress.sentence.text() == "Compiling the model …"
    feed(view, [Progress(""), StageSearch(GOING, BEST)])
    assert view.progress.sentence.text() == FINDING
    facts = view.progress.facts()
    assert facts["Time"] == "1:12, 3:48 left"
    assert facts["Stages measured"].startswith(f"{GOING.measured} of at most ")
    assert "stages" in view.progress.findChildren(QLabel)[1].toolTip()
    assert view.progress.bar.value() == 240
    feed(view, [ScheduleFound(FOUND), StageSearch(STATE, BEST, running=False)])
    assert not view.progress.isVisible()
    assert view.parts.sentence.text().startswith("IOS, both: ")
    assert view.timeline.isVisible()


def test_stop_is_asked_for_and_then_the_end_at_once(view: StageView) -> None:
    asked: list[bool] = []
    view.stop_wanted.connect(lambda: asked.append(True))
    show(view, PLAIN)
    feed(view, [StageSearch(GOING, BEST)])
    button = view.progress.stop_button
    assert button.text() == STOP
    QTest.mouseClick(button, LEFT)
    assert button.text() == END
    QTest.mouseClick(button, LEFT)
    assert asked == [True, True]
    feed(view, [StageSearch(STATE, None, running=False)])
    assert view.notice.button.isVisible()
    view.show_searching(True)
    assert button.text() == STOP


def test_what_comes_while_it_is_hidden_is_there_when_it_is_shown(view: StageView) -> None:
    view.hide()
    show(view, PLAIN)
    feed(view, [StageSearch(GOING, BEST), ScheduleFound(FOUND)])
    feed(view, [StageSearch(STATE, BEST, running=False)])
    assert view.parts.sentence.text() == ""
    view.show()
    assert view.parts.sentence.text()


def test_live_and_reopened_it_is_the_same(view: StageView, qtbot: QtBot) -> None:
    show(view)
    live = StageView(OpenProject())
    qtbot.addWidget(live)
    live.show()
    show(live, PLAIN)
    feed(live, [ScheduleFound(FOUND)])
    assert live.parts.sentence.text() == view.parts.sentence.text()
    assert live.timeline.places.timeline == view.timeline.places.timeline


def test_another_project_forgets_the_search_of_the_one_before(view: StageView) -> None:
    show(view, PLAIN)
    feed(view, [StageSearch(GOING, BEST)])
    show(view, replace(PLAIN, path="/nowhere/other.tune"))
    assert not view.progress.isVisible()


# The timeline


def test_both_programs_are_drawn_to_one_scale(view: StageView) -> None:
    show(view)
    scales = []
    for operator in (0, PLAIN.operators[-1].id):  # alone in their stages
        for sequential in (False, True):
            rect = view.timeline.rect_of(operator, sequential)
            scales.append(FOUND.alone_s[operator] / (rect.width() + 1))
    assert max(scales) == pytest.approx(min(scales), rel=0.02)


def test_a_click_on_a_bar_picks_its_operators(view: StageView, picked: list[object]) -> None:
    show(view)
    merged = merged_operators()
    click(view, view.timeline.rect_of(min(merged)).center())
    assert picked == [merged]
    click(view, view.timeline.rect_of(0, sequential=True).center())
    assert picked[-1] == frozenset({0})
    assert view.timeline.selected == {0}


def test_a_click_on_a_latency_picks_the_stage_and_beside_it_nothing(
    view: StageView, picked: list[object]
) -> None:
    show(view)
    places = view.timeline.places
    column = next(c for c in places.timeline.columns if len(c.stage.groups) > 1)
    click(view, view.timeline.head_of(column.place).center())
    click(view, QPointF(view.timeline.width() - 20, places.bottom - 4))
    assert picked == [column.stage.operators, frozenset()]


def test_a_selection_made_elsewhere_is_accented_and_not_answered(
    view: StageView, picked: list[object]
) -> None:
    show(view)
    view.select_task(3)
    assert view.timeline.selected == {o.id for o in PLAIN.operators if o.task == 3}
    view.select_operators(frozenset({4}))
    assert view.timeline.selected == {4}
    view.select_task(None)
    assert view.timeline.selected == frozenset()
    assert picked == []


def test_a_zoom_never_moves_by_itself_and_goes_with_zero(view: StageView) -> None:
    show(view)
    whole = view.timeline.range
    wheel(view, QPointF(400.0, 20.0), QPoint(0, 240))
    close = view.timeline.range
    assert close[1] - close[0] == pytest.approx((whole[1] - whole[0]) / 2)
    last = PLAIN.operators[-1].id
    view.select_operators(frozenset({last}))
    shorter, _ = find(PLAIN, IosOptions(r=1, s=2))
    feed(view, [StageSearch(GOING, BEST), ScheduleFound(shorter)])
    show(view, replace(PROJECT, elapsed_s=9.0))
    assert view.timeline.range == close
    wheel(view, QPointF(400.0, 20.0), QPoint(-120, 0))
    moved = view.timeline.range
    assert moved[0] > close[0]
    QTest.keyClick(view.timeline, Qt.Key.Key_0)
    assert view.timeline.range == whole
    wheel(view, QPointF(400.0, 20.0), QPoint(0, 240))
    show(view, replace(PROJECT, path="/nowhere/other.tune"))
    assert view.timeline.range == whole


def test_a_drag_moves_and_picks_nothing(view: StageView, picked: list[object]) -> None:
    show(view)
    wheel(view, QPointF(500.0, 20.0), QPoint(0, 480))
    low, _ = view.timeline.range
    at = QPoint(500, 100)
    QTest.mousePress(view.timeline, LEFT, NO_KEY, at)
    QTest.mouseMove(view.timeline, at - QPoint(60, 0))
    QTest.mouseRelease(view.timeline, LEFT, NO_KEY, at - QPoint(60, 0))
    assert view.timeline.range[0] > low
    assert picked == []
    QTest.mouseDClick(view.timeline, LEFT, NO_KEY, at)
    assert view.timeline.range[0] == 0.0


def test_the_pointer_is_told_of_bars_and_of_stages(view: StageView) -> None:
    show(view)
    QTest.mouseMove(view.timeline, view.timeline.rect_of(0).center().toPoint())
    text = view.timeline.readout.text()
    assert text.startswith("fused_conv2d_add_relu #0  40.00 us alone\nstage 1 of ")
    column = next(c for c in view.timeline.places.timeline.columns if len(c.stage.groups) > 1)
    QTest.mouseMove(view.timeline, view.timeline.head_of(column.place).center().toPoint())
    assert "groups side by side\ntakes " in view.timeline.readout.text()
    QTest.mouseMove(view.timeline, QPoint(4, 4))
    assert view.timeline.readout.text() == ""


def test_keys_go_from_bar_to_bar_and_enter_takes_the_stage(
    view: StageView, picked: list[object]
) -> None:
    show(view)
    timeline, bars = view.timeline, view.timeline.places.timeline.bars
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Left, Qt.Key.Key_End):
        QTest.keyClick(timeline, key)
    assert picked == [frozenset(bars[place].operators) for place in (0, 1, 0, -1)]
    QTest.keyClick(timeline, Qt.Key.Key_Home)
    QTest.keyClick(timeline, Qt.Key.Key_Down)
    QTest.keyClick(timeline, Qt.Key.Key_Down)
    QTest.keyClick(timeline, Qt.Key.Key_Return)
    assert picked[-1] == FOUND.schedule.stages[2].operators
    assert "stage 3 of " in timeline.accessibleDescription()
    QTest.keyClick(timeline, Qt.Key.Key_Up)
    assert picked[-1] == FOUND.schedule.stages[1].operators
    QTest.keyClick(timeline, Qt.Key.Key_Escape)
    assert picked[-1] == frozenset()


def test_merged_bars_are_hatched_so_that_colour_is_not_all(view: StageView) -> None:
    show(view)
    image = view.timeline.grab().toImage()

    def colours(operator: int) -> set[str]:
        rect = view.timeline.rect_of(operator).toAlignedRect().adjusted(3, 3, -3, -3)
        xs, ys = range(rect.left(), rect.right()), range(rect.top(), rect.bottom())
        return {image.pixelColor(x, y).name() for x in xs for y in ys}

    last = PLAIN.operators[-2].id  # a concatenation by itself, too narrow for its name
    assert len(colours(min(merged_operators()))) > 1
    assert len(colours(last)) == 1


@pytest.mark.parametrize("name", ["light", "dark"])
def test_it_is_drawn_in_both_themes(view: StageView, qapp: QApplication, name: str) -> None:
    apply_theme(qapp, "light" if name == "light" else "dark")
    try:
        show(view)
        rect = view.timeline.rect_of(0, sequential=True)
        shown = (
            view.timeline.grab().toImage().pixelColor(rect.bottomLeft().toPoint() + QPoint(3, -4))
        )
        assert shown == TaskColors(PLAIN.tasks).of(0)
    finally:
        apply_theme(qapp, "light")


# The rest


def test_the_ways_are_listed_with_their_speed(view: StageView) -> None:
    show(view)
    keys = [column.key for column in view.model.columns]
    rows = [
        [str(view.model.index(row, keys.index(key)).data()) for key in ("way", "chosen", "speed")]
        for row in range(view.model.rowCount())
    ]
    assert ["Sequential", "", "1.00x"] in rows
    assert [row[0] for row in rows if row[1]] == ["IOS, both"]
    assert len(rows) == len(FOUND.ways)


def test_a_schedule_for_another_device_or_other_kernels_warns(view: StageView) -> None:
    show(view)
    assert not view.parts.stale.isVisible()
    show(view, replace(PROJECT, hardware=Hardware("{}", "cpu znver4 x2", is_cpu=True)))
    assert view.parts.stale.text() == (
        f"▲ It was measured on {DEVICE}, not on cpu znver4 x2. Find stages again."
    )
    show(view, replace(PROJECT, target="another", hardware=Hardware("{}")))
    assert not view.parts.stale.isVisible()  # an architecture is no device
    show(view)
    better = replace(make_trial(99, 3, 1e-6), at=FOUND_AT + 5)
    feed(view, [TrialDone(better), RunChanged(2, RunState.FINISHED)])
    assert view.parts.stale.text() == (
        "▲ Since then other kernels are best: conv2d3_add_relu. Find stages again."
    )
    worse = replace(make_trial(99, 3, 1.0), at=FOUND_AT + 5)
    show(view, replace(PROJECT, trials=(*PLAIN.trials, worse)))
    assert not view.parts.stale.isVisible()


def test_the_trade_off_has_a_curve_for_each_s_and_tells_of_each_point(view: StageView) -> None:
    show(view)
    plot = view.plot
    assert sorted({point.s for point in FOUND.tradeoffs}) == [1, 2, 4, 8]
    assert sorted(plot.labels()) == ["s = 1", "s = 2", "s = 4 to 8"]
    assert sum(plot.is_searched(place) for place in range(len(plot.points))) == 1
    place = len(plot.points) - 1
    QTest.mouseMove(plot.viewport(), plot.place_of(place).toPoint())
    assert "to measure" in plot.readout.text()
    QTest.keyClick(plot, Qt.Key.Key_Right)
    assert "at most 1 operators a group" in plot.accessibleDescription()


def test_a_schedule_without_ways_or_limits_is_shown_alone(view: StageView) -> None:
    show(view, replace(PROJECT, schedule=replace(FOUND, ways=(), tradeoffs=())))
    assert view.timeline.isVisible()
    assert not view.table.isVisible()


@pytest.mark.parametrize("size", [(556, 236), (900, 390), (1200, 560), (1600, 900)])
def test_the_timeline_has_room_at_any_size(view: StageView, size: tuple[int, int]) -> None:
    show(view)
    view.resize(*size)
    QApplication.processEvents()
    assert view.timeline.visibleRegion().boundingRect().height() >= 100
    assert view.table.isVisible() == (size[1] >= 400)


def test_a_low_view_shows_one_part_at_a_time(view: StageView) -> None:
    show(view)
    view.resize(700, 300)
    for part, widget in ((Part.WAYS, view.table), (Part.TRADEOFF, view.plot)):
        view.parts.choose(part)
        QApplication.processEvents()
        assert widget.isVisible()
        assert not view.timeline.isVisible()
    view.parts.choose(Part.TIMELINE)
    assert view.timeline.isVisible()


def test_parts_have_names_for_those_who_cannot_see_them(view: StageView) -> None:
    show(view)
    assert view.accessibleName() == "Stages"
    assert view.timeline.accessibleName() == "Stages over time"
    assert view.table.accessibleName() == "Ways to schedule"
    assert view.plot.accessibleName() == "Latency by the limits r and s"
    assert view.progress.accessibleName() == "Search for stages"


# The sheet


def test_the_sheet_asks_for_the_limits_and_says_how_large_the_search_is(qtbot: QtBot) -> None:
    sheet = StageSheet(OpenProject(PLAIN))
    qtbot.addWidget(sheet)
    sheet.show()
    qtbot.waitUntil(lambda: dict(sheet.costs.facts())["Operators"] == "29")
    assert sheet.options() == IosOptions()
    sheet.form.controls["r"].set_value(0)
    sheet.form.controls["seconds"].set_value(0.0)
    assert sheet.options().r == 1
    assert sheet.options().seconds == pytest.approx(1.0, abs=0.1)
    sheet.form.controls["strategies"].set_value("merge")
    with qtbot.waitSignal(sheet.started) as heard:
        sheet.start_button.click()
    assert heard.args[0].strategies == "merge"
    assert not sheet.isVisible()


def test_the_sheet_offers_the_limits_of_the_last_search(qtbot: QtBot) -> None:
    last = replace(FOUND, options=IosOptions(2, 4, "parallel", 60.0))
    sheet = StageSheet(OpenProject(replace(PLAIN, schedule=last, trials=())))
    qtbot.addWidget(sheet)
    assert sheet.options() == last.options
    assert not sheet.note.isHidden()
    sheet.close()
