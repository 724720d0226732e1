"""What the build pool does beyond the contract."""

from __future__ import annotations

import math
import os
import resource
import signal
import time
from collections.abc import Callable
from concurrent.futures import wait

import psutil
import pytest

from engine.measure import build_worker
from engine.measure.build_pool import BuildPool
from engine.measure.runner import BuildRequest
from engine.records.errors import TuningError
from engine.records.trial import ErrorKind
from engine.workers.artifacts import ArtifactFolder
from tests.engine.measure import hooks, kernels

PATIENCE = 60.0


@pytest.fixture
def worker_of(folder: ArtifactFolder) -> Callable[[BuildPool], int]:
    """A function that asks a pool for the process id of a worker."""

    def ask(pool: BuildPool) -> int:
        result = pool.submit(kernels.request(hooks.WHOAMI, folder.fresh())).result(PATIENCE)
        return int(result.artifact or 0)

    return ask


Ask = Callable[[BuildPool], int]


def test_a_worker_is_replaced_after_its_share_of_candidates(worker_of: Ask) -> None:
    pool = BuildPool(1, max_tasks=2, work=hooks.build_or_misbehave)
    workers = [worker_of(pool) for _ in range(4)]  # the pool's own probe is the first
    pool.close()
    assert len(set(workers)) == 3
    assert workers[1] == workers[2]


def test_candidates_may_come_before_the_workers_are_ready(worker_of: Ask) -> None:
    pool = BuildPool(2, work=hooks.build_or_misbehave)
    assert not pool.ready()
    assert worker_of(pool) > 0
    assert pool.wait_ready(0)
    pool.close()
    assert not pool.ready()


def test_closing_while_the_server_still_imports_is_fine(folder: ArtifactFolder) -> None:
    pool = BuildPool(1)
    future = pool.submit(kernels.request(kernels.add(), folder.fresh()))
    pool.close()
    assert future.cancelled()


def test_a_compiler_that_takes_too_much_of_a_core_is_ended(
    folder: ArtifactFolder, worker_of: Ask
) -> None:
    pool = BuildPool(1, timeout_s=PATIENCE, work=hooks.build_or_misbehave)
    result = pool.submit(kernels.request(hooks.SPIN, folder.fresh())).result(2 * PATIENCE)
    assert result.error is ErrorKind.BUILD_TIMEOUT
    assert "unrolled too far" in result.error_text
    assert worker_of(pool) > 0
    pool.close()


def test_a_bound_ends_with_its_block() -> None:
    before = resource.getrlimit(resource.RLIMIT_CPU)
    with build_worker.bounded(30.0):
        assert resource.getrlimit(resource.RLIMIT_CPU)[0] > time.process_time() + 29
    with build_worker.bounded(math.inf):
        assert resource.getrlimit(resource.RLIMIT_CPU) == before
    assert resource.getrlimit(resource.RLIMIT_CPU) == before


def test_an_idle_worker_that_is_killed_is_replaced(pool: BuildPool, worker_of: Ask) -> None:
    worker = worker_of(pool)
    os.kill(worker, signal.SIGKILL)
    psutil.wait_procs([psutil.Process(worker)] if psutil.pid_exists(worker) else [], PATIENCE)
    assert worker_of(pool) != worker


def test_cancelling_a_waiting_candidate_kills_no_worker(
    pool: BuildPool, folder: ArtifactFolder, worker_of: Ask
) -> None:
    worker = worker_of(pool)
    futures = [pool.submit(kernels.request(kernels.add(), folder.fresh())) for _ in range(5)]
    for future in futures[1:]:
        future.cancel()
    assert futures[0].result(PATIENCE).error is None
    assert not wait(futures, PATIENCE).not_done
    assert worker_of(pool) == worker


def test_a_crash_comes_with_the_compilers_last_words(
    pool: BuildPool, folder: ArtifactFolder
) -> None:
    crash = pool.submit(kernels.request(hooks.CRASH, folder.fresh())).result(PATIENCE)
    assert crash.error_text == "The compiler died (SIGSEGV). LLVM ERROR: cannot select this"


def test_a_mistake_of_the_worker_itself_costs_one_candidate(
    pool: BuildPool, folder: ArtifactFolder
) -> None:
    result = pool.submit(kernels.request(hooks.RAISE, folder.fresh())).result(PATIENCE)
    assert result.error is ErrorKind.BUILD_CRASH
    assert result.error_text == "ValueError: a worker's own mistake"


def test_an_unknown_target_is_a_build_error(pool: BuildPool, folder: ArtifactFolder) -> None:
    bad = BuildRequest(kernels.add(), '{"kind": "no such"}', folder.fresh())
    assert pool.submit(bad).result(PATIENCE).error is ErrorKind.BUILD_ERROR


def test_a_pool_that_cannot_import_tvm_says_so(
    monkeypatch: pytest.MonkeyPatch, folder: ArtifactFolder
) -> None:
    monkeypatch.setattr(
        build_worker, "probe", hooks.build_or_misbehave
    )  # fails: a bool, no request
    pool = BuildPool(1)
    with pytest.raises(TuningError, match="Troubleshooting"):
        pool.wait_ready(PATIENCE)
    result = pool.submit(kernels.request(kernels.add(), folder.fresh())).result(PATIENCE)
    assert result.error is ErrorKind.BUILD_CRASH
    assert "do not start" in result.error_text
    pool.close()
