"""The guided first run: which step is next, and the note that points at it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from widgets.window.guide import STEPS, Guide, Situation
from widgets.window.guide_bubble import GuideBubble, beside

NOTHING = Situation()
OPEN = Situation(is_open=True)
RUNNING = Situation(is_open=True, was_run=True, is_running=True)
OVER = Situation(is_open=True, was_run=True)
EXPORTED = Situation(is_open=True, was_run=True, exports=1)


def at(guide: Guide) -> str:
    return guide.step.id if guide.step else ""


def test_each_step_ends_when_it_is_done(qtbot: QtBot) -> None:
    guide = Guide()
    ends: list[bool] = []
    guide.ended.connect(ends.append)
    guide.begin(NOTHING)
    seen = [at(guide)]
    for now in (OPEN, RUNNING):
        guide.follow(now)
        seen.append(at(guide))
    guide.next(RUNNING)
    seen.append(at(guide))
    for now in (OVER, EXPORTED):
        guide.follow(now)
        seen.append(at(guide))
    assert seen == ["open", "start", "watch", "end", "export", "done"]
    guide.next(EXPORTED)
    assert (at(guide), ends) == ("", [True])


def test_what_is_done_already_is_skipped(qtbot: QtBot) -> None:
    guide = Guide()
    guide.begin(OVER)
    assert at(guide) == "export"
    guide.begin(EXPORTED)  # an export of before does not count
    assert at(guide) == "export"


def test_a_run_that_ends_while_one_watches_leads_on_to_the_export(qtbot: QtBot) -> None:
    guide = Guide()
    guide.begin(RUNNING)
    assert at(guide) == "watch"
    guide.follow(OVER)
    assert at(guide) == "export"


def test_closing_the_project_leads_back_to_the_first_step(qtbot: QtBot) -> None:
    guide = Guide()
    guide.begin(RUNNING)
    guide.follow(NOTHING)
    assert at(guide) == "open"


def test_it_can_be_left_at_any_step(qtbot: QtBot) -> None:
    for now in (NOTHING, OPEN, RUNNING, OVER):
        guide = Guide()
        ends: list[bool] = []
        guide.ended.connect(ends.append)
        guide.begin(now)
        guide.leave()
        guide.follow(EXPORTED)
        assert (at(guide), ends) == ("", [False])


boxes = st.builds(
    QRect,
    st.integers(0, 900),
    st.integers(0, 500),
    st.integers(1, 900),
    st.integers(1, 500),
)


@given(control=boxes)
def test_a_note_stands_inside_the_window_and_off_the_control_where_there_is_room(
    control: QRect,
) -> None:
    room, size = QRect(0, 0, 1024, 640), QSize(300, 120)
    control = control.intersected(room)
    note = QRect(beside(control, size, room), size)
    assert room.contains(note)
    spare = max(control.top(), room.bottom() - control.bottom()) >= 140
    assert not (spare and note.intersects(control))


@pytest.fixture
def host(qtbot: QtBot) -> QWidget:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(800, 600)
    return window


def test_the_note_points_at_a_control_and_moves_with_it(host: QWidget) -> None:
    button = QPushButton("Start", host)
    button.move(40, 40)
    bubble = GuideBubble(host)
    host.show()
    bubble.show_step(STEPS[1], 2, button)
    assert bubble.points_at is button
    first = bubble.pos()
    button.move(400, 300)
    assert bubble.pos() - first == QPoint(360, 260)
    button.hide()
    assert bubble.points_at is None
    assert not bubble.isHidden()
    bubble.put_away()
    assert bubble.isHidden()


def test_a_control_that_is_gone_leaves_the_note_standing(host: QWidget) -> None:
    button = QPushButton("Start", host)
    bubble = GuideBubble(host)
    host.show()
    bubble.show_step(STEPS[1], 2, button)
    button.setParent(None)
    button.deleteLater()
    del button
    host.resize(700, 500)
    bubble.place()
    assert not bubble.isHidden()


def test_only_steps_that_a_person_ends_have_a_button_for_it(host: QWidget) -> None:
    bubble = GuideBubble(host)
    for number, step in enumerate(STEPS, 1):
        bubble.show_step(step, number, None)
        assert bubble.next_button.isHidden() == (not step.next_text)
        assert bubble.leave_button.isHidden() == (number == len(STEPS))
