"""Notes of one kind do not pile up, and leave with their project."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from widgets.parts.message_bar import MessageBar


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
