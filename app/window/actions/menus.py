"""The menus, from the table of actions, with samples, recent files, panels and layouts."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu

from app.document.commands import Commands
from app.document.document import Document
from app.process.scale import SCALES, choose, chosen, text_of
from app.window.actions.actions import MENUS, SPECS
from app.window.console import Console
from app.window.layouts import Layouts
from widgets.look.language import tr
from widgets.look.plain_label import plain_tip
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
            action.setToolTip(plain_tip(path))
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
