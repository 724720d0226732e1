"""An engine under test, and the settings of a run that takes seconds."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from onnx import ModelProto

from engine.jobs.engine import Engine
from engine.project.repository import Project
from engine.records.events import Event
from engine.records.settings import Budget, RunSettings, SearchSettings
from engine.records.source import ModelSource
from engine.records.trial import Protocol
from tests.engine.models.build import conv_relu_model, save

QUICK = RunSettings(
    budget=Budget(trials=6),
    search=SearchSettings(population=8, iterations=1, min_unmeasured=4, batch=4, model_warmup=4),
    protocol=Protocol(sample_s=0.0005, max_s=0.02),
    starter=False,  # what comes with the program is other tests' matter
)
SLOW_S = 1.0  # as no kernel of the tests' models is


class Console:
    """An engine, and everything it has said."""

    def __init__(self) -> None:
        self.engine = Engine()
        self.engine.start()
        self.events: list[Event] = []

    def until(self, seen: Callable[[Event], bool], seconds: float = 60) -> Event:
        """Wait for an event."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for event in self.drain():
                if seen(event):
                    return event
            time.sleep(0.01)
        raise AssertionError("the event did not come")

    def drain(self) -> list[Event]:
        """What is new."""
        new = self.engine.events.drain()
        self.events += new
        return new

    def of(self, kind: type[Event]) -> list[Event]:
        """All events of a kind so far."""
        self.drain()
        return [event for event in self.events if isinstance(event, kind)]

    def open(self, folder: Path, proto: ModelProto | None = None, name: str = "tiny") -> Path:
        """Import a model, the tiny one where none is given, into a project there."""
        model = save(proto or conv_relu_model(), folder / f"{name}.onnx")
        project = folder / f"{name}.tune"
        self.engine.open_model(ModelSource("file", str(model)), "cpu", project).result(60)
        return project


def opened(console: Console, folder: Path, proto: ModelProto, name: str = "tiny") -> Path:
    """A new project, in which whatever is measured counts as faster than untuned.

    On a busy machine eight trials may find nothing better, and a task without a record has
    nothing to give and nothing to polish.
    """
    path = console.open(folder, proto, name)
    console.engine.close_project().result(60)
    with Project.open(path) as project:
        tasks = {task.index: SLOW_S for task in project.snapshot().tasks}
        project.set_untuned(SLOW_S * len(tasks), tasks)
    console.engine.open_project(path).result(60)
    return path
