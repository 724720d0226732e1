"""Donors out of other project files: the best record of each of their tasks."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from engine.history.history import History
from engine.passes.donor import Donor
from engine.project.repository import Project
from engine.records.task import Task
from engine.records.trial import Trial


def donors_of(path: str | Path) -> list[Donor]:
    """The donors in a project file, by task; it is opened for reading, also beside a writer.

    A task whose untuned kernel is as fast as any record gives none. Raises ProjectError and
    StorageError as `Project.open` does.
    """
    with Project.open(path, read_only=True) as project:
        snapshot = project.snapshot()
        history = History(snapshot)
        donors = []
        for task in snapshot.tasks:
            number = history.record(task.index)
            if number is None:
                continue
            trial = project.trial(number)
            if not trial.trace:
                continue
            donors.append(donor_of(project, task, trial))
    return donors


def donor_of(project: Project, task: Task, record: Trial) -> Donor:
    """A task's record, traces included, as a donor."""
    return Donor(
        model=project.model_name,
        task=task.name,
        op_class=task.op_class,
        args=task.args,
        flops=task.flops,
        latency_s=record.latency_s,
        untuned_latency_s=task.untuned_latency_s,
        trace=record.trace,
        trace_key=record.trace_key,
        fingerprint=task.fingerprint,
        target=project.target,
        target_title=project.target_title,
        tvm_version=project.tvm_version,
        place=str(project.path),
        at=record.at,
    )


def without(donors: Iterable[Donor], own: str | Path | None) -> list[Donor]:
    """The donors that do not come from the project file `own`."""
    return [donor for donor in donors if not _same(donor.place, own)]


def _same(place: str | Path, own: str | Path | None) -> bool:
    """Whether two paths lead to one file; the file need not be there any more."""
    return own is not None and os.path.realpath(place) == os.path.realpath(own)
