"""Stands where an engine would: before it is started, and in pictures."""

from __future__ import annotations

from concurrent.futures import Future
from pathlib import Path
from typing import Any

from engine.records.clustering import Clustering
from engine.records.errors import UsageError
from engine.records.events import Event
from engine.records.labels import Label, Subject
from engine.records.schedule import IosOptions
from engine.records.settings import Budget, RunSettings
from engine.records.source import ModelSource
from engine.targets.targets import TargetSpec
from widgets.look.language import tr


class _NoEvents:
    """A queue in which nothing ever waits."""

    def drain(self) -> list[Event]:
        """Nothing."""
        return []


class NoEngine:
    """Has nothing to say and refuses every command."""

    events = _NoEvents()

    def start(self) -> None:
        """Nothing to start."""

    def shutdown(self, timeout_s: float = 5) -> None:
        """Nothing to end."""

    def look_at_target(self, target: str) -> Future[TargetSpec]:
        """Refused."""
        return _refused()

    def open_model(self, source: ModelSource, target: str, project: Path | None) -> Future[Any]:
        """Refused."""
        return _refused()

    def open_project(self, path: Path) -> Future[Any]:
        """Refused."""
        return _refused()

    def start_run(self, settings: RunSettings) -> Future[Any]:
        """Refused."""
        return _refused()

    def resume_run(self, budget: Budget | None = None) -> Future[Any]:
        """Refused."""
        return _refused()

    def pause(self) -> Future[Any]:
        """Refused."""
        return _refused()

    def unpause(self) -> Future[Any]:
        """Refused."""
        return _refused()

    def stop(self) -> Future[Any]:
        """Refused."""
        return _refused()

    def export(self, directory: Path) -> Future[Any]:
        """Refused."""
        return _refused()

    def save_as(self, path: Path) -> Future[Any]:
        """Refused."""
        return _refused()

    def cancel(self) -> Future[Any]:
        """Refused."""
        return _refused()

    def close_project(self) -> Future[Any]:
        """Refused."""
        return _refused()

    def snapshot(self) -> Future[Any]:
        """Refused."""
        return _refused()

    def find_spaces(self) -> Future[Any]:
        """Refused."""
        return _refused()

    def set_clustering(self, clustering: Clustering) -> Future[Any]:
        """Refused."""
        return _refused()

    def set_label(self, subject: Subject, label: Label) -> Future[Any]:
        """Refused."""
        return _refused()

    def set_used(self, run: int, used: bool) -> Future[Any]:
        """Refused."""
        return _refused()

    def find_schedule(self, options: IosOptions) -> Future[Any]:
        """Refused."""
        return _refused()

    def trial_detail(self, number: int) -> Future[dict[str, str]]:
        """Refused."""
        return _refused()


def _refused() -> Future[Any]:
    future: Future[Any] = Future()
    future.set_exception(
        UsageError(tr("The engine has not been started."), tr("Wait a moment and try again."))
    )
    return future
