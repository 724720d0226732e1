"""What a report is about: a project as it was at one moment, and who wrote the report when."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from engine.history.figure import figure_of
from engine.history.history import History
from engine.history.improvements import Improvements, improvements
from engine.project.repository import Project
from engine.records.snapshot import Figure, RunInfo, Snapshot
from engine.records.source import ModelSource


@dataclass(frozen=True)
class Subject:
    """Everything a report says comes from here; `made_at` is seconds since the epoch, `target`
    TVM's own text."""

    snapshot: Snapshot
    source: ModelSource
    target_title: str
    target: str
    tvm_version: str
    made_at: float
    made_by: str

    @cached_property
    def history(self) -> History:
        """The figures of the project."""
        return History(self.snapshot)

    @cached_property
    def improvements(self) -> Improvements:
        return improvements(self.snapshot)

    @property
    def run(self) -> RunInfo | None:
        return self.snapshot.runs[-1] if self.snapshot.runs else None

    @cached_property
    def figure(self) -> Figure:
        """How fast the model is now, and how that is known."""
        return figure_of(self.snapshot, self.history)


def subject_of(path: Path) -> Subject:
    """A project file, also one that another process writes. ProjectError, StorageError."""
    with Project.open(path, read_only=True) as project:
        return Subject(
            snapshot=project.snapshot(),
            source=project.source,
            target_title=project.target_title,
            target=project.target,
            tvm_version=project.tvm_version,
            made_at=time.time(),
            made_by=made_by(),
        )


def made_by() -> str:
    """This program and its version."""
    from importlib.metadata import PackageNotFoundError, version

    with suppress(PackageNotFoundError):
        return f"Tunewright {version('tunewright')}"
    return "Tunewright"
