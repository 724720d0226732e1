"""The tuning time of a project: it stands still while a run is paused or over."""

from __future__ import annotations

import time


class RunClock:
    """Seconds of tuning, on from what earlier runs took."""

    def __init__(self, before_s: float = 0.0, run_s: float = 0.0) -> None:
        """`before_s`: what other runs took; `run_s`: what a resumed run took already."""
        self._before_s = before_s
        self._done_s = run_s
        self._since: float | None = None

    def start(self) -> None:
        """Let it run."""
        if self._since is None:
            self._since = time.perf_counter()

    def stop(self) -> None:
        """Hold it."""
        self._done_s = self.run_s
        self._since = None

    @property
    def run_s(self) -> float:
        """Seconds of this run."""
        return self._done_s + (time.perf_counter() - self._since if self._since else 0.0)

    @property
    def project_s(self) -> float:
        """Seconds of all the project's runs."""
        return self._before_s + self.run_s
