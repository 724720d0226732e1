"""Several shapes in the sheet that asks for the shapes of a model."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from engine.models.questions import InputQuestion
from engine.records.errors import ShapeError
from engine.records.source import InputShapes
from widgets.window.shape_sheet import ShapeSheet


@pytest.fixture
def sheet(qtbot: QtBot) -> ShapeSheet:
    error = ShapeError("Which?", "Say.")
    error.questions = tuple(
        InputQuestion(name, ("batch", "length"), "int64", (1, 8)) for name in ("ids", "mask")
    )
    made = ShapeSheet(error, "net.onnx")
    qtbot.addWidget(made)
    return made


def put(sheet: ShapeSheet, row: int, *texts: str) -> None:
    for column, text in enumerate(texts):
        item = sheet.table.table.item(row, column)
        assert item is not None
        item.setText(text)


def opens(sheet: ShapeSheet) -> bool:
    return sheet.buttons.button(sheet.buttons.StandardButton.Open).isEnabled()


def test_without_a_table_the_one_shape_is_what_the_fields_say(sheet: ShapeSheet) -> None:
    assert sheet.table.table.isHidden() and not sheet.table.is_used
    assert sheet.shape_set() == (InputShapes({"ids": (1, 8), "mask": (1, 8)}),)


def test_an_added_shape_makes_two_rows_that_begin_as_the_fields(sheet: ShapeSheet) -> None:
    sheet.table.add_button.click()
    assert not sheet.table.table.isHidden() and sheet.table.table.rowCount() == 2
    assert not any(field.isEnabled() for field in sheet.fields.values())
    assert not opens(sheet) and "given twice" in sheet.problem.text()
    put(sheet, 1, "1x16", "1 x 16", " 3 ")
    assert opens(sheet) and not sheet.problem.text()
    assert sheet.shape_set() == (
        InputShapes({"ids": (1, 8), "mask": (1, 8)}),
        InputShapes({"ids": (1, 16), "mask": (1, 16)}, 3),
    )
    sheet.table.add_button.click()
    assert sheet.table.table.rowCount() == 3


@pytest.mark.parametrize("often", ["", "0", "-1", "1.5", "x", "9" * 30, "²"])
def test_a_frequency_that_is_no_whole_number_is_told_at_once(sheet: ShapeSheet, often: str) -> None:
    sheet.table.add_button.click()
    put(sheet, 1, "1x16", "1x16", often)
    assert not opens(sheet)
    assert "shape 2 is no whole number" in sheet.problem.text()


@pytest.mark.parametrize("text", ["", "1x?", "axb"])
def test_a_shape_of_the_table_that_is_none_is_told_at_once(sheet: ShapeSheet, text: str) -> None:
    sheet.table.add_button.click()
    put(sheet, 1, text)
    assert not opens(sheet) and "is not a shape" in sheet.problem.text()


def test_with_one_shape_left_the_fields_count_again(sheet: ShapeSheet) -> None:
    sheet.table.add_button.click()
    put(sheet, 1, "1x16", "1x16")
    sheet.table.table.setCurrentCell(1, 0)
    sheet.table.remove_button.click()
    assert sheet.table.table.isHidden() and all(f.isEnabled() for f in sheet.fields.values())
    assert sheet.shape_set() == (InputShapes({"ids": (1, 8), "mask": (1, 8)}),)


def test_what_is_given_is_the_first_shape_and_the_set_is_asked_of_the_sheet(
    qtbot: QtBot, sheet: ShapeSheet
) -> None:
    sheet.table.add_button.click()
    put(sheet, 0, "2x8", "2x8", "5")
    with qtbot.waitSignal(sheet.shapes_given) as given:
        sheet.buttons.button(sheet.buttons.StandardButton.Open).click()
    assert given.args == [{"ids": (2, 8), "mask": (2, 8)}, {}]


@pytest.mark.parametrize("sentences", [1, 4, 12])  # languages differ
@pytest.mark.parametrize("count", [2, 3, 8])
def test_nothing_lies_over_anything_however_many_shapes_there_are(
    sheet: ShapeSheet, qtbot: QtBot, sentences: int, count: int
) -> None:
    sheet.table.hint.setText("All of them are tuned together. " * sentences)
    sheet.show()
    qtbot.waitExposed(sheet)
    for _ in range(count - 1):
        sheet.table.add_button.click()
    parts = (sheet.table.table, sheet.table.hint, sheet.table.add_button, sheet.buttons)
    qtbot.waitUntil(lambda: _apart(sheet, parts))


def _apart(sheet: ShapeSheet, parts: Sequence[QWidget]) -> bool:
    places = [QRect(part.mapTo(sheet, QPoint()), part.size()) for part in parts]
    rows = sheet.table.hint.heightForWidth(sheet.table.hint.width())
    below = all(one.bottom() < other.top() for one, other in pairwise(places))
    return below and sheet.table.hint.height() >= rows and sheet.rect().contains(places[-1])
