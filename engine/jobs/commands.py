"""The commands of an engine: the one list, which every engine is a subclass of."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from engine.deploy.packing.wheel import WheelName
from engine.jobs.event_queue import EventQueue
from engine.records.clustering import Clustering
from engine.records.labels import Label, Subject
from engine.records.machine import TargetSpec
from engine.records.schedule import FoundSchedule, IosOptions
from engine.records.settings import Budget, RunSettings
from engine.records.snapshot import Figure, Snapshot
from engine.records.source import ModelSource
from engine.records.space import DesignSpace


class Commanded:
    """Takes commands and tells events. All may be called from any thread and return at once.

    A future raises a TunewrightError where the command failed, after a `Failure` event said the
    same.
    """

    def __init__(self) -> None:
        self.events = EventQueue()


class EngineCommands(Commanded, ABC):
    """What an engine can be asked. One that answers many commands alike does so in `_by_default`.

    A new command is a method here and one of `engine.jobs.engine.Engine`.
    """

    @abstractmethod
    def start(self) -> None:
        """Start the engine's thread."""

    @abstractmethod
    def shutdown(self, timeout_s: float = 5) -> None:
        """Stop a run that goes on, close the project, end the thread; idempotent."""

    def _by_default(self, command: str, *arguments: Any) -> Future[Any]:
        """Answer a command that this class has no method of its own for."""
        raise NotImplementedError(command)

    # Projects

    def look_at_target(self, target: str) -> Future[TargetSpec]:
        """What a person's text for a target means. Tells of no failure but by its future."""
        return self._by_default("look_at_target", target)

    def open_model(
        self, source: ModelSource, target: str = "auto", project: Path | None = None
    ) -> Future[Snapshot]:
        """Import a model into a new project file (a free name near it where none is given). What
        is open stays so until that is done, without its run."""
        return self._by_default("open_model", source, target, project)

    def open_project(self, path: Path) -> Future[Snapshot]:
        """Open a project file, to look at it alone where it cannot be written; its model is read
        when a command needs it. One that does not open leaves what is open as it is."""
        return self._by_default("open_project", path)

    def watch_project(self, address: str) -> Future[Snapshot]:
        """Show the project that "ssh://USER@HOST/PATH.tune" names, as it is there, until another
        one is opened; it is only looked at. `Watched` events say how new the picture is."""
        return self._by_default("watch_project", address)

    def locate_model(self, path: Path) -> Future[None]:
        """Take the model of the open project from `path` from now on, where that is the same."""
        return self._by_default("locate_model", path)

    def save_as(self, path: Path) -> Future[None]:
        """Copy the project to `path` and go on there."""
        return self._by_default("save_as", path)

    def cancel(self) -> Future[None]:
        """End the opening of a model, an export or the finding of design spaces without a result:
        its own future raises Cancelled, and no Failure is told."""
        return self._by_default("cancel")

    def close_project(self) -> Future[None]:
        """Stop the project's run and close it."""
        return self._by_default("close_project")

    def snapshot(self) -> Future[Snapshot]:
        """The open project as it is now."""
        return self._by_default("snapshot")

    # Runs

    def start_run(self, settings: RunSettings) -> Future[int]:
        """Start a new run; its id."""
        return self._by_default("start_run", settings)

    def resume_run(
        self, budget: Budget | None = None, cluster: str = "", devices: str = ""
    ) -> Future[int]:
        """Go on with the last run, `elsewhere` where that is said; its id.

        With a budget of its own, or after a run that is finished, a new run has its settings.
        """
        return self._by_default("resume_run", budget, cluster, devices)

    def pause(self) -> Future[None]:
        """Hold the run; what is being measured is finished first."""
        return self._by_default("pause")

    def unpause(self) -> Future[None]:
        """Let a held run go on."""
        return self._by_default("unpause")

    def stop(self) -> Future[None]:
        """End the run, or the search for a schedule; every result so far is kept."""
        return self._by_default("stop")

    def wait(self) -> Future[None]:
        """Done when no run goes on; raises what a run failed with."""
        return self._by_default("wait")

    # Passes

    def find_spaces(self) -> Future[tuple[DesignSpace, ...]]:
        """The design spaces of all tasks, found where the project has none yet, and stored."""
        return self._by_default("find_spaces")

    def set_clustering(self, clustering: Clustering) -> Future[None]:
        """Store the clusters that Share uses."""
        return self._by_default("set_clustering", clustering)

    def set_label(self, subject: Subject, label: Label) -> Future[None]:
        """Store a name and a note of the project, a task or a run; at any time."""
        return self._by_default("set_label", subject, label)

    def set_used(self, run: int, used: bool) -> Future[None]:
        """Whether a run's results decide the best records; they are kept in any case."""
        return self._by_default("set_used", run, used)

    # Results

    def find_schedule(self, options: IosOptions) -> Future[FoundSchedule]:
        """Find operators that run side by side or merged, by measuring; goes on from what was
        measured before. `stop` ends it with the best so far, a second one without a result."""
        return self._by_default("find_schedule", options)

    def measure_again(self) -> Future[Figure]:
        """Measure the whole model, untuned and tuned, and what runs its file; how fast it is now.
        A disturbed measurement never replaces a good one."""
        return self._by_default("measure_again")

    def export(
        self,
        directory: Path,
        wheel: WheelName | None = None,
        pads: Mapping[str, float] | None = None,
    ) -> Future[dict[str, Any]]:
        """Compile with the best records, check, measure, write a folder, and a wheel beside it
        where that has a name; the manifest. Of a set of shapes `pads` says what inputs may be
        padded with to a larger one."""
        return self._by_default("export", directory, wheel, pads)

    def trial_detail(self, number: int) -> Future[dict[str, str]]:
        """The texts "trace", "tir" and "source" of a trial; takes a while."""
        return self._by_default("trial_detail", number)
