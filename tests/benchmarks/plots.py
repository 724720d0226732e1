"""Milliseconds a frame of the convergence plots: 100 curves of 10,000 trials, panned, growing."""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from engine.history.open_project import OpenProject
from engine.records.events import TrialDone
from engine.records.snapshot import Snapshot
from engine.records.trial import ErrorKind, Trial
from tests.benchmarks.parts.report import Goal, Report, main
from tests.feeding import begin, feed
from tests.samples import make_task

FRAME_MS = 16.0
CURVES, TRIALS, QUICK_TRIALS = 100, 10_000, 500
BATCH = 3  # trials a tick of the bridge: 33 ms at a hundred a second
SELECTED = CURVES // 2
SIZE = (1440, 420)
FRAMES = ("pan", "zoom", "grow", "select", "hover")


def events(tasks: int, trials: int, always_better: bool, seed: int = 0) -> Iterator[TrialDone]:
    """Trials of all tasks in turn: noisy ones that fall towards a floor, or each the best so far.

    One in twelve fails. The latencies are made up.
    """
    dice = np.random.default_rng(seed)
    number = 0
    for turn in range(trials + 1_000):
        fall = 1.0 - turn / (trials + 2_000)
        noise = dice.random(tasks)
        for task in range(tasks):
            number += 1
            share = fall if always_better else 0.1 + 0.2 * fall**4 + noise[task]
            failed = not always_better and noise[task] > 11 / 12
            yield TrialDone(
                Trial(
                    number,
                    task,
                    "[]",
                    "",
                    samples=() if failed else (share * 1e-3 * (task + 1),),
                    error=ErrorKind.RUN_ERROR if failed else None,
                    elapsed_s=number * 0.01,
                    run=1,
                )
            )


class Bench:
    """A view that is filled once; each method times frames of one kind, in milliseconds.

    `cpu_ms` is the processor's time of the last kind, the median: where a machine does other things
    too, frames take longer than that.
    """

    def __init__(self, trials: int, always_better: bool) -> None:
        from app.process.main import application
        from widgets.convergence.view import ConvergenceView

        self._app = application()
        self.cpu_ms = 0.0
        self.view = ConvergenceView(OpenProject())
        self.view.resize(*SIZE)
        tasks = tuple(make_task(task, f"task {task}", None) for task in range(CURVES))
        begin(self.view, Snapshot("", "plots", "", "llvm", tasks, (), ()))
        self._coming = events(CURVES, trials, always_better)
        for _ in range(CURVES):
            feed(self.view, list(islice(self._coming, trials)))
        self.view.show()
        self.view.select_task(SELECTED)
        self._app.processEvents()
        self.plots = self.view.plots
        self._vb = self.plots.model.plot.vb
        self._end: float = self._vb.viewRange()[0][1]

    def pan(self, frames: int) -> list[float]:
        """Two fifths of the run in sight, moving."""

        def step(place: float) -> None:
            self._vb.setXRange(place * 0.6 * self._end, (place * 0.6 + 0.4) * self._end, padding=0)

        return self._frames(frames, step)

    def zoom(self, frames: int) -> list[float]:
        """From all of it to a thousandth, at the dense end."""

        def step(place: float) -> None:
            width = self._end * 10 ** (-3 * place)
            self._vb.setXRange(0.8 * (self._end - width), 0.8 * self._end + width, padding=0)

        return self._frames(frames, step)

    def grow(self, frames: int) -> list[float]:
        """New trials, one of them of the selected task; all in sight."""

        def step(_: float) -> None:
            *others, last = (event.trial for event in islice(self._coming, BATCH))
            feed(self.view, [*map(TrialDone, others), TrialDone(replace(last, task=SELECTED))])

        self.view.select_task(SELECTED)
        self.view.set_follow(True)
        return self._frames(frames, step)

    def select(self, frames: int) -> list[float]:
        """Another curve is chosen, with its trials."""
        return self._frames(frames, lambda at: self.view.select_task(int(at * (CURVES - 1))))

    def hover(self, frames: int) -> list[float]:
        """The pointer moves over the curves."""
        from PySide6.QtCore import QPointF

        area = self.plots.tasks.plot.vb.sceneBoundingRect()

        def step(place: float) -> None:
            at = QPointF(area.left() + place * area.width(), area.top() + place * area.height())
            self.plots.scene().sigMouseMoved.emit(at)

        return self._frames(frames, step)

    def close(self) -> None:
        """Leave nothing behind."""
        self.view.close()
        self.view.deleteLater()
        self._app.processEvents()

    def _frames(self, count: int, step: Callable[[float], None]) -> list[float]:
        times, spent = [], []
        for frame in range(-3, count):
            began, own = time.perf_counter(), time.thread_time()
            step((frame % count) / count)
            self.plots.viewport().update()
            self._app.processEvents()
            times.append((time.perf_counter() - began) * 1e3)
            spent.append((time.thread_time() - own) * 1e3)
        self.cpu_ms = statistics.median(spent[3:])
        return times[3:]


def run(quick: bool) -> Report:
    """Frames of runs as they are, and of curves that change with every trial."""
    frames = 20 if quick else 120
    trials = QUICK_TRIALS if quick else TRIALS
    goals: list[Goal] = []
    details: dict[str, Any] = {"curves": CURVES, "trials_a_curve": trials, "pixels": SIZE}
    for always_better, kind in ((False, ""), (True, ", every trial a change")):
        bench = Bench(trials, always_better)
        for name in FRAMES:
            times = getattr(bench, name)(frames)
            median, slow = statistics.median(times), float(np.percentile(times, 95))
            details[f"{name}{kind} (ms, 95th percentile)"] = slow
            details[f"{name}{kind} (ms of the processor)"] = bench.cpu_ms
            if always_better and name == "grow":  # no search betters ten thousand times in a row
                details[f"{name}{kind} (ms, median)"] = median
            else:
                goals.append(Goal(f"{name}{kind} (ms, median)", median, FRAME_MS, "lower"))
        bench.close()
    return Report("plots", tuple(goals), details)


if __name__ == "__main__":
    main(run)
    sys.stdout.flush()
