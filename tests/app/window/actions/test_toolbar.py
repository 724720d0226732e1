"""The toolbar is one row: what has no room gets shorter or goes into a menu, and is in reach."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QByteArray, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton
from pytestqt.qtbot import QtBot

from app.process.languages import speak
from app.process.main import application
from app.window.actions.fitting_bar import FittingBar
from app.window.actions.toolbar import PASSES
from app.window.layouts import VERSION
from engine.records.events import ProjectOpened
from tests.app.conftest import Console
from tests.clipping import EXTENSION, clipped_texts
from tests.samples import squeezenet_like_snapshot
from widgets.look.language import ENGLISH
from widgets.passes.sheet import PassSheet

NAMES = ("open-model", "settings", "start", "pause", "stop", *PASSES, "export", "palette")
WIDTHS = (1024, 1280, 1440, 1920)
TWO_ROWS = (  # a window's state of the time when passes had a bar of their own
    "AAAA/wAAAAL9AAAAAwAAAAAAAADSAAAB0vwCAAAAAfsAAAAOAHAAcgBvAGoAZQBjAHQAAAAAoAAAAdIAAABYAP//"
    "/wAAAAEAAAEOAAACxvwCAAAAAfsAAAASAGkAbgBzAHAAZQBjAHQAbwByAQAAAKAAAALGAAAAVgD///8AAAADAAAE"
    "jgAAAPD8AQAAAAH8AAAAAAAABI4AAALkAP////oAAAADAQAAAAX7AAAAFgBjAG8AbgB2AGUAcgBnAGUAbgBjAGUB"
    "AAAAAP////8AAAHgAP////sAAAAKAHQAYQBzAGsAcwEAAAAA/////wAAAEIA////+wAAAAwAdAByAGkAYQBsAHMB"
    "AAAAAP////8AAALkAP////sAAAAGAGwAbwBnAQAAAAD/////AAAAyAD////7AAAADgBzAG8AdQByAGMAZQBzAQAA"
    "AAD/////AAABLQD///8AAAO4AAAB0gAAAAQAAAAEAAAACAAAAAL8AAAAAwAAAAIAAAABAAAADgB0AG8AbwBsAGIA"
    "YQByAQAAAAD/////AAAAAAAAAAAAAAACAAAAAQAAAAwAcABhAHMAcwBlAHMBAAAAAP////8AAAAAAAAAAAAAAAIA"
    "AAABAAAAFABzAGMAbwByAGUAYgBvAGEAcgBkAQAAAAD/////AAAAAAAAAAA="
)


@pytest.fixture(params=(ENGLISH, "de"))
def spoken(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[str]:
    speak(qapp, request.param)
    yield request.param
    speak(qapp, ENGLISH)


@pytest.fixture
def shown(spoken: str, qtbot: QtBot) -> Iterator[Console]:
    """A window on screen in a language, with a project."""
    application()  # in its look: widths depend on it
    made = Console(qtbot)
    made.window.show()
    made.tell(ProjectOpened(squeezenet_like_snapshot(40)))
    yield made
    made.window.close_now()
    made.session.end()


def at(console: Console, width: int) -> FittingBar:
    console.window.resize(width, 640)
    QApplication.processEvents()
    return console.window.toolbar


def test_one_row_has_every_button_at_every_width(shown: Console) -> None:
    high = at(shown, 1920).height()
    for width in (*WIDTHS, *reversed(WIDTHS)):
        bar = at(shown, width)
        assert bar.height() == high
        assert bar.sizeHint().width() <= bar.width() == width
        assert clipped_texts(bar) == []
        more = bar.findChild(QToolButton, EXTENSION)
        assert more is None or not more.isVisible()
        for name in NAMES:
            button = bar.button(name)
            assert button.isVisible() and bar.rect().contains(button.geometry()), (width, name)
            assert button.accessibleName() or button.text()


def test_the_menu_stands_for_the_buttons_only_where_they_have_no_room(shown: Console) -> None:
    bar = at(shown, 1024)
    more = bar.button("share")
    assert {bar.button(name) for name in PASSES} == {more}
    QTest.mouseClick(more, Qt.MouseButton.LeftButton)
    assert bar.menu.isVisible()
    assert bar.menu.actions() == [shown.window.console.actions[name] for name in PASSES]
    QTest.keyClick(bar.menu, Qt.Key.Key_Down)
    QTest.keyClick(bar.menu, Qt.Key.Key_Return)
    assert [dialog.isVisible() for dialog in shown.window.findChildren(PassSheet)] == [True]
    at(shown, 1920)
    assert len({bar.button(name) for name in PASSES}) == len(PASSES)
    assert not more.isVisible()


def test_a_longer_text_is_made_room_for(shown: Console) -> None:
    for width in WIDTHS:
        bar = at(shown, width)
        pause = shown.window.console.actions["pause"]
        before = pause.text()
        pause.setText("Go on with all that was begun before the pause")
        QApplication.processEvents()
        assert bar.sizeHint().width() <= bar.width()
        pause.setText(before)
        QApplication.processEvents()
        assert bar.sizeHint().width() <= bar.width()


@pytest.mark.parametrize("width", [1024, 1920])
def test_keys_go_to_the_choices_with_their_names_and_without(shown: Console, width: int) -> None:
    bar = at(shown, width)
    shown.window.activateWindow()
    shown.window.console.workspace.setFocus()
    target = shown.window.toolbar.target
    QTest.keyClick(shown.window, Qt.Key.Key_T, Qt.KeyboardModifier.AltModifier)
    assert bar.isVisible() and target.hasFocus()


def test_a_layout_of_two_rows_is_still_read(shown: Console) -> None:
    panels = shown.window.console.panels
    assert shown.window.restoreState(QByteArray.fromBase64(TWO_ROWS.encode()), VERSION)
    assert panels["project"].isHidden() and not panels["inspector"].isHidden()
    assert at(shown, 1440).isVisible()
