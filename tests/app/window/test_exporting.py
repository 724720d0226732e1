"""Copying and saving what has the keyboard, and going to trials, through the actions."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QFileDialog
from pytestqt.qtbot import QtBot

from app.window.exporting import NOTHING, copy_here, giver_of, save_here
from engine.records.events import ProjectOpened
from tests.app.conftest import Console
from tests.samples import squeezenet_like_snapshot
from widgets.parts.exporting import export_notifier
from widgets.tasks.trial_compare import TrialCompare

SNAPSHOT = squeezenet_like_snapshot(100)


@pytest.fixture
def shown(console: Console) -> Console:
    """A console on screen, with a project."""
    console.window.show()
    console.window.complete()
    console.tell(ProjectOpened(SNAPSHOT))
    return console


def test_the_action_copies_the_table_or_the_plot_that_has_the_keyboard(shown: Console) -> None:
    window = shown.window
    window.console.go_to("trials")
    shown.do("copy-here")
    assert QGuiApplication.clipboard().text().startswith("number,task,latency_s")
    window.console.go_to("tasks")
    shown.do("copy-here")
    assert QGuiApplication.clipboard().text().startswith("name,op_class,state")
    window.console.go_to("convergence")
    assert giver_of(window.console) is window.aids.late.convergence.plots.tools
    copy_here(window.console)
    assert not QGuiApplication.clipboard().image().isNull()


def test_the_filters_above_a_table_count_as_the_table(shown: Console) -> None:
    shown.window.console.go_to("trials")
    shown.window.views.trials.bar.text.setFocus()
    assert giver_of(shown.window.console) is shown.window.views.trials.table


def test_where_there_is_nothing_to_copy_it_says_what_to_do(console: Console) -> None:
    assert save_here(console.window.console) is None
    assert [row.what for row in console.window.console.messages.rows()] == [NOTHING]


def test_saving_asks_in_a_dialog_that_blocks_nothing_and_tells_the_end(
    shown: Console, tmp_path: Path, qtbot: QtBot
) -> None:
    shown.window.console.go_to("tasks")
    dialog = save_here(shown.window.console)
    assert isinstance(dialog, QFileDialog) and not dialog.isModal()
    with qtbot.waitSignal(export_notifier().saved):
        dialog.fileSelected.emit(str(tmp_path / "tasks.csv"))
    dialog.close()
    assert (tmp_path / "tasks.csv").read_text().startswith("name,")
    assert shown.window.console.messages.rows()[0].what == f"Saved as {tmp_path / 'tasks.csv'}."


def test_a_trial_is_gone_to_by_number_and_selected_everywhere(shown: Console, qtbot: QtBot) -> None:
    shown.do("go-trial")
    bar = shown.window.views.trials.bar
    assert bar.go.hasFocus()
    bar.go.setText("42")
    bar.go.returnPressed.emit()
    assert shown.document.trial == 42
    assert shown.window.views.inspector.title.text() == "Trial #42"


def test_two_marked_trials_are_compared_once_the_engine_has_compiled_them(
    shown: Console, qtbot: QtBot
) -> None:
    shown.do("compare-trials")
    assert shown.window.console.messages.rows()[0].todo == "Mark two rows first."
    trials = shown.window.views.trials
    trials.table.mark([3, 9])
    shown.do("compare-trials")
    dialog = shown.window.findChild(QDialog)
    assert isinstance(dialog, TrialCompare)
    assert [call for call in shown.engine.calls if call[0] == "trial_detail"] == [
        ("trial_detail", 3),
        ("trial_detail", 9),
    ]
    shown.engine.answer("trial_detail", {"trace": "t", "tir": "i", "source": "s"})
    shown.tick()
    dialog.show_detail(3, {"trace": "t", "tir": "j", "source": "s"})
    qtbot.waitUntil(lambda: dialog.views["tir"].summary == "−1 +1 lines of 1")
    dialog.close()
