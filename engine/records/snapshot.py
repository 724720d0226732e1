"""What a view needs to show a project: plain data, taken at one moment."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
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
from engine.records.trial import Measured, Trial, speedup_of


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
UNTUNED, REFERENCE = "untuned", "reference"  # kinds of a whole model's latency


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
class Figure:
    """How fast the model is now, and how that is known: the one figure that every place shows.

    `latency_s` was measured end to end with the schedules of now where `measured`, and is an
    estimate otherwise. It rests on `basis`, the measurement that it is or is scaled from by what
    the kernels gained since; without one it is `sum_s`, what the kernels take together now.
    `aside` is a disturbed measurement of now's schedules that was not taken for it. `tuned` says
    whether any schedule is in it, `untuned` is the model's latency without any, `reference` that
    of what runs the file. In seconds.
    """

    latency_s: float | None = None
    measured: bool = False
    sum_s: float | None = None
    basis: Measured | None = None
    aside: Measured | None = None
    tuned: bool = False
    untuned: Measured | None = None
    reference: Measured | None = None

    @property
    def untuned_s(self) -> float | None:
        """Before any tuning."""
        return self.untuned.latency_s if self.untuned else None

    @property
    def measured_s(self) -> float | None:
        """The latency where it was measured."""
        return self.latency_s if self.measured else None

    @property
    def speedup(self) -> float | None:
        """How many times faster than untuned; None where nothing is tuned or known, or the two
        differ by no more than their measurements' spread."""
        if not self.tuned:
            return None
        spreads_s = (known.spread_s if known else None for known in (self.untuned, self.basis))
        return speedup_of(self.untuned_s, self.latency_s, *spreads_s)

    @property
    def suspect(self) -> Measured | None:
        """The disturbed measurement of now's schedules, whether it was taken or not."""
        if self.aside is not None:
            return self.aside
        return self.basis if self.measured and self.basis and self.basis.disturbed else None

    @property
    def disturbed(self) -> bool:
        """Whether something else was measured with it."""
        return self.suspect is not None

    @property
    def is_taken_disturbed(self) -> bool:
        """Whether the disturbed measurement is what is shown."""
        return self.measured and self.disturbed

    @property
    def gap(self) -> float | None:
        """What was measured over what the kernels take together; None for an estimate."""
        if not self.measured or not self.latency_s or not self.sum_s:
            return None
        return self.latency_s / self.sum_s


NO_FIGURE = Figure()


@dataclass(frozen=True, slots=True)
class ShapeInfo:
    """One shape of a set: its short name, how often it occurs, and the operators of its program."""

    label: str
    frequency: int
    operators: tuple[Operator, ...]

    def occurrences(self) -> Counter[int]:
        """How many of its operators each task is, by the task's index."""
        return Counter(one.task for one in self.operators if one.task is not None)


def kind_of_shape(kind: str, shape: int) -> str:
    """The kind of a latency that is of one shape of a set, by its place, and not of their mean."""
    return f"{kind} {shape}"


def of_one_shape(measured: Mapping[str, Measured], shape: int | None) -> dict[str, Measured]:
    """Those latencies that are of that shape, by their kind; None: those of the whole set."""
    found = {kind: kind.partition(" ") for kind in measured}
    wanted = "" if shape is None else str(shape)
    return {kind: measured[whole] for whole, (kind, _, place) in found.items() if place == wanted}


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A whole project. `untuned_latency_s`, `reference_latency_s`: end to end, in seconds.

    `spaces` are the design spaces found so far, `unused` the runs whose results a person left out.
    `file_nodes` are those of the model's file, empty where an older version made the project.
    `precision` is what convolutions and matrix products are computed in. `target` is the title
    of what it is tuned for, `hardware` the same in data. `judged` is what its untuned module was
    found to answer, once it was. `read_only` is one of a file that cannot be written here;
    `watched` is where it is on another machine, whose runs go on there, empty for one of this.
    `measured` are latencies of the whole model by their kind: UNTUNED, REFERENCE, or the key of
    the schedules that it had. `shapes` are those of a set, empty where there is one: then weights
    are sums over shapes of occurrences times frequency, latencies of the model are means over its
    `inferences`, and `operators` and `file_nodes` are those of the first.
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
    watched: str = ""
    measured: Mapping[str, Measured] = field(default_factory=dict)
    shapes: tuple[ShapeInfo, ...] = ()

    @property
    def inferences(self) -> int:
        """How many inferences the tasks' weights add up."""
        return sum(one.frequency for one in self.shapes) or 1

    def of_shape(self, place: int) -> Snapshot:
        """The project as if it had that shape alone: of the same tasks, some with the weight 0."""
        shape = self.shapes[place]
        counts = shape.occurrences()
        measured = of_one_shape(self.measured, place)
        untuned, reference = measured.get(UNTUNED), measured.get(REFERENCE)
        return replace(
            self,
            tasks=tuple(replace(task, weight=counts[task.index]) for task in self.tasks),
            operators=shape.operators,
            file_nodes=() if place else self.file_nodes,
            runs=tuple(replace(run, tuned_latency_s=None) for run in self.runs),
            measured=measured,
            untuned_latency_s=untuned.latency_s if untuned else None,
            reference_latency_s=reference.latency_s if reference else None,
            schedule=None,
            shapes=(),
        )

    @property
    def own_tasks(self) -> tuple[Task, ...]:
        """The model's own tasks, which come first, without those of merged operators."""
        return own_tasks(self.tasks)


NO_PROJECT = Snapshot("", "", "", "", (), (), ())
