"""Leads through everything that the window can show: pages, panels, dialogs, in turn.

python -m tests.app.window.whole_window WIDTH HEIGHT prints what is clipped, as JSON; the scale of
the process is Qt's (QT_SCALE_FACTOR).
"""

from __future__ import annotations

import atexit
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QDialog, QWidget

from app.process.crash_log import Crash
from app.process.job_desk import JobDesk
from app.process.main import application
from app.process.recovery import CrashReport
from app.process.session import Session
from app.process.settings import Settings
from app.window.closing import CancelQuestion, JobsQuestion
from app.window.siblings import Alone
from engine.models.questions import InputQuestion
from engine.records.errors import AddressNotGiven, NoReference, ShapeError
from engine.records.events import ProjectOpened
from engine.records.snapshot import UNTUNED, SlotInfo, Snapshot
from engine.records.source import ModelSource
from engine.records.trial import Measured
from tests.app.fake_engine import FakeEngine
from tests.app.fake_queue import FakeQueue
from tests.clipping import clipped_texts
from tests.engine.passes.test_knobs import drawn
from tests.engine.project.support import new_project
from tests.job_data import JOBS, spans
from tests.samples import squeezenet_like_snapshot
from tests.stage_data import branched_snapshot
from tests.widgets.clusters.test_view import with_spaces
from tests.widgets.droplet.test_view import MOVES, POINTS, tried
from tests.widgets.transfer.test_view import transferred
from widgets.parts.background import Background

SIZE = (1024, 640)
SHEETS = ("share", "transfer", "droplet", "plan", "merge")
SETTLE_S = 60.0  # on a busy machine; where nothing is pending, no time at all
Scene = tuple[str, QWidget]


@cache
def passed() -> Snapshot:
    """A project with something to show on every page but that of stages."""
    base = with_spaces(squeezenet_like_snapshot())
    polished = [tried(trial, 3, 1.8e-3) for trial in range(12, 16)]
    moved = [transferred(20 + task, task, 1e-4, "AlexNet") for task in range(3)]
    slots = tuple(SlotInfo(n, 1, n % 5, float(n), "its turn", {}) for n in range(1, 12))
    searched = squeezenet_like_snapshot(120).trials[100:]
    timed = tuple((each.id, 1e-5) for each in base.operators if each.task is not None)
    return replace(
        base,
        path=str(schedules()),
        trials=(*POINTS, *polished, *moved, *searched),
        moves=MOVES,
        slots=slots,
        measured={UNTUNED: Measured(6e-4, kernels=timed)},
    )


@cache
def schedules() -> Path:
    """A project file with schedules of its first task, which goes with this process."""
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    with new_project(Path(folder, "test-data.tune")) as project:
        for each in drawn(24):
            project.add_trial(each)
        return project.path


class Walk:
    """A console at a size, and the scenes that it can show."""

    def __init__(self, size: tuple[int, int] = SIZE) -> None:
        application()
        self._size = size
        self.engine = FakeEngine()
        queue = FakeQueue(JOBS, running=True)
        queue.span(*spans())
        self.desk = JobDesk(lambda: queue)
        self.session = Session(lambda: self.engine, Settings(memory=True), Alone(self.desk))
        self.session.attach()
        self.window = self.session.window
        self.window.resize(*size)
        self.window.complete()
        self.desk.open()
        self.desk.tick()
        self.window.show()
        self.window.activateWindow()

    def close(self) -> None:
        """Leave nothing behind."""
        self.desk.close()
        self.window.close_now()
        self.session.end()
        self.window.deleteLater()
        self.session.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)

    def scenes(self) -> Iterator[Scene]:
        """Each with its name and the window or dialog to look at, which is gone at the next."""
        self._settle()
        yield "welcome", self.window
        yield from self._project(branched_snapshot(1), ("stages",))
        yield from self._project(passed(), tuple(self.window.console.workspace.pages))
        for name in self.window.console.panels:
            self.window.console.go_to(name)
            self._settle()
            yield name, self.window
        self.window.console.messages.show_message("warning", "A run was slow.", "See the log.")
        self._settle()
        yield "message", self.window
        self.window.console.messages.clear()
        yield from self._dialogs()

    def _project(self, snapshot: Snapshot, pages: tuple[str, ...]) -> Iterator[Scene]:
        self.engine.tell(ProjectOpened(snapshot))
        self.session.bridge.tick()
        for page in pages:
            self.window.console.go_to(page)
            self.window.console.document.select_task(None if page == "stages" else 0)
            self._settle()
            yield page, self.window

    def _dialogs(self) -> Iterator[Scene]:
        for name, open_it in self._openers().items():
            before = set(self._open_dialogs())
            open_it()
            self.session.bridge.tick()
            self._settle()
            for dialog in [each for each in self._open_dialogs() if each not in before]:
                yield name, dialog
                dialog.close()
            self._settle()

    def _openers(self) -> dict[str, Callable[[], object]]:
        window = self.window
        error = ShapeError("Input x has no value.", "Give numbers.")
        error.questions = (InputQuestion("x", (1, 3, "h", "w"), "float32", (1, 3, None, None)),)
        unable = NoReference("Nothing here runs net to compare with.", "Go on without.")
        source = ModelSource("file", "/models/net.onnx")
        crash = Crash(Path("/nowhere/crash-1.log"), "Fatal error", 0.0)
        report = CrashReport(crash, Path("/nowhere/tunewright.log"), window)
        found: dict[str, Callable[[], object]] = {
            "run settings": window.aids.dialogs.run_settings,
            "another machine": window.aids.dialogs.board,
            "watch": window.aids.dialogs.watch,
            "shapes": lambda: window.aids.dialogs.shapes(source, error),
            "no reference": lambda: window.aids.dialogs.without_reference(source, unable),
            "address": lambda: window.aids.dialogs.address(
                AddressNotGiven(("scheduler.example.org:8786", "127.0.0.1:9190")), lambda: None
            ),
            "export": window.aids.dialogs.export,
            "palette": window.aids.dialogs.palette,
            "keys": window.aids.dialogs.keys,
            "closing": window.closing.ask_of_run,
            "preferences": window.aids.dialogs.preferences,
            "layout name": window.aids.layouts.ask_name,
            "crash": report.show,
            "help": window.aids.help.open_here,
            "trials compared": lambda: window.views.compare_trials(3, 5),
            "sampler": window.aids.late.convergence.show_sampler,
            "find stages": window.aids.stages.open,
            "job": lambda: window.aids.jobs.ask_of_model(Path("/models/net.onnx")),
            "jobs closing": JobsQuestion(window, True, window.close_now, window.close_now).show,
            "job cancelled": CancelQuestion(window, "net").show,
        }
        return found | {name: lambda name=name: window.aids.passes.open(name) for name in SHEETS}

    def _open_dialogs(self) -> list[QDialog]:
        return [each for each in self.window.findChildren(QDialog) if each.isVisible()]

    def _pending(self) -> bool:
        works = self.window.findChildren(Background)
        return self.window.aids.late.pending() or any(work.busy for work in works)

    def _settle(self) -> None:
        end = time.monotonic() + SETTLE_S
        QCoreApplication.processEvents()
        while self._pending() and time.monotonic() < end:
            QCoreApplication.processEvents()
            time.sleep(0.005)
        for _ in range(3):
            QCoreApplication.processEvents()
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        if self.window.size().toTuple() != self._size:
            self.window.resize(*self._size)
            QCoreApplication.processEvents()


def main(width: int, height: int) -> None:
    """Print what is clipped."""
    walk = Walk((width, height))
    found = [(name, clipped_texts(root)) for name, root in walk.scenes()]
    clipped = [f"{name}: {text}" for name, texts in found for text in texts]
    answer = {"ratio": walk.window.devicePixelRatioF(), "scenes": len(found), "clipped": clipped}
    walk.close()
    print(json.dumps(answer))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
