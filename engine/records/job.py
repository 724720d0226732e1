"""A job of the queue, as everyone but its runner sees it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Any

from msgspec import Meta

from engine.records.options import Count, Index, Seconds, Share
from engine.records.outstanding import Wait
from engine.records.settings import RunSettings

DEFAULT_LIMIT = 4
"""Jobs at once: each one's project, model and workers stay in memory while it runs."""


class JobState(StrEnum):
    """The life of a job. MET is one whose objective was met by what the project or a library
    knew, so that nothing was searched. INTERRUPTED is one whose process ended, which waits to go
    on."""

    WAITING = "waiting"
    PREPARING = "preparing"
    RUNNING = "running"
    PAUSED = "paused"
    FINISHED = "finished"
    MET = "met"
    CANCELLED = "cancelled"
    FAILED = "failed"
    INTERRUPTED = "interrupted"

    @property
    def active(self) -> bool:
        """Whether its project is open and its run goes on, or is held."""
        return self in (JobState.PREPARING, JobState.RUNNING, JobState.PAUSED)

    @property
    def waits(self) -> bool:
        """Whether it would start when its turn comes."""
        return self in (JobState.WAITING, JobState.INTERRUPTED)

    @property
    def over(self) -> bool:
        """Whether nothing more comes of it."""
        return not self.active and not self.waits


@dataclass(frozen=True, slots=True)
class QueuedJob:
    """One job.

    `project` is its project file, empty until it has one; `source` is the model as
    `ModelSource.as_dict` gives it, None where the project exists already. `target` is a name
    such as "auto", ignored for a project that exists. A lower `priority` number is more urgent,
    then a lower `place`. `paused` is what a person asked for; a job that has not begun stays
    WAITING then. `message` says in a sentence what went wrong, or why it ended. Latencies in
    seconds; `left_s` are seconds of its own tuning time; `created`, `started` and `ended` are
    seconds since the epoch. `run` is its run in the project, 0 before that. `wait` is what its
    stages wait for, where none of them runs; only the process that runs the queue knows it, and
    `message` says it in words.
    """

    id: Count
    title: str
    project: str = ""
    source: dict[str, Any] | None = None
    target: str = "auto"
    settings: RunSettings = field(default_factory=RunSettings)
    priority: Annotated[int, Meta(ge=-(2**31), le=2**31)] = 0
    place: Index = 0
    paused: bool = False
    state: JobState = JobState.WAITING
    message: str = ""
    progress: Share | None = None
    best_s: Seconds | None = None
    untuned_s: Seconds | None = None
    objective_s: Seconds | None = None
    left_s: Seconds | None = None
    created: Seconds | None = None
    started: Seconds | None = None
    ended: Seconds | None = None
    run: Index = 0
    wait: Wait | None = None
