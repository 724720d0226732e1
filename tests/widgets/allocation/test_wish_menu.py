"""Pin, skip, and a floor of slots: what a person wishes of the next run."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from engine.allocation.wishes import Wishes
from engine.history.open_project import OpenProject
from tests.feeding import begin
from tests.samples import squeezenet_like_snapshot
from widgets.tasks.task_table import COLUMNS, TaskTable, give_floor, pin, skip, wish_text

PLACE = [column.key for column in COLUMNS].index("wish")


@pytest.fixture
def table(qtbot: QtBot) -> TaskTable:
    """A table of a network's tasks, nothing wished."""
    made = TaskTable(OpenProject())
    qtbot.addWidget(made)
    begin(made, squeezenet_like_snapshot())
    return made


def test_a_wish_takes_back_those_that_contradict_it() -> None:
    wishes = give_floor(pin(Wishes(), 3, True), 3, 4)
    assert wish_text(wishes, 3) == "pinned, at least 4 slots"
    wishes = skip(wishes, 3, True)
    assert wishes == Wishes(skipped=frozenset({3}))
    assert wish_text(pin(wishes, 3, True), 3) == "pinned"
    assert wish_text(give_floor(wishes, 3, 1), 3) == "at least 1 slot"
    assert skip(wishes, 3, False) == Wishes()
    assert give_floor(give_floor(Wishes(), 1, 2), 1, 0) == Wishes()


def test_the_menu_asks_and_the_table_shows_what_is_wished(table: TaskTable, qtbot: QtBot) -> None:
    assert table.table.isColumnHidden(PLACE)
    menu = table.menu.menu(2)
    with qtbot.waitSignal(table.wished) as asked:
        menu.actions()[0].trigger()
    assert asked.args[0].pinned == {2}
    table.show_wishes(asked.args[0])
    assert not table.table.isColumnHidden(PLACE)
    assert table.model.index(table.model.row_of(2) or 0, PLACE).data() == "pinned"
    menu.close()


def test_the_menu_shows_what_holds(table: TaskTable) -> None:
    table.show_wishes(Wishes(skipped=frozenset({1}), floors={2: 5}))
    menu = table.menu.menu(1)
    assert [action.isChecked() for action in menu.actions()[:2]] == [False, True]
    menu.close()
    menu = table.menu.menu(2)
    floors = menu.findChild(QMenu)
    assert floors is not None
    ticked = [action.text() for action in floors.actions() if action.isChecked()]
    assert ticked == ["5 slots"]
    menu.close()


def test_no_wish_leaves_no_column(table: TaskTable) -> None:
    table.show_wishes(pin(Wishes(), 1, True))
    table.show_wishes(Wishes())
    assert table.table.isColumnHidden(PLACE)
