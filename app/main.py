"""The composition root of the window: makes the parts, joins them, runs them, ends them."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, QLoggingCategory, QObject
from PySide6.QtWidgets import QApplication

from app.bridge import Bridge
from app.commands import Commands
from app.crash_log import CrashLog
from app.document import Document
from app.engine_api import EngineApi
from app.main_window import MainWindow
from app.no_engine import NoEngine
from app.settings import Settings
from widgets.theme import THEME_NAMES, apply_theme

SHUTDOWN_S = 5.0
# Searches share the interpreter with the window, which waits this long for each of them to let go.
_SWITCH_S = 0.001


class Session(QObject):
    """One window over one engine, which is made when `attach` is called: not before the paint."""

    def __init__(self, make_engine: Callable[[], EngineApi], settings: Settings) -> None:
        super().__init__()
        self._make_engine = make_engine
        self.engine: EngineApi = NoEngine()
        self.bridge = Bridge(self.engine.events, self)
        self.document = Document(self)
        self.commands = Commands(self.engine, self.bridge, self.document, settings)
        self.window = MainWindow(self.document, self.commands, self.bridge, settings)
        self._begun = False

    def attach(self) -> None:
        """Make the engine and join it to the window."""
        self.engine = self._make_engine()
        self.bridge.attach(self.engine.events)
        self.commands.attach(self.engine)

    def begin(self, path: Path | None = None, sample: str | None = None) -> None:
        """Load what is slow, start the engine, open what was asked for."""
        if self._begun:
            return
        self._begun = True
        self.window.complete()
        self.attach()
        self.engine.start()
        self.bridge.start()
        if path is not None:
            self.commands.open_path(path.absolute())
        elif sample is not None:
            self.commands.open_sample(sample)

    def end(self) -> None:
        """Shut the engine down and take in its last words."""
        if self._begun:
            self._begun = False
            self.engine.shutdown(SHUTDOWN_S)
            self.bridge.stop()


def run_gui(
    path: Path | None = None, sample: str | None = None, engine: EngineApi | None = None
) -> int:
    """Show the console until it is closed; the exit code of the process."""
    app = application()
    settings = Settings()
    session = Session((lambda: engine) if engine is not None else _engine, settings)
    crash_log = CrashLog()
    crash_log.open(session.document.failed.emit)
    window = session.window
    if crash_log.previous is not None:
        window.messages.show_message(
            "warning",
            "The last session ended in a crash; every measured trial is in its project file.",
            f"Its log is {crash_log.previous}.",
        )
    window.first_painted.connect(lambda: session.begin(path, sample))
    before = signal.signal(signal.SIGINT, lambda *_: window.close_now())
    try:
        window.show()
        code = app.exec()
    finally:
        signal.signal(signal.SIGINT, before)
        session.end()
        window.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        crash_log.close()
    return code


def application() -> QApplication:
    """The process's QApplication, with our name and our colours."""
    sys.setswitchinterval(_SWITCH_S)
    running = QApplication.instance()
    app = running if isinstance(running, QApplication) else QApplication(sys.argv[:1])
    app.setApplicationName("Tunewright")
    app.setOrganizationName("Tunewright")
    app.setDesktopFileName("tunewright")
    stored = Settings().get("theme", "system")
    apply_theme(app, next((name for name in THEME_NAMES if name == stored), "system"))
    return app


def render_console(
    project_path: Path, png: Path, size: tuple[int, int] = (1440, 900), page: str = "graph"
) -> None:
    """A picture of the console showing a saved project; needs no display (offscreen platform).

    `page` is a page of the workspace (graph, allocation, clusters, transfer, droplet, stages) or a
    panel.
    """
    from app.picture import picture
    from engine.project.repository import Project

    with Project.open(project_path, read_only=True) as project:
        snapshot = project.snapshot()
    # The offscreen platform warns of everything that only a window manager could do.
    QLoggingCategory.setFilterRules("default.warning=false")
    try:
        picture(snapshot, png, size, page=page)
    finally:
        QLoggingCategory.setFilterRules("")


def _engine() -> EngineApi:
    from engine.jobs.engine import Engine

    return Engine()
