"""The Jobs view: the queue as a table, and the timeline of cores and devices below it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QDropEvent
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from engine.records.job import JobState
from engine.records.outstanding import Wait
from engine.scheduling.registry import SCHEDULING
from tests.job_data import BEGIN_S, JOBS, span, spans, waiting
from widgets.jobs.table import MIME, moved
from widgets.jobs.timeline import JobTimeline
from widgets.jobs.view import NO_JOBS, NO_QUEUE, JobView
from widgets.look.theme import apply_theme

LEFT = Qt.MouseButton.LeftButton
NO_KEY, ALT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.AltModifier
Key = Qt.Key


class Clock:
    """The clock of the spans, which stands until it is set."""

    now_s = BEGIN_S

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def view(qtbot: QtBot, clock: Clock) -> Iterator[JobView]:
    """A view of 1000 x 640 on a queue without jobs."""
    made = JobView(4, clock)
    qtbot.addWidget(made)
    made.resize(1000, 640)
    made.connect_queue(True)
    made.show()
    yield made
    made.close()


@pytest.fixture
def full(view: JobView, clock: Clock) -> JobView:
    """The same with jobs and what they ran."""
    clock.now_s = BEGIN_S + 110
    view.show_jobs(JOBS, running=True)
    view.put_spans(spans())
    QApplication.processEvents()
    return view


def heard(signal: Any) -> list[tuple[Any, ...]]:
    """What a signal carries from now on."""
    found: list[tuple[Any, ...]] = []
    signal.connect(lambda *values: found.append(values))
    return found


def texts(view: JobView, key: str) -> list[str]:
    place = [column.key for column in view.model.columns].index(key)
    return [view.model.index(row, place).data() for row in range(view.model.rowCount())]


def press(view: JobView, key: Qt.Key, modifier: Qt.KeyboardModifier = NO_KEY) -> None:
    QTest.keyClick(view.table, key, modifier)


def lane_point(timeline: JobTimeline, lane: int, at_s: float, row: int = 0) -> QPointF:
    """In the middle of a row of a lane, at a moment."""
    places = timeline.places
    rect = places.rect(lane, at_s, at_s, row, 1)
    return QPointF(places.x(at_s), rect.center().y())


# What is shown


def test_a_job_is_a_row_with_its_state_in_a_shape_and_a_word(full: JobView) -> None:
    QAbstractItemModelTester(full.model)
    assert texts(full, "state") == [
        "● finished", "▶ tuning", "◔ preparing", "▮▮ paused", "✕ failed",
    ]  # fmt: skip
    assert texts(full, "progress") == ["100 %", "42 %", "0 %", "–", "–"]
    assert texts(full, "best")[:2] == ["4.31 ms", "910 us"]
    assert texts(full, "gain")[:3] == ["2.98x", "3.74x", "–"]
    assert texts(full, "left")[1] == "5:48" and texts(full, "objective")[1] == "500 us"
    tip = full.model.index(4, 1).data(Qt.ItemDataRole.ToolTipRole)
    assert tip == "✕ failed: The model has a shape that nobody knows."


def test_without_a_queue_it_says_that_it_needs_the_engine(view: JobView) -> None:
    view.connect_queue(False)
    assert view.notice.isVisible() and view.notice.text() == NO_QUEUE
    assert not view.notice.button.isVisible() and view.first_part() is view


def test_an_empty_queue_offers_what_can_be_added(view: JobView) -> None:
    models, projects = heard(view.model_wanted), heard(view.project_wanted)
    assert view.notice.text() == NO_JOBS
    view.notice.button.click()
    view.allow_project(True)
    view.notice.button.click()
    assert (len(models), len(projects)) == (1, 1)
    view.show_jobs(waiting(1))
    assert not view.notice.isVisible() and view.first_part() is view.table


def test_a_selection_stays_on_its_job_when_others_come_and_go(full: JobView) -> None:
    full.select(3)
    full.show_jobs((JOBS[2], *waiting(2)), running=True)
    job = full.job()
    assert job is not None and job.id == 3


def test_jobs_keep_their_colours_and_have_those_of_the_theme(
    full: JobView, qapp: QApplication
) -> None:
    def color() -> str:
        return str(full.model.index(0, 2).data(Qt.ItemDataRole.DecorationRole).name())

    before = color()
    full.show_jobs(JOBS[:1])
    assert color() == before
    apply_theme(qapp, "dark")
    assert color() != before
    apply_theme(qapp, "light")


def test_a_job_that_waits_says_for_what_and_who_has_it_in_its_row(view: JobView) -> None:
    net, held = waiting(2)
    active = replace(held, state=JobState.RUNNING)
    cores = replace(active, wait=Wait(2, "", ("1", "window")), message="in English")
    view.show_jobs((net, cores), running=True)
    assert texts(view, "state")[1] == "◔ waits for 2 cores"
    assert texts(view, "said")[1] == "waits for 2 cores, held by net1, a window"
    tip = view.model.index(1, 1).data(Qt.ItemDataRole.ToolTipRole)
    assert tip.endswith("held by net1, a window")
    view.show_jobs((net, replace(active, wait=Wait(0, "cuda:0"))), running=True)
    assert texts(view, "said")[1] == "waits for cuda:0"
    view.show_jobs((net, replace(active, wait=Wait(0, "", ("1",)))), running=True)
    assert texts(view, "said")[1] == "waits for its turn, after net1"
    view.show_jobs((net, replace(cores, paused=True)), running=True)
    assert texts(view, "state")[1] == "▮▮ paused"


@pytest.mark.parametrize("name", ["²", "1_0", "+1", "٣", "9" * 5000])
def test_a_window_whose_project_is_named_almost_like_a_number_is_no_job(
    view: JobView, name: str
) -> None:
    waits = replace(waiting(2)[1], state=JobState.RUNNING, wait=Wait(2, "", (name,)))
    view.show_jobs((waits,), running=True)
    assert texts(view, "said") == ["waits for 2 cores, held by a window"]


# What a person does with jobs


def test_the_policy_can_be_chosen_while_the_queue_does_not_run(view: JobView) -> None:
    policies, limits = heard(view.policy_wanted), heard(view.limit_wanted)
    choices = view.bar.choices
    assert set(choices.policies) == set(SCHEDULING)
    view.show_jobs(waiting(1))
    choices.policies["parallel"].trigger()
    assert policies == [("parallel",)]
    assert "for comparison only" in choices.policies["parallel"].text()
    view.show_choices("parallel", 5)
    assert choices.policies["parallel"].isChecked() and choices.limits[5].isChecked()
    assert view.bar.summary.text().startswith("measurements are disturbed")
    assert "Side by side" in view.bar.run.toolTip() and "5 jobs" in view.bar.run.toolTip()

    for changes in ({"running": True}, {"elsewhere": True}):
        view.show_jobs(waiting(1), **changes)
        assert not any(action.isEnabled() for action in choices.policies.values())
        assert choices.reason.isVisible() and choices.reason.text()
        choices.limits[2].trigger()
    assert limits == [(2,), (2,)]
    view.show_jobs(waiting(1))
    assert choices.policies["predictive"].isEnabled() and not choices.reason.isVisible()


def test_buttons_can_do_what_the_state_of_the_job_allows(full: JobView) -> None:
    allowed = {}
    for job in JOBS:
        full.select(job.id)
        bar = full.bar
        buttons = (bar.pause, bar.cancel, bar.remove, bar.open)
        allowed[job.state, job.paused] = [button.isEnabled() for button in buttons]
    assert allowed == {
        (JobState.FINISHED, False): [False, False, True, True],
        (JobState.RUNNING, False): [True, True, False, False],
        (JobState.PREPARING, False): [True, True, False, False],
        (JobState.WAITING, True): [True, True, True, False],
        (JobState.FAILED, False): [False, False, True, True],
    }
    full.select(4)
    assert full.bar.pause.text() == "Go on"


def test_buttons_and_keys_ask_for_the_marked_job(view: JobView) -> None:
    view.show_jobs(waiting(3))
    orders, pauses = heard(view.order_wanted), heard(view.pause_wanted)
    removes, cancels = heard(view.remove_wanted), heard(view.cancel_wanted)
    press(view, Key.Key_Space)  # nothing is marked
    view.select(2)
    view.bar.down.click()
    press(view, Key.Key_Up, ALT)
    press(view, Key.Key_Space)
    view.bar.pause.click()
    press(view, Key.Key_Delete)
    view.bar.cancel.click()
    assert [order[0] for order in orders] == [[1, 3, 2], [2, 1, 3]]
    assert pauses == [(2, True), (2, True)]
    assert (removes, cancels) == ([(2,)], [(2,)])


def test_a_job_that_is_under_way_is_not_removed_by_a_key(full: JobView) -> None:
    removes = heard(full.remove_wanted)
    full.select(2)
    press(full, Key.Key_Delete)
    assert not removes


def test_only_jobs_of_one_priority_change_places(full: JobView) -> None:
    full.select(2)  # the only one of priority -1
    assert not full.bar.up.isEnabled() and not full.bar.down.isEnabled()


def test_a_row_that_is_dragged_takes_the_place_where_it_is_dropped(view: JobView) -> None:
    view.show_jobs(waiting(4))
    orders, table = heard(view.order_wanted), view.table

    def drop(job: int, y: int) -> bool:
        data = view.model.mimeData([view.model.index(job - 1, 0)])
        event = QDropEvent(QPointF(5, y), Qt.DropAction.MoveAction, data, LEFT, NO_KEY)
        event.source = lambda: table  # type: ignore[method-assign]  # only a real drag has one
        table.dropEvent(event)
        return event.isAccepted()

    height = table.rowHeight(0)
    assert drop(1, round(2.9 * height))
    assert drop(4, 2)
    assert drop(2, round(1.4 * height))  # where it is
    assert [order[0] for order in orders] == [[2, 3, 1, 4], [4, 1, 2, 3]]
    table.sortByColumn(2, Qt.SortOrder.AscendingOrder)
    assert not drop(1, 3 * height)


def test_what_is_dragged_from_elsewhere_is_left_to_the_window(view: JobView) -> None:
    data = QMimeData()
    data.setText("file:///net.onnx")
    event = QDropEvent(QPointF(5, 5), Qt.DropAction.CopyAction, data, LEFT, NO_KEY)
    view.table.dropEvent(event)
    assert not event.isAccepted() and MIME not in data.formats()


@pytest.mark.parametrize(
    ("job", "by", "order"),
    [(1, 1, [2, 1, 3]), (3, -2, [3, 1, 2]), (1, -1, [1, 2, 3]), (2, 9, [1, 3, 2])],
)
def test_a_move_ends_at_the_ends_of_the_list(job: int, by: int, order: list[int]) -> None:
    assert moved([1, 2, 3], job, by) == order


def test_the_menu_of_a_row_has_its_buttons_and_its_priority(full: JobView) -> None:
    priorities = heard(full.priority_wanted)
    full.select(3)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(5, 5), QPoint(5, 5))
    full.table.contextMenuEvent(event)
    menu = full.table.findChildren(QMenu)[0]
    assert [action.text() for action in menu.actions()][:4] == [
        "Pause", "Cancel", "Remove", "Open project",
    ]  # fmt: skip
    urgent = next(m for m in menu.findChildren(QMenu) if m.title() == "P&riority")
    urgent.actions()[0].trigger()
    assert priorities == [(3, -2)]
    menu.close()


def test_the_queue_is_run_held_and_stopped_by_its_button(view: JobView) -> None:
    runs, stops = heard(view.run_wanted), heard(view.stop_wanted)
    assert not view.bar.run.isEnabled()
    view.show_jobs(waiting(1))
    view.bar.run.click()
    view.show_jobs((replace(waiting(1)[0], state=JobState.RUNNING),), running=True)
    assert view.bar.run.text() == "Hold queue"
    view.bar.run.click()
    view.bar.stop.trigger()
    view.show_jobs(view.jobs, running=True, holding=True)
    assert view.bar.run.text() == "Run queue"
    assert (runs, stops) == ([(True,), (False,)], [()])


def test_a_queue_that_another_process_runs_is_not_run_here(view: JobView) -> None:
    view.show_jobs(waiting(1), elsewhere=True)
    assert not view.bar.run.isEnabled()
    assert view.bar.summary.text() == "Another Tunewright runs this queue."


def test_enter_opens_the_project_of_a_job_that_has_ended(full: JobView) -> None:
    opened = heard(full.open_wanted)
    for job in (2, 1):  # one that is written, one that has ended
        full.select(job)
        full.table.activated.emit(full.table.currentIndex())
    assert opened == [(1,)]


# The timeline


def test_it_follows_the_last_seconds_until_a_person_moves_it(full: JobView, clock: Clock) -> None:
    timeline, resources = full.timeline, full.resources
    clock.now_s = BEGIN_S + 600
    resources.tick()
    low, high = timeline.range
    assert timeline.follow and high > 600 and high - low == pytest.approx(120)
    QTest.keyClick(timeline, Key.Key_PageUp)
    seen = timeline.range
    assert not resources.follow.isChecked()
    clock.now_s = BEGIN_S + 900
    resources.tick()
    assert timeline.range == seen
    resources.follow.click()
    assert timeline.range[1] > 900 and resources.follow.isChecked()


def test_the_scroll_bar_goes_back_to_the_start(full: JobView, clock: Clock) -> None:
    clock.now_s = BEGIN_S + 600
    full.resources.tick()
    bar = full.resources.bar
    assert bar.value() == bar.maximum() > 0
    bar.setValue(0)
    assert full.timeline.range[0] == 0 and not full.timeline.follow
    full.resources.whole.click()
    assert full.timeline.range[0] == 0 and full.timeline.range[1] > 600
    assert not bar.isEnabled()


def test_time_stands_where_nothing_runs(full: JobView, clock: Clock) -> None:
    full.put_spans([replace(last, until_s=BEGIN_S + 110) for last in spans()[-2:]])
    full.show_jobs(JOBS[:1], running=False)
    clock.now_s = BEGIN_S + 500
    full.resources.tick()
    assert full.timeline.now_s == 110


def test_the_pointer_tells_a_stage_with_job_task_and_seconds(full: JobView) -> None:
    timeline = full.timeline
    text = timeline.text_at(lane_point(timeline, 0, 2.0))
    assert text == "mobilenet_v2\nsearch: fused_conv2d_add_relu\n4.20 s"
    measured = timeline.text_at(lane_point(timeline, 1, 5.8))
    assert measured.startswith("mobilenet_v2\nmeasurement")
    assert timeline.text_at(QPointF(5, 20)) == ""  # the lane's name


def test_the_pointer_tells_idle_time_with_its_cause(full: JobView, clock: Clock) -> None:
    timeline = full.timeline
    text = timeline.text_at(lane_point(timeline, 1, 3.0))
    assert text == "idle for 5.60 s\nNothing was ready to be measured. Meanwhile: 1 search."
    ended = [replace(last, until_s=BEGIN_S + 109) for last in spans()[-2:]]
    full.put_spans(ended)
    full.show_jobs([replace(job, paused=True) for job in JOBS], running=True)
    clock.now_s = BEGIN_S + 112
    full.resources.tick()
    now = timeline.text_at(lane_point(timeline, 0, 111.0))
    assert now.startswith("idle for") and now.endswith("so far\nAll jobs are paused.")


def test_work_that_is_no_jobs_is_told_as_such(view: JobView, clock: Clock) -> None:
    clock.now_s = BEGIN_S + 4
    view.put_spans([span(1, "build", 0, 4, job="")])
    QApplication.processEvents()
    assert view.timeline.text_at(lane_point(view.timeline, 0, 2.0)).startswith("not of the queue")


def test_a_bar_that_is_clicked_marks_its_job_and_a_row_its_bars(full: JobView) -> None:
    timeline = full.timeline
    at = lane_point(timeline, 0, 2.0).toPoint()
    QTest.mouseClick(timeline, LEFT, NO_KEY, at)
    job = full.job()
    assert job is not None and job.id == 2
    gap = lane_point(timeline, 1, 3.0).toPoint()
    QTest.mouseClick(timeline, LEFT, NO_KEY, gap)
    assert full.job() is None


def test_a_drag_moves_the_view_and_marks_nothing(full: JobView, clock: Clock) -> None:
    clock.now_s = BEGIN_S + 600
    full.resources.tick()
    timeline = full.timeline
    before = timeline.range[0]
    QTest.mousePress(timeline, LEFT, NO_KEY, QPoint(300, 20))
    QTest.mouseMove(timeline, QPoint(400, 20))
    QTest.mouseMove(timeline, QPoint(500, 20))
    QTest.mouseRelease(timeline, LEFT, NO_KEY, QPoint(500, 20))
    assert timeline.range[0] < before and full.job() is None


def test_keys_go_from_bar_to_bar_and_from_lane_to_lane(full: JobView) -> None:
    timeline = full.timeline
    said = []
    for key in (Key.Key_Home, Key.Key_Right, Key.Key_Down, Key.Key_End, Key.Key_Escape):
        QTest.keyClick(timeline, key)
        said.append(timeline.accessibleDescription().split(", ")[:2])
    assert said[0] == ["mobilenet_v2", "search: fused_conv2d_add_relu"]
    assert said[1] == ["mobilenet_v2", "build: fused_conv2d_add_relu"]
    assert said[3] == ["resnet18", "measurement: fused_conv2d_add_relu"]
    assert full.job() is None


def test_keys_do_nothing_where_nothing_has_run(view: JobView) -> None:
    view.show_jobs(waiting(1))
    for key in (Key.Key_Home, Key.Key_Left, Key.Key_Up, Key.Key_Plus, Key.Key_F):
        QTest.keyClick(view.timeline, key)
    assert view.timeline.accessibleDescription() == ""


@pytest.mark.parametrize("name", ["light", "dark", "contrast"])
def test_thousands_of_stages_are_drawn_in_every_theme(
    full: JobView, qapp: QApplication, name: Any
) -> None:
    apply_theme(qapp, name)
    many = [
        span(1000 + n, "build" if n % 3 else "measurement", n / 10, n / 10 + 0.2, job=n % 5)
        for n in range(8_000)
    ]
    full.put_spans(many)
    full.timeline.fit()
    assert not full.timeline.grab().isNull()
    apply_theme(qapp, "light")
