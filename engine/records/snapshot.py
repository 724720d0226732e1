"""What a view needs to show a project: plain data, taken at one moment."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.records.clustering import Clustering
from engine.records.labels import Label, Subject
from engine.records.network import FileNode, Judged, Operator
from engine.records.options import Count, Index, Seconds
from engine.records.precision import DEFAULT_PRECISION
from engine.records.schedule import FoundSchedule
from engine.records.settings import RunSettings, RunState
from engine.records.space import DesignSpace, Move
from engine.records.task import Task, own_tasks
from engine.records.trial import Trial


@dataclass(frozen=True, slots=True)
class Hardware:
    """A target as TVM describes it, `text`; all is unknown where that is empty.

    `device` is the title of the device that it is for, empty where it names only an architecture.
    `cores` are those that the target names.
    """

    text: str = ""
    device: str = ""
    is_cpu: bool = False
    is_remote: bool = False
    cores: int = 1


UNKNOWN = Hardware()


def hardware_of(text: str, title: str) -> Hardware:
    """The hardware of a target, given as TVM's JSON and with the title that it was given."""
    try:
        fields: Any = json.loads(text)
        kind, arch = fields["kind"], fields.get("arch", "")
        cores, is_remote = fields.get("num-cores", 1), "://" in str(fields.get("tag", ""))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return UNKNOWN
    is_cpu = kind == "llvm"
    device = title if is_cpu else title.removesuffix(f" as {arch}")
    if is_remote and not is_cpu:
        device = ""
    return Hardware(text, device, is_cpu, is_remote, cores if type(cores) is int else 1)


@dataclass(frozen=True, slots=True)
class RunInfo:
    """One run as the project file knows it; latencies are end to end, in seconds.

    `failed` says of tasks that it gave up why, by their index.
    """

    id: Index
    state: RunState
    settings: RunSettings
    started_at: Seconds
    ended_at: Seconds | None = None
    elapsed_s: Seconds = 0.0
    trials: Index = 0
    tuned_latency_s: Seconds | None = None
    reason: str = ""
    failed: dict[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SlotInfo:
    """One slot: who got it, why, and when (seconds of the project's tuning time)."""

    number: Count
    run: Index
    task: Index
    elapsed_s: Seconds
    reason: str = ""
    scores: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ExportInfo:
    """One export: its folder and its manifest."""

    id: Index
    dir: str
    at: Seconds
    manifest: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A whole project. `untuned_latency_s`, `reference_latency_s`: end to end, in seconds.

    `spaces` are the design spaces found so far, `unused` the runs whose results a person left out.
    `file_nodes` are those of the model's file, empty where an older version made the project.
    `precision` is what convolutions and matrix products are computed in. `target` is the title
    of what it is tuned for, `hardware` the same in data. `judged` is what its untuned module was
    found to answer, once it was. `read_only` is one of a file that cannot be written here.
    """

    path: str
    model_name: str
    model_source: str
    target: str
    tasks: tuple[Task, ...]
    operators: tuple[Operator, ...]
    trials: tuple[Trial, ...]
    runs: tuple[RunInfo, ...] = ()
    slots: tuple[SlotInfo, ...] = ()
    exports: tuple[ExportInfo, ...] = ()
    untuned_latency_s: float | None = None
    reference_latency_s: float | None = None
    elapsed_s: float = 0.0
    spaces: tuple[DesignSpace, ...] = ()
    clustering: Clustering | None = None
    moves: tuple[Move, ...] = ()
    unused: frozenset[int] = frozenset()
    schedule: FoundSchedule | None = None
    file_nodes: tuple[FileNode, ...] = ()
    labels: Mapping[Subject, Label] = field(default_factory=dict)
    precision: str = DEFAULT_PRECISION
    hardware: Hardware = UNKNOWN
    judged: Judged | None = None
    read_only: bool = False

    @property
    def own_tasks(self) -> tuple[Task, ...]:
        """The model's own tasks, which come first, without those of merged operators."""
        return own_tasks(self.tasks)


NO_PROJECT = Snapshot("", "", "", "", (), (), ())
