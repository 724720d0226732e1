"""A trial: one candidate that was built and measured, or failed on the way."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from statistics import median
from typing import Any


class ErrorKind(StrEnum):
    """Where and how a candidate failed; a lost device is no fault of the candidate's."""

    BUILD_ERROR = "build error"
    BUILD_TIMEOUT = "build timeout"
    BUILD_CRASH = "build crash"
    RUN_ERROR = "run error"
    RUN_TIMEOUT = "run timeout"
    RUN_CRASH = "run crash"
    DEVICE_LOST = "device lost"


class Source(StrEnum):
    """What proposed a candidate."""

    SEARCH = "search"
    SHARED = "shared"
    TRANSFERRED = "transferred"
    DROPLET = "droplet"


@dataclass(frozen=True, slots=True)
class Trial:
    """One measured candidate of task `task` (its index in the project).

    `number` counts the project's trials from 1. `trace` is the schedule trace as TVM's JSON text,
    `trace_key` its SHA-256. `samples` are latencies in seconds. `cut` marks a candidate that was
    stopped early because it was far slower than the best. `confirmed` holds the samples of the
    finalists' second, interleaved measurement. `elapsed_s` is the tuning time of the project when
    the result came, pauses left out. `protocol` holds the parameters it was measured with, and the
    `device` where a run has several.
    `origin` says where a pass took the candidate from, JSON-ready; it is empty after a search.
    """

    number: int
    task: int
    trace: str
    trace_key: str
    samples: tuple[float, ...] = ()
    cut: bool = False
    error: ErrorKind | None = None
    error_text: str = ""
    source: Source = Source.SEARCH
    build_s: float = 0.0
    run_s: float = 0.0
    slot: int = 0
    run: int = 0
    elapsed_s: float = 0.0
    at: float = 0.0
    confirmed: tuple[float, ...] = ()
    protocol: dict[str, Any] = field(default_factory=dict)
    origin: dict[str, Any] = field(default_factory=dict)

    @property
    def latency_s(self) -> float:
        """Median latency, of the confirmation where there was one; infinity after an error."""
        return math.inf if self.error else typical_latency(self.confirmed or self.samples)


def typical_latency(samples: Sequence[float]) -> float:
    """The median of samples in seconds, infinity where there is none.

    Not the mean: one sample in ten may be several times too slow on a machine that does more
    than measure.
    """
    return median(samples) if samples else math.inf
