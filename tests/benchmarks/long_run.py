"""Memory of the process, size of the file and time to open it, over 20,000 trials in one project.

Search, cost models, policy, history and project file are the engine's own. Nothing is built and
nothing is measured: a build answers at once, and a latency is drawn by chance. Populations are a
quarter of the default, for time. So the figures say what trials cost in memory and on disk, and
nothing about speed.
"""

from __future__ import annotations

import contextlib
import gc
import random
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any
from unittest import mock

from engine.measure.runner import Builder, Runner
from tests.benchmarks.parts.report import Goal, Report, main

_WARM_UP = 0.2  # of the trials
_POINTS = 40


class InstantBuilder(Builder):
    """Says of every candidate that it was built."""

    def __init__(self, *_: object, **__: object) -> None:
        """Takes what a pool takes."""

    def submit(self, request: Any) -> Future[Any]:
        """A result without a library."""
        from engine.measure.runner import BuildResult

        return _done(BuildResult(request.artifact, 0.0))

    def close(self) -> None:
        """Nothing to stop."""


class RandomRunner(Runner):
    """Draws latencies around 1 ms, and one error in a hundred."""

    def __init__(self, *_: object, **__: object) -> None:
        self._chance = random.Random(1)

    def submit(self, request: Any) -> Future[Any]:
        """Samples that nothing was measured for."""
        from engine.measure.runner import RunResult
        from engine.records.trial import ErrorKind

        if self._chance.random() < 0.01:
            return _done(
                RunResult((), 0.0, error=ErrorKind.RUN_ERROR, error_text="drawn by chance")
            )
        middle = self._chance.lognormvariate(-6.9, 0.7)
        return _done(RunResult(tuple(middle * (1 + 0.01 * i) for i in range(5)), 0.0))

    def confirm(self, requests: tuple[Any, ...]) -> Future[tuple[Any, ...]]:
        """The same for several."""
        return _done(tuple(self.submit(request).result() for request in requests))

    def check(self, requests: tuple[Any, ...], comparison: Any) -> Future[tuple[Any, ...]]:
        """All agree."""
        from engine.measure.runner import RunResult

        return _done((RunResult((), 0.0),) * len(requests))

    def close(self) -> None:
        """Nothing to stop."""


def _done(result: Any) -> Future[Any]:
    future: Future[Any] = Future()
    future.set_result(result)
    return future


@contextlib.contextmanager
def nothing_measured() -> Iterator[None]:
    """Runs that start inside get the doubles."""
    with (
        mock.patch("engine.jobs.starting.BuildPool", InstantBuilder),
        mock.patch("engine.jobs.devices.LocalRunner", RandomRunner),
    ):
        yield


def tuned(path: Path, trials: int) -> list[tuple[int, float]]:
    """Fill a project; trials and MB of this process's own memory, as they came."""
    import psutil

    from engine.jobs.engine import Engine
    from engine.records.events import TrialDone
    from engine.records.settings import Budget, RunSettings, SearchSettings
    from engine.records.source import ModelSource

    search = SearchSettings(population=8, iterations=1, min_unmeasured=8)
    process, points, seen = psutil.Process(), list[tuple[int, float]](), 0
    engine = Engine()
    engine.start()
    try:
        engine.open_model(ModelSource("sample", "squeezenet"), "cpu", path).result()
        engine.start_run(RunSettings(budget=Budget(trials=trials), search=search)).result()
        over = engine.wait()
        while not over.done():
            time.sleep(0.05)
            seen += sum(isinstance(event, TrialDone) for event in engine.events.drain())
            if seen >= (points[-1][0] if points else 0) + trials / _POINTS:
                gc.collect()
                points.append((seen, process.memory_full_info().uss / 1e6))
        over.result()
        engine.close_project().result()
    finally:
        engine.shutdown()
    return points


def slope(points: list[tuple[int, float]]) -> float:
    """MB for each 1,000 trials after the warm-up, by least squares."""
    import numpy as np

    late = points[int(len(points) * _WARM_UP) :]
    trials, megabytes = np.array(late, float).T
    return float(np.polyfit(trials / 1000, megabytes, 1)[0])


def opened(path: Path) -> float:
    """Seconds until a stored project is read, with its curves."""
    from engine.history.history import History
    from engine.project.repository import Project

    began = time.perf_counter()
    with Project.open(path, read_only=True) as project:
        History(project.snapshot()).model_curve()
    return time.perf_counter() - began


def run(quick: bool) -> Report:
    """Fill, weigh, open."""
    trials = 200 if quick else 20_000
    with tempfile.TemporaryDirectory() as folder, nothing_measured():
        path = Path(folder) / "long.tune"
        began = time.perf_counter()
        points = tuned(path, trials)
        seconds = time.perf_counter() - began
        size = path.stat().st_size
        opening = sorted(opened(path) for _ in range(3))[1]
    return Report(
        "long_run",
        (
            Goal("MB for each 1,000 trials after the warm-up", slope(points), 1.0, "lower"),
            Goal("bytes of the file for each trial", size / points[-1][0], 1024.0, "lower"),
            Goal("seconds to open it", opening, 1.0, "lower"),
        ),
        {
            "trials": points[-1][0],
            "seconds": seconds,
            "trials, MB": points[:: max(1, len(points) // 8)],
        },
    )


if __name__ == "__main__":
    main(run)
