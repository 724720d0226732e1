"""The record of one measured candidate, and the protocol by which its latency is taken."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from statistics import median, quantiles
from typing import Annotated, Any

from msgspec import Meta

from engine.records.options import Checked, Index, Seconds, Share
from engine.records.sentences import Sentence

LOAD_LIMIT = 0.1  # of the cores that a measurement needs, what other programs may have of them
SPREAD_LIMIT = 0.1  # of a latency, how far half of its samples may lie from it
CALL_S = 1e-6
"""What calling a module takes, about: models whose latencies are no farther apart are alike."""
_Samples = Annotated[int, Meta(ge=1, le=100_000)]
_Seconds = Annotated[float, Meta(gt=0, le=3600)]


@dataclass(frozen=True, slots=True)
class Protocol(Checked, what=Sentence("A measurement")):
    """Parameters of one measurement; all times in seconds.

    After `warmup` calls, samples are taken: each is the mean of enough calls to last
    `sample_s`. Sampling ends when the standard error of their mean is below `precision` of the
    mean (after at least `min_samples`), at `max_samples`, or when `max_s` is spent. A candidate
    whose first call, less 5 ms for a cold start, takes over `cut_ratio` times the best latency
    known is cut short after one sample.
    `timeout_s` bounds the whole measurement, loading included.
    """

    warmup: Annotated[int, Meta(ge=0, le=100_000)] = 2
    sample_s: _Seconds = 0.004
    min_samples: _Samples = 4
    max_samples: _Samples = 24
    precision: Share = 0.01
    max_s: _Seconds = 0.3
    cut_ratio: Annotated[float, Meta(ge=1, le=1_000_000)] = 5.0
    timeout_s: Annotated[float, Meta(ge=0, le=86_400)] = 10.0

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class BoardState:
    """What a board said right after it had measured; None where it says nothing of that.

    It answered within `answer_ms` milliseconds. `celsius` is its hottest part's temperature, `mhz`
    its slowest core's frequency. `throttled`: it is hot and holds its cores back, which latencies
    show.
    """

    answer_ms: float | None = None
    celsius: int | None = None
    mhz: int | None = None
    throttled: bool | None = None

    def as_dict(self) -> dict[str, Any]:
        """What is known, as a trial keeps it."""
        return {name: value for name, value in asdict(self).items() if value is not None}

    @staticmethod
    def of(kept: Mapping[str, Any]) -> BoardState | None:
        """What a trial keeps of it, a stranger's perhaps, without what cannot be; None for none."""
        known = {name: kept[name] for name, fits in _STATE.items() if fits(kept.get(name))}
        return BoardState(**known) if known else None


def _within(low: float, high: float) -> Callable[[Any], bool]:
    return lambda value: type(value) in (int, float) and low <= value <= high


COLDEST, HOTTEST = -60, 250
_STATE: dict[str, Callable[[Any], bool]] = {
    "answer_ms": _within(0, 86_400_000),
    "celsius": _within(COLDEST, HOTTEST),
    "mhz": _within(0, 1_000_000),
    "throttled": lambda value: type(value) is bool,
}


class ErrorKind(StrEnum):
    """Where and how a candidate failed; a lost device is no fault of the candidate's."""

    BUILD_ERROR = "build error"
    BUILD_TIMEOUT = "build timeout"
    BUILD_CRASH = "build crash"
    RUN_ERROR = "run error"
    RUN_TIMEOUT = "run timeout"
    RUN_CRASH = "run crash"
    WRONG_RESULT = "wrong result"
    DEVICE_LOST = "device lost"


class Check(StrEnum):
    """What came of comparing a kernel with the untuned one; one that differs is a failed trial."""

    AGREES = "agrees"
    NOT_COMPARED = "not compared"


class Source(StrEnum):
    """What proposed a candidate."""

    SEARCH = "search"
    SHARED = "shared"
    TRANSFERRED = "transferred"
    DROPLET = "droplet"
    STARTER = "starter"
    READY = "ready"
    LIBRARY = "library"

    @property
    def is_search(self) -> bool:
        """Whether the slot of a search proposed it, no pass: a schedule, or a kernel before any."""
        return self in (Source.SEARCH, Source.READY, Source.LIBRARY)


@dataclass(frozen=True, slots=True)
class Trial:
    """One measured candidate of task `task` (its index in the project).

    `number` counts the project's trials from 1. `trace` is the schedule trace as TVM's JSON text,
    `trace_key` its SHA-256. `samples` are latencies in seconds. `cut` marks a candidate that was
    stopped early because it was far slower than the best. `confirmed` holds the samples of the
    finalists' second, interleaved measurement. `elapsed_s` is the tuning time of the project when
    the result came, pauses left out. `protocol` holds the parameters it was measured with, and the
    `device` where a run has several; `in_graph` says that calls followed each other in a CUDA
    Graph, as GPUs' have since launches from the host were found in short ones; what a board said
    of itself is in it, too (`board`).
    `checked` says that what it computes was compared with the untuned kernel, as that of each
    record is before it is used.
    `origin` says where a pass took the candidate from, or which ready kernel it is, JSON-ready; it
    is empty after a search.
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
    checked: Check | None = None

    @property
    def latency_s(self) -> float:
        """Median latency, of the confirmation where there was one; infinity after an error."""
        return math.inf if self.error else typical_latency(self.confirmed or self.samples)

    @property
    def board(self) -> BoardState | None:
        """What the board that measured it said of itself; None where that is no board, or said
        nothing."""
        return BoardState.of(self.protocol)


def typical_latency(samples: Sequence[float]) -> float:
    """The median of samples in seconds, infinity where there is none.

    Not the mean: one sample in ten may be several times too slow on a machine that does more
    than measure.
    """
    return median(samples) if samples else math.inf


def spread_of(samples: Sequence[float]) -> float | None:
    """Half of what the middle half of the samples spans, in seconds; None for fewer than two.

    Not the standard deviation, for the reason that the latency is not the mean.
    """
    if len(samples) < 2:
        return None
    low, _, high = quantiles(samples, n=4, method="inclusive")
    return (high - low) / 2


@dataclass(frozen=True, slots=True)
class Measured:
    """A latency of a whole model or a kernel, and how far it can be trusted; times in seconds.

    `load` is the share that other programs had of the cores that the measurement needed, in
    [0, 1]. `sum_s` is what the model's kernels took together by their own measurements at that
    time. Each is None where nobody knows it. `at` is seconds since the epoch. `kernels` has what
    the kernel of each operator, by its id and in the order of execution, took by itself; it is
    empty where they were not timed. `throttled`: the board held its cores back.
    """

    latency_s: Seconds
    spread_s: Seconds | None = None
    load: Share | None = None
    sum_s: Seconds | None = None
    at: Seconds = 0.0
    kernels: tuple[tuple[Index, Seconds], ...] = ()
    throttled: bool = False

    @property
    def is_crowded(self) -> bool:
        """Whether other programs had more of the cores than a latency can bear."""
        return self.load is not None and self.load > LOAD_LIMIT

    @property
    def is_spread(self) -> bool:
        """Whether the samples lie so far apart that their median says little."""
        return self.spread_s is not None and self.spread_s > SPREAD_LIMIT * self.latency_s

    @property
    def disturbed(self) -> bool:
        """Whether something else is in the latency."""
        return self.throttled or self.is_crowded or self.is_spread


def measured_of(
    samples: Sequence[float],
    load: float | None = None,
    *,
    sum_s: float | None = None,
    at: float = 0.0,
) -> Measured:
    """What samples in seconds say, of which there is at least one."""
    return Measured(typical_latency(samples), spread_of(samples), load, sum_s, at)


def better_of(one: Measured | None, other: Measured) -> Measured:
    """Which of two measurements of the same thing to keep: an undisturbed one, the newer of two.

    Of two disturbed ones it is the faster, for what disturbs takes time.
    """
    if one is None or other.disturbed < one.disturbed:
        return other
    if one.disturbed < other.disturbed:
        return one
    return other if not other.disturbed or other.latency_s < one.latency_s else one


def speedup_of(
    before_s: float | None, now_s: float | None, *spreads_s: float | None
) -> float | None:
    """How many times as fast as before; None where either is unknown, and where they differ by no
    more than a measurement's spread, or by what calling a module takes, now more and now less."""
    if not before_s or not now_s:
        return None
    scatter_s = max([CALL_S, *(spread_s or 0.0 for spread_s in spreads_s)])
    return before_s / now_s if abs(before_s - now_s) > scatter_s else None


def mostly_disturbed(found: Sequence[Measured]) -> bool:
    """Whether what was measured in turns is disturbed: any by load or heat, or more than half by
    spread, for the samples of one short kernel may vary on any machine."""
    spread = sum(each.is_spread for each in found)
    sure = any(each.throttled or each.is_crowded for each in found)
    return sure or 2 * spread > len(found)
