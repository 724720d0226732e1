"""The sheet of the search for stages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.process.rescue import come_forward
from app.window.actions.conditions import can_find_stages
from app.window.console import Console
from engine.records.schedule import IosOptions

if TYPE_CHECKING:
    from widgets.stages.sheet import StageSheet


class Stages(QObject):
    """Opens the sheet, and starts the search."""

    def __init__(self, console: Console) -> None:
        super().__init__(console.window)
        self._console = console
        self.sheet: StageSheet | None = None
        console.document.changed.connect(self._follow)
        console.document.closed.connect(self.close)
        console.document.opened.connect(self._opened)

    def open(self) -> None:
        """Show the sheet of the search."""
        if self.sheet is not None:
            come_forward(self.sheet)
        elif can_find_stages(self._console.document):
            self._make()

    def close(self) -> None:
        if self.sheet is not None:
            self.sheet.close()

    def _make(self) -> None:
        from widgets.stages.sheet import StageSheet

        self.sheet = StageSheet(self._console.document.project, self._console.window)
        self.sheet.started.connect(self._start)
        self.sheet.finished.connect(self._forget)
        self._follow()
        self._console.show_sheet(self.sheet)
        come_forward(self.sheet)

    def _forget(self) -> None:
        self.sheet = None

    def _start(self, options: IosOptions) -> None:
        self._console.go_to("stages")
        self._console.commands.find_schedule(options)

    def _opened(self) -> None:
        if self.sheet is not None and self._console.document.is_refresh:
            self.sheet.show_project()
        else:
            self.close()

    def _follow(self) -> None:
        if self.sheet is not None:
            self.sheet.allow_start(can_find_stages(self._console.document))
