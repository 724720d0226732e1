"""A person's hand: it moves only the mouse and the keyboard, and touches only what can be seen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any, TypeVar

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QCheckBox,
    QComboBox,
    QFileDialog,
    QLineEdit,
    QMenu,
    QMenuBar,
    QTabBar,
    QTabWidget,
    QWidget,
)
from pytestqt.exceptions import TimeoutError
from pytestqt.qtbot import QtBot

from app.window.main_window import MainWindow
from widgets.parts.field_form import FieldControl

LEFT = Qt.MouseButton.LeftButton
PATIENCE_MS = 120_000
PRESSES, PRESS_MS = 3, 10_000
W = TypeVar("W", bound=QWidget)


class Hand:
    """Acts on a window as a person does; what cannot be seen or reached fails the test."""

    def __init__(self, window: MainWindow, qtbot: QtBot) -> None:
        self.window, self.qtbot = window, qtbot
        self.failures: list[str] = []
        window.console.document.failed.connect(lambda *words: self.failures.append(" ".join(words)))

    def until(self, seen: Callable[[], object]) -> None:
        """Look on until something has happened; a failure that the window tells ends the way."""
        self.qtbot.waitUntil(lambda: bool(self.told() or seen()), timeout=PATIENCE_MS)
        assert not self.told(), self.told()

    def told(self) -> list[str]:
        """What failed, by the document's word or by an error on show."""
        rows = self.window.console.messages.rows()
        return self.failures + [f"{row.what} {row.todo}" for row in rows if row.level == "error"]

    def activate(self, top: QWidget) -> None:
        """Give a window the keyboard, as a window manager does; a bare X server has none."""
        if not top.isActiveWindow() and top.windowType() is not Qt.WindowType.Popup:
            top.activateWindow()
            self.until(top.isActiveWindow)

    # The mouse

    def click(self, widget: QWidget, at: QPoint | None = None) -> None:
        """Press and release over a widget, which must lie open to the mouse there."""
        point = widget.rect().center() if at is None else at
        self.until(lambda: _is_open(widget, point))
        top = widget.window()
        self.activate(top)
        QTest.mouseClick(top.windowHandle(), LEFT, pos=widget.mapTo(top, point))

    def button(self, action: str) -> None:
        """Press an action's button on the toolbar, or its entry in the menu that stands for it."""
        wanted = self.window.console.actions[action]
        self.until(wanted.isEnabled)
        bar = self.window.toolbar
        self.click(bar.button(action))
        if bar.folds(action):
            self._open(bar.menu, lambda: wanted)

    def menu(self, action: str) -> None:
        """Open the menu that has an action, and press it there."""
        wanted = self.window.console.actions[action]
        self.until(wanted.isEnabled)
        menu = next(menu for menu in self.window.menus.menus.values() if wanted in menu.actions())
        self.pull([menu], lambda: wanted)

    def pull(self, menus: Sequence[QMenu], entry: Callable[[], QAction]) -> None:
        """Open menus, each in the one before, and press an entry of the last one.

        On a busy machine a press may come while a menu is still opening, or while the menu is
        made anew; a person looks again and presses again.
        """
        pressed = QSignalSpy(menus[-1].triggered)
        for _ in range(PRESSES):
            self._press(menus, entry)
            with suppress(TimeoutError):
                self.qtbot.waitUntil(lambda: bool(self.told() or pressed.count()), timeout=PRESS_MS)
                return
            while (menu := QApplication.activePopupWidget()) is not None:
                menu.close()
        raise AssertionError(f"An entry was pressed {PRESSES} times, and nothing happened.")

    def _press(self, menus: Sequence[QMenu], entry: Callable[[], QAction]) -> None:
        place: QMenuBar | QMenu = self.window.menuBar()
        for menu in menus:
            self._open(place, menu.menuAction)
            place = menu
        self._open(place, entry)

    def _open(self, place: QMenuBar | QMenu, entry: Callable[[], QAction]) -> None:
        if isinstance(place, QMenu):
            self.until(place.isVisible)
        self.click(place, place.actionGeometry(entry()).center())

    def page(self, tabs: QTabWidget, page: QWidget) -> None:
        """Bring a page to the front by its tab."""
        self.tab(tabs.tabBar(), tabs.indexOf(page))

    def tab(self, bar: QTabBar, place: int) -> None:
        """Press a tab."""
        self.click(bar, bar.tabRect(place).center())

    # The keyboard

    def keys(self, *keys: Any) -> None:
        """Press keys, each an action's id or a Qt key, where the keyboard is now."""
        for key in keys:
            top = QApplication.activePopupWidget() or QApplication.activeWindow() or self.window
            self.activate(top.window())
            handle = top.window().windowHandle()
            if isinstance(key, str):
                action = self.window.console.actions[key]
                self.until(action.isEnabled)
                QTest.keySequence(handle, action.shortcut())
            elif isinstance(key, QKeySequence):
                QTest.keySequence(handle, key)
            else:
                QTest.keyClick(handle, key)

    def write(self, widget: QWidget, text: str) -> None:
        """Replace what a field says."""
        line = widget if isinstance(widget, QLineEdit) else widget.findChild(QLineEdit)
        assert line is not None
        self.click(line)
        self.until(line.hasFocus)
        self.keys(QKeySequence(QKeySequence.StandardKey.SelectAll))
        for letter in text:
            QTest.keyClick(line.window().windowHandle(), letter)  # type: ignore[call-overload]

    def fill(self, control: FieldControl, value: float | str | bool | None) -> None:
        """Give a field of a form a value, in the unit it is shown in; None: no limit."""
        editor, tick = control.editor, control.tick
        if tick is not None and tick.isChecked() is (value is None):
            self.toggle(tick)
        if value is None:
            return
        if isinstance(editor, QAbstractSpinBox | QLineEdit):
            self.write(editor, str(value))
            self.keys(Qt.Key.Key_Tab)
        elif isinstance(editor, QComboBox):
            self.choose(editor, editor.findData(value))
        elif editor.isChecked() is not value:
            self.toggle(editor)

    def toggle(self, box: QCheckBox) -> None:
        """Press a tick where its mark is."""
        before = box.isChecked()
        self.click(box, QPoint(box.height() // 2, box.height() // 2))
        assert box.isChecked() is not before

    def choose(self, box: QComboBox, row: int) -> None:
        """Open a box of choices by mouse and go to one by keys."""
        self.click(box)
        self.until(QApplication.activePopupWidget)
        self.keys(Qt.Key.Key_Home, *[Qt.Key.Key_Down] * row, Qt.Key.Key_Return)
        self.until(lambda: box.currentIndex() == row)

    # Windows beside the window

    def sheet(self, kind: type[W]) -> W:
        """The open dialog of this kind; it has the keyboard then."""
        self.until(lambda: next(_shown(kind), None))
        found = next(_shown(kind))
        self.activate(found)
        return found

    def file(self, path: object) -> None:
        """Answer the question for a file: type its path, press Enter."""
        dialog = self.sheet(QFileDialog)
        line = dialog.findChild(QLineEdit, "fileNameEdit")
        assert line is not None
        self.write(line, str(path))
        self.keys(Qt.Key.Key_Return)
        self.until(lambda: next(_shown(QFileDialog), None) is None)


def _shown(kind: type[W]) -> Iterator[W]:
    tops = QApplication.topLevelWidgets()
    return (widget for widget in tops if isinstance(widget, kind) and widget.isVisible())


def _is_open(widget: QWidget, point: QPoint) -> bool:
    """Whether a press there would reach the widget: it is enabled, in sight and not covered."""
    if not (widget.isVisible() and widget.isEnabled()):
        return False
    top = widget.window()
    found = top.childAt(widget.mapTo(top, point)) or top
    return found is widget or widget.isAncestorOf(found)
