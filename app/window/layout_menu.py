"""What of the View menu a table cannot say: panels, layouts with names, sizes of the interface."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu

from app.process.scale import SCALES, choose, chosen, text_of
from app.window.console import Console
from app.window.layouts import Layouts
from widgets.look.language import tr


class LayoutMenu(QObject):
    """Submenus of `menu`; layouts are listed each time they are shown."""

    def __init__(self, console: Console, named: Layouts, menu: QMenu) -> None:
        super().__init__(console.window)
        self._console, self._named = console, named
        panels = menu.addMenu(tr("Pa&nels"))
        for panel in console.panels.values():
            panels.addAction(panel.toggleViewAction())
        self.layouts = menu.addMenu(tr("Layo&uts"))
        self.layouts.aboutToShow.connect(self._list)
        self._delete = QMenu(tr("&Delete"), self.layouts)
        self.scales = menu.addMenu(tr("Interface si&ze"))
        self.scales.aboutToShow.connect(self._tick)
        group = QActionGroup(self)
        for scale in SCALES:
            action = self._add(self.scales, text_of(scale), partial(self._scale, scale))
            action.setCheckable(True)
            group.addAction(action)

    def load(self, name: str) -> None:
        """Arrange the panels as a name says."""
        if not self._named.load(name):
            self._console.messages.show_message(
                "warning",
                tr("The layout {name} is not one of this version.", name=name),
                tr("Arrange the panels again and save them under that name."),
            )

    def _list(self) -> None:
        menu, table, names = self.layouts, self._console.actions, self._named.names()
        menu.clear()
        menu.addActions([table[each] for each in ("save-layout", "reset-layout", "bring-back")])
        menu.addSeparator()
        for name in names:
            self._add(menu, name.replace("&", "&&"), partial(self.load, name))
        menu.addSeparator()
        menu.addMenu(self._delete)
        self._delete.clear()
        self._delete.setEnabled(bool(names))
        for name in names:
            forget = partial(self._named.delete, name)
            self._add(self._delete, name.replace("&", "&&"), forget)

    def _tick(self) -> None:
        now = text_of(chosen(self._console.settings))
        for action in self.scales.actions():
            action.setChecked(action.text() == now)

    def _scale(self, scale: float) -> None:
        choose(self._console.settings, scale)
        text = tr("The interface is drawn at {size} from the next start on.", size=text_of(scale))
        self._console.messages.show_message("info", text)

    def _add(self, menu: QMenu, text: str, act: Callable[[], object]) -> QAction:
        action = menu.addAction(text)
        action.triggered.connect(lambda _=False: act())
        return action
