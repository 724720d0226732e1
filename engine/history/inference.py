"""One inference, kernel by kernel: when each would run, what it moves and how near to a peak."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from engine.history.figure import schedules_key
from engine.history.history import History
from engine.records.snapshot import REFERENCE, UNTUNED, Snapshot
from engine.records.task import Task, byte_size
from engine.records.trial import Measured


class Bound(StrEnum):
    """Which peak a kernel would reach first."""

    MEMORY = "memory"
    ARITHMETIC = "arithmetic"


@dataclass(frozen=True, slots=True)
class KernelRun:
    """The kernel of one operator, by its id, as a task's.

    From `start_s` on it takes `seconds`, both by what kernels take by themselves, one after the
    other. It reads and writes at least so many bytes, each tensor once. `share` is the time that
    it would take at the peak that `bound` names over what it takes, above 1 where a cache serves
    it; both are None where no peak is known.
    """

    operator: int
    name: str
    task: int | None
    start_s: float
    seconds: float
    read_bytes: int
    written_bytes: int
    flops: float
    bound: Bound | None = None
    share: float | None = None

    @property
    def end_s(self) -> float:
        return self.start_s + self.seconds


@dataclass(frozen=True, slots=True)
class Inference:
    """The kernels of a measured module in order, beside what it takes as a whole in `measured`.

    `tuned` says whether it has schedules at all, `current` whether they are those of now.
    """

    kernels: tuple[KernelRun, ...]
    measured: Measured
    tuned: bool
    current: bool

    @property
    def sum_s(self) -> float:
        """All kernels, each by itself."""
        return self.kernels[-1].end_s if self.kernels else 0.0

    @property
    def gap_s(self) -> float:
        """What the whole takes beyond its kernels: launches, waits and what runs between them;
        below 0 where kernels are faster within the model than by themselves."""
        return self.measured.latency_s - self.sum_s

    @property
    def end_s(self) -> float:
        """Where the longer of the two ends."""
        return max(self.measured.latency_s, self.sum_s)


NO_INFERENCE = Inference((), Measured(0.0), tuned=False, current=False)


def inference_of(
    snapshot: Snapshot,
    history: History | None = None,
    flops_per_s: float | None = None,
    bytes_per_s: float | None = None,
) -> Inference | None:
    """The inference of a project that was last timed kernel by kernel: with the schedules of now,
    else with earlier ones, else the untuned one; None where none was.

    The peaks are those of its device: FLOP/s in float32, and bytes/s of its memory. Of a set of
    shapes it is that of the first.
    """
    history = history or History(snapshot)
    snapshot = snapshot.of_shape(0) if snapshot.shapes else snapshot
    known = snapshot.measured.items()
    timed = {kind: each for kind, each in known if each.kernels and kind != REFERENCE}
    if not timed:
        return None
    key = schedules_key(history)
    tuned = [kind for kind in timed if kind != UNTUNED]
    kind = key if key in timed else max(tuned, key=lambda each: timed[each].at, default=UNTUNED)
    kernels, start_s = [], 0.0
    for operator, seconds in timed[kind].kernels:
        if operator < len(snapshot.operators):
            run = _run(snapshot, operator, start_s, seconds)
            kernels.append(_judged(run, flops_per_s, bytes_per_s))
            start_s += seconds
    if not kernels:
        return None
    return Inference(tuple(kernels), timed[kind], kind != UNTUNED, kind == key)


def _run(snapshot: Snapshot, operator: int, start_s: float, seconds: float) -> KernelRun:
    found = snapshot.operators[operator]
    known = found.task is not None and found.task < len(snapshot.tasks)
    read, written = _moved(snapshot.tasks[found.task or 0]) if known else (0, 0)
    return KernelRun(
        operator,
        found.name,
        found.task if known else None,
        start_s,
        seconds,
        read,
        written or byte_size(found.output),
        found.flops,
    )


def _moved(task: Task) -> tuple[int, int]:
    """Bytes that a call reads and writes at least. The last argument is the result; of several
    the others count as read, which leaves the sum as it is."""
    sizes = [byte_size(spec) for spec in task.args]
    return sum(sizes[:-1]), sum(sizes[-1:])


def _judged(run: KernelRun, flops_per_s: float | None, bytes_per_s: float | None) -> KernelRun:
    moved = run.read_bytes + run.written_bytes
    floors = {}
    if flops_per_s:
        floors[Bound.ARITHMETIC] = run.flops / flops_per_s
    if bytes_per_s:
        floors[Bound.MEMORY] = moved / bytes_per_s
    bound = max(floors, key=floors.__getitem__, default=None)
    if bound is None or not floors[bound] > 0 or not run.seconds > 0:
        return run
    return replace(run, bound=bound, share=floors[bound] / run.seconds)
