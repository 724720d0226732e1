"""Draws the pictures of the documentation from a project that was really tuned.

python -m tests.pictures PROJECT.tune [FOLDER]
python -m tests.pictures jobs [FOLDER]

Those of passes are drawn where the project has something to show on them; that of the jobs shows
the queue that tests.job_recording has kept.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from engine.project.repository import Project
from engine.records.snapshot import Snapshot
from engine.records.trial import Source

SIZE = (1440, 900)
FOLDER = Path(__file__).parent.parent / "resources" / "help" / "images"
REPORT_SIZE = (900, 640)
JOBS, JOBS_SIZE = "jobs", (1100, 460)
MOST_BYTES = 200_000
COLOURS = 256


def draw(project: Path, folder: Path = FOLDER, size: tuple[int, int] = SIZE) -> list[Path]:
    """Draw a picture of each page that has something to show; their paths. Needs no display."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from app.process.main import render_console

    with Project.open(project, read_only=True) as opened:
        pages = pages_of(opened.snapshot())
    folder.mkdir(parents=True, exist_ok=True)
    drawn = []
    for name, page in pages.items():
        png = folder / f"{name}.png"
        render_console(project, png, size, page)
        shrink(png)
        drawn.append(png)
    return [*drawn, draw_report(project, folder / "report.png")]


def draw_report(project: Path, png: Path) -> Path:
    """Draw the beginning of the project's report as it is printed."""
    from PySide6.QtGui import QColor, QImage, QPainter

    from app.window.aids.report_paper import paper_document
    from engine.report.page import report
    from engine.report.subject import subject_of

    document = paper_document(report(subject_of(project)), sharpness=1.0)
    document.setTextWidth(REPORT_SIZE[0])
    image = QImage(*REPORT_SIZE, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    document.drawContents(painter)
    painter.end()
    image.save(str(png))
    shrink(png)
    return png


def draw_jobs(png: Path) -> Path:
    """Draw the Jobs view of the queue that was recorded."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from PySide6.QtCore import QCoreApplication, QEvent

    from app.process.main import application
    from tests.job_recording import load
    from widgets.jobs.view import JobView
    from widgets.look.theme import apply_theme

    app = application()
    apply_theme(app, "light")
    jobs, spans, now_s, cores = load()
    view = JobView(cores, lambda: now_s)
    view.resize(*JOBS_SIZE)
    view.connect_queue(True)
    view.show_jobs(jobs, running=True)
    view.put_spans(spans)
    view.show()
    view.table.setFocus()
    app.processEvents()
    view.grab().save(str(png))
    view.close()
    view.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    shrink(png)
    return png


def pages_of(snapshot: Snapshot) -> dict[str, str]:
    """The names of the pictures, and the pages and panels that they show."""
    sources = {trial.source for trial in snapshot.trials}
    shown = {
        "clusters": bool(snapshot.spaces),
        "transfer": Source.TRANSFERRED in sources,
        "droplet": Source.DROPLET in sources,
        "sources": len(sources) > 1,
        "stages": snapshot.schedule is not None,
    }
    pages = {"start": "start", "console": "graph", "allocation": "allocation"}
    return pages | {name: name for name, wanted in shown.items() if wanted}


def shrink(png: Path) -> None:
    """Pack it as tightly as PNG allows, in 256 colours: one half is what it has most of, the other
    what is least like those."""
    import numpy as np
    from PySide6.QtCore import Qt
    from PySide6.QtGui import QImage

    image = QImage(str(png)).convertToFormat(QImage.Format.Format_RGB32)
    dots = np.frombuffer(image.constBits(), np.uint32)
    colours, counts = np.unique(dots, return_counts=True)
    parts = colours.view(np.uint8).reshape(-1, 4)[:, :3].astype(int)
    chosen = list(np.argsort(-counts)[: COLOURS // 2])
    far = np.full(len(colours), np.inf)
    for place in range(min(COLOURS, len(colours))):
        if place == len(chosen):
            chosen.append(np.argmax(far))
        far = np.minimum(far, np.abs(parts - parts[chosen[place]]).sum(axis=1))
    table = [int(colour) for colour in colours[chosen]]
    nearest = Qt.ImageConversionFlag.ThresholdDither | Qt.ImageConversionFlag.AvoidDither
    image.convertToFormat(QImage.Format.Format_Indexed8, table, nearest).save(str(png), quality=0)


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    place = Path(sys.argv[2]) if sys.argv[2:] else FOLDER
    jobs = sys.argv[1] == JOBS
    for path in [draw_jobs(place / "jobs.png")] if jobs else draw(Path(sys.argv[1]), place):
        print(f"{path}: {path.stat().st_size:,} bytes")
