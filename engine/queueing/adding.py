"""A new job, refused now where it could not run later."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from engine.allocation.policies.registry import make_policy
from engine.jobs.steps.steps import options_of
from engine.measure.remote.given import require_all_given
from engine.project.repository import Project
from engine.queueing.store import require_priority
from engine.records.devices import cuda_index
from engine.records.errors import Hint, ProjectError, StorageError, TunewrightError, UsageError
from engine.records.job import QueuedJob
from engine.records.sentences import Sentence
from engine.records.settings import RunSettings
from engine.records.source import ModelSource
from engine.storage.failures import folder


def make_job(
    source: ModelSource | None,
    project: Path | None,
    target: str = "auto",
    settings: RunSettings = RunSettings(),
    title: str = "",
    priority: int = 0,
) -> QueuedJob:
    """A job that was not added yet.

    UsageError, ProjectError, StorageError or TargetError where it names no model and no project, a
    project that is not there or one in the way, settings that no run could have, or "cuda:" of no
    number; whether there is such a device is known when it runs. AddressNotGiven where it would
    connect to what nobody allowed here.
    """
    require_priority(priority)
    if target.strip().partition(":")[0] == "cuda":
        cuda_index(target.strip())
    make_policy(settings.policy, settings.policy_options, settings.seed)
    for step in settings.steps:
        options_of(step)
    places = target
    if source is None:
        if project is None:
            raise UsageError("A job needs a model or a project.", "Name one.")
        if project.is_dir():
            raise folder(project, Sentence("Name a .tune file in it."))
        if not project.is_file():
            raise ProjectError(
                Sentence("There is no file {project}.", project=project.name),
                "Check its name and folder.",
            )
        places = _target_of(project)
    elif project is not None:
        refuse_place(project)
    require_all_given(places, settings.devices, settings.cluster)
    if source is not None and source.kind == "file":
        location = Path(source.location).absolute()
        if location.is_dir():
            raise folder(location, Sentence("Name a model file in it."))
        if not location.is_file():
            raise UsageError(
                Sentence("There is no file {location}.", location=location.name),
                "Check its name and folder.",
            )
        source = replace(source, location=str(location))
    return QueuedJob(
        0,
        title or _title(source, project),
        project="" if project is None else str(project.absolute()),
        source=None if source is None else source.as_dict(),
        target=target,
        settings=settings,
        priority=priority,
        objective_s=settings.budget.latency_s,
    )


def _target_of(project: Path) -> str:
    """What a project is tuned for; nothing where it does not open, which its job will tell."""
    with suppress(TunewrightError), Project.open(project, read_only=True) as opened:
        return opened.target
    return ""


def refuse_place(project: Path) -> None:
    """Refuse now what would be refused after a long import: where a new project cannot be."""
    if project.is_dir():
        raise folder(project, Sentence("Name a .tune file in it."))
    if project.exists() and project.stat().st_size:
        raise ProjectError(
            Sentence("{project} exists already.", project=project.name),
            Sentence("Go on tuning {project}, or give another name.", project=project),
            Hint.RESUME,
        )
    parent = project.absolute().parent
    if not parent.is_dir():
        raise StorageError(
            Sentence("There is no folder {parent}.", parent=parent), "Make it, or choose another."
        )
    if not os.access(parent, os.W_OK):
        raise StorageError(
            Sentence("The folder {parent} is protected.", parent=parent), "Choose another."
        )


def _title(source: ModelSource | None, project: Path | None) -> str:
    if source is None:
        assert project is not None
        return project.stem
    return Path(source.location).stem if source.kind == "file" else source.location
