"""Files dropped anywhere on a window are opened, also over parts that would take their names."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QDockWidget, QLineEdit, QWidget

from app.process.handing_over import is_ours
from app.window.console import Console

_KINDS = (QEvent.Type.DragEnter, QEvent.Type.DragMove, QEvent.Type.Drop)


class FileDrops(QObject):
    """Takes models and projects; the first is opened here, the others in windows of their own.

    Where something goes on here, all of them are.
    """

    def __init__(self, console: Console) -> None:
        super().__init__(console.window)
        self._console = console
        self._watch(console.window)

    def watch_parts(self) -> None:
        """Watch the parts that would keep a drop: lines to type in, and panels torn off."""
        for kind in (QLineEdit, QDockWidget):
            for part in self._console.window.findChildren(kind):
                self._watch(part)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take what is ours, leave the rest."""
        if event.type() not in _KINDS or not isinstance(event, QDropEvent):
            return False
        paths = dropped_files(event)
        if not paths or not self._has_room:
            return False
        event.acceptProposedAction()
        if event.type() == QEvent.Type.Drop:
            self._open(paths)
        return True

    @property
    def _has_room(self) -> bool:
        """Whether a file can be shown, here or elsewhere."""
        return self._console.document.idle or self._console.windows.many

    def _open(self, paths: list[Path]) -> None:
        if self._console.document.idle:
            self._console.commands.open_path(paths.pop(0))
        for path in paths:
            self._console.windows.open(path)

    def _watch(self, part: QWidget) -> None:
        part.setAcceptDrops(True)
        part.installEventFilter(self)


def dropped_files(event: QDropEvent) -> list[Path]:
    """The models and projects among what is dropped."""
    paths = [Path(url.toLocalFile()) for url in event.mimeData().urls()]
    return [path for path in paths if is_ours(path)]
