"""Takes the keyboard from part to part of a window, and its panels to other sides."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDockWidget, QScrollArea, QTabBar, QWidget

from app.window.panels import Area, Panel, first_focus

if TYPE_CHECKING:
    from app.window.main_window import MainWindow

_SIDES = (Area.LeftDockWidgetArea, Area.BottomDockWidgetArea, Area.RightDockWidgetArea)


def parts(window: MainWindow) -> list[QWidget]:
    """Bars, panels in sight and the page between them, in the order one reads them."""
    shown = [panel for panel in window.panels.values() if in_sight(panel)]
    left, bottom, right = ([p for p in shown if _side(window, p) == side] for side in _SIDES)
    center = window.workspace if window.workspace.isVisible() else window.welcome
    loose = [panel for panel in shown if panel.isFloating()]
    found: list[QWidget] = [window.toolbar, window.pass_bar, *left, window.messages, center]
    found += [*right, *bottom, *loose, window.status]
    return [part for part in found if part.isVisible() and first_focus(part) is not None]


def tab_order(window: MainWindow) -> list[QWidget]:
    """Every control in sight, part by part; a row of tabs comes before what it shows.

    Qt's own order is that of making, and goes through panels that are behind others.
    """
    chain = [widget for widget in _focus_chain(window) if _takes_tab(widget)]
    tabs = [bar for bar in chain if bar.parentWidget() is window]
    found: list[QWidget] = []
    for part in parts(window):
        if isinstance(part, Panel) and _side(window, part) is Area.BottomDockWidgetArea:
            found, tabs = found + tabs, []
        inside = [each for each in chain if each is part or part.isAncestorOf(each)]
        found += sorted(inside, key=lambda each: not isinstance(each, QTabBar))
    return found + tabs


def tab(window: MainWindow, onwards: bool) -> bool:
    """Give the keyboard to the next control, or to the one before; False where there is none."""
    order, holder = tab_order(window), QApplication.focusWidget()
    if not order:
        return False
    by = 1 if onwards else -1
    place = order.index(holder) + by if holder in order else min(by, 0)
    reason = Qt.FocusReason.TabFocusReason if onwards else Qt.FocusReason.BacktabFocusReason
    target = order[place % len(order)]
    target.setFocus(reason)
    area = target.parentWidget()
    while area is not None:
        if isinstance(area, QScrollArea):
            area.ensureWidgetVisible(target)
        area = area.parentWidget()
    return True


def _focus_chain(window: QWidget) -> Iterator[QWidget]:
    widget = window.nextInFocusChain()
    while widget is not None and widget is not window:
        if widget.window() is window:
            yield widget
        widget = widget.nextInFocusChain()


def _takes_tab(widget: QWidget) -> bool:
    able = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
    return able and widget.isVisible() and widget.isEnabled() and widget.focusProxy() is None


def in_sight(panel: QDockWidget) -> bool:
    """Whether a panel is on show, and not behind another one."""
    return panel.isVisible() and not panel.visibleRegion().isEmpty()


def step(window: MainWindow, by: int) -> None:
    """Give the keyboard to the next part, or to the one before; after the last comes the first."""
    found = parts(window)
    if not found:
        return
    here = [place for place, part in enumerate(found) if _has_keys(part)]
    place = (here[0] + by) % len(found) if here else (0 if by > 0 else -1)
    focus(found[place])


def focus(part: QWidget) -> None:
    """Give the keyboard back to what had it last in this part, or to its first control."""
    last = part.focusWidget()
    known = last is not None and part.isAncestorOf(last) and last.isVisible() and last.isEnabled()
    target = last if known else first_focus(part)
    if target is not None:
        target.window().activateWindow()
        target.setFocus(Qt.FocusReason.ShortcutFocusReason)


def float_panel(window: MainWindow) -> None:
    """Tear off the panel that has the keyboard, or put it back."""
    panel = _current(window)
    if panel is not None:
        panel.setFloating(not panel.isFloating())
        window.layouts.rescue()
        panel.show_here()


def move_panel(window: MainWindow) -> None:
    """Take the panel that has the keyboard to the next side of the window."""
    panel = _current(window)
    if panel is None:
        return
    panel.setFloating(False)
    side = window.dockWidgetArea(panel)
    place = _SIDES.index(side) if side in _SIDES else -1
    goal = _SIDES[(place + 1) % len(_SIDES)]
    there = [p for p in window.panels.values() if p is not panel and _side(window, p) == goal]
    window.addDockWidget(goal, panel)
    if there:
        window.tabifyDockWidget(there[-1], panel)
    panel.show_here()


def _current(window: MainWindow) -> Panel | None:
    found = [panel for panel in window.panels.values() if _has_keys(panel)]
    return found[0] if found else None


def _side(window: MainWindow, panel: Panel) -> Area | None:
    if panel.isFloating() or panel.isHidden():
        return None
    return window.dockWidgetArea(panel)


def _has_keys(part: QWidget) -> bool:
    holder = QApplication.focusWidget()
    return holder is not None and (part is holder or part.isAncestorOf(holder))
