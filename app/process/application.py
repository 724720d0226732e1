"""The process's QApplication: it hears of files that the desktop wants opened."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QEvent
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication


class Application(QApplication):
    """Files that come before anybody listens wait."""

    def __init__(self, arguments: Sequence[str]) -> None:
        super().__init__(list(arguments))
        self._waiting: list[Path] = []
        self._open: Callable[[Path], object] = self._waiting.append

    def listen(self, show: Callable[[Path], object]) -> None:
        """Have `show` called with each file from now on, and with those that wait."""
        self._open = show
        while self._waiting:
            show(self._waiting.pop(0))

    def event(self, event: QEvent) -> bool:
        """Take in a file that was opened in a file manager while the program runs."""
        path = opened_file(event)
        if path is None:
            return super().event(event)
        self._open(path)
        return True


def opened_file(event: QEvent) -> Path | None:
    """The file that an event wants opened."""
    if isinstance(event, QFileOpenEvent) and event.file():
        return Path(event.file())
    return None
