"""The tuning time of a project: it stands still while a run is paused or over."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from engine.records.trial import Trial


class RunClock:
    """Seconds of tuning, on from what earlier runs took."""

    def __init__(self, before_s: float = 0.0, run_s: float = 0.0) -> None:
        """`before_s`: what other runs took; `run_s`: what a resumed run took already."""
        self._before_s = before_s
        self._done_s = run_s
        self._since: float | None = None
        self._pace = 1.0

    def start(self) -> None:
        if self._since is None:
            self._since = time.perf_counter()

    def stop(self) -> None:
        self._done_s = self.run_s
        self._since = None

    def pace(self, pace: float) -> None:
        """Let it run slower from now on: a job that has half of a machine has half the time."""
        if pace != self._pace:
            self._done_s = self.run_s
            if self._since is not None:
                self._since = time.perf_counter()
            self._pace = pace

    @property
    def run_s(self) -> float:
        if self._since is None:
            return self._done_s
        return self._done_s + (time.perf_counter() - self._since) * self._pace

    @property
    def project_s(self) -> float:
        """Seconds of all the project's runs."""
        return self._before_s + self.run_s


@dataclass(slots=True)
class Pace:
    """What a run's trials took so far, and of which tasks they were."""

    tasks: set[int] = field(default_factory=set)
    _trials: int = 0
    _build_s: float = 0.0
    _run_s: float = 0.0

    def add(self, trial: Trial) -> None:
        self.tasks.add(trial.task)
        self._trials += 1
        self._build_s += trial.build_s
        self._run_s += trial.run_s

    @property
    def build_s(self) -> float:
        """The mean of a build, in seconds of a core."""
        return self._build_s / max(1, self._trials)

    @property
    def run_s(self) -> float:
        """The mean of a measurement, in seconds."""
        return self._run_s / max(1, self._trials)
