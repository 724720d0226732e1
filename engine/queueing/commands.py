"""The commands of the job queue: the one list, which every queue is a subclass of."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from engine.jobs.commands import Commanded
from engine.records.events import QueueChanged
from engine.records.job import QueuedJob
from engine.records.settings import RunSettings
from engine.records.source import ModelSource


class QueueCommands(Commanded, ABC):
    """What a queue of jobs can be asked; it tells QueueChanged, SpansChanged and Failure."""

    @abstractmethod
    def start(self) -> Future[QueueChanged]:
        """Open the file and watch it; what is in it."""

    @abstractmethod
    def close(self, timeout_s: float = 5) -> None:
        """Interrupt the jobs that run, which go on when the queue is run again; idempotent."""

    # Jobs

    @abstractmethod
    def add(
        self,
        source: ModelSource | None = None,
        *,
        project: Path | None = None,
        target: str = "auto",
        settings: RunSettings = RunSettings(),
        title: str = "",
        priority: int = 0,
    ) -> Future[QueuedJob]:
        """Put a job at the end: a model into a new project, or a project that exists.

        Without `project`, a model gets a free name beside it when its turn comes.
        """

    @abstractmethod
    def pause(self, job: int) -> Future[None]:
        """Hold a job; what runs of it goes on to its end."""

    @abstractmethod
    def unpause(self, job: int) -> Future[None]:
        """Let a job go on."""

    @abstractmethod
    def cancel(self, job: int) -> Future[None]:
        """End a job; every result of it is kept."""

    @abstractmethod
    def remove(self, job: int) -> Future[None]:
        """Take a job off the list; UsageError while it runs."""

    @abstractmethod
    def set_priority(self, job: int, priority: int) -> Future[None]:
        """Make a job more urgent, which is a lower number, or less."""

    @abstractmethod
    def reorder(self, jobs: Sequence[int]) -> Future[None]:
        """Give these jobs each other's places, in this order."""

    # The queue

    @abstractmethod
    def run(self) -> Future[None]:
        """Run all that waits and what is added meanwhile; UsageError where another process does.

        When nothing is left that may run, the queue is given back.
        """

    @abstractmethod
    def hold(self) -> Future[None]:
        """Start no more jobs; those that run go on, then the queue is given back."""

    @abstractmethod
    def stop(self) -> Future[None]:
        """Interrupt the jobs that run, and give the queue back."""

    @abstractmethod
    def set_policy(self, name: str, options: dict[str, Any] | None = None) -> Future[None]:
        """Choose what decides which stage starts; UsageError for a name that does not exist."""

    @abstractmethod
    def set_limit(self, jobs: int) -> Future[None]:
        """Choose how many jobs run at once."""
