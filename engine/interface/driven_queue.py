"""A queue of jobs as `Following` wants what it drives."""

from __future__ import annotations

from concurrent.futures import Future
from pathlib import Path

from engine.queueing.api import JobQueue


class DrivenQueue:
    """Owns a queue; the user's where no `path` is given. In another, an experiment's, every job
    builds for itself: what others had built would be a gift of time."""

    def __init__(self, path: Path | None = None) -> None:
        self.queue = JobQueue(path=path, share_builds=path is None)
        self.events = self.queue.events

    def start(self) -> None:
        """Open the file."""
        self.queue.start().result()

    def shutdown(self, timeout_s: float) -> None:
        """Interrupt the jobs that run."""
        self.queue.close(timeout_s)

    def wait(self) -> Future[None]:
        """Done when the queue is not run any more."""
        return self.queue.wait()

    def stop(self) -> Future[None]:
        """Interrupt the jobs that run, and give the queue back."""
        return self.queue.stop()
