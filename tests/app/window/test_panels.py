"""Panels behind another tab do no work: their parts are hidden, not only out of sight."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QMainWindow, QTextEdit, QWidget
from pytestqt.qtbot import QtBot

from app.window.panels import Area, Panel, place, stack

NAMES = ("first", "second", "third")
Panels = dict[str, Panel]


@pytest.fixture
def panels(qtbot: QtBot) -> Iterator[Panels]:
    """Three behind one another at the bottom of a window that is shown."""
    window = QMainWindow()
    qtbot.addWidget(window)
    window.setCentralWidget(QWidget())
    made = {name: Panel(name, name, Area.BottomDockWidgetArea, QTextEdit()) for name in NAMES}
    place(window, made)
    stack(window, made)
    window.resize(800, 600)
    with qtbot.waitExposed(window):
        window.show()
    yield made
    window.close()


def in_sight(panels: Panels) -> set[str]:
    return {name for name, panel in panels.items() if panel.widget().isVisible()}


def test_the_one_in_front_alone_is_in_sight(panels: Panels) -> None:
    assert in_sight(panels) == {"first"}


@pytest.mark.parametrize("name", NAMES)
def test_it_changes_with_the_tab(panels: Panels, name: str) -> None:
    panels[name].raise_()
    assert in_sight(panels) == {name}


def test_one_that_is_asked_for_has_the_keyboard(panels: Panels) -> None:
    panels["third"].show_here()
    assert in_sight(panels) == {"third"}
    assert panels["third"].widget().window().focusWidget() is panels["third"].widget()


def test_one_that_floats_is_in_sight_beside_the_others(panels: Panels, qtbot: QtBot) -> None:
    panels["second"].raise_()
    panels["second"].setFloating(True)
    panels["first"].raise_()
    qtbot.waitUntil(lambda: in_sight(panels) == {"first", "second"})
    panels["second"].setFloating(False)
    panels["third"].raise_()
    qtbot.waitUntil(lambda: in_sight(panels) == {"third"})


def test_one_that_is_closed_leaves_the_sight_to_another(panels: Panels, qtbot: QtBot) -> None:
    panels["first"].close()
    qtbot.waitUntil(lambda: len(in_sight(panels)) == 1 and "first" not in in_sight(panels))
    panels["first"].show_here()
    qtbot.waitUntil(lambda: in_sight(panels) == {"first"})


def test_none_is_in_sight_while_the_window_is_hidden(panels: Panels, qtbot: QtBot) -> None:
    window = panels["first"].window()
    window.hide()
    assert in_sight(panels) == set()
    window.show()
    qtbot.waitUntil(lambda: in_sight(panels) == {"first"})


def test_the_height_stays_when_the_tab_changes(panels: Panels, qtbot: QtBot) -> None:
    panels["second"].widget().setMinimumHeight(200)
    qtbot.waitUntil(lambda: panels["first"].widget().height() >= 200)
    before = panels["first"].widget().height()
    panels["second"].raise_()
    qtbot.wait(50)
    assert panels["second"].widget().height() == before
