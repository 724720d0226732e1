"""The menus, from the table of actions, with samples and recent files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QMenu

from app.document.commands import Commands
from app.document.document import Document
from app.window.actions.actions import MENUS, SPECS
from app.window.console import Console
from app.window.layout_menu import LayoutMenu
from app.window.layouts import Layouts
from widgets.look.language import tr
from widgets.parts.message_bar import MessageBar

_NUMBERED = 9
_MARKED = "missing"


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


class RecentMenu(QMenu):
    """Filled when files change, and looked at again when it is shown: files come and go."""

    def __init__(self, document: Document, commands: Commands, messages: MessageBar) -> None:
        super().__init__(tr("Open &recent"))
        self._document, self._commands, self._messages = document, commands, messages
        self._files = commands.recent_files
        self.setToolTipsVisible(True)
        self.aboutToShow.connect(self._mark_missing)

    def refresh(self) -> None:
        """Offer the files that are known now."""
        self.clear()
        pinned = self._files.pinned()
        for number, path in enumerate(self._files.paths(), 1):
            mark = f"&{number}  " if number <= _NUMBERED else ""
            name = Path(path).name.replace("&", "&&")
            shown = f"{mark}{name}"
            action = self.addAction(tr("{name}  (pinned)", name=shown) if path in pinned else shown)
            action.setToolTip(path)
            action.setData(path)
            action.triggered.connect(lambda _=False, path=path: self._open(path))
        self.setEnabled(self._document.idle and not self.isEmpty())
        if not self.isEmpty():
            self._add_care(pinned)

    def _add_care(self, pinned: list[str]) -> None:
        here = self._document.path
        self.addSeparator()
        pin = self.addAction(tr("&Pin the open project"))
        pin.setCheckable(True)
        pin.setChecked(here in pinned)
        pin.setEnabled(bool(here))
        pin.triggered.connect(lambda checked: self._soon(lambda: self._files.pin(here, checked)))
        clear = self.addAction(tr("&Clear the list"))
        clear.setToolTip(tr("Pinned files stay"))
        clear.triggered.connect(lambda: self._soon(self._files.clear))

    def _soon(self, change: Callable[[], object]) -> None:
        """The menu is made anew then: not while one of its actions is carried out."""
        QTimer.singleShot(0, self, change)

    def _open(self, path: str) -> None:
        if Path(path).exists():
            self._commands.open_path(Path(path))
            return
        self._messages.show_message(
            "warning",
            tr("{name} is not there any more.", name=Path(path).name),
            tr("It was in {folder}.", folder=Path(path).parent),
            action=(tr("Forget it"), lambda: self._files.forget(path)),
        )

    def _mark_missing(self) -> None:
        for action in self.actions():
            path = action.data()
            if path and not Path(path).exists() and not action.property(_MARKED):
                action.setText(tr("{name}  (missing)", name=action.text()))
                action.setProperty(_MARKED, True)
