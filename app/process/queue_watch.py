"""Notes when a queue that ran here has ended, and what came of its jobs."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.records.job import JobState, QueuedJob
from widgets.look.language import tr


@dataclass(frozen=True, slots=True)
class QueueEnd:
    """How many jobs ended while the queue ran, how many of them failed, how many are left, and
    for how many seconds it ran."""

    ended: int
    failed: int
    left: int
    seconds: float


class QueueWatch:
    """Compares the jobs at the end with those at the beginning."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._over: frozenset[int] | None = None  # None while it does not run
        self._since_s = 0.0
        self._stopped = False

    def stopped(self) -> None:
        """A person stops it, and knows."""
        self._stopped = True

    def look(self, jobs: Sequence[QueuedJob], running: bool) -> QueueEnd | None:
        """What came of the queue where it has just ended by itself and jobs of it have, too."""
        over = frozenset(job.id for job in jobs if job.state.over)
        if running:
            if self._over is None:
                self._over, self._since_s, self._stopped = over, self._clock(), False
            return None
        before, self._over = self._over, None
        if before is None or self._stopped or not over - before:
            return None
        ended = [job for job in jobs if job.id in over - before]
        failed = sum(job.state is JobState.FAILED for job in ended)
        left = len(jobs) - len(over)
        return QueueEnd(len(ended), failed, left, self._clock() - self._since_s)


def queue_sentence(end: QueueEnd) -> str:
    """What came of the queue, for a person."""
    jobs = tr("%n jobs", "", end.ended)
    if end.failed and end.left:
        return tr(
            "The queue has ended: {jobs}, of which {failed} failed; {left} did not run.",
            jobs=jobs, failed=end.failed, left=end.left,
        )  # fmt: skip
    if end.failed:
        return tr(
            "The queue has ended: {jobs}, of which {failed} failed.", jobs=jobs, failed=end.failed
        )
    if end.left:
        return tr("The queue has ended: {jobs}; {left} did not run.", jobs=jobs, left=end.left)
    return tr("The queue is done: {jobs}.", jobs=jobs)
