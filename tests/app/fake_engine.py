"""An engine that only remembers what it was asked; tests answer for it."""

from __future__ import annotations

from concurrent.futures import Future
from pathlib import Path
from typing import Any

from engine.records.clustering import Clustering
from engine.records.errors import TunewrightError
from engine.records.events import Event, Failure
from engine.records.labels import Label, Subject
from engine.records.schedule import IosOptions
from engine.records.settings import Budget, RunSettings
from engine.records.source import ModelSource


class FakeEvents:
    """A list that is emptied by `drain`."""

    def __init__(self) -> None:
        self.waiting: list[Event] = []

    def drain(self) -> list[Event]:
        """Every waiting event."""
        drained, self.waiting = self.waiting, []
        return drained


class FakeEngine:
    """Records calls as (name, arguments); futures stay open until `answer` or `refuse`."""

    def __init__(self) -> None:
        self.events = FakeEvents()
        self.calls: list[tuple[Any, ...]] = []
        self.futures: dict[str, Future[Any]] = {}
        self.looked_at = ""

    def tell(self, *events: Event) -> None:
        """Put events into the queue."""
        self.events.waiting.extend(events)

    def answer(self, name: str, result: Any = None) -> None:
        """End the last call of `name` well."""
        self.futures[name].set_result(result)

    def refuse(self, name: str, error: TunewrightError) -> None:
        """End the last call of `name` as the real engine does: an event, then the error."""
        self.tell(Failure(error.what, error.todo))
        self.futures[name].set_exception(error)

    def names(self) -> list[str]:
        """The names of the calls so far."""
        return [call[0] for call in self.calls]

    def _call(self, name: str, *arguments: Any) -> Future[Any]:
        self.calls.append((name, *arguments))
        self.futures[name] = Future()
        return self.futures[name]

    def start(self) -> None:
        """Remembered."""
        self.calls.append(("start",))

    def shutdown(self, timeout_s: float = 5) -> None:
        """Remembered."""
        self.calls.append(("shutdown",))

    def look_at_target(self, target: str) -> Future[Any]:
        """The last one is in `looked_at`; it is no command, so not among the calls."""
        self.looked_at = target
        self.futures["look_at_target"] = Future()
        return self.futures["look_at_target"]

    def open_model(self, source: ModelSource, target: str, project: Path | None) -> Future[Any]:
        """Remembered."""
        return self._call("open_model", source, target, project)

    def open_project(self, path: Path) -> Future[Any]:
        """Remembered."""
        return self._call("open_project", path)

    def start_run(self, settings: RunSettings) -> Future[Any]:
        """Remembered."""
        return self._call("start_run", settings)

    def resume_run(self, budget: Budget | None = None) -> Future[Any]:
        """Remembered."""
        return self._call("resume_run", budget)

    def pause(self) -> Future[Any]:
        """Remembered."""
        return self._call("pause")

    def unpause(self) -> Future[Any]:
        """Remembered."""
        return self._call("unpause")

    def stop(self) -> Future[Any]:
        """Remembered."""
        return self._call("stop")

    def export(self, directory: Path) -> Future[Any]:
        """Remembered."""
        return self._call("export", directory)

    def save_as(self, path: Path) -> Future[Any]:
        """Remembered."""
        return self._call("save_as", path)

    def cancel(self) -> Future[Any]:
        """Remembered."""
        return self._call("cancel")

    def close_project(self) -> Future[Any]:
        """Remembered."""
        return self._call("close_project")

    def snapshot(self) -> Future[Any]:
        """Remembered."""
        return self._call("snapshot")

    def find_spaces(self) -> Future[Any]:
        """Remembered."""
        return self._call("find_spaces")

    def set_clustering(self, clustering: Clustering) -> Future[Any]:
        """Remembered."""
        return self._call("set_clustering", clustering)

    def set_label(self, subject: Subject, label: Label) -> Future[Any]:
        """Remembered."""
        return self._call("set_label", subject, label)

    def set_used(self, run: int, used: bool) -> Future[Any]:
        """Remembered."""
        return self._call("set_used", run, used)

    def find_schedule(self, options: IosOptions) -> Future[Any]:
        """Remembered."""
        return self._call("find_schedule", options)

    def trial_detail(self, number: int) -> Future[dict[str, str]]:
        """Remembered."""
        return self._call("trial_detail", number)
