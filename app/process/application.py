"""The process's QApplication: its colours, its garbage, and the files that the desktop opens."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QTimerEvent
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication

from app.process.display import on_display
from app.process.settings import Settings
from engine.workers.memory import collect_due
from widgets.look.focus_ring import FocusRing
from widgets.look.theme import THEME_NAMES, ThemeName, apply_theme

# Searches share the interpreter with the window, which waits this long for each of them to let go.
_SWITCH_S = 0.001
INTERVAL_MS = 200  # between two looks whether garbage is due


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


def application(settings: Settings | None = None) -> QApplication:
    """The process's QApplication, with our name and our colours."""
    sys.setswitchinterval(_SWITCH_S)
    running = QApplication.instance()
    app = running if isinstance(running, QApplication) else on_display(_made)
    app.setApplicationName("Tunewright")
    app.setOrganizationName("Tunewright")
    app.setDesktopFileName("tunewright")
    if app.findChild(FocusRing) is None:
        FocusRing(app)
        GarbageCollector(app)
    apply_theme(app, chosen_theme(settings or Settings()))
    return app


def _made() -> Application:
    return Application(sys.argv[:1])


def chosen_theme(settings: Settings) -> ThemeName:
    """The colours that were chosen; another window may have done it."""
    stored = settings.get("theme", "system")
    return next((name for name in THEME_NAMES if name == stored), "system")


def choose_theme(settings: Settings, name: ThemeName) -> None:
    """Use other colours, now and the next time."""
    settings.set("theme", name)
    app = QApplication.instance()
    if isinstance(app, QApplication):
        apply_theme(app, name)


class GarbageCollector(QObject):
    """Turns automatic collections off, and looks a few times a second whether one is due.

    Qt's objects end with the Python objects that own them. In the engine's thread, in the middle
    of an event of theirs, that is the end of the process.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        gc.disable()
        self.startTimer(INTERVAL_MS)

    def timerEvent(self, event: QTimerEvent) -> None:
        collect_due()
