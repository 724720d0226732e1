"""What other programs do with this machine while something is measured on it."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from engine.measure.sampling import Sampler, interleave
from engine.records.machine import usable_cores
from engine.records.trial import (
    LOAD_LIMIT,
    better_of,
    measured_of,
    mostly_disturbed,
    typical_latency,
)

Samples: TypeAlias = Sequence[float]
# Measurements at most, where something disturbs them, as tests that run side by side always do.
TRIES = int(os.environ.get("TUNEWRIGHT_TEST_TRIES", "3"))
_AGAIN_S = 10.0  # no further one begins after that
_KERNELS_AGAIN_S = 3.0  # the same for the few kernels of a task
_PAUSE_S = 0.5  # what disturbed may be over then
_TICK_S = 0.01  # of the system's clock of CPU time


@dataclass(frozen=True, slots=True)
class CpuTime:
    """Seconds so far: of the clock, that the CPUs of this process were busy, that it was itself."""

    clock_s: float
    busy_s: float
    own_s: float


Watch: TypeAlias = Callable[[], CpuTime]


def cpu_time() -> CpuTime:
    """As the system counts it, with the time that a host took from a virtual machine."""
    import psutil

    cpus = psutil.cpu_times(percpu=True)
    ours = os.sched_getaffinity(0)
    busy_s = sum(_busy_s(cpus[cpu]._asdict()) for cpu in ours if cpu < len(cpus))
    return CpuTime(time.monotonic(), busy_s, sum(os.times()[:4]))


def _busy_s(times: dict[str, float]) -> float:
    """All but idling; "guest" times are in "user" already."""
    idle = ("idle", "iowait", "guest", "guest_nice")
    return sum(seconds for name, seconds in times.items() if name not in idle)


class LoadMeter:
    """Watches from its beginning on, for a measurement by this process on so many `threads`."""

    def __init__(self, threads: int, watch: Watch | None = None, cpus: int = 0) -> None:
        self._cpus = cpus or usable_cores()
        self._threads = max(1, min(threads, self._cpus))
        self._watch = watch or cpu_time
        self._began = self._watch()

    def load(self) -> float | None:
        """The share of the cores that the measurement needed which others had so far, in [0, 1].

        What others do on cores that it left free is no part. None where the time is too short.
        """
        began, now = self._began, self._watch()
        passed_s = now.clock_s - began.clock_s
        if passed_s < 2 * _TICK_S * self._cpus:
            return None
        others_s = (now.busy_s - began.busy_s) - (now.own_s - began.own_s)
        others_s -= _TICK_S * self._cpus  # each CPU's time may be a tick further than it says
        crowded = others_s / passed_s + self._threads - self._cpus
        return min(1.0, max(0.0, crowded / self._threads))


def watched(
    take: Callable[[], Samples], threads: int, watch: Watch | None = None, pause_s: float = _PAUSE_S
) -> tuple[tuple[float, ...], float | None]:
    """Latency samples in seconds that `take` gives, and the load meanwhile.

    Taken anew, three times at most and for some ten seconds, where something disturbed them; of
    those the best known are returned.
    """
    began = time.monotonic()
    found: tuple[tuple[float, ...], float | None] | None = None
    for left in reversed(range(TRIES)):
        meter = LoadMeter(threads, watch)
        samples = tuple(take())
        new = samples, meter.load()
        if not samples:
            return new
        if found is None or better_of(measured_of(*found), measured_of(*new)) != measured_of(
            *found
        ):
            found = new
        if not measured_of(*new).disturbed or not left or time.monotonic() - began > _AGAIN_S:
            break
        time.sleep(pause_s)
    assert found is not None
    return found


def steadily(samplers: Sequence[Sampler], threads: int, watch: Watch | None = None) -> float | None:
    """Take samples of warm kernels in turns, and give the load meanwhile; None without `threads`.

    Again, three times at most and for some three seconds, where something disturbed them; the
    samplers keep the fastest of those, for what disturbs takes time.
    """
    began, kept_s, kept, kept_load = time.monotonic(), math.inf, list[list[float]](), None
    for _ in range(TRIES):
        meter = LoadMeter(threads, watch) if threads else None
        interleave(samplers)
        load = meter.load() if meter else None
        samples = [sampler.begin_anew() for sampler in samplers]
        disturbed = mostly_disturbed([measured_of(one, load) for one in samples if one])
        together_s = sum(map(typical_latency, samples))
        if not disturbed or not kept or together_s < kept_s:
            kept_s, kept, kept_load = together_s, samples, load
        if not disturbed or time.monotonic() - began > _KERNELS_AGAIN_S:
            break
    for sampler, found in zip(samplers, kept, strict=True):
        sampler.samples = found
    return kept_load


def steady_rounds(
    take: Callable[[], dict[str, list[float]]], threads: int, watch: Watch | None = None
) -> tuple[dict[str, list[float]], float | None]:
    """Latencies by name of what was measured in turns, and the load meanwhile. Again, three times
    at most and for some ten seconds, where others had the cores; the least loaded are returned."""
    began, kept, kept_load = time.monotonic(), dict[str, list[float]](), None
    for attempt in range(TRIES):
        meter = LoadMeter(threads, watch)
        rounds, load = take(), meter.load()
        if not attempt or (load or 0.0) < (kept_load or 0.0):
            kept, kept_load = rounds, load
        if (load or 0.0) <= LOAD_LIMIT or time.monotonic() - began > _AGAIN_S:
            break
    return kept, kept_load
