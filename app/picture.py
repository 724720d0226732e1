"""Pictures of the console: for the documentation, and for machines without a display."""

from __future__ import annotations

import time
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent

from app.bridge import Bridge
from app.commands import Commands
from app.document import Document
from app.main_window import MainWindow
from app.no_engine import NoEngine
from app.settings import Settings
from engine.errors import StorageError
from engine.project.snapshot import Snapshot
from widgets.theme import ThemeName, apply_theme

LAYOUT_WAIT_S = 20.0


def picture(
    snapshot: Snapshot,
    png: Path,
    size: tuple[int, int],
    theme: ThemeName = "light",
    page: str = "graph",
) -> None:
    """Show `snapshot` in a window of `size`, its costliest task selected, and save it as `png`.

    `page` is the page of the workspace: graph or allocation. StorageError where the file cannot
    be written.
    """
    from app.main import application

    app = application()
    apply_theme(app, theme)
    settings, engine, document = Settings(memory=True), NoEngine(), Document()
    settings.set("theme", theme)
    bridge = Bridge(engine.events)
    window = MainWindow(document, Commands(engine, bridge, document, settings), bridge, settings)
    window.resize(*size)
    window.complete()
    window.show()
    window.reset_layout()
    document.open(snapshot)
    window.go_to(page)
    shares = document.history.shares()
    if shares:
        document.select_task(max(shares, key=lambda task: shares[task]))
    _settle(window)
    saved = window.grab().save(str(png), "PNG")
    window.close_now()
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    if not saved:
        raise StorageError(f"The picture {png} cannot be written.", "Choose another folder.")


def _settle(window: MainWindow) -> None:
    """Let the graph's layout, which is made in a thread, arrive and be painted."""
    end = time.monotonic() + LAYOUT_WAIT_S
    while window.views.graph_pending() and time.monotonic() < end:
        QCoreApplication.processEvents()
        time.sleep(0.005)
    for _ in range(3):
        QCoreApplication.processEvents()
