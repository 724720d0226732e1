"""The menus, from the table of actions, with samples and recent files."""

from __future__ import annotations

from PySide6.QtWidgets import QMenu

from app.window.actions.actions import MENUS, SPECS
from app.window.actions.recent_menu import RecentMenu
from app.window.console import Console
from app.window.layout_menu import LayoutMenu
from app.window.layouts import Layouts
from widgets.look.language import tr


class Menus:
    """Fills a window's menu bar."""

    def __init__(self, console: Console, layouts: Layouts) -> None:
        self._document = console.document
        self.menus: dict[str, QMenu] = {}
        bar = console.window.menuBar()
        for title in MENUS:
            self.menus[title] = bar.addMenu(tr(title))
        for spec in SPECS:
            menu = self.menus[spec.menu]
            if spec.before:
                menu.addSeparator()
            menu.addAction(console.actions[spec.id])
        self.sample_menu = QMenu(tr("Open sa&mple"))
        self.recent_menu = RecentMenu(console.document, console.commands, console.messages)
        for submenu in (self.sample_menu, self.recent_menu):
            submenu.setParent(self.menus["&File"], submenu.windowFlags())
            self.menus["&File"].insertMenu(console.actions["save-as"], submenu)
        self.sample_menu.addActions(console.samples)
        self.layouts = LayoutMenu(console, layouts, self.menus["&View"])
        self.refresh()

    def refresh(self) -> None:
        """Follow the recent files and whether something may be opened now."""
        self.sample_menu.setEnabled(self._document.idle)
        self.recent_menu.refresh()
