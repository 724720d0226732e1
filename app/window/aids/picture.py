"""Pictures of the console: for the documentation, and for machines without a display."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent

from app.document.document import Document
from app.process.application import application
from app.process.no_engine import NoEngine
from app.process.session import Session
from app.process.settings import Settings
from app.window.aids.aids import Aids
from app.window.aids.recent_files import KEY as RECENT
from engine.records.errors import StorageError
from engine.records.snapshot import Snapshot
from engine.records.trial import Source
from widgets.look.theme import ThemeName, apply_theme

LAYOUT_WAIT_S = 20.0
START = "start"
SOURCES = {
    "knobs": tuple(Source),
    "transfer": (Source.TRANSFERRED,),
    "droplet": (Source.DROPLET,),
}


def picture(
    snapshot: Snapshot,
    png: Path,
    size: tuple[int, int],
    theme: ThemeName = "light",
    page: str = "graph",
) -> None:
    """Show `snapshot` in a window of `size`, its costliest task selected, and save it as `png`.

    `page` is a page of the workspace, the name of a panel, or "start", the screen before a project
    is open; those of knobs, transfer and Droplet have the task selected of which most was tried.
    StorageError where the file cannot be written.
    """
    app = application()
    apply_theme(app, theme)
    settings = Settings(memory=True)
    settings.set("theme", theme)
    session = Session(NoEngine, settings)
    window, document = session.window, session.document
    window.resize(*size)
    window.complete()
    window.show()
    window.aids.layouts.reset()
    if page == START:
        settings.set(RECENT, [snapshot.path])
        window.aids.recents.show([snapshot.path])
    else:
        document.open(snapshot)
        window.console.go_to(page)
    if page not in (START, "stages"):  # a selection would leave all other stages faint
        document.select_task(_shown_task(document, page))
    _settle(window.aids)
    saved = window.grab().save(str(png), "PNG")
    window.close_now()
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    if not saved:
        raise StorageError(f"The picture {png} cannot be written.", "Choose another folder.")


def _shown_task(document: Document, page: str) -> int | None:
    """The task that has most to show on a page: first of all, that Droplet found a way."""
    project, shown = document.project, SOURCES.get(page, ())
    shares = project.history.shares()
    tried = Counter(trial.task for trial in project.trials() if trial.source in shown)
    steps: Counter[int] = Counter()
    if page == "droplet":
        steps.update(move.task for made in project.moves.values()
                     for move in made.values() if move.accepted)  # fmt: skip
    return max(shares, key=lambda task: (steps[task], tried[task], shares[task]), default=None)


def _settle(aids: Aids) -> None:
    """Let layouts, which are made in threads, arrive and be painted."""
    end = time.monotonic() + LAYOUT_WAIT_S
    QCoreApplication.processEvents()
    while (aids.late.pending() or aids.recents.busy) and time.monotonic() < end:
        QCoreApplication.processEvents()
        time.sleep(0.005)
    for _ in range(3):
        QCoreApplication.processEvents()
