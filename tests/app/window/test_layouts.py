"""Where panels and windows are: kept, named, reset, and brought back from where none can see."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QByteArray, QPoint, QRect, QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTabBar, QTableView, QWidget
from pytestqt.qtbot import QtBot

from app.process.languages import speak
from app.process.main import application
from app.process.rescue import brought_in, graspable, rescue
from app.window.actions.cycling import in_sight
from app.window.layouts import STATE
from app.window.main_window import MainWindow
from app.window.panels import LEFT_LEAST, LEFT_SHARE, RIGHT_LEAST, RIGHT_SHARE
from app.window.workspace import Workspace
from engine.records.events import ProjectOpened
from tests.app.conftest import Console
from tests.samples import squeezenet_like_snapshot
from widgets.look.language import ENGLISH

LEFT, BOTTOM = Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.BottomDockWidgetArea
SCREENS = (QRect(0, 0, 1920, 1080), QRect(1920, 0, 1280, 1024))


@pytest.fixture
def shown(console: Console) -> Iterator[Console]:
    """A console on screen with a project."""
    console.window.resize(1024, 640)
    console.window.complete()
    console.window.show()
    console.window.activateWindow()
    console.tell(ProjectOpened(squeezenet_like_snapshot(40)))
    QApplication.processEvents()
    yield console


def places(window: MainWindow) -> dict[str, tuple[object, ...]]:
    panels = window.console.panels.items()
    return {n: (window.dockWidgetArea(p), p.isFloating(), p.isHidden()) for n, p in panels}


def scatter(window: MainWindow) -> None:
    window.console.panels["log"].setFloating(True)
    window.console.panels["project"].hide()
    window.addDockWidget(LEFT, window.console.panels["trials"])


# Layouts


def test_reset_puts_every_panel_where_it_was_at_first(shown: Console) -> None:
    before = places(shown.window)
    scatter(shown.window)
    assert places(shown.window) != before
    shown.do("reset-layout")
    assert places(shown.window) == before


def test_a_layout_is_saved_by_name_loaded_and_deleted(shown: Console) -> None:
    layouts = shown.window.aids.layouts
    scatter(shown.window)
    wanted = places(shown.window)
    dialog = shown.window.aids.layouts.ask_name()
    dialog.setTextValue("  My own & best ")
    dialog.accept()
    shown.do("reset-layout")
    assert layouts.names() == ["My own & best"]
    assert layouts.load("My own & best")
    assert places(shown.window) == wanted
    layouts.delete("My own & best")
    assert layouts.names() == []


def test_the_menu_lists_layouts_as_they_are_now(shown: Console) -> None:
    menus = shown.window.menus.layouts
    for name in ("b", "A"):
        shown.window.aids.layouts.save(name)
    menus.layouts.aboutToShow.emit()
    texts = [action.text() for action in menus.layouts.actions() if action.text()]
    assert texts[-3:] == ["A", "b", "&Delete"]
    delete = menus.layouts.actions()[-1].menu()
    assert isinstance(delete, QWidget)
    delete.actions()[0].trigger()
    assert shown.window.aids.layouts.names() == ["b"]


def test_a_layout_of_another_version_leaves_the_panels_and_says_so(shown: Console) -> None:
    before = places(shown.window)
    shown.settings.set("layouts", {"old": "AAAA", "odd": 7})
    assert shown.window.aids.layouts.names() == ["old"]
    shown.window.menus.layouts.load("old")
    assert places(shown.window) == before
    assert "old" in shown.window.console.messages.rows()[0].what


def test_no_row_of_tabs_is_left_behind_by_a_layout(shown: Console) -> None:
    for _ in range(2):
        shown.window.aids.layouts.reset()
        QApplication.processEvents()
    bars = [bar for bar in shown.window.findChildren(QTabBar) if bar.parent() is shown.window]
    assert [bar.count() for bar in bars if bar.geometry().right() > 0] == [5]


def test_the_next_start_finds_the_panels_where_they_were(shown: Console, qtbot: QtBot) -> None:
    scatter(shown.window)
    before = places(shown.window)
    shown.window.aids.layouts.keep()
    again = Console(qtbot, shown.settings)
    assert places(again.window) == before
    again.window.close_now()
    again.session.end()


def test_a_spoilt_layout_is_as_good_as_none(console: Console, qtbot: QtBot) -> None:
    console.settings.set_bytes(STATE, QByteArray(b"nothing that Qt wrote"))
    again = Console(qtbot, console.settings)
    assert places(again.window) == places(console.window)
    again.window.close_now()
    again.session.end()


# Back into sight


def test_closed_and_far_away_panels_are_brought_back(shown: Console) -> None:
    far, closed = shown.window.console.panels["log"], shown.window.console.panels["project"]
    closed.hide()
    far.setFloating(True)
    far.move(9000, 9000)
    shown.do("bring-back")
    screen = shown.window.screen().availableGeometry()
    assert not closed.isHidden()
    assert far.isFloating()
    assert screen.contains(far.geometry())


def test_panels_on_a_screen_that_is_gone_come_back_by_themselves(shown: Console) -> None:
    panel = shown.window.console.panels["tasks"]
    panel.setFloating(True)
    panel.move(-5000, 100)
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    application.screenRemoved.emit(application.primaryScreen())
    assert shown.window.screen().availableGeometry().contains(panel.geometry())


def test_a_window_in_sight_stays_where_it_is(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.setGeometry(40, 60, 300, 200)
    window.show()
    assert not rescue(window)
    assert window.geometry() == QRect(40, 60, 300, 200)


@pytest.mark.parametrize(
    ("frame", "seen"),
    [
        (QRect(100, 100, 800, 600), True),
        (QRect(1900, 100, 800, 600), True),  # on two screens
        (QRect(-700, 100, 800, 600), True),  # enough of its title bar is left
        (QRect(-790, 100, 800, 600), False),
        (QRect(100, -40, 800, 600), False),  # its title bar is above the screen
        (QRect(5000, 100, 800, 600), False),
        (QRect(0, 0, 4000, 600), False),  # wider than all screens
        (QRect(1800, 1076, 60, 20), False),
    ],
)
def test_a_window_is_lost_where_its_title_cannot_be_grasped(frame: QRect, seen: bool) -> None:
    assert graspable(frame, SCREENS) is seen


@given(
    st.integers(-9000, 9000), st.integers(-9000, 9000), st.integers(1, 6000), st.integers(1, 6000)
)
def test_what_is_brought_in_is_all_on_its_screen(x: int, y: int, width: int, height: int) -> None:
    screen = SCREENS[1]
    goal = brought_in(QRect(QPoint(x, y), QSize(width, height)), screen)
    assert screen.contains(goal)
    assert goal.size() == QSize(width, height).boundedTo(screen.size())
    assert graspable(goal, [screen]) or goal.height() < 12


# Shares of the window


@pytest.mark.parametrize("sizes", [((1024, 640), (1920, 1200)), ((1920, 1200), (1024, 640))])
def shares(window: MainWindow) -> bool:
    """Whether the docks at the sides have their shares of the window."""
    panels, wide = window.console.panels, window.width()
    left, right = max(LEFT_LEAST, LEFT_SHARE * wide), max(RIGHT_LEAST, RIGHT_SHARE * wide)
    return abs(panels["project"].width() - left) + abs(panels["inspector"].width() - right) < 4


@pytest.mark.parametrize("sizes", [((1024, 640), (1920, 1200)), ((1920, 1200), (1024, 640))])
def test_docks_keep_their_shares_of_the_window(
    shown: Console, qtbot: QtBot, sizes: tuple[tuple[int, int], ...]
) -> None:
    for size in sizes:
        shown.window.resize(*size)
        qtbot.waitUntil(lambda: shares(shown.window))


def test_docks_that_a_hand_has_moved_keep_their_size(shown: Console, qtbot: QtBot) -> None:
    window = shown.window
    project, handle = window.console.panels["project"], window.windowHandle()
    window.resize(1440, 900)
    qtbot.waitUntil(lambda: shares(window))
    edge = QPoint(project.geometry().right() + 3, project.geometry().center().y())
    QTest.mousePress(handle, Qt.MouseButton.LeftButton, pos=edge)
    QTest.mouseMove(handle, edge + QPoint(60, 0))
    qtbot.waitUntil(lambda: not shares(window))
    QTest.mouseRelease(handle, Qt.MouseButton.LeftButton, pos=edge + QPoint(60, 0))
    wide = project.width()
    window.resize(1600, 900)
    qtbot.wait(50)
    assert project.width() == wide
    shown.do("reset-layout")
    qtbot.waitUntil(lambda: shares(window))


# The keyboard


def holder() -> QWidget:
    found = QApplication.focusWidget()
    assert found is not None
    return found


def test_f6_goes_round_the_parts_in_sight_and_back(shown: Console) -> None:
    found = shown.window.aids.cycle.parts()
    names = [part.objectName() or type(part).__name__ for part in found]
    assert names == ["toolbar", "project", "Workspace", "inspector", "convergence"]
    found[0].setFocus()
    shown.window.toolbar.target.setFocus()
    for part in [*found[1:], found[0]]:
        shown.do("next-part")
        assert part.isAncestorOf(holder()) or part is holder()
    assert holder() is shown.window.toolbar.target  # where the keyboard was before
    shown.do("previous-part")
    assert found[-1].isAncestorOf(holder())


def test_tab_never_goes_behind_a_tab_and_comes_round(shown: Console) -> None:
    shown.window.toolbar.target.setFocus()
    came: list[QWidget] = []
    while holder() not in came:
        came.append(holder())
        QTest.keyClick(holder(), Qt.Key.Key_Tab)
    order = shown.window.aids.cycle.tab_order()  # once Qt has chosen one of each group of switches
    assert [each for each in order if each not in came] == []
    assert holder() is came[0]
    behind = [panel for panel in shown.window.console.panels.values() if not in_sight(panel)]
    assert len(behind) == 4
    assert not any(panel.isAncestorOf(each) for panel in behind for each in came)
    QTest.keyClick(holder(), Qt.Key.Key_Backtab)
    assert holder() is came[-1]


def test_a_row_of_tabs_comes_before_its_page_and_messages_before_both(shown: Console) -> None:
    shown.window.console.messages.show_message("info", "Exported.")
    QApplication.processEvents()
    order = shown.window.aids.cycle.tab_order()
    pages, canvas = shown.window.console.workspace.tabBar(), shown.window.aids.late.graph.canvas
    message = shown.window.console.messages.rows()[0].dismiss_button
    assert order.index(message) < order.index(pages) < order.index(canvas)


def test_the_panel_with_the_keyboard_is_torn_off_and_moved_by_keys(shown: Console) -> None:
    panel = shown.window.console.panels["trials"]
    panel.show_here()
    shown.do("float-panel")
    assert panel.isFloating()
    QApplication.processEvents()
    panel.show_here()
    panel.activateWindow()
    QApplication.processEvents()
    shown.do("float-panel")
    assert not panel.isFloating()
    panel.show_here()
    QApplication.processEvents()
    areas = []
    for _ in range(3):
        shown.do("move-panel")
        QApplication.processEvents()
        areas.append(shown.window.dockWidgetArea(panel))
    assert areas == [Qt.DockWidgetArea.RightDockWidgetArea, LEFT, BOTTOM]
    assert isinstance(holder(), QTableView)


# Room


def _center_share(window: MainWindow) -> float:
    center = window.centralWidget()
    assert center is not None
    return center.height() / window.height()


@pytest.mark.parametrize("height", [640, 700, 900])
def test_the_workspace_keeps_its_room_in_a_window_that_becomes_smaller(
    shown: Console, height: int, qtbot: QtBot
) -> None:
    window = shown.window
    window.resize(1900, 1400)
    QApplication.processEvents()
    window.resizeDocks([window.console.panels["tasks"]], [700], Qt.Orientation.Vertical)
    QApplication.processEvents()
    assert window.console.panels["tasks"].height() > 450
    assert _center_share(window) > 0.25
    window.resize(1024, height)
    qtbot.wait(300)
    qtbot.waitUntil(lambda: _center_share(window) >= 0.25)  # a busy machine lays out later


def test_a_stored_layout_of_a_larger_screen_leaves_the_workspace_room(
    shown: Console, qtbot: QtBot
) -> None:
    window = shown.window
    window.resize(1900, 1400)
    window.resizeDocks([window.console.panels["tasks"]], [1000], Qt.Orientation.Vertical)
    QApplication.processEvents()
    window.aids.layouts.keep()
    again = Console(qtbot, shown.settings)
    again.window.resize(1024, 640)
    again.window.show()
    again.window.aids.layouts.settle()
    for _ in range(3):
        QApplication.processEvents()
    assert _center_share(again.window) >= 0.25
    again.window.close_now()
    again.session.end()


def test_the_first_window_is_in_sight_with_its_frame_and_status_line(
    console: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = console.window
    free = window.screen().availableGeometry()
    window.show()
    monkeypatch.setattr(window, "frameGeometry", lambda: window.geometry().adjusted(-4, -30, 4, 4))
    window.aids.layouts.settle()
    least = window.minimumSizeHint()
    assert window.height() <= max(free.height() - 34, least.height())
    assert window.width() <= max(free.width() - 8, least.width())


@pytest.mark.parametrize("language", [ENGLISH, "de"])
def test_tabs_scroll_only_where_they_have_no_room_however_close_they_stand(
    qtbot: QtBot, qapp: QApplication, language: str
) -> None:
    application()  # in its look: widths depend on it
    speak(qapp, language)
    workspace = Workspace()
    qtbot.addWidget(workspace)
    workspace.show()
    bar = workspace.tabBar()
    workspace.resize(400, 200)
    least = bar.sizeHint().width()  # of tabs that stand close
    for width in range(least, least + 160):
        workspace.resize(width, 200)
        assert bar.sizeHint().width() <= width, width
    speak(qapp, ENGLISH)
