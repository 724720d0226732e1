"""What takes an exported module's time: its kernels, their speed, and how near the peaks it is."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.deploy.bench import bench
from engine.deploy.plan import byte_size
from engine.tasks.known_peak import known_peak

if TYPE_CHECKING:
    import numpy as np

    from engine.project.snapshot import Snapshot
    from engine.tasks.targets import TargetSpec


@dataclass(frozen=True, slots=True)
class Kernel:
    """All calls of one kernel: seconds of all together, FLOP/s, bytes/s of what a call must read
    and write at least, its share of the module's time, its FLOP/s over the target's peak."""

    name: str
    count: int
    seconds: float
    flops_per_s: float
    bytes_per_s: float
    share: float
    of_peak: float | None

    def as_dict(self) -> dict[str, Any]:
        """The kernel, JSON-ready."""
        return asdict(self)

    @staticmethod
    def from_dict(data: dict[str, Any]) -> Kernel:
        """The kernel that `as_dict` gave."""
        return Kernel(**data)


def profile(
    snapshot: Snapshot, folder: Path, spec: TargetSpec, inputs: dict[str, np.ndarray]
) -> list[Kernel]:
    """The kernels of an exported folder, the slowest first, each run by itself."""
    plan = json.loads((folder / "plan.json").read_text())
    names = [name for name, _ in plan["steps"]]
    alike = len(names) == len(snapshot.operators)  # merged operators are others
    moved: dict[str, float] = {}
    for step, (name, buffers) in enumerate(plan["steps"]):
        sizes = [plan["buffers"][place]["bytes"] for place in buffers]
        if alike and sizes:  # what is written in place is a part of its buffer
            sizes[-1] = min(sizes[-1], byte_size(snapshot.operators[step].output))
        moved[name] = sum(sizes)
    work = [operator.flops for operator in snapshot.operators] if alike else []
    flops = dict(zip(names, work, strict=False))
    peak = known_peak(snapshot.target)
    calls: dict[str, list[float]] = defaultdict(list)
    for name, seconds in bench(folder, spec.device, spec.cores, inputs, profile=True).steps:
        calls[name].append(seconds)
    whole = sum(map(sum, calls.values()))

    def made(name: str, seconds: list[float]) -> Kernel:
        total, count = sum(seconds), len(seconds)
        speed = flops.get(name, 0.0) * count / total
        return Kernel(
            name,
            count,
            total,
            speed,
            moved[name] * count / total,
            total / whole,
            speed / peak if peak else None,
        )

    kernels = [made(name, seconds) for name, seconds in calls.items()]
    return sorted(kernels, key=lambda kernel: -kernel.seconds)
