"""A window, and the engine that works for it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject

from app.document.commands import Commands
from app.document.document import Document
from app.process.bridge import Bridge
from app.process.no_engine import NoEngine
from app.process.settings import Settings
from app.window.main_window import MainWindow
from app.window.siblings import Siblings
from engine.jobs.commands import EngineCommands

SHUTDOWN_S = 5.0


class Session(QObject):
    """One window over one engine, which is made when `attach` is called: not before the paint."""

    def __init__(
        self,
        make_engine: Callable[[], EngineCommands],
        settings: Settings,
        windows: Siblings | None = None,
    ) -> None:
        super().__init__()
        self._make_engine = make_engine
        self.engine: EngineCommands = NoEngine()
        self.bridge = Bridge(self.engine.events, self)
        self.document = Document(self)
        self.commands = Commands(self.engine, self.bridge, self.document, settings)
        self.window = MainWindow(self.document, self.commands, self.bridge, settings, windows)
        self.begun = False

    @property
    def is_free(self) -> bool:
        """Whether a file can be shown here without leaving another one."""
        return self.begun and not self.document.is_open and self.document.idle

    def attach(self) -> None:
        """Make the engine and join it to the window."""
        self.engine = self._make_engine()
        self.bridge.attach(self.engine.events)
        self.commands.attach(self.engine)

    def begin(self, path: Path | None = None, sample: str | None = None, watched: str = "") -> None:
        """Load what is slow, start the engine, open what was asked for."""
        if self.begun:
            return
        self.begun = True
        self.window.complete()
        self.attach()
        self.engine.start()
        self.bridge.start()
        self.commands.look_at_target()
        if path is not None:
            self.show_file(path)
        elif sample is not None:
            self.commands.open_sample(sample)
        elif watched:
            self.commands.watch(watched)

    def show_file(self, path: Path) -> None:
        """Open a model or a project."""
        self.commands.open_path(path.absolute())

    def leave(self, left: Callable[[], None]) -> None:
        """End without holding up other windows: a run may need a while; then call `left`."""

        def ended(_: object) -> None:
            self.end()
            left()

        if not self.begun:
            left()
            return
        self.bridge.watch(self.engine.close_project(), ended, ended)

    def end(self) -> None:
        """Shut the engine down and take in its last words."""
        if self.begun:
            self.begun = False
            self.engine.shutdown(SHUTDOWN_S)
            self.bridge.stop()
