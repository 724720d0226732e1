"""Notes of one kind do not pile up, and leave with their project."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from tests.clipping import clipped_texts
from widgets.parts.message_bar import MARGIN, MessageBar


def shown(bar: MessageBar) -> list[str]:
    return [row.what for row in bar.rows()]


def test_a_note_takes_the_place_of_the_last_one_of_its_kind(qtbot: QtBot) -> None:
    bar = MessageBar()
    qtbot.addWidget(bar)
    bar.show_message("info", "Share is finished.", kind="end")
    bar.show_message("warning", "A run was slow.")
    bar.show_message("info", "Droplet is finished.", kind="end")
    assert shown(bar) == ["Droplet is finished.", "A run was slow."]
    bar.show_message("info", "Droplet is finished.", kind="end")
    assert bar.rows()[0].count == 1


def test_what_was_said_of_a_project_leaves_with_it_and_errors_stay(qtbot: QtBot) -> None:
    bar = MessageBar()
    qtbot.addWidget(bar)
    bar.show_message("error", "The file cannot be read.")
    bar.show_message("info", "Exported to /x.", kind="export")
    bar.leave_project()
    assert shown(bar) == ["The file cannot be read."]


@pytest.fixture
def ground(qtbot: QtBot) -> QWidget:
    """What messages lie over, on screen."""
    made = QWidget()
    qtbot.addWidget(made)
    made.resize(600, 300)
    made.show()
    return made


LONG = "What happened takes some more words than one line has room for, whatever it was. " * 3


@pytest.mark.parametrize("size", [(600, 300), (300, 400), (1800, 900)])
def test_messages_lie_over_the_lower_edge_and_are_as_large_as_their_texts(
    ground: QWidget, size: tuple[int, int]
) -> None:
    bar = MessageBar()
    bar.lie_over(ground)
    assert not bar.isVisible()
    bar.show_message("error", "Short.")
    QApplication.processEvents()
    high = bar.height()
    bar.show_message("error", LONG)
    ground.resize(*size)
    QApplication.processEvents()
    assert ground.rect().contains(bar.geometry()) and bar.height() > high
    assert bar.geometry().bottom() == ground.rect().bottom() - MARGIN
    assert clipped_texts(ground) == []
    bar.dismiss(LONG)
    QApplication.processEvents()
    assert bar.height() == high or size[0] < 600
    bar.clear()
    QApplication.processEvents()
    assert not bar.isVisible()


def passed(bar: MessageBar) -> list[str]:
    """What is left when the time of notes has passed."""
    for row in bar.rows():
        timer = row.findChild(QTimer)
        assert timer is not None
        if timer.isActive():
            timer.timeout.emit()
    return shown(bar)


def test_notes_leave_by_themselves_and_what_asks_for_something_stays(ground: QWidget) -> None:
    bar = MessageBar()
    bar.lie_over(ground)
    press = "Press", lambda: None
    bar.show_message("info", "A note.")
    assert passed(bar) == []
    bar.show_message("error", "An error.")
    bar.show_message("warning", "A warning.")
    bar.show_message("info", "A question.", action=press)
    assert len(passed(bar)) == 3
    bar.clear()
    bar.show_message("info", "A place to look at.", look=press)
    assert len(passed(bar)) == 1


def test_a_note_stays_while_the_keyboard_is_in_it(ground: QWidget, qtbot: QtBot) -> None:
    bar, other = MessageBar(), QLineEdit(ground)
    other.show()
    bar.lie_over(ground)
    bar.show_message("info", "A note.")
    ground.activateWindow()
    button = bar.rows()[0].copy_button
    button.setFocus()
    qtbot.waitUntil(button.hasFocus)
    assert len(passed(bar)) == 1
    other.setFocus()
    assert passed(bar) == []
