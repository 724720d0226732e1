"""What the build pool does beyond the contract."""

from __future__ import annotations

import math
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import wait
from pathlib import Path

import psutil
import pytest

from engine.measure import build_pool, build_worker
from engine.measure.build_pool import BuildPool
from engine.measure.runner import BuildRequest
from engine.records.errors import TuningError
from engine.records.trial import ErrorKind
from engine.workers import fork_server
from engine.workers.artifacts import ArtifactFolder
from tests.engine.measure import hooks, kernels
from tests.killing import family, family_of_now, killing, wait_for_pid

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
    workers = [worker_of(pool) for _ in range(4)]
    pool.close()
    assert len(set(workers)) == 2
    assert workers[1] != workers[2]


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
    pool = BuildPool(1, timeout_s=1.0, still_s=2 * PATIENCE, work=hooks.build_or_misbehave)
    result = pool.submit(kernels.request(hooks.SPIN, folder.fresh())).result(PATIENCE)
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
    monkeypatch.setattr(build_worker, "serve", hooks.refuse_to_start)
    pool = BuildPool(1)
    with pytest.raises(TuningError, match="Troubleshooting"):
        pool.wait_ready(PATIENCE)
    with pytest.raises(TuningError, match="do not start"):
        pool.submit(kernels.request(kernels.add(), folder.fresh())).result(PATIENCE)
    pool.close()


def test_a_build_may_take_longer_on_the_clock_than_of_a_core(folder: ArtifactFolder) -> None:
    pool = BuildPool(1, timeout_s=1.0, work=hooks.build_or_misbehave)
    result = pool.submit(kernels.request(hooks.LONG_NAP, folder.fresh())).result(PATIENCE)
    assert result.error is None
    pool.close()


@pytest.mark.long
def test_a_build_that_waits_for_a_busy_machine_is_no_timeout(folder: ArtifactFolder) -> None:
    """A build worker, which is nice, gets a fiftieth of a core beside a dozen busy processes."""
    pool = BuildPool(2, timeout_s=2.0, work=hooks.build_or_misbehave)
    assert pool.wait_ready(PATIENCE)
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(12)]
    try:
        texts = [kernels.add()] * 2
        futures = [pool.submit(kernels.request(text, folder.fresh())) for text in texts]
        results = [future.result(5 * PATIENCE) for future in futures]
    finally:
        for process in busy:
            process.kill()
            process.wait()
        pool.close()
    assert [result.error for result in results] == [None, None]


@pytest.mark.parametrize("whose", ["its own", "its child's"])
def test_processor_time_shows_that_a_build_goes_on(
    whose: str, folder: ArtifactFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build_pool, "_LOOK_S", 0.1)
    text = hooks.SPIN if whose == "its own" else hooks.CHILD_SPINS
    pool = BuildPool(1, timeout_s=PATIENCE, still_s=0.5, work=hooks.build_or_misbehave)
    future = pool.submit(kernels.request(text, folder.fresh()))
    assert pool.wait_ready(PATIENCE)
    assert not wait([future], 3.0).done
    pool.close()


@pytest.mark.parametrize("end", ["cancel", "close", "too long"])
def test_a_linker_that_hangs_ends_with_its_worker(
    end: str, folder: ArtifactFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build_pool, "_LOOK_S", 0.1)
    still_s = 1.0 if end == "too long" else PATIENCE
    pool = BuildPool(1, still_s=still_s, work=hooks.build_or_misbehave)
    others = set(psutil.Process().children(recursive=True))
    future = pool.submit(kernels.request(hooks.CHILD_HANGS, folder.fresh()))
    over = time.monotonic() + PATIENCE
    hanging: list[psutil.Process] = []
    while not hanging and time.monotonic() < over:
        new = set(psutil.Process().children(recursive=True)) - others
        hanging = [each for each in new if hooks.HANGING in each.cmdline()]
        time.sleep(0.05)
    if end == "cancel":
        future.cancel()
    elif end == "close":
        pool.close()
    gone, alive = psutil.wait_procs(hanging, PATIENCE)
    pool.close()
    assert gone
    assert not alive


def test_a_build_that_stands_still_ends(folder: ArtifactFolder, worker_of: Ask) -> None:
    pool = BuildPool(1, timeout_s=PATIENCE, still_s=1.0, work=hooks.build_or_misbehave)
    result = pool.submit(kernels.request(hooks.HANG, folder.fresh())).result(PATIENCE)
    assert result.error is ErrorKind.BUILD_TIMEOUT
    assert result.error_text == "The compiler stood still for 1 s."
    assert worker_of(pool) > 0
    pool.close()


@pytest.mark.parametrize("signum", [signal.SIGKILL, signal.SIGTERM, signal.SIGSTOP])
def test_what_a_killed_worker_had_is_built_again(
    signum: signal.Signals, pool: BuildPool, folder: ArtifactFolder, tmp_path: Path
) -> None:
    slow = hooks.once(tmp_path / "begun")
    future = pool.submit(kernels.request(slow, folder.fresh()))
    os.kill(wait_for_pid(tmp_path / "begun"), signum)
    assert future.result(PATIENCE).error is None


def test_builds_go_on_whatever_is_killed(folder: ArtifactFolder) -> None:
    others = family_of_now()
    pool = BuildPool(2, work=hooks.build_or_misbehave)
    futures = [pool.submit(kernels.request(hooks.NAP, folder.fresh())) for _ in range(60)]
    assert pool.wait_ready(PATIENCE)
    roles = ("fork server", "build worker")
    with killing(roles, seed=1, every_s=0.4, kills=10, spared=others) as killer:
        results = [future.result(2 * PATIENCE) for future in futures]
    assert killer.killed
    assert [result.error for result in results] == [None] * 60
    pool.close()


@pytest.mark.parametrize("role", ["fork server", "build worker"])
def test_builders_that_die_again_and_again_are_given_up(
    role: str, folder: ArtifactFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build_pool, "_PAUSES_S", (0.0, 0.1))
    monkeypatch.setattr(fork_server, "_PAUSES_S", (0.05,))
    others = family_of_now()
    pool = BuildPool(1, work=hooks.build_or_misbehave)
    futures = [pool.submit(kernels.request(hooks.HANG, folder.fresh())) for _ in range(3)]
    roles = ("fork server", "build worker") if role == "fork server" else (role,)
    with killing(roles, seed=1, every_s=0.02, kills=10_000, spared=others):
        for future in futures:
            with pytest.raises(TuningError, match=r"again and again.*resume"):
                future.result(PATIENCE)
        with pytest.raises(TuningError, match="again and again"):
            pool.submit(kernels.request(hooks.NAP, folder.fresh())).result(PATIENCE)
    pool.close()


def test_a_candidate_whose_workers_are_always_killed_costs_itself(
    pool: BuildPool, folder: ArtifactFolder, worker_of: Ask
) -> None:
    result = pool.submit(kernels.request(hooks.KILLED, folder.fresh())).result(PATIENCE)
    assert result.error is ErrorKind.BUILD_CRASH
    assert "memory" in result.error_text
    assert worker_of(pool) > 0


def test_no_process_of_python_watches_over_the_workers(pool: BuildPool, worker_of: Ask) -> None:
    """It would complain to the terminal when it is killed, and about what killed workers held."""
    assert worker_of(pool) > 0
    assert len(family("fork server")) > 0
    assert family("tracker") == []
