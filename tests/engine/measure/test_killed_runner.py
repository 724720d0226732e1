"""A measuring worker that somebody kills or halts: what it had is measured again."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from engine.measure import worker_process
from engine.measure.local_runner import LocalRunner
from engine.measure.runner import RunRequest
from engine.records.trial import ErrorKind
from tests.engine.measure import kernels
from tests.engine.measure.conftest import Library
from tests.killing import family, family_of_now, killing

PATIENCE = 60.0
LONG = replace(kernels.QUICK, sample_s=0.005, min_samples=200, max_samples=200, max_s=10.0)
"""A measurement of about a second."""


@pytest.fixture(scope="module")
def others() -> frozenset[int]:
    """What was there before: measuring workers that other tests share, for instance."""
    return family_of_now()


@pytest.fixture(scope="module")
def runner(others: frozenset[int]) -> Iterator[LocalRunner]:
    made = LocalRunner()
    made.wait_ready(PATIENCE)
    yield made
    made.close()


def the_worker(others: frozenset[int]) -> int:
    """The process id of the only measuring worker that is no other's, once there is one."""
    deadline = time.monotonic() + PATIENCE
    while True:
        workers = [each.pid for each in family("measuring worker") if each.pid not in others]
        if len(workers) == 1:
            return int(workers[0])
        assert time.monotonic() < deadline, workers
        time.sleep(0.01)


@pytest.fixture
def request_for(library: Library) -> Callable[[], RunRequest]:
    return lambda: RunRequest(library(kernels.add()), kernels.ARGS, LONG)


Request = Callable[[], RunRequest]


@pytest.mark.parametrize("signum", [signal.SIGKILL, signal.SIGTERM, signal.SIGSTOP])
def test_what_a_killed_or_halted_worker_had_is_measured_again(
    signum: signal.Signals, runner: LocalRunner, others: frozenset[int], request_for: Request
) -> None:
    future = runner.submit(request_for())
    worker = the_worker(others)
    time.sleep(0.3)
    os.kill(worker, signum)
    result = future.result(PATIENCE)
    assert result.error is None
    assert len(result.samples) == LONG.max_samples
    assert max(result.samples) < 40 * min(result.samples)
    assert worker not in [each.pid for each in family("measuring worker")]


@pytest.mark.parametrize("signum", [signal.SIGKILL, signal.SIGTERM, signal.SIGSTOP])
def test_a_worker_killed_or_halted_as_it_starts_is_replaced(
    signum: signal.Signals, runner: LocalRunner, others: frozenset[int], request_for: Request
) -> None:
    idle = the_worker(others)
    os.kill(idle, signal.SIGKILL)
    future = runner.submit(request_for())
    while (starting := the_worker(others)) == idle:
        time.sleep(0.01)
    os.kill(starting, signum)
    assert future.result(PATIENCE).error is None


def test_a_short_halt_is_in_no_sample(
    runner: LocalRunner,
    others: frozenset[int],
    request_for: Request,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(worker_process, "_LOOK_S", 10.0)  # too short for a look to see it
    future = runner.submit(request_for())
    worker = the_worker(others)
    time.sleep(0.4)
    os.kill(worker, signal.SIGSTOP)
    time.sleep(0.4)  # 80 samples
    os.kill(worker, signal.SIGCONT)
    result = future.result(PATIENCE)
    assert result.error is None
    assert max(result.samples) < 40 * min(result.samples)


def test_measurements_go_on_whatever_is_killed(
    runner: LocalRunner, others: frozenset[int], request_for: Request
) -> None:
    short = replace(LONG, sample_s=0.0005)
    futures = [runner.submit(replace(request_for(), protocol=short)) for _ in range(20)]
    roles = ("fork server", "measuring worker")
    with killing(roles, seed=2, every_s=1.0, kills=4, spared=others):
        results = [future.result(2 * PATIENCE) for future in futures]
    assert [result.error for result in results] == [None] * 20


def test_a_library_that_gets_its_worker_killed_each_time_is_a_crash(
    runner: LocalRunner, others: frozenset[int], request_for: Request
) -> None:
    future = runner.submit(replace(request_for(), protocol=LONG))
    with killing(("measuring worker",), seed=3, every_s=0.1, kills=100, spared=others):
        result = future.result(PATIENCE)
    assert result.error in (ErrorKind.RUN_CRASH, ErrorKind.DEVICE_LOST)
    assert runner.submit(request_for()).result(PATIENCE).error is None
