"""Takes the keyboard from part to part of a window, and through what is in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow, QScrollArea, QTabBar, QWidget

from app.window.panels import Area, Panel, first_focus

SIDES = (Area.LeftDockWidgetArea, Area.BottomDockWidgetArea, Area.RightDockWidgetArea)


class Cycle:
    """Bars, panels in sight and the page between them, in the order one reads them."""

    def __init__(
        self,
        window: QMainWindow,
        panels: Mapping[str, Panel],
        above: Sequence[QWidget],
        center: Sequence[QWidget],
        below: QWidget,
    ) -> None:
        self._window, self._panels = window, panels
        self._above, self._center, self._below = above, center, below

    def parts(self) -> list[QWidget]:
        """Those in sight that take the keyboard."""
        shown = [panel for panel in self._panels.values() if in_sight(panel)]
        sides = [[p for p in shown if side_of(self._window, p) == side] for side in SIDES]
        left, bottom, right = sides
        loose = [panel for panel in shown if panel.isFloating()]
        found: list[QWidget] = [*self._above, *left, *self._center, *right, *bottom, *loose]
        found.append(self._below)
        return [part for part in found if part.isVisible() and first_focus(part) is not None]

    def tab_order(self) -> list[QWidget]:
        """Every control in sight, part by part; a row of tabs comes before what it shows.

        Qt's own order goes through panels that are behind others.
        """
        chain = [widget for widget in _inside(self._window) if _takes_tab(widget)]
        tabs = [bar for bar in chain if bar.parentWidget() is self._window]
        found: list[QWidget] = []
        for part in self.parts():
            if isinstance(part, Panel) and side_of(self._window, part) is SIDES[1]:
                found, tabs = found + tabs, []
            inside = [each for each in chain if each is part or part.isAncestorOf(each)]
            found += sorted(inside, key=lambda each: not isinstance(each, QTabBar))
        return found + tabs

    def tab(self, onwards: bool) -> bool:
        """Give the keyboard to the next control, or to the one before; False where none is."""
        order, holder = self.tab_order(), QApplication.focusWidget()
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

    def step(self, by: int) -> None:
        """Give the keyboard to the next part, or to the one before; after the last the first."""
        found = self.parts()
        if not found:
            return
        here = [place for place, part in enumerate(found) if has_keys(part)]
        place = (here[0] + by) % len(found) if here else (0 if by > 0 else -1)
        focus(found[place])


def _inside(window: QWidget) -> Iterator[QWidget]:
    """All that is in a window, in the order of making.

    Not by `nextInFocusChain`: for the binding the next widget is a child of the one before, and
    whatever belongs to it counts as deleted once that one is, such as a ring that is drawn for a
    while.
    """
    return (each for each in window.findChildren(QWidget) if each.window() is window)


def _takes_tab(widget: QWidget) -> bool:
    able = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
    return able and widget.isVisible() and widget.isEnabled() and widget.focusProxy() is None


def in_sight(panel: QDockWidget) -> bool:
    """Whether a panel is on show, and not behind another one."""
    return panel.isVisible() and not panel.visibleRegion().isEmpty()


def focus(part: QWidget) -> None:
    """Give the keyboard back to what had it last in this part, or to its first control."""
    last = part.focusWidget()
    known = last is not None and part.isAncestorOf(last) and last.isVisible() and last.isEnabled()
    target = last if known else first_focus(part)
    if target is not None:
        target.window().activateWindow()
        target.setFocus(Qt.FocusReason.ShortcutFocusReason)


def side_of(window: QMainWindow, panel: Panel) -> Area | None:
    """The side of the window that a panel is at."""
    if panel.isFloating() or panel.isHidden():
        return None
    return window.dockWidgetArea(panel)


def has_keys(part: QWidget) -> bool:
    """Whether the keyboard is in this part."""
    holder = QApplication.focusWidget()
    return holder is not None and (part is holder or part.isAncestorOf(holder))
