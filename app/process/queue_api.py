"""What the application needs of the job queue; tests give a fake with the same methods."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any, Protocol

from app.process.engine_api import EventSource
from engine.records.settings import RunSettings
from engine.records.source import ModelSource


class QueueApi(Protocol):
    """The queue's commands, as `EngineApi`: they return at once, and their futures raise a
    TunewrightError where a command failed, after a `Failure` event said the same."""

    @property
    def events(self) -> EventSource:
        """What the queue tells: QueueChanged, SpansChanged, Failure."""
        ...

    def start(self) -> Future[Any]:
        """Open the queue and watch it."""
        ...

    def add(
        self,
        source: ModelSource | None = None,
        *,
        project: Path | None = None,
        target: str = "auto",
        settings: RunSettings = ...,
        title: str = "",
        priority: int = 0,
    ) -> Future[Any]:
        """Put a project, or a model, at the end."""
        ...

    def pause(self, job: int) -> Future[Any]:
        """Hold a job."""
        ...

    def unpause(self, job: int) -> Future[Any]:
        """Let a held job go on."""
        ...

    def cancel(self, job: int) -> Future[Any]:
        """End a job; every result is kept."""
        ...

    def remove(self, job: int) -> Future[Any]:
        """Take a job off the list."""
        ...

    def reorder(self, jobs: Sequence[int]) -> Future[Any]:
        """Put the jobs into this order."""
        ...

    def set_priority(self, job: int, priority: int) -> Future[Any]:
        """Make a job more or less urgent."""
        ...

    def set_policy(self, name: str) -> Future[Any]:
        """Choose what decides which stage starts."""
        ...

    def set_limit(self, jobs: int) -> Future[Any]:
        """Choose how many jobs run at once."""
        ...

    def run(self) -> Future[Any]:
        """Take the jobs in turn."""
        ...

    def hold(self) -> Future[Any]:
        """Begin no other job; those that are under way go on."""
        ...

    def stop(self) -> Future[Any]:
        """Interrupt the jobs that are under way; they go on the next time."""
        ...

    def close(self, timeout_s: float = 5) -> None:
        """Interrupt the jobs that are under way, and end."""
        ...
