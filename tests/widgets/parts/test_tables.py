"""The tables: sorting in the model, growing, filtering, selection that stays on its row."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from engine.history.open_project import OpenProject
from engine.records.events import Event, TaskChanged, TrialConfirmed, TrialDone
from engine.records.task import TaskState
from engine.records.trial import ErrorKind, Source
from tests.feeding import begin, feed
from tests.samples import make_trial, squeezenet_like_snapshot
from widgets.parts.column_model import Column, ColumnModel
from widgets.tasks.task_table import COLUMNS, TaskTable
from widgets.tasks.trial_columns import TrialColumns
from widgets.tasks.trials_table import TrialsTable

Role = Qt.ItemDataRole
UP, DOWN = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder
NUMBERS = (Column("x", "X", "", str), Column("name", "Name", "", str, numeric=False))


@pytest.fixture
def task_table(qtbot: QtBot) -> TaskTable:
    table = TaskTable(OpenProject())
    qtbot.addWidget(table)
    begin(table, squeezenet_like_snapshot(400))
    return table


@pytest.fixture
def trials_table(qtbot: QtBot) -> TrialsTable:
    table = TrialsTable(OpenProject())
    qtbot.addWidget(table)
    return table


def column(model: ColumnModel, title: str) -> int:
    return [item.title for item in model.columns].index(title)


def texts(model: ColumnModel, title: str) -> list[str]:
    """The cells of a column, in the order of identities."""
    place = column(model, title)
    rows = sorted(range(model.rowCount()), key=model.id_at)
    return [model.index(row, place).data() for row in rows]


def small_model() -> ColumnModel:
    model = ColumnModel(NUMBERS)
    values = {
        "x": np.array([3.0, math.nan, 1.0, 2.0]),
        "name": np.array(["b", "a", "d", "c"], object),
    }
    model.reset_columns(np.array([10, 11, 12, 13]), values)
    return model


@pytest.mark.parametrize(
    ("place", "order", "ids"),
    [
        (0, UP, [12, 13, 10, 11]),
        (0, DOWN, [10, 13, 12, 11]),
        (1, UP, [11, 10, 13, 12]),
        (1, DOWN, [12, 13, 10, 11]),
        (-1, UP, [10, 11, 12, 13]),
    ],
)
def test_unknown_numbers_sort_last_both_ways(
    place: int, order: Qt.SortOrder, ids: list[int]
) -> None:
    model = small_model()
    model.sort(place, order)
    assert [model.id_at(row) for row in range(4)] == ids


def test_the_model_keeps_qts_rules_while_it_sorts_filters_and_grows(qtbot: QtBot) -> None:
    model = small_model()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.sort(0, DOWN)
    model.show_only(np.array([True, False, True, True]))
    values = {"x": np.arange(6.0), "name": np.array(list("fedcba"), object)}
    shown = np.array([True, False, True, True, False, True])
    model.grow_columns(np.arange(10, 16), values, shown)
    assert [model.id_at(row) for row in range(model.rowCount())] == [15, 13, 12, 10]
    model.update_columns({**values, "x": -np.arange(6.0)})
    assert [model.id_at(row) for row in range(model.rowCount())] == [10, 12, 13, 15]


def test_a_hundred_thousand_trials_sort_by_every_column(trials_table: TrialsTable) -> None:
    snapshot = squeezenet_like_snapshot(1000)
    count = 100_000
    trials = tuple(
        replace(snapshot.trials[i % 1000], number=i + 1, elapsed_s=i / 10) for i in range(count)
    )
    begin(trials_table, replace(snapshot, trials=trials))
    model = trials_table.model
    for place, item in enumerate(model.columns):
        for order in (UP, DOWN):
            model.sort(place, order)
            shown = np.array([model._values[item.key][row] for row in model._order])
            known = shown[~np.isnan(shown)]
            steps = np.diff(known)
            assert (steps >= 0).all() if order is UP else (steps <= 0).all()
            assert np.isnan(shown[len(known) :]).all()


def test_new_trials_join_the_sorted_table_and_the_selection_stays(
    trials_table: TrialsTable,
) -> None:
    begin(trials_table, squeezenet_like_snapshot(50))
    trials_table.table.sortByColumn(column(trials_table.model, "Latency"), UP)
    trials_table.select_trial(20)
    feed(trials_table, [TrialDone(make_trial(51, 3, 1e-9)), TrialDone(make_trial(52, 3, 1.0))])
    assert trials_table.model.id_at(0) == 51
    assert trials_table.table.selected() == 20


def test_only_the_selected_task_is_shown_where_that_is_wanted(trials_table: TrialsTable) -> None:
    snapshot = squeezenet_like_snapshot(200)
    begin(trials_table, snapshot)
    trials_table.select_task(2)
    own = [trial for trial in snapshot.trials if trial.task == 2]
    assert trials_table.model.rowCount() == len(own)
    feed(trials_table, [TrialDone(make_trial(201, 2, 1e-3)), TrialDone(make_trial(202, 5, 1e-3))])
    assert trials_table.model.rowCount() == len(own) + 1
    trials_table.bar.only_selected.setChecked(False)
    assert trials_table.model.rowCount() == 202
    assert trials_table.bar.count.text() == "202 of 202 trials"


def test_a_confirmation_replaces_the_latency_of_its_trial(trials_table: TrialsTable) -> None:
    begin(trials_table, squeezenet_like_snapshot(0))
    feed(trials_table, [TrialDone(make_trial(1, 0, 2e-3))])
    feed(trials_table, [TrialConfirmed(make_trial(1, 0, 2e-3, confirmed=(3e-3,)))])
    assert texts(trials_table.model, "Latency") == ["3.00 ms"]


def test_a_failed_trial_says_where_in_words(trials_table: TrialsTable) -> None:
    begin(trials_table, squeezenet_like_snapshot(0))
    feed(trials_table, [TrialDone(make_trial(1, 0, None, error=ErrorKind.BUILD_CRASH))])
    assert texts(trials_table.model, "Error") == ["✕ build crash"]
    assert texts(trials_table.model, "Latency") == ["–"]


def test_tasks_that_take_most_of_the_latency_come_first(task_table: TaskTable) -> None:
    shares = task_table.project.history.shares()
    rows = [task_table.model.id_at(row) for row in range(task_table.model.rowCount())]
    assert rows == sorted(shares, key=lambda task: -shares[task])
    feed(task_table, [TrialDone(make_trial(401, rows[0], 1e-9))])
    assert task_table.model.row_of(rows[0]) == len(rows) - 1


def test_picking_a_row_is_told_and_selecting_from_outside_is_not(task_table: TaskTable) -> None:
    heard: list[int | None] = []
    task_table.task_picked.connect(heard.append)
    task_table.select_task(4)
    task_table.select_task(None)
    assert heard == []
    task_table.table.setCurrentIndex(task_table.model.index(6, 0))
    assert heard == [task_table.model.id_at(6)]


def test_the_selection_stays_on_its_task_when_rows_move(task_table: TaskTable) -> None:
    task_table.table.sortByColumn(column(task_table.model, "Best"), UP)
    task_table.select_task(7)
    feed(task_table, [TrialDone(make_trial(401, 7, 1e-9))])
    assert task_table.model.row_of(7) == 0
    assert task_table.table.selected() == 7
    assert task_table.table.currentIndex().row() == 0


def test_a_task_shows_its_state_by_shape_and_word(task_table: TaskTable) -> None:
    events: list[Event] = [TaskChanged(0, TaskState.MEASURING), TaskChanged(1, TaskState.FAILED)]
    feed(task_table, events)
    assert texts(task_table.model, "State")[:2] == ["◕ measuring", "✕ failed"]


@pytest.mark.parametrize(
    ("source", "label", "text"),
    [
        (Source.SEARCH, "● finished", "● finished"),
        (Source.SHARED, "◆ shared", "● finished: its best schedule is another task's"),
        (Source.TRANSFERRED, "▶ transferred", "● finished: its best schedule is another model's"),
        (Source.DROPLET, "✦ polished", "● finished: Droplet polished its best schedule"),
    ],
)
def test_a_finished_task_is_called_by_the_pass_that_its_best_schedule_is_from(
    task_table: TaskTable, source: Source, label: str, text: str
) -> None:
    best = replace(make_trial(401, 0, 1e-9), source=source)
    feed(task_table, [TrialDone(best), TaskChanged(0, TaskState.FINISHED)])
    place = column(task_table.model, "State")
    state = task_table.model.index(task_table.model.row_of(0) or 0, place)
    assert (state.data(), state.data(Role.ToolTipRole)) == (label, text)
    feed(task_table, [TaskChanged(0, TaskState.MEASURING)])
    assert texts(task_table.model, "State")[0] == "◕ measuring"


def test_a_pass_that_did_not_win_leaves_a_task_its_state(task_table: TaskTable) -> None:
    slow = replace(make_trial(401, 0, 9.0), source=Source.DROPLET)
    feed(task_table, [TrialDone(slow), TaskChanged(0, TaskState.FINISHED)])
    assert texts(task_table.model, "State")[0] == "● finished"


def test_the_task_table_agrees_with_the_history(task_table: TaskTable) -> None:
    snapshot = squeezenet_like_snapshot(400)
    trials = [sum(t.task == task.index for t in snapshot.trials) for task in snapshot.tasks]
    assert texts(task_table.model, "Trials") == [str(count) for count in trials]
    assert [item.title for item in COLUMNS][:4] == ["Task", "Operators", "State", "Share"]


def test_columns_of_trials_grow_past_their_first_room() -> None:
    columns = TrialColumns()
    columns.add(make_trial(number, 0, 1e-3) for number in range(1, 1001))
    columns.add([make_trial(500, 0, 2e-3)])
    assert len(columns) == 1000
    assert columns.values()["latency"][499] == 2e-3
    assert columns.of_task(0).all()
