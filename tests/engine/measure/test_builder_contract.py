"""What every Builder promises, whatever builds behind it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future, wait
from dataclasses import dataclass
from pathlib import Path

import pytest

from engine.measure.build_pool import BuildPool
from engine.measure.runner import Builder, BuildRequest, BuildResult
from engine.records.trial import ErrorKind
from engine.workers.artifacts import ArtifactFolder
from tests.engine.measure import hooks, kernels

PATIENCE = 60.0


@dataclass(frozen=True)
class Case:
    """An implementation with one worker, and module texts that provoke each outcome in it."""

    make: Callable[[], Builder]
    good: Callable[[], str]
    faulty: str
    crashing: str
    hanging: str


CASES = {
    "pool": Case(
        make=lambda: BuildPool(1, timeout_s=4.0, still_s=4.0, work=hooks.build_or_misbehave),
        good=kernels.add,
        faulty="this is no module",
        crashing=hooks.CRASH,
        hanging=hooks.HANG,
    )
}


@pytest.fixture(scope="module", params=list(CASES.values()), ids=list(CASES))
def case(request: pytest.FixtureRequest) -> Case:
    assert isinstance(request.param, Case)
    return request.param


@pytest.fixture(scope="module")
def builder(case: Case) -> Iterator[Builder]:
    made = case.make()
    yield made
    made.close()


@pytest.fixture
def build(
    builder: Builder, folder: ArtifactFolder
) -> Callable[[str], tuple[BuildRequest, Future[BuildResult]]]:
    def submit(text: str) -> tuple[BuildRequest, Future[BuildResult]]:
        request = kernels.request(text, folder.fresh())
        return request, builder.submit(request)

    return submit


Build = Callable[[str], tuple[BuildRequest, Future[BuildResult]]]


def test_a_good_candidate_gives_a_library_where_it_was_asked_for(build: Build, case: Case) -> None:
    request, future = build(case.good())
    result = future.result(PATIENCE)
    assert result.error is None
    assert result.artifact == request.artifact
    assert Path(request.artifact).stat().st_size > 0
    assert result.seconds > 0


def test_a_compiler_error_comes_back_in_one_short_line(build: Build, case: Case) -> None:
    request, future = build(case.faulty)
    result = future.result(PATIENCE)
    assert result.error is ErrorKind.BUILD_ERROR
    assert result.artifact is None
    assert 0 < len(result.error_text) <= 500
    assert "\n" not in result.error_text
    assert not Path(request.artifact).exists()


def test_a_crash_costs_one_candidate_and_says_how_it_ended(build: Build, case: Case) -> None:
    crash, after = build(case.crashing)[1], build(case.good())[1]
    assert crash.result(PATIENCE).error is ErrorKind.BUILD_CRASH
    assert "SIGSEGV" in crash.result().error_text
    assert after.result(PATIENCE).error is None


def test_a_hang_costs_one_candidate_and_ends_at_the_limit(build: Build, case: Case) -> None:
    hang, after = build(case.hanging)[1], build(case.good())[1]
    assert hang.result(PATIENCE).error is ErrorKind.BUILD_TIMEOUT
    assert hang.result().seconds > 0
    assert after.result(PATIENCE).error is None


def test_cancelling_a_running_candidate_frees_its_worker(build: Build, case: Case) -> None:
    hang = build(case.hanging)[1]
    assert not wait([hang], 1.0).done
    assert hang.cancel()
    assert build(case.good())[1].result(PATIENCE).error is None
    assert hang.cancelled()


def test_cancelling_waiting_candidates_leaves_the_others_alone(build: Build, case: Case) -> None:
    futures = [build(case.good())[1] for _ in range(6)]
    unwanted = futures[3:]
    assert all(future.cancel() for future in unwanted)
    assert [future.result(PATIENCE).error for future in futures[:3]] == [None] * 3
    assert not wait(unwanted, PATIENCE).not_done


def test_any_thread_may_submit(build: Build, case: Case) -> None:
    results: list[BuildResult] = []
    text = case.good()

    def submit() -> None:
        results.append(build(text)[1].result(PATIENCE))

    threads = [threading.Thread(target=submit) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert [result.error for result in results] == [None] * 4


def test_closing_ends_every_future_and_may_be_repeated(case: Case, folder: ArtifactFolder) -> None:
    builder = case.make()
    texts = [case.hanging, case.good(), case.hanging]
    futures = [builder.submit(kernels.request(text, folder.fresh())) for text in texts]
    builder.close()
    builder.close()
    assert not wait(futures, PATIENCE).not_done
    for future in futures:
        with pytest.raises(CancelledError):
            future.result()
    with pytest.raises(RuntimeError, match="closed"):
        builder.submit(kernels.request(case.good(), folder.fresh()))
