"""What the application needs of the engine; tests give a fake with the same methods."""

from __future__ import annotations

from concurrent.futures import Future
from pathlib import Path
from typing import Any, Protocol

from engine.records.clustering import Clustering
from engine.records.events import Event
from engine.records.labels import Label, Subject
from engine.records.schedule import IosOptions
from engine.records.settings import Budget, RunSettings
from engine.records.source import ModelSource
from engine.targets.targets import TargetSpec


class EventSource(Protocol):
    """A queue of events; `drain` takes all that wait and may be called from any thread."""

    def drain(self) -> list[Event]:
        """Every waiting event, oldest first."""
        ...


class EngineApi(Protocol):
    """The engine's commands.

    All may be called from the main thread and return at once. A future raises a TunewrightError
    where the command failed, after a `Failure` event said the same.
    """

    @property
    def events(self) -> EventSource:
        """What the engine tells."""
        ...

    def start(self) -> None:
        """Start the engine's thread."""
        ...

    def shutdown(self, timeout_s: float = 5) -> None:
        """Stop a run that goes on, close the project, end the thread."""
        ...

    def look_at_target(self, target: str) -> Future[TargetSpec]:
        """What a person's text for a target means. Tells of no failure but by its future."""
        ...

    def open_model(self, source: ModelSource, target: str, project: Path | None) -> Future[Any]:
        """Import a model into a project file (beside the model where `project` is None)."""
        ...

    def open_project(self, path: Path) -> Future[Any]:
        """Open a project file."""
        ...

    def start_run(self, settings: RunSettings) -> Future[Any]:
        """Start a new run."""
        ...

    def resume_run(self, budget: Budget | None = None) -> Future[Any]:
        """Go on with the last run's settings, under its own budget or another."""
        ...

    def pause(self) -> Future[Any]:
        """Hold the run; what is being measured is finished first."""
        ...

    def unpause(self) -> Future[Any]:
        """Let a held run go on."""
        ...

    def stop(self) -> Future[Any]:
        """End the run; every result so far is kept."""
        ...

    def export(self, directory: Path) -> Future[Any]:
        """Compile with the best records, check, measure, and write a folder."""
        ...

    def save_as(self, path: Path) -> Future[Any]:
        """Copy the project to `path` and go on there."""
        ...

    def cancel(self) -> Future[Any]:
        """End the opening of a model, an export or the finding of design spaces, without a result:
        its own future raises Cancelled, and no Failure is told."""
        ...

    def close_project(self) -> Future[Any]:
        """Close the project file."""
        ...

    def snapshot(self) -> Future[Any]:
        """The open project as it is now."""
        ...

    def find_spaces(self) -> Future[Any]:
        """Find the design spaces of all tasks; takes a while."""
        ...

    def set_clustering(self, clustering: Clustering) -> Future[Any]:
        """Store the clusters that Share uses."""
        ...

    def set_label(self, subject: Subject, label: Label) -> Future[Any]:
        """Store a name and a note of the project, a task or a run."""
        ...

    def set_used(self, run: int, used: bool) -> Future[Any]:
        """Whether a run's results decide the best records."""
        ...

    def find_schedule(self, options: IosOptions) -> Future[Any]:
        """Find a schedule of stages by measuring; `stop` ends it with the best so far."""
        ...

    def trial_detail(self, number: int) -> Future[dict[str, str]]:
        """The texts "trace", "tir" and "source" of a trial; takes a while."""
        ...
