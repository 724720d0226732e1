"""An engine that answers at once, and remembers what it was asked."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Any

from engine.jobs.event_queue import EventQueue
from engine.records.events import Message
from engine.records.schedule import IosOptions
from engine.records.settings import Budget, RunSettings, RunState
from engine.records.snapshot import RunInfo, Snapshot
from engine.records.source import ModelSource
from tests.samples import make_task

PROJECT = Snapshot("/made/tiny.tune", "tiny", "tiny.onnx", "llvm", (make_task(0, "conv", None),),
                   (), (), (RunInfo(1, RunState.FINISHED, RunSettings(seed=5), 0.0),))  # fmt: skip


def answered(value: Any) -> Future[Any]:
    """A future that is done."""
    made: Future[Any] = Future()
    made.set_result(value)
    return made


class AnsweringEngine:
    """Has one project, whatever is opened."""

    asked: list[tuple[Any, ...]]

    def __init__(self) -> None:
        AnsweringEngine.last = self
        self.asked = []
        self.events = EventQueue()

    def start(self) -> None:
        self.asked.append(("start",))

    def shutdown(self, timeout_s: float) -> None:
        self.asked.append(("shutdown",))

    def wait(self) -> Future[None]:
        self.events.put(Message("info", "done"))
        return answered(None)

    def stop(self) -> Future[None]:
        return answered(None)

    def open_model(self, source: ModelSource, target: str, project: Path | None) -> Future[Any]:
        self.asked.append(("open_model", source, target, project))
        return answered(replace(PROJECT, runs=()))

    def open_project(self, path: Path) -> Future[Any]:
        self.asked.append(("open_project", path))
        return answered(PROJECT)

    def start_run(self, settings: RunSettings) -> Future[int]:
        self.asked.append(("start_run", settings))
        return answered(2)

    def resume_run(self, budget: Budget | None) -> Future[int]:
        self.asked.append(("resume_run", budget))
        return answered(1)

    def find_schedule(self, options: IosOptions) -> Future[Any]:
        self.asked.append(("find_schedule", options))
        return answered(None)

    def export(self, folder: Path) -> Future[Any]:
        self.asked.append(("export", folder))
        return answered({"latency_s": 1e-3})

    def call(self, name: str) -> Any:
        """The arguments of the last call of that name."""
        return next(call[1:] for call in reversed(self.asked) if call[0] == name)

    @property
    def names(self) -> list[str]:
        """What was asked, in order."""
        return [call[0] for call in self.asked]

    last: AnsweringEngine
