"""Plots by the keyboard, the ring round what has it, and strokes that tell lines apart."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QColor, QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QScrollArea, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.process.main import application
from engine.history.open_project import OpenProject
from tests.feeding import begin
from tests.samples import squeezenet_like_snapshot
from tests.widgets.droplet.test_view import path
from widgets.comparison.look import REPLAYS, RUNS, line_pen, line_swatch
from widgets.convergence.view import ConvergenceView
from widgets.droplet.plot import DropletPlot
from widgets.look.focus_ring import WIDTH
from widgets.look.theme import theme
from widgets.tasks.task_table import TaskTable

Key = Qt.Key


@pytest.fixture
def plot(qtbot: QtBot) -> Iterator[DropletPlot]:
    made = DropletPlot()
    qtbot.addWidget(made)
    made.resize(600, 300)
    made.show_path(path(), anew=True)
    made.show()
    yield made


def across(plot: DropletPlot) -> tuple[float, float]:
    low, high = plot.plot.vb.viewRange()[0]
    return low, high


def test_arrows_move_a_plot_and_it_no_longer_follows(plot: DropletPlot) -> None:
    low, high = across(plot)
    QTest.keyClick(plot, Key.Key_Right)
    assert across(plot) == pytest.approx((low + 0.1 * (high - low), high + 0.1 * (high - low)))
    assert not plot.follow.isChecked()
    QTest.keyClick(plot, Key.Key_Left)
    assert across(plot) == pytest.approx((low, high))


def test_plus_and_minus_zoom_and_0_shows_all_again(plot: DropletPlot) -> None:
    low, high = across(plot)
    QTest.keyClick(plot, Key.Key_Plus)
    assert across(plot)[1] - across(plot)[0] == pytest.approx(0.8 * (high - low))
    QTest.keyClick(plot, Key.Key_Minus)
    assert across(plot) == pytest.approx((low, high))
    QTest.keyClick(plot, Key.Key_Right)
    QTest.keyClick(plot, Key.Key_0)
    assert across(plot) == pytest.approx((low, high))
    assert plot.follow.isChecked()


def test_keys_with_others_held_are_left_to_shortcuts(plot: DropletPlot) -> None:
    before = across(plot)
    for held in (Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier):
        for key in (Key.Key_Right, Key.Key_Plus, Key.Key_0):
            QTest.keyClick(plot, key, held)
    assert across(plot) == before


def test_the_curves_move_while_their_view_has_the_keyboard(qtbot: QtBot) -> None:
    view = ConvergenceView(OpenProject())
    qtbot.addWidget(view)
    view.resize(700, 300)
    begin(view, squeezenet_like_snapshot(60))
    view.show()
    box = view.plots.model.plot.vb
    low, high = box.viewRange()[0]
    QTest.keyClick(view, Key.Key_Right)
    assert box.viewRange()[0] == pytest.approx(
        [low + 0.1 * (high - low), high + 0.1 * (high - low)]
    )
    assert not view.bar.follow.isChecked()
    view.close()


# The ring


def edge(widget: QWidget) -> set[str]:
    image = widget.grab().toImage()
    wide, high = image.width(), image.height()
    spots = [(0, high // 2), (wide - 1, high // 2), (wide // 2, 0), (WIDTH - 1, high - 1)]
    return {image.pixelColor(x, y).name() for x, y in spots}


def test_the_ring_goes_with_the_keyboard_and_with_the_size(qtbot: QtBot) -> None:
    application()
    holder = QWidget()
    qtbot.addWidget(holder)
    areas = [QScrollArea(), QScrollArea()]
    column = QVBoxLayout(holder)
    for area in areas:
        column.addWidget(area)
    holder.show()
    holder.activateWindow()
    QApplication.processEvents()
    areas[0].setFocus()
    assert edge(areas[0]) == {theme().accent.name()}
    holder.resize(500, 400)
    QApplication.processEvents()
    assert edge(areas[0]) == {theme().accent.name()}
    areas[1].setFocus()
    assert theme().accent.name() not in edge(areas[0])
    assert edge(areas[1]) == {theme().accent.name()}
    areas[1].deleteLater()
    qtbot.waitUntil(lambda: column.count() == 1)
    areas[0].setFocus()
    assert edge(areas[0]) == {theme().accent.name()}


# Tables


def test_a_table_is_sorted_by_its_menu_as_by_its_heads(qtbot: QtBot) -> None:
    view = TaskTable(OpenProject())
    qtbot.addWidget(view)
    table = view.table
    for _ in range(2):
        event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(5, 5), QPoint(5, 5))
        table.contextMenuEvent(event)
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        sort = next(m for m in menu.findChildren(QMenu) if m.title() == "So&rt by")
        sort.actions()[1].trigger()
        menu.close()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    head = table.horizontalHeader()
    assert head.sortIndicatorSection() >= 0
    assert head.sortIndicatorOrder() is Qt.SortOrder.DescendingOrder


# Strokes


def test_lines_of_one_comparison_have_strokes_of_their_own(qtbot: QtBot) -> None:
    color = QColor(theme().text)
    patterns = [tuple(line_pen(color, place, True).dashPattern()) for place in range(len(REPLAYS))]
    assert len(set(patterns)) == len(REPLAYS)
    assert not set(patterns) & {tuple(line_pen(color, n, False).dashPattern()) for n in range(3)}
    assert len(RUNS) == 3


def test_the_swatch_shows_the_stroke_without_help_of_colour(qtbot: QtBot) -> None:
    color = QColor(theme().text)
    pens = [line_pen(color, place, place > 2) for place in range(6)]
    images = [line_swatch(pen).toImage() for pen in pens]
    assert all(images[a] != images[b] for a in range(6) for b in range(a))
