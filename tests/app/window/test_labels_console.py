"""Names, notes and the way back, on the window."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from engine.allocation.wishes import Wishes
from engine.records.clustering import Cluster, Clustering
from engine.records.errors import StorageError
from engine.records.events import ClustersChanged, LabelChanged, ProjectOpened
from engine.records.labels import PROJECT, Label, Subject, run_subject, task_subject
from engine.records.settings import Budget
from tests.app.conftest import Console
from tests.samples import squeezenet_like_snapshot
from widgets.tasks.task_table import COLUMNS

SNAPSHOT = replace(squeezenet_like_snapshot(20), path="/a/net.tune")
FULL = StorageError("The disk is full.", "Free some space.")


@pytest.fixture
def opened(console: Console) -> Console:
    console.tell(ProjectOpened(SNAPSHOT))
    return console


def keep(console: Console) -> tuple[Subject, Label]:
    """The engine stores the label that it was asked for last."""
    _, subject, label = console.engine.calls[-1]
    console.engine.tell(LabelChanged(subject, label))
    console.engine.answer("set_label")
    console.tick()
    return subject, label


def undo_text(console: Console) -> str:
    return console.window.console.actions["undo"].text()


def test_a_task_gets_a_name_and_a_note_in_the_inspector(opened: Console) -> None:
    name = SNAPSHOT.tasks[1].name
    opened.do("go-inspector")
    opened.document.select_task(1)
    inspector, table = opened.window.views.inspector, opened.window.views.tasks
    box = inspector.labels
    box.name.setText("stem")
    box.name.editingFinished.emit()
    assert keep(opened) == (task_subject(1), Label("stem"))
    assert (inspector.title.text(), undo_text(opened)) == ("stem", f"&Undo name of {name}")
    box.note.setPlainText("first layer\nuse NHWC")
    box.note.flush()
    assert keep(opened) == (task_subject(1), Label("stem", "first layer\nuse NHWC"))
    column = [column.key for column in COLUMNS].index("label")
    assert not table.table.isColumnHidden(column)
    shown = [table.model.index(row, column).data() for row in range(table.model.rowCount())]
    assert [text for text in shown if text] == ["stem: first layer"]
    opened.do("undo")
    assert keep(opened)[1] == Label("stem")
    assert box.note.toPlainText() == ""
    opened.do("undo")
    keep(opened)
    assert inspector.title.text() == name and not opened.enabled("undo")


def test_project_and_runs_have_names_and_notes_in_the_tree(opened: Console) -> None:
    opened.do("name-project")
    tree = opened.window.views.project
    tree.labels.name.setText("Nightly")
    tree.labels.name.editingFinished.emit()
    keep(opened)
    assert opened.window.windowTitle() == "Nightly – net.tune – Tunewright"
    assert tree.rows("Inputs")[0] == ("Title", "Nightly")
    run = SNAPSHOT.runs[-1].id
    tree.tree.setCurrentIndex(tree.tree.model().index(0, 0, tree.tree.model().index(1, 0)))
    assert tree.labels.subject == run_subject(run)
    tree.labels.name.setText("wide")
    tree.labels.name.editingFinished.emit()
    keep(opened)
    assert tree.rows("Runs")[0][1].startswith("wide: ")
    assert undo_text(opened) == f"&Undo name of run {run}"


def test_what_is_typed_is_kept_when_something_else_is_selected(opened: Console) -> None:
    box = opened.window.views.inspector.labels
    opened.document.select_task(0)
    box.note.setPlainText("half a")
    opened.document.select_task(1)
    assert opened.engine.calls[-1] == ("set_label", task_subject(0), Label("", "half a"))
    assert box.note.toPlainText() == ""


def test_what_is_typed_is_kept_before_the_project_is_left(opened: Console) -> None:
    opened.window.views.project.labels.note.setPlainText("last words")
    opened.do("close-project")
    assert opened.engine.names() == ["set_label", "close_project"]
    assert opened.engine.calls[0][1:] == (PROJECT, Label("", "last words"))


def test_a_note_goes_on_while_the_first_part_is_stored(opened: Console) -> None:
    note = opened.window.views.project.labels.note
    note.setPlainText("one")
    note.flush()
    note.setPlainText("one two")
    keep(opened)
    assert note.toPlainText() == "one two"
    note.flush()
    assert keep(opened)[1] == Label("", "one two")
    opened.do("undo")  # what was typed in one go is one edit
    keep(opened)
    assert note.toPlainText() == "" and not opened.enabled("undo")


def test_a_note_that_could_not_be_stored_stays_and_is_tried_again(opened: Console) -> None:
    note = opened.window.views.project.labels.note
    note.setPlainText("precious")
    note.flush()
    opened.engine.refuse("set_label", FULL)
    opened.tick()
    assert note.toPlainText() == "precious" and not opened.enabled("undo")
    assert opened.window.console.messages.rows()[0].what == FULL.what
    note.flush()
    assert keep(opened) == (PROJECT, Label("", "precious"))


def test_escape_leaves_a_note_and_nothing_is_lost(opened: Console, qtbot: QtBot) -> None:
    window, note = opened.window, opened.window.views.project.labels.note
    window.show()
    window.activateWindow()
    opened.document.select_task(1)
    note.setFocus()
    qtbot.waitUntil(note.hasFocus)
    QTest.keyClicks(note, "abc")
    QTest.keyClick(note, Qt.Key.Key_Escape)
    assert opened.engine.calls[-1] == ("set_label", PROJECT, Label("", "abc"))
    assert opened.document.task == 1


def test_wishes_and_budgets_are_taken_back_at_once(opened: Console) -> None:
    name = SNAPSHOT.tasks[2].name
    before = opened.commands.run_settings
    opened.window.views.tasks.wished.emit(Wishes(pinned=frozenset({2})))
    assert undo_text(opened) == f"&Undo pin {name}"
    opened.commands.set_budget(Budget(trials=200))
    assert undo_text(opened) == "&Undo budget 200 trials"
    opened.do("undo")
    assert opened.commands.run_settings == before
    opened.do("undo")
    assert opened.document.wishes == Wishes()
    assert opened.window.console.actions["redo"].text() == f"&Redo pin {name}"
    opened.do("redo")
    assert opened.document.wishes == Wishes(pinned=frozenset({2}))


def test_clusters_go_back_to_what_was_shown(opened: Console) -> None:
    alone = Clustering("replay", 0.9, tuple(Cluster(t.index, (t.index,)) for t in SNAPSHOT.tasks))
    other = replace(alone, threshold=0.5)
    opened.tell(ClustersChanged(alone))
    opened.commands.edits.set_clustering(other, alone)
    assert opened.engine.calls[-1] == ("set_clustering", other)
    assert not opened.enabled("undo")
    opened.engine.answer("set_clustering")
    opened.tick()
    assert undo_text(opened) == "&Undo threshold 0.50"
    opened.do("undo")
    assert opened.engine.calls[-1] == ("set_clustering", alone)
    opened.engine.refuse("set_clustering", FULL)
    opened.tick()
    assert undo_text(opened) == "&Undo threshold 0.50"


def test_another_project_has_edits_of_its_own_and_a_refresh_keeps_them(opened: Console) -> None:
    opened.commands.set_budget(Budget(trials=200))
    opened.tell(ProjectOpened(SNAPSHOT))
    assert opened.enabled("undo")
    opened.tell(ProjectOpened(replace(SNAPSHOT, path="/a/other.tune")))
    assert not opened.enabled("undo")
