"""All windows of the process: each has a project of its own, and one engine's thread serves all."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QPoint, QTimer
from PySide6.QtWidgets import QApplication, QWidget

from app.process.handing_over import Request
from app.process.job_desk import JobDesk
from app.process.queue_watch import QueueEnd
from app.process.rescue import come_forward
from app.process.session import Session
from app.window.aids.notify import Desktop, Tray, tell_unseen
from app.window.siblings import Siblings

MESSAGE_MS = 11_000
_STEP = QPoint(32, 32)


class Windows(QObject):
    """Makes sessions, finds the one for a file, and ends each when its window is closed."""

    many = True

    def __init__(
        self,
        make: Callable[[Siblings], Session],
        joined: Callable[[Session], None] = lambda _: None,
        desk: JobDesk | None = None,
    ) -> None:
        """`joined` is told of each new session before it is shown; all show the jobs of `desk`."""
        super().__init__()
        self.desk, self.reachable = desk or JobDesk(), False
        self.desk.stopped.connect(self._quit_unseen)
        self.desk.failed.connect(self._tell_of_jobs)
        self.desk.ended.connect(self._tell_end)
        self._make, self._joined = make, joined
        self.desktop: Desktop | None = None  # for a process without a window
        self._told = False
        self.sessions: list[Session] = []
        self._leaving: list[Session] = []

    def new(
        self, path: Path | None = None, sample: str | None = None, watched: str = ""
    ) -> Session:
        """Show one more window, and in it what was asked for."""
        before = self.front
        session = self._make(self)
        self.sessions.append(session)
        window = session.window
        QApplication.setQuitOnLastWindowClosed(True)
        window.closed.connect(lambda: self._closed(session))
        window.first_painted.connect(lambda: session.begin(path, sample, watched))
        if before is not None:
            _step_aside(window, before.window)
        self._joined(session)
        window.show()
        return session

    def open(self, path: Path) -> Session:
        """Show a file: where it is open already, in a window without a project, or in a new one."""
        session = self._with(path) or self._empty
        if session is None:
            return self.new(path)
        if session.document.path != _true_path(path):
            session.show_file(path)
        come_forward(session.window)
        return session

    def take(self, request: Request) -> None:
        """Show what a second start of the program was asked for."""
        if request.token:
            os.environ["XDG_ACTIVATION_TOKEN"] = request.token
        if request.path:
            self.open(Path(request.path))
            return
        session = self._empty or self.new(sample=request.sample or None, watched=request.watched)
        if request.watched and session.begun:
            session.commands.watch(request.watched)
        if request.sample and session.begun:
            session.commands.open_sample(request.sample)
        come_forward(session.window)

    @property
    def is_last(self) -> bool:
        """Whether there is one window at most."""
        return len(self.sessions) <= 1

    @property
    def front(self) -> Session | None:
        """The session of the active window, or else of the last one made."""
        active = QApplication.activeWindow()
        found = [session for session in self.sessions if session.window is active]
        return next(iter([*found, *reversed(self.sessions)]), None)

    def tell(self, what: str, todo: str) -> None:
        """Say that something went wrong in the window that is looked at."""
        if self.front is not None:
            self.front.document.failed.emit(what, todo)

    def close_all(self) -> None:
        """Ask each window to close; one whose run goes on asks back."""
        for session in list(self.sessions):
            session.window.close()

    def close_now(self) -> None:
        if not self.sessions:
            QApplication.quit()
        for session in list(self.sessions):
            session.window.close_now()

    def stay(self) -> None:
        """Let the process go on without a window while the queue runs; `reachable` says whether a
        later start of the program finds it."""
        QApplication.setQuitOnLastWindowClosed(False)

    def end(self) -> None:
        """End what is left when the program ends."""
        for session in [*self.sessions, *self._leaving]:
            session.end()
            session.window.deleteLater()
        self.sessions, self._leaving = [], []
        QApplication.setQuitOnLastWindowClosed(True)

    @property
    def _empty(self) -> Session | None:
        free = [s for s in self.sessions if s.is_free]
        return next((s for s in free if s is self.front), next(iter(free), None))

    def _with(self, path: Path) -> Session | None:
        true = _true_path(path)
        return next((s for s in self.sessions if s.document.path == true), None)

    def _tell_of_jobs(self, what: str, todo: str) -> None:
        """Say what went wrong with the queue, in one window."""
        if self.front is not None:
            self.front.window.console.messages.show_message("error", what, todo)

    def _tell_end(self, end: QueueEnd) -> None:
        """Say in one window what came of the queue, or on the desktop where there is none."""
        if self.front is not None:
            self.front.window.aids.notifier.queue_ended(end)
        else:
            self.desktop = self.desktop or Tray(self)
            self._told = tell_unseen(self.desktop, self.desk.settings, end, self._show_jobs)

    def _show_jobs(self) -> None:
        session = self.front or self.new()
        session.window.console.go_to("jobs")
        come_forward(session.window)

    def _quit_unseen(self) -> None:
        """Where no window is left, the process is there only for a queue that runs, and for a
        message of its end, as long as that is shown."""
        told, self._told = self._told, False
        if told:
            QTimer.singleShot(MESSAGE_MS, self, self._quit_unseen)
        elif not self.sessions and not self._leaving and not self.desk.running:
            QApplication.quit()

    def _closed(self, session: Session) -> None:
        """A window is gone; the others go on while its run ends."""
        last = len(self.sessions) == 1 and QApplication.quitOnLastWindowClosed()
        if session not in self.sessions or last:
            return  # the last one ends with the program
        self.sessions.remove(session)
        self._leaving.append(session)
        QTimer.singleShot(0, lambda: session.leave(lambda: self._left(session)))

    def _left(self, session: Session) -> None:
        if session in self._leaving:
            self._leaving.remove(session)
            session.window.deleteLater()
            session.deleteLater()
            self._quit_unseen()


def _step_aside(window: QWidget, other: QWidget) -> None:
    """Show a window beside another one, not upon it."""
    if not other.isMaximized() and not other.isFullScreen():
        screen = other.screen().availableGeometry()
        place = other.frameGeometry().topLeft() + _STEP
        window.resize(other.size())
        window.move(place if screen.contains(place + _STEP) else screen.topLeft())


def _true_path(path: Path) -> str:
    return os.path.realpath(path)
