"""What of the View menu a table cannot say: panels, layouts with names, sizes of the interface."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QInputDialog, QLineEdit, QMenu

from app.process.scale import SCALES, choose, chosen, text_of
from widgets.look.language import tr

if TYPE_CHECKING:
    from app.window.main_window import MainWindow


class LayoutMenu(QObject):
    """Submenus of `menu`; layouts are listed each time they are shown."""

    def __init__(self, window: MainWindow, menu: QMenu) -> None:
        super().__init__(window)
        self._window = window
        panels = menu.addMenu(tr("Pa&nels"))
        for panel in window.panels.values():
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

    def ask_name(self) -> QInputDialog:
        """Ask what the arrangement on show is called."""
        dialog = QInputDialog(self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle(tr("Save layout"))
        dialog.setLabelText(tr("Name of the layout; one of the same name is replaced:"))
        for line in dialog.findChildren(QLineEdit):
            line.setAccessibleName(tr("Name of the layout"))
        dialog.textValueSelected.connect(self._window.layouts.save)
        dialog.open()
        return dialog

    def load(self, name: str) -> None:
        """Arrange the panels as a name says."""
        if not self._window.layouts.load(name):
            self._window.messages.show_message(
                "warning",
                tr("The layout {name} is not one of this version.", name=name),
                tr("Arrange the panels again and save them under that name."),
            )

    def _list(self) -> None:
        menu, table, names = self.layouts, self._window.actions_table, self._window.layouts.names()
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
            forget = partial(self._window.layouts.delete, name)
            self._add(self._delete, name.replace("&", "&&"), forget)

    def _tick(self) -> None:
        now = text_of(chosen(self._window.settings))
        for action in self.scales.actions():
            action.setChecked(action.text() == now)

    def _scale(self, scale: float) -> None:
        choose(self._window.settings, scale)
        text = tr("The interface is drawn at {size} from the next start on.", size=text_of(scale))
        self._window.messages.show_message("info", text)

    def _add(self, menu: QMenu, text: str, act: Callable[[], object]) -> QAction:
        action = menu.addAction(text)
        action.triggered.connect(lambda _=False: act())
        return action
