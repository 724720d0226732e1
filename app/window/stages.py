"""The search for stages: its sheet, and what the Stages view asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt

from app.window.actions.conditions import can_find_stages
from engine.records.schedule import IosOptions
from engine.records.snapshot import Snapshot

if TYPE_CHECKING:
    from app.window.main_window import MainWindow
    from widgets.stages.sheet import StageSheet
    from widgets.stages.view import StageView


class Stages(QObject):
    """Opens the sheet, starts and ends the search, tells the view what is possible now."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._view: StageView | None = None
        self.sheet: StageSheet | None = None
        window.document.changed.connect(self._follow)
        window.document.closed.connect(self.close)
        window.document.opened.connect(self._opened)

    def join(self, view: StageView) -> None:
        """Do what this view asks for."""
        self._view = view
        view.find_wanted.connect(self.open)
        view.stop_wanted.connect(self._window.commands.stop)
        self._follow()

    def open(self) -> None:
        """Show the sheet of the search."""
        if self.sheet is not None:
            self._raise(self.sheet)
        elif self._can_find():
            self._window.commands.with_snapshot(self._make)

    def close(self) -> None:
        """Leave no sheet behind."""
        if self.sheet is not None:
            self.sheet.close()

    def _make(self, snapshot: Snapshot) -> None:
        from widgets.stages.sheet import StageSheet

        if self.sheet is not None or snapshot.path != self._window.document.path:
            return
        self.sheet = StageSheet(snapshot, self._window)
        self.sheet.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.sheet.addAction(self._window.actions_table["help"])
        self.sheet.started.connect(self._start)
        self.sheet.finished.connect(self._forget)
        self._follow()
        self._raise(self.sheet)

    def _forget(self) -> None:
        self.sheet = None

    def _raise(self, sheet: StageSheet) -> None:
        sheet.show()
        sheet.raise_()
        sheet.activateWindow()

    def _start(self, options: IosOptions) -> None:
        self._window.go_to("stages")
        self._window.commands.find_schedule(options)

    def _opened(self, snapshot: Snapshot) -> None:
        if self.sheet is not None and self._window.document.is_refresh:
            self.sheet.show_snapshot(snapshot)
        else:
            self.close()

    def _follow(self) -> None:
        allowed = self._can_find()
        if self.sheet is not None:
            self.sheet.allow_start(allowed)
        if self._view is not None:
            self._view.show_searching(self._window.document.searching)
            self._view.allow_find(allowed)

    def _can_find(self) -> bool:
        return can_find_stages(self._window.document)
