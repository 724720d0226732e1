"""A device of another machine is chosen in the window, and a model is opened for it."""

from __future__ import annotations

import pytest

from engine.records.source import ModelSource
from tests.app.conftest import Console
from widgets.window.board_sheet import BoardSheet

TARGET = "rpc://127.0.0.1:9190/board raspberry-pi-5"


def sheet_of(console: Console) -> BoardSheet:
    """The sheet that is open, and no other."""
    (sheet,) = console.window.findChildren(BoardSheet)
    return sheet


def by_toolbar(console: Console) -> None:
    """Pick the last row of the target's box, as a person does."""
    box = console.window.toolbar.target
    box.setCurrentIndex(box.count() - 1)
    box.activated.emit(box.currentIndex())


@pytest.mark.parametrize("way", [by_toolbar, lambda console: console.do("other-machine")])
def test_a_board_is_chosen_and_the_next_model_is_opened_for_it(
    way: object, console: Console
) -> None:
    assert callable(way)
    way(console)
    box = console.window.toolbar.target
    assert (box.currentText(), console.commands.target) == ("auto", "auto")
    sheet = sheet_of(console)
    sheet.device.setCurrentIndex(1)
    sheet.buttons.accepted.emit()
    assert box.currentText() == console.commands.target == TARGET
    console.commands.open_sample("squeezenet")
    source = ModelSource("sample", "squeezenet")
    assert console.engine.calls[-1] == ("open_model", source, TARGET, None)


def test_a_sheet_that_is_closed_leaves_the_target(console: Console) -> None:
    by_toolbar(console)
    sheet_of(console).reject()
    assert console.commands.target == console.window.toolbar.target.currentText() == "auto"
