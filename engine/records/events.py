"""Every event the engine emits: frozen, plain data, safe to hand to any thread."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from engine.records.clustering import Clustering
from engine.records.job import QueuedJob
from engine.records.labels import Label, Subject
from engine.records.network import FileNode, Judged
from engine.records.outstanding import OutstandingStage
from engine.records.schedule import FoundSchedule, Schedule, SearchState
from engine.records.settings import RunSettings, RunState
from engine.records.snapshot import NO_FIGURE, Figure, SlotInfo, Snapshot
from engine.records.space import DesignSpace, Move
from engine.records.stage import StageSpan
from engine.records.task import TaskState
from engine.records.trial import Measured, Trial


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """The base of all events; `at` is seconds since the epoch."""

    at: float = field(default_factory=time.time)


@dataclass(frozen=True, slots=True)
class ProjectOpened(Event):
    """A project is open; the snapshot is complete."""

    snapshot: Snapshot


@dataclass(frozen=True, slots=True)
class ModelSeen(Event):
    """A first look at the model that is being opened: the nodes of its file as they are there, long
    before it is lowered. `parameters` are the elements of its weights."""

    name: str
    nodes: tuple[FileNode, ...]
    parameters: int = 0


@dataclass(frozen=True, slots=True)
class ProjectSaved(Event):
    """The project now lives at `path` (Save As)."""

    path: str


@dataclass(frozen=True, slots=True)
class Progress(Event):
    """A long step goes on: `done` of `total` (0 where the total is unknown). Empty text: over.

    `text` is a `Doing`, `about` the name that stands in it where it has room for one.
    """

    text: str
    done: int = 0
    total: int = 0
    about: str = ""

    @property
    def sentence(self) -> str:
        """What goes on, in English."""
        return self.text.format(about=self.about) if self.about else self.text


@dataclass(frozen=True, slots=True)
class RunStarted(Event):
    """A run begins, or goes on, with these settings."""

    run: int
    settings: RunSettings


@dataclass(frozen=True, slots=True)
class RunChanged(Event):
    """A run entered a state; `reason` says why in a few words."""

    run: int
    state: RunState
    reason: str = ""


@dataclass(frozen=True, slots=True)
class SlotStarted(Event):
    """A policy gave a slot to a task."""

    slot: SlotInfo


@dataclass(frozen=True, slots=True)
class TaskChanged(Event):
    """A task entered a state."""

    task: int
    state: TaskState
    reason: str = ""


@dataclass(frozen=True, slots=True)
class TrialDone(Event):
    """A trial's result is in the project file."""

    trial: Trial


@dataclass(frozen=True, slots=True)
class TrialConfirmed(Event):
    """A finalist was measured again, `trial.confirmed` holds the samples; or what it computes was
    compared with the untuned kernel: it failed where that is wrong."""

    trial: Trial


@dataclass(frozen=True, slots=True)
class SpacesFound(Event):
    """The design spaces of all tasks are known."""

    spaces: tuple[DesignSpace, ...]


@dataclass(frozen=True, slots=True)
class ClustersChanged(Event):
    """The project's clusters are now these."""

    clustering: Clustering


@dataclass(frozen=True, slots=True)
class ModuleJudged(Event):
    """The untuned module was compared with its file on all draws."""

    judged: Judged


@dataclass(frozen=True, slots=True)
class ModelMeasured(Event):
    """A latency of the whole model is in the project file: of which kind, as `Snapshot.measured`
    has them. `runs` are those whose outcome it is."""

    kind: str
    measured: Measured
    runs: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class LabelChanged(Event):
    """The project, a task or a run has this name and this note now."""

    subject: Subject
    label: Label


@dataclass(frozen=True, slots=True)
class MoveMade(Event):
    """Droplet compared a neighbour with the point where it stands."""

    move: Move


@dataclass(frozen=True, slots=True)
class StepStarted(Event):
    """A run begins a step of its plan: the step's place, and the round of a repeated plan."""

    run: int
    kind: str
    step: int
    round: int = 0


@dataclass(frozen=True, slots=True)
class StagesOutstanding(Event):
    """What a run waits for: the stages that go on, the oldest first."""

    stages: tuple[OutstandingStage, ...]


@dataclass(frozen=True, slots=True)
class StageSearch(Event):
    """A search for a schedule goes on, or has ended; `best` is the best so far."""

    state: SearchState
    best: Schedule | None = None
    running: bool = True


@dataclass(frozen=True, slots=True)
class ScheduleFound(Event):
    """A schedule is found, measured and stored."""

    found: FoundSchedule


@dataclass(frozen=True, slots=True)
class Scores(Event):
    """The scoreboard: how fast the model is, `share` of latency that is tuned in [0, 1].

    `time_left_s` is None where the budget gives no estimate. `reference` names what `reference_s`
    is the latency of, in seconds.
    """

    elapsed_s: float
    figure: Figure = NO_FIGURE
    reference_s: float | None = None
    share: float = 0.0
    trials: int = 0
    trials_per_s: float = 0.0
    time_left_s: float | None = None
    reference: str = "ONNX Runtime"


@dataclass(frozen=True, slots=True)
class ExportDone(Event):
    """A module was exported, checked and measured."""

    dir: str
    manifest: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Message(Event):
    """A line for the log; level is "info", "warning" or "error"."""

    level: str
    text: str


@dataclass(frozen=True, slots=True)
class Failure(Event):
    """A command failed in a way a person can act on."""

    what: str
    todo: str


@dataclass(frozen=True, slots=True)
class Watched(Event):
    """The open project is that of another machine, as it was at `seen_at`, in seconds since the
    epoch. `lost` says why there is nothing newer, and is empty while there is a connection."""

    place: str
    seen_at: float
    lost: str = ""


@dataclass(frozen=True, slots=True)
class QueueChanged(Event):
    """The job queue as it is now, in its order; `running` is whether this process runs it, and
    `elsewhere` whether another one does."""

    jobs: tuple[QueuedJob, ...]
    running: bool = False
    elsewhere: bool = False


@dataclass(frozen=True, slots=True)
class SpansChanged(Event):
    """Stages that began or ended since the last time; a number that is known takes the place of
    what was known of it."""

    spans: tuple[StageSpan, ...]
