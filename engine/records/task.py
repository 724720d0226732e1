"""A tuning task: one workload of the model, how often it occurs, and what it costs."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from engine.records.options import Index, Real, Seconds


class TaskState(StrEnum):
    """What a task is doing, as the views show it; TUNED is one with a schedule while nothing goes
    on and its run did not come to its end."""

    WAITING = "waiting"
    SEARCHING = "searching"
    BUILDING = "building"
    MEASURING = "measuring"
    TUNED = "tuned"
    FINISHED = "finished"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class TensorSpec:
    """Shape (elements per axis) and dtype ("float32", ...) of one tensor."""

    shape: tuple[Index, ...]
    dtype: str

    def __str__(self) -> str:
        return f"{'x'.join(map(str, self.shape)) or 'scalar'} {self.dtype}"


def byte_size(spec: TensorSpec) -> int:
    """Bytes of a tensor; elements smaller than a byte are packed."""
    width = re.search(r"\d+", spec.dtype)  # the first number: float8_e4m3fn has 8 bits
    bits = int(width.group()) if width else 8  # bool
    return -(-math.prod(spec.shape) * bits // 8)


@dataclass(frozen=True, slots=True)
class Task:
    """One distinct workload.

    `index` is its position in the project. `weight` counts its occurrences in the model. `flops`
    are floating-point operations of one call. `op_class` is the fused operator sequence without
    shapes ("conv2d_add_relu"). `fingerprint` is a SHA-256 over workload, target and TVM version.
    `workload` is TVM's own JSON of the module, empty where only a view needs the task.
    `merged` lists the operators that a merged operator would stand for; its weight is 0.
    """

    index: Index
    name: str
    weight: Index
    flops: Real
    op_class: str
    args: tuple[TensorSpec, ...]
    fingerprint: str
    workload: str = ""
    untuned_latency_s: Seconds | None = None
    merged: tuple[Index, ...] = ()


def own_tasks(tasks: Iterable[Task]) -> tuple[Task, ...]:
    """The model's own tasks, without those of merged operators."""
    return tuple(task for task in tasks if not task.merged)
