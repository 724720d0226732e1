"""What other programs do beside a measurement, by an injected clock and for real."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

import pytest

from engine.deploy.bench import profiled
from engine.measure.load import (
    CpuTime,
    LoadMeter,
    Watch,
    cpu_time,
    steadily,
    steady_rounds,
    watched,
)
from engine.measure.sampling import Kernel, Sampler
from engine.records.machine import usable_cores
from engine.records.trial import LOAD_LIMIT, Protocol, measured_of

BUSY = "while 1: pass"


@pytest.fixture(autouse=True)
def three_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.measure.load.TRIES", 3)


def others(*cores: float, own: float = 2.0, seconds: float = 10.0) -> Watch:
    """A machine where others keep so many cores busy: in each measurement as the next one says."""
    times = (own, *cores), count()
    now = CpuTime(0.0, 0.0, 0.0)

    def watch() -> CpuTime:
        nonlocal now
        asked = next(times[1])
        if asked % 2:  # the end of a measurement
            busy = cores[min(asked // 2, len(cores) - 1)]
            now = CpuTime(
                now.clock_s + seconds,
                now.busy_s + seconds * (busy + own),
                now.own_s + seconds * own,
            )
        return now

    return watch


@pytest.mark.parametrize(
    ("cpus", "threads", "busy", "load"),
    [
        (2, 2, 0.0, 0.0),
        (2, 2, 1.0, 0.5),
        (2, 2, 3.0, 1.0),
        (8, 2, 4.0, 0.0),  # on cores that the measurement leaves free
        (8, 2, 7.0, 0.5),
        (8, 8, 2.0, 0.25),
        (8, 1, 7.5, 0.5),
        (2, 64, 1.0, 0.5),  # more threads than there are cores
    ],
)
def test_the_load_is_what_others_had_of_the_cores_that_are_needed(
    cpus: int, threads: int, busy: float, load: float
) -> None:
    meter = LoadMeter(threads, others(busy), cpus)
    assert meter.load() == pytest.approx(load, abs=0.01)


def test_own_threads_are_no_load() -> None:
    assert LoadMeter(8, others(0.0, own=8.0), 8).load() == 0.0


def test_a_moment_too_short_for_the_systems_clock_tells_nothing() -> None:
    assert LoadMeter(2, others(1.0, seconds=0.01), 2).load() is None


def taken(*latencies_s: float) -> Iterator[list[float]]:
    return iter([[latency_s] * 6 for latency_s in latencies_s])


@contextmanager
def quiet_tries(watch: Watch, *latencies_s: float) -> Iterator[tuple[float, float | None, int]]:
    left = taken(*latencies_s)
    samples, load = watched(lambda: next(left), 99, watch, pause_s=0.0)
    yield samples[0], load, len(latencies_s) - sum(1 for _ in left)


def test_a_quiet_measurement_is_made_once() -> None:
    with quiet_tries(others(0.0), 1.0, 2.0, 3.0) as (latency_s, load, tries):
        assert (latency_s, load, tries) == (1.0, 0.0, 1)


def test_a_disturbed_one_is_repeated_until_the_machine_is_quiet() -> None:
    with quiet_tries(others(1e3, 0.0), 5.0, 2.0, 3.0) as (latency_s, load, tries):
        assert (latency_s, load, tries) == (2.0, 0.0, 2)


def test_on_a_machine_that_stays_busy_the_least_disturbed_one_is_kept_and_says_so() -> None:
    with quiet_tries(others(1e3), 5.0, 2.0, 3.0, 1.0) as (latency_s, load, tries):
        assert (latency_s, load, tries) == (2.0, 1.0, 3)


def test_samples_far_apart_are_a_disturbance_without_any_load() -> None:
    left = iter([[1.0, 9.0] * 4, [2.0] * 8])
    samples, _ = watched(lambda: next(left), 1, others(0.0), pause_s=0.0)
    assert samples == (2.0,) * 8


def test_nothing_measured_is_no_measurement() -> None:
    assert watched(lambda: (), 1, others(1e3), pause_s=0.0)[0] == ()


def test_the_systems_times_go_on_and_hold_this_process() -> None:
    first = cpu_time()
    end = time.monotonic() + 0.1
    while time.monotonic() < end:
        pass
    second = cpu_time()
    assert second.clock_s > first.clock_s
    assert second.own_s - first.own_s > 0.01
    assert second.busy_s > first.busy_s


class Steps(Kernel):
    """A kernel whose calls take so long in each measurement."""

    def __init__(self, *tries: float) -> None:
        self.left = iter(tries)
        self.now = next(self.left)
        self.calls = 0

    def call(self) -> float:
        return self.now

    def batch(self, number: int, repeat: int) -> tuple[float, ...]:
        self.calls += repeat
        if self.calls > 4:
            self.calls, self.now = repeat, next(self.left)
        return (self.now,) * repeat


@pytest.mark.parametrize(
    ("busy", "tries", "kept", "load"),
    [
        ((0.0,), (1.0, 9.0), 1.0, 0.0),
        ((1e3, 0.0), (5.0, 6.0), 6.0, 0.0),
        ((1e3,), (5.0, 2.0, 3.0), 2.0, 1.0),
    ],
)
def test_finals_are_repeated_with_the_kernels_that_are_loaded(
    busy: tuple[float, ...], tries: tuple[float, ...], kept: float, load: float
) -> None:
    protocol = Protocol(min_samples=4, max_samples=4, sample_s=1e-9, max_s=100.0)
    sampler = Sampler(Steps(*tries), protocol)
    assert steadily([sampler], 99, others(*busy)) == load
    assert sampler.samples == [kept] * 4


def test_a_device_elsewhere_has_no_load_here() -> None:
    sampler = Sampler(Steps(1.0, 1.0, 1.0), Protocol(max_samples=4, sample_s=1e-9, max_s=100.0))
    assert steadily([sampler], 0, others(1e3)) is None


@pytest.mark.parametrize(
    ("busy", "kept", "load"), [((0.0,), 1.0, 0.0), ((1e3, 0.0), 2.0, 0.0), ((1e3,), 1.0, 1.0)]
)
def test_whole_schedules_are_compared_again_where_others_had_the_cores(
    busy: tuple[float, ...], kept: float, load: float
) -> None:
    tries = iter([1.0, 2.0, 3.0])
    rounds, found = steady_rounds(lambda: {"way": [next(tries)] * 8}, 99, others(*busy))
    assert (rounds, found) == ({"way": [kept] * 8}, load)


class Profile:
    """An executor whose steps take longer each time."""

    def __init__(self) -> None:
        self._took = count(1)

    def profile(self, repeats: int) -> list[tuple[str, float]]:
        took = float(next(self._took))
        return [("conv", took), ("add", 0.5), ("conv", 2 * took)]


@pytest.mark.parametrize(
    ("busy", "kept"), [((0.0,), 1.0), ((9.0, 0.0), 2.0), ((9.0, 9.0, 0.0), 3.0), ((9.0,), 1.0)]
)
def test_single_kernels_are_timed_again_where_others_had_the_cores(
    busy: tuple[float, ...], kept: float
) -> None:
    found = profiled(Profile(), 3, 99, others(*busy))
    assert found == [("conv", kept), ("add", 0.5), ("conv", 2 * kept)]


@pytest.mark.long
def test_a_real_load_beside_a_measurement_is_seen_and_said() -> None:
    busy = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(usable_cores() + 1)]
    try:
        time.sleep(0.3)

        def take() -> list[float]:
            found = []
            for _ in range(20):
                began = time.perf_counter()
                sum(range(1_000_000))
                found.append(time.perf_counter() - began)
            return found

        samples, load = watched(take, usable_cores(), pause_s=0.0)
    finally:
        for process in busy:
            process.kill()
            process.wait()
    assert load is not None and load > LOAD_LIMIT
    assert measured_of(samples, load).disturbed
