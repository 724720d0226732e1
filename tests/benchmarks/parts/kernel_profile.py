"""What takes an exported module's time: its kernels, their speed, what bounds each of them, and
how the sum of them compares with the whole."""

from __future__ import annotations

import json
import os
import statistics
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.deploy.bench import usable_threads
from engine.records.machine import THREADS, prepare_environment
from engine.records.task import byte_size
from engine.targets.known_peak import known_peak
from engine.workers.fresh import run_fresh
from tests.benchmarks.parts.launch_shapes import Launch
from tests.benchmarks.parts.peaks import Peaks, gpu_peaks

if TYPE_CHECKING:
    import numpy as np

    from engine.deploy.executor import PlanExecutor
    from engine.records.snapshot import Snapshot
    from engine.targets.targets import TargetSpec

_CLOSE = 0.5  # of a peak: more is bound by it
_SHORT = 1.5  # times the shortest kernel: a launch, and little else
_FEW, _MANY = 20, 60  # launches in a graph, whose difference leaves its own cost out
_LONG_S = 5e-4


@dataclass(frozen=True, slots=True)
class Kernel:
    """All calls of one kernel: seconds of all together, FLOP/s, bytes/s of what a call must read
    and write at least, its share of the kernels' time, its FLOP/s and bytes/s over the peaks.

    `floor_s` is what all calls would take at the nearer peak. `blocks` of `threads` are a call's.
    `bound` is "launch", "arithmetic", "bytes", "occupancy" (fewer blocks than multiprocessors), or
    "schedule": far from either peak for another reason. It is empty where no peak is known.
    """

    name: str
    count: int
    seconds: float
    flops_per_s: float
    bytes_per_s: float
    share: float
    of_peak: float | None
    bytes_of_peak: float | None = None
    floor_s: float | None = None
    blocks: int | None = None
    threads: int | None = None
    bound: str = ""

    def as_dict(self) -> dict[str, Any]:
        """The kernel, JSON-ready."""
        return asdict(self)

    @staticmethod
    def from_dict(data: dict[str, Any]) -> Kernel:
        """The kernel that `as_dict` gave."""
        return Kernel(**data)


@dataclass(frozen=True, slots=True)
class Profile:
    """The kernels, the slowest first, of a module that takes `whole_s`, without stages, from call
    to result. `shortest_s` is the shortest call of a kernel: on a GPU hardly more than a launch.
    """

    kernels: tuple[Kernel, ...]
    whole_s: float
    shortest_s: float
    peaks: Peaks

    @property
    def launches(self) -> int:
        """Calls of kernels."""
        return sum(kernel.count for kernel in self.kernels)

    @property
    def kernels_s(self) -> float:
        """Seconds of all kernels, each by itself."""
        return sum(kernel.seconds for kernel in self.kernels)

    def summary(self) -> dict[str, Any]:
        """What the whole comes to, JSON-ready. `launches_s` is what so many launches take at
        least, `by_bound` the seconds of the kernels that each thing bounds."""
        by_bound: dict[str, float] = defaultdict(float)
        for kernel in self.kernels:
            by_bound[kernel.bound or "unknown"] += kernel.seconds
        floors = [kernel.floor_s for kernel in self.kernels if kernel.floor_s is not None]
        return {
            "whole_s": self.whole_s,
            "kernels_s": self.kernels_s,
            "kernels_of_whole": self.kernels_s / self.whole_s,
            "launches": self.launches,
            "shortest_s": self.shortest_s,
            "launches_s": self.launches * self.shortest_s,
            "floor_s": sum(floors) if len(floors) == len(self.kernels) else None,
            "by_bound": dict(sorted(by_bound.items(), key=lambda item: -item[1])),
            **asdict(self.peaks),
        }


def profile(
    snapshot: Snapshot,
    folder: Path,
    spec: TargetSpec,
    inputs: dict[str, np.ndarray],
    precision: str = "float32",
    launches: Mapping[int, Launch] | None = None,
) -> Profile:
    """The kernels of an exported folder, each run by itself, and the whole. Blocks.

    On a GPU a kernel runs many times in a row in a CUDA Graph, so that no host keeps it waiting;
    what it reads may then be in the GPU's cache, as some of it is within the model. `launches` are
    those of the tasks' kernels by index.
    """
    plan = json.loads((folder / "plan.json").read_text())
    steps, whole_s, peaks = run_fresh(
        _measure,
        folder,
        spec.device,
        spec.cores,
        inputs,
        precision,
        known_peak(snapshot.hardware.text),
    )
    calls: dict[str, list[float]] = defaultdict(list)
    for name, seconds in steps:
        calls[name].append(seconds)
    shortest_s = min(seconds for _, seconds in steps)
    facts = _facts(snapshot, plan, launches or {})
    whole = sum(map(sum, calls.values()))
    kernels = [
        _kernel(name, seconds, whole, facts[name], peaks, shortest_s if spec.is_gpu else 0.0)
        for name, seconds in calls.items()
    ]
    ordered = sorted(kernels, key=lambda kernel: -kernel.seconds)
    return Profile(tuple(ordered), whole_s, shortest_s, peaks)


@dataclass(frozen=True, slots=True)
class _Facts:
    """Of one call: bytes moved at least, FLOPs, and how it is launched."""

    moved: float
    flops: float
    launch: Launch | None


def _facts(
    snapshot: Snapshot, plan: dict[str, Any], launches: Mapping[int, Launch]
) -> dict[str, _Facts]:
    alike = len(plan["steps"]) == len(snapshot.operators)  # merged operators are others
    found = {}
    for step, (name, buffers) in enumerate(plan["steps"]):
        sizes = [plan["buffers"][place]["bytes"] for place in buffers]
        operator = snapshot.operators[step] if alike else None
        if operator and sizes:  # what is written in place is a part of its buffer
            sizes[-1] = min(sizes[-1], byte_size(operator.output))
        task = None if operator is None else operator.task
        launch = None if task is None else launches.get(task)
        found[name] = _Facts(sum(sizes), operator.flops if operator else 0.0, launch)
    return found


def _kernel(
    name: str, calls: Sequence[float], whole: float, facts: _Facts, peaks: Peaks, launch_s: float
) -> Kernel:
    total, count = sum(calls), len(calls)
    flops_per_s, bytes_per_s = facts.flops * count / total, facts.moved * count / total
    of_peak = flops_per_s / peaks.flops_per_s if peaks.flops_per_s else None
    bytes_of_peak = bytes_per_s / peaks.bytes_per_s if peaks.bytes_per_s else None
    floors = [share for share in (of_peak, bytes_of_peak) if share is not None]
    blocks = facts.launch.blocks if facts.launch else None
    bound = ""
    if floors:
        few = blocks is not None and blocks < (peaks.processors or 0)
        short = total / count <= _SHORT * launch_s
        bound = _bound(of_peak or 0.0, bytes_of_peak or 0.0, short, few)
    return Kernel(
        name,
        count,
        total,
        flops_per_s,
        bytes_per_s,
        total / whole,
        of_peak,
        bytes_of_peak,
        max(floors) * total if floors else None,
        blocks,
        facts.launch.threads if facts.launch else None,
        bound,
    )


def _bound(of_peak: float, bytes_of_peak: float, short: bool, few_blocks: bool) -> str:
    if max(of_peak, bytes_of_peak) >= _CLOSE:
        return "arithmetic" if of_peak >= bytes_of_peak else "bytes"
    if short:
        return "launch"
    return "occupancy" if few_blocks else "schedule"


# In a process of its own


def _measure(
    folder: Path,
    device: str,
    threads: int,
    inputs: dict[str, np.ndarray],
    precision: str,
    peak: float | None,
) -> tuple[list[tuple[str, float]], float, Peaks]:
    os.environ[THREADS] = usable_threads(threads)
    prepare_environment()
    from engine.deploy.executor import PlanExecutor

    plan = json.loads((folder / "plan.json").read_text()) | {"stages": None}
    executor = PlanExecutor(folder, device, plan)
    executor.run(inputs)
    whole_s = statistics.median(executor.time(0.5))
    if not device.startswith("cuda"):
        return executor.profile(), whole_s, Peaks(peak)
    peaks = gpu_peaks(int(device.partition(":")[2] or 0), precision)
    return _in_graphs(executor), whole_s, peaks


def _in_graphs(executor: PlanExecutor) -> list[tuple[str, float]]:
    """Each working step's name and its seconds, in graphs of many launches of the same kernel."""
    found = []
    for step, (name, _, args) in enumerate(executor.steps):
        if args:
            once = _best_s(executor.program([[[step]]]))
            few, many = (_FEW, _MANY) if once < _LONG_S else (1, 3)
            less, more = (_best_s(executor.program([[[step]]] * count)) for count in (few, many))
            found.append((name, max(more - less, 1e-9) / (many - few)))
    return found


def _best_s(graph: Callable[[], None]) -> float:
    import time

    samples = []
    for _ in range(8):
        began = time.perf_counter()
        graph()
        samples.append(time.perf_counter() - began)
    if (close := getattr(graph, "close", None)) is not None:
        close()
    return min(samples)
