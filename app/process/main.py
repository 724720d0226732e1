"""The composition root of the window: makes the parts, joins them, runs them, ends them."""

from __future__ import annotations

import signal
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, QLoggingCategory

from app.process.application import Application, application
from app.process.crash_log import CrashLog
from app.process.job_desk import JobDesk
from app.process.languages import language, speak, write_numbers_plainly
from app.process.recovery import Recovery
from app.process.scale import prepare
from app.process.session import Session
from app.process.settings import Settings
from app.process.single_process import Inbox
from app.process.windows import Windows
from engine.jobs.commands import EngineCommands
from engine.queueing.commands import QueueCommands

if TYPE_CHECKING:
    from engine.jobs.host import Host

__all__ = ["Session", "application", "render_console", "run_gui"]


def run_gui(
    path: Path | None = None,
    sample: str | None = None,
    engine: EngineCommands | None = None,
    place: Path | None = None,
    watched: str = "",
) -> int:
    """Show the console until its last window is closed; the exit code of the process.

    `engine` is that of the first window. Later starts of the program find this process at `place`.
    """
    settings = Settings()
    prepare(settings)
    app = application(settings)
    write_numbers_plainly()
    speak(app, language(settings))
    crash_log, recoveries = CrashLog(), list[Recovery]()

    def joined(session: Session) -> None:
        lead = not (recoveries or path or sample or engine or watched)
        session.window.first_painted.connect(lambda: session.window.aids.begin(lead=lead))
        if recoveries:
            recoveries[0].watch(session.window.aids)
            return
        recoveries.append(Recovery(session.window.aids, crash_log))
        recoveries[0].setParent(app)  # it outlives the first window
        recoveries[0].begin()

    host = _host()
    desk = JobDesk(None if engine is not None else partial(_queue, host), settings)
    windows = Windows(partial(Session, _engines(engine, host), settings), joined, desk)
    crash_log.open(windows.tell)
    inbox = Inbox(place)

    def begun() -> None:
        inbox.wanted.connect(windows.take)
        windows.reachable = inbox.open()
        desk.open()
        if isinstance(app, Application):
            app.listen(windows.open)

    windows.new(path, sample, watched).window.first_painted.connect(begun)
    before = signal.signal(signal.SIGINT, lambda *_: windows.close_now())
    try:
        code = app.exec()
    finally:
        signal.signal(signal.SIGINT, before)
        inbox.close()
        windows.end()
        desk.close()
        recoveries[0].close()
        recoveries[0].deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        crash_log.close()
    return code


def render_console(
    project_path: Path, png: Path, size: tuple[int, int] = (1440, 900), page: str = "graph"
) -> None:
    """A picture of the console showing a saved project; needs no display (offscreen platform).

    `page` is a page of the workspace (graph, layers, allocation, clusters, transfer, droplet,
    stages) or a panel.
    """
    from app.window.aids.picture import picture
    from engine.project.repository import Project

    write_numbers_plainly()
    with Project.open(project_path, read_only=True) as project:
        snapshot = project.snapshot()
    # The offscreen platform warns of everything that only a window manager could do.
    QLoggingCategory.setFilterRules("default.warning=false")
    try:
        picture(snapshot, png, size, page=page)
    finally:
        QLoggingCategory.setFilterRules("")


def _engines(
    first: EngineCommands | None, host: Callable[[], Host]
) -> Callable[[], EngineCommands]:
    """What makes an engine for each window; all of them share one thread, cores and devices."""
    given = [first] if first is not None else []

    def make() -> EngineCommands:
        if given:
            return given.pop()
        from engine.jobs.engine import Engine

        return Engine(host())

    return make


def _host() -> Callable[[], Host]:
    """What gives the one host of the process, made at the first call: its library is slow."""
    hosts: list[Host] = []

    def get() -> Host:
        from engine.jobs.host import Host

        if not hosts:
            hosts.append(Host())
        return hosts[0]

    return get


def _queue(host: Callable[[], Host]) -> QueueCommands:
    from engine.queueing.api import JobQueue

    return JobQueue(host())
