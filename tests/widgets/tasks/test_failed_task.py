"""A task that failed: marked in the list and in its facts, with the reason."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from engine.history.history import History
from engine.history.open_project import OpenProject
from engine.records.settings import RunSettings, RunState
from engine.records.snapshot import RunInfo
from tests.samples import squeezenet_like_snapshot
from widgets.tasks.task_facts import task_facts
from widgets.tasks.task_table import COLUMNS, TaskTable

RUN = RunInfo(1, RunState.FINISHED, RunSettings(), 0.0, failed={1: "a rule broke"})
SNAPSHOT = replace(squeezenet_like_snapshot(20), runs=(RUN,))
STATE = [column.key for column in COLUMNS].index("state")


def test_the_list_of_tasks_marks_it_and_says_why_on_hover(qtbot: QtBot) -> None:
    table = TaskTable(OpenProject(SNAPSHOT))
    qtbot.addWidget(table)
    table.show_project()
    row = table.model.row_of(1)
    assert row is not None
    cell = table.model.index(row, STATE)
    assert cell.data(Qt.ItemDataRole.DisplayRole) == "✕ failed"
    assert cell.data(Qt.ItemDataRole.ToolTipRole) == "✕ failed: a rule broke"
    other = table.model.index(table.model.row_of(0) or 0, STATE)
    assert "failed" not in other.data(Qt.ItemDataRole.ToolTipRole)


def test_its_facts_say_why(qtbot: QtBot) -> None:
    history = History(SNAPSHOT)
    facts = dict(task_facts(history, SNAPSHOT.tasks[1], None))
    assert facts["State"] == "✕ failed: a rule broke"
