"""The docks round the workspace: where they are at first, how they tear off."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from PySide6.QtCore import QChildEvent, QEvent, QObject, QSize, Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow, QTabBar, QTabWidget, QWidget

from widgets.look.language import tr

Area = Qt.DockWidgetArea
_MOVED, _RESIZED = QEvent.Type.Move, QEvent.Type.Resize
LEFT_SHARE, RIGHT_SHARE, BOTTOM_SHARE = 0.13, 0.165, 0.3  # of the window
LEFT_LEAST, RIGHT_LEAST = 185, 230  # pixels, for texts
LEAST_SHARE = 0.25  # of the window is the workspace's in each direction


class _NoTitle(QWidget):
    """A title bar without height; a plain widget has no size to tell, and Qt warns of -1."""

    def sizeHint(self) -> QSize:
        return QSize(0, 0)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0)


class Panel(QDockWidget):
    """A dock; at the bottom its tab is its title, elsewhere it has a title bar."""

    def __init__(self, name: str, title: str, area: Area, widget: QWidget) -> None:
        super().__init__(title)
        self.setObjectName(name)
        self.setAccessibleName(title)
        self.setWidget(widget)
        self.home = area
        # Behind another tab Qt moves a dock beyond the window's edge, where it counts as visible.
        sizes = widget.sizePolicy()
        sizes.setRetainSizeWhenHidden(True)
        widget.setSizePolicy(sizes)
        self.visibilityChanged.connect(widget.setVisible)
        self._bare = _NoTitle(self)
        self.dockLocationChanged.connect(lambda _: self._dress())
        self.topLevelChanged.connect(lambda _: self._dress())

    def show_here(self) -> None:
        """Bring the panel to the front and give it the keyboard."""
        self.show()
        self.raise_()
        self.widget().show()
        target = first_focus(self.widget())
        if target is not None:
            self.window().activateWindow()
            target.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _dress(self) -> None:
        window = self.parent()
        bottom = isinstance(window, QMainWindow) and window.dockWidgetArea(self) == (
            Area.BottomDockWidgetArea
        )
        bare = bottom and not self.isFloating()
        wanted = self._bare if bare else None
        if self.titleBarWidget() is not wanted:
            self.setTitleBarWidget(wanted)  # type: ignore[arg-type]


class TabBarNames(QObject):
    """Gives the tab bars that a window makes for its panels a name, and the keyboard while they
    have tabs: Qt parks empty ones beyond the window's edge."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Dress each new one, and again when it is moved."""
        if isinstance(event, QChildEvent) and event.type() == QEvent.Type.ChildPolished:
            bar = event.child()
            if isinstance(bar, QTabBar):
                bar.setAccessibleName(tr("Panels"))
                bar.installEventFilter(self)
        elif isinstance(watched, QTabBar) and event.type() in (_MOVED, _RESIZED):
            wanted = Qt.FocusPolicy.TabFocus if watched.count() else Qt.FocusPolicy.NoFocus
            watched.setFocusPolicy(wanted)
        return super().eventFilter(watched, event)


def first_focus(widget: QWidget | None) -> QWidget | None:
    """The first part of a widget that takes the keyboard, tables and texts before buttons."""
    if widget is None:
        return None
    parts = [widget, *widget.findChildren(QWidget)]
    here = [part for part in parts if part.window() is widget.window()]  # no combo's popup
    able = [part for part in here if _takes_keys(part) and part.isVisibleTo(widget)]
    areas = [part for part in able if part.inherits("QAbstractScrollArea")]
    return next(iter([*areas, *able]), None)


def _takes_keys(widget: QWidget) -> bool:
    return bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus) and widget.isEnabled()


def place(window: QMainWindow, panels: Mapping[str, Panel]) -> None:
    """Give a new window its panels, one beside the other; `stack` or a stored state comes next."""
    window.setDockOptions(
        QMainWindow.DockOption.AllowTabbedDocks
        | QMainWindow.DockOption.AllowNestedDocks
        | QMainWindow.DockOption.GroupedDragging
    )
    window.setTabPosition(Area.AllDockWidgetAreas, QTabWidget.TabPosition.North)
    window.setCorner(Qt.Corner.BottomRightCorner, Area.RightDockWidgetArea)
    window.setCorner(Qt.Corner.BottomLeftCorner, Area.BottomDockWidgetArea)
    for panel in panels.values():
        window.addDockWidget(panel.home, panel)


def stack(window: QMainWindow, panels: Mapping[str, Panel]) -> None:
    """Tab the panels of each area, the first one in front."""
    for group in _by_area(panels):
        for first, second in pairwise(group):
            window.tabifyDockWidget(first, second)
        group[0].raise_()
    proportion(window, panels)


def proportion(window: QMainWindow, panels: Mapping[str, Panel]) -> None:
    """Give the areas their shares of the window as it is now."""
    flat, upright = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
    sizes = {
        Area.LeftDockWidgetArea: (max(LEFT_LEAST, round(LEFT_SHARE * window.width())), flat),
        Area.RightDockWidgetArea: (max(RIGHT_LEAST, round(RIGHT_SHARE * window.width())), flat),
        Area.BottomDockWidgetArea: (round(BOTTOM_SHARE * window.height()), upright),
    }
    for panel in panels.values():
        pixels, direction = sizes[panel.home]
        if not panel.isFloating():
            window.resizeDocks([panel], [pixels], direction)


def is_cramped(window: QMainWindow, height: int = 0) -> bool:
    """Whether the docks leave the workspace too little of a window; `height` is what it had."""
    center = window.centralWidget()
    if center is None:
        return False
    high, wide = height or window.height(), window.width()
    return center.height() < LEAST_SHARE * high or center.width() < LEAST_SHARE * wide


def _by_area(panels: Mapping[str, Panel]) -> list[list[Panel]]:
    groups: dict[Area, list[Panel]] = {}
    for panel in panels.values():
        groups.setdefault(panel.home, []).append(panel)
    return list(groups.values())
