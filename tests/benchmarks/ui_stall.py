"""The longest gap of the main thread's event loop while a real tuning run goes on."""

from __future__ import annotations

import gc
import os
import sys
import tempfile
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from tests.benchmarks.parts.report import Goal, Report, main

_TICK_MS = 2


class Collections:
    """Times the garbage collector, which stops every thread."""

    def __init__(self) -> None:
        self.longest_s = 0.0
        self._began = 0.0
        gc.callbacks.append(self._note)

    def _note(self, phase: str, _: object) -> None:
        if phase == "start":
            self._began = time.perf_counter()
        else:
            self.longest_s = max(self.longest_s, time.perf_counter() - self._began)


class Gaps:
    """Notes how late the event loop comes back to a timer."""

    def __init__(self) -> None:
        self.gaps: list[tuple[float, float]] = []
        self._last = time.perf_counter()
        self._began = self._last

    def tick(self) -> None:
        """Called by the timer."""
        now = time.perf_counter()
        self.gaps.append((now - self._last, now - self._began))
        self._last = now

    def restart(self) -> None:
        """Forget what was before."""
        self.gaps.clear()
        self._began = self._last = time.perf_counter()


def run(quick: bool) -> Report:
    """Tune SqueezeNet in the console's own window for a while."""
    from PySide6.QtCore import QTimer

    from app.process.main import Session, application
    from app.process.settings import Settings
    from engine.jobs.engine import Engine
    from engine.records.settings import Budget, RunSettings, RunState
    from engine.records.source import ModelSource

    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(XDG_CONFIG_HOME=folder, XDG_DATA_HOME=folder, XDG_STATE_HOME=folder)
        app = application()
        session = Session(Engine, Settings())
        window = session.window
        window.resize(1440, 900)
        window.show()
        session.begin()
        gaps, collections = Gaps(), Collections()
        timer = QTimer()
        timer.setInterval(_TICK_MS)
        timer.timeout.connect(gaps.tick)
        source = ModelSource("sample", "squeezenet")
        session.engine.open_model(source, "cpu", Path(folder) / "run.tune").result(120)
        session.engine.start_run(RunSettings(budget=Budget(seconds=15 if quick else 60)))
        trials = 0

        def watch(events: list[object]) -> None:
            nonlocal trials
            for event in events:
                kind = type(event).__name__
                trials += kind == "TrialDone"
                if kind == "RunChanged":
                    state = getattr(event, "state", None)
                    if state is RunState.RUNNING:
                        gaps.restart()
                        collections.longest_s = 0.0
                        timer.start()
                    elif state in (RunState.FINISHED, RunState.FAILED):
                        app.quit()

        session.bridge.events.connect(watch)
        app.exec()
        timer.stop()
        session.end()
        window.deleteLater()
    ordered = sorted(gaps.gaps, reverse=True)
    longest, when = ordered[0]
    return Report(
        "ui_stall",
        (Goal("longest gap of the event loop (ms)", longest * 1e3, 50.0, "lower"),),
        {
            "trials": trials,
            "seconds": gaps.gaps[-1][1],
            "longest_collection_ms": collections.longest_s * 1e3,
            "longest_at_s": when,
            "next_longest_ms": [round(gap * 1e3, 1) for gap, _ in ordered[1:6]],
            "next_longest_at_s": [round(at, 1) for _, at in ordered[1:6]],
            "99.9_percentile_ms": ordered[len(ordered) // 1000][0] * 1e3,
        },
    )


if __name__ == "__main__":
    main(run)
    sys.stdout.flush()
