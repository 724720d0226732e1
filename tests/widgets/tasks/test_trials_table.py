"""The trials: copied, saved, found by number, filtered, marked in pairs."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from engine.history.open_project import OpenProject
from engine.records.events import TrialDone
from engine.records.trial import ErrorKind, Source
from tests.feeding import begin, feed
from tests.samples import make_trial, squeezenet_like_snapshot
from widgets.look.language import translation, use
from widgets.parts.exporting import export_notifier
from widgets.tasks.task_table import TaskTable
from widgets.tasks.trials_table import NONE_LIKE_THAT, NONE_OF_TASK, TrialsTable

SNAPSHOT = squeezenet_like_snapshot(200)
Flag = QItemSelectionModel.SelectionFlag


@pytest.fixture
def table(qtbot: QtBot) -> TrialsTable:
    """The trials of a project, all of them on show."""
    made = TrialsTable(OpenProject())
    qtbot.addWidget(made)
    begin(made, SNAPSHOT)
    return made


def shown(table: TrialsTable) -> list[int]:
    return [table.model.id_at(row) for row in range(table.model.rowCount())]


def mark(table: TrialsTable, *numbers: int) -> None:
    """Mark rows as a person does who holds Ctrl."""
    table.table.clearSelection()
    for number in numbers:
        index = table.model.index(table.model.row_of(number) or 0, 0)
        table.table.selectionModel().setCurrentIndex(index, Flag.Select | Flag.Rows)


def copied() -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(QGuiApplication.clipboard().text())))


def test_marked_rows_are_copied_with_exact_values(table: TrialsTable) -> None:
    mark(table, 12, 7)
    QTest.keySequence(table.table, "Ctrl+C")
    rows = copied()
    assert [row["number"] for row in rows] == ["12", "7"]
    trials = [SNAPSHOT.trials[11], SNAPSHOT.trials[6]]
    assert [float(row["latency_s"]) for row in rows] == [trial.latency_s for trial in trials]
    assert rows[0]["task"] == SNAPSHOT.tasks[trials[0].task].name
    assert {row["build_s"] for row in rows} == {""}
    assert QGuiApplication.clipboard().mimeData().hasFormat("text/csv")


def test_a_file_says_the_same_in_every_language(qtbot: QtBot) -> None:
    use((translation("de"),))
    try:
        table = TrialsTable(OpenProject())
        qtbot.addWidget(table)
        begin(table, SNAPSHOT)
        table.bar.text.setText("fehler")
        failed = table.model.rowCount()
        table.bar.text.clear()
        table.table.copy()
    finally:
        use(())
    rows = copied()
    assert rows[0].keys() >= {"number", "task", "latency_s", "error", "source"}
    assert {row["source"] for row in rows} == {"search"}
    errors = {row["error"] for row in rows if row["error"]}
    assert errors and errors <= {kind.value for kind in ErrorKind}
    assert failed == sum(row["error"].endswith("error") for row in rows)


def test_without_a_mark_all_rows_on_show_are_copied_in_their_order(table: TrialsTable) -> None:
    table.bar.outcome.setCurrentIndex(table.bar.outcome.findText("Failed"))
    table.table.copy()
    rows = copied()
    failed = [trial for trial in SNAPSHOT.trials if trial.error]
    assert [int(row["number"]) for row in rows] == [trial.number for trial in reversed(failed)]
    assert [row["error"] for row in rows] == [trial.error for trial in reversed(failed)]
    assert {row["latency_s"] for row in rows} == {""}


def test_a_table_is_saved_as_it_was_when_it_was_asked(
    table: TrialsTable, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "trials.csv"
    with qtbot.waitSignal(export_notifier().saved) as saved:
        table.table.save(path)
        feed(table, [TrialDone(make_trial(201, 0, 1e-3))])
    assert saved.args == [str(path)]
    assert len(path.read_text().splitlines()) == 201
    with qtbot.waitSignal(export_notifier().failed):
        table.table.save(tmp_path / "none" / "trials.csv")


def test_the_menu_of_rows_says_how_many_it_copies(table: TrialsTable) -> None:
    mark(table, 3, 4)
    at = table.rect().center()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, at, table.mapToGlobal(at))
    QApplication.sendEvent(table.table.viewport(), event)
    menu = QApplication.activePopupWidget()
    assert menu is not None
    texts = [action.text() for action in menu.actions()]
    assert texts == ["Co&mpare #3 and #4", "So&rt by", "&Copy 2 rows", "Save as CS&V…"]
    menu.close()


def test_the_table_of_tasks_is_copied_with_numbers_and_words(qtbot: QtBot) -> None:
    tasks = TaskTable(OpenProject())
    qtbot.addWidget(tasks)
    begin(tasks, SNAPSHOT)
    tasks.table.copy()
    first = copied()[0]
    assert first["state"] == "finished"
    assert float(first["best_s"]) > 0 and float(first["share"]) < 1
    assert "." not in first["trials"]


@pytest.mark.parametrize("typed", ["57", "#57", " 57 "])
def test_a_trial_is_found_by_its_number(table: TrialsTable, typed: str) -> None:
    heard: list[int] = []
    table.trial_picked.connect(heard.append)
    table.bar.go.setText(typed)
    QTest.keyClick(table.bar.go, Qt.Key.Key_Return)
    assert heard == [57]
    assert table.table.selected() == 57


def test_a_trial_that_a_filter_hides_is_shown_with_all_others(table: TrialsTable) -> None:
    table.bar.text.setText("nothing like it")
    assert shown(table) == [] and table.table.empty == NONE_LIKE_THAT
    table.go_to(57)
    assert table.model.rowCount() == 200
    assert table.table.selected() == 57


@pytest.mark.parametrize("typed", ["", "abc", "-3", "99999999999999999999", "²"])
def test_what_is_no_number_goes_nowhere(table: TrialsTable, typed: str) -> None:
    heard: list[int] = []
    table.trial_picked.connect(heard.append)
    table.bar.go.setText(typed)
    QTest.keyClick(table.bar.go, Qt.Key.Key_Return)
    table.go_to(4711)
    assert heard == []
    assert table.bar.count.text() == "There is no trial 4,711."


def test_outcome_source_and_words_are_chosen_together(table: TrialsTable) -> None:
    odd = replace(make_trial(201, 3, None, error=ErrorKind.BUILD_CRASH), source=Source.DROPLET)
    feed(table, [TrialDone(replace(odd, error_text="out of registers"))])
    table.bar.source.setCurrentIndex(table.bar.source.findText("Polished"))
    assert shown(table) == [201]
    table.bar.text.setText("REGISTERS crash")
    assert shown(table) == [201]
    table.bar.outcome.setCurrentIndex(table.bar.outcome.findText("Run error"))
    assert shown(table) == []
    table.bar.show_all()
    assert len(shown(table)) == 201


def test_marks_stay_where_a_filter_keeps_their_rows(table: TrialsTable) -> None:
    task = SNAPSHOT.trials[11].task
    other = next(trial.number for trial in SNAPSHOT.trials if trial.task != task)
    heard: list[int] = []
    table.trial_picked.connect(heard.append)
    table.table.mark([12, other])
    table.select_task(task)
    assert table.table.selected_ids() == [12]
    assert heard == []


def test_two_marked_trials_can_be_compared_and_no_other_count(table: TrialsTable) -> None:
    heard: list[tuple[int, int]] = []
    table.compare_wanted.connect(lambda first, second: heard.append((first, second)))
    for numbers in ((5,), (5, 3, 9)):
        mark(table, *numbers)
        assert not table.bar.compare.isEnabled()
        assert not table.compare()
    mark(table, 9, 3)
    table.bar.compare.click()
    assert heard == [(3, 9)]


def test_a_row_that_is_picked_stays_under_the_pointer(table: TrialsTable) -> None:
    """Its task is selected by that, which elsewhere would hide the other rows."""
    number = SNAPSHOT.trials[50].number
    task = SNAPSHOT.trials[50].task
    table.trial_picked.connect(lambda _: table.select_task(task))
    mark(table, number)
    assert table.model.rowCount() == 200
    feed(table, [TrialDone(make_trial(201, task + 1, 1e-3))])
    assert table.model.rowCount() == 201
    table.select_task(None)
    table.select_task(task)
    assert table.model.rowCount() < 200
    table.select_task(99)
    assert table.table.empty == NONE_OF_TASK
