"""The menus, from the table of actions, with samples and recent files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from app.window.actions.actions import MENUS, SPECS
from app.window.actions.recent_menu import RecentMenu
from app.window.exporting import ExportMessages
from app.window.layout_menu import LayoutMenu
from engine.models.samples import SAMPLES
from widgets.look.language import tr

if TYPE_CHECKING:
    from app.window.main_window import MainWindow


class Menus:
    """Fills a window's menu bar; `samples` are the actions that open sample models."""

    layouts: LayoutMenu

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self.menus: dict[str, QMenu] = {}
        bar = window.menuBar()
        for title in MENUS:
            self.menus[title] = bar.addMenu(tr(title))
        for spec in SPECS:
            menu = self.menus[spec.menu]
            if spec.before:
                menu.addSeparator()
            menu.addAction(window.actions_table[spec.id])
        self.samples = self._sample_actions()
        first = window.actions_table["save-as"]
        self.sample_menu, self.recent_menu = QMenu(tr("Open sa&mple")), RecentMenu(window)
        for submenu in (self.sample_menu, self.recent_menu):
            submenu.setParent(self.menus["&File"], submenu.windowFlags())
            self.menus["&File"].insertMenu(first, submenu)
        self.sample_menu.addActions(self.samples)
        self.layouts = LayoutMenu(window, self.menus["&View"])
        self.refresh()
        ExportMessages(window)

    def refresh(self) -> None:
        """Follow the recent files and whether something may be opened now."""
        idle = self._window.document.idle
        self.sample_menu.setEnabled(idle)
        for action in self.samples:
            action.setEnabled(idle)
        self.recent_menu.refresh()

    def _sample_actions(self) -> list[QAction]:
        actions = []
        for sample in SAMPLES:
            action = QAction(tr("Open sample: &{title}", title=sample.title), self._window)
            action.setIconText(sample.title)
            action.setIconText(sample.title)
            action.setToolTip(sample.description)
            action.triggered.connect(
                lambda _=False, name=sample.name: self._window.commands.open_sample(name)
            )
            actions.append(action)
        return actions
