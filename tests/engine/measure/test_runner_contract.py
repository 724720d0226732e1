"""What every Runner promises, whatever measures behind it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future, wait
from dataclasses import dataclass, replace
from typing import Any

import pytest

from engine.measure.comparing import Comparison
from engine.measure.local_runner import LocalRunner
from engine.measure.runner import Runner, RunRequest, RunResult
from engine.records.task import TensorSpec
from engine.records.trial import ErrorKind
from tests.engine.measure import kernels, own_cluster, rpc_lab
from tests.engine.measure.conftest import Library

PATIENCE = 90.0


@dataclass(frozen=True)
class Case:
    """An implementation, and module texts that provoke each outcome in it.

    `fixture` names what it needs while it is tested, `death` is in its words for a crash.
    """

    make: Callable[[], Runner]
    good: Callable[[], str]
    slow: Callable[[], str]
    crashing: Callable[[], str]
    hanging: Callable[[], str]
    death: str = "SIGSEGV"
    fixture: str = ""


LOCAL = Case(
    make=LocalRunner,
    good=kernels.add,
    slow=lambda: kernels.spin(10_000_000),
    crashing=kernels.stray,
    hanging=kernels.endless,
)
CASES = {
    "local cpu": LOCAL,
    "cluster cpu": replace(LOCAL, make=own_cluster.runner),
    "remote cpu": replace(LOCAL, make=rpc_lab.runner, death="died with it", fixture="lab"),
}


@pytest.fixture(scope="module", params=list(CASES.values()), ids=list(CASES))
def case(request: pytest.FixtureRequest) -> Case:
    assert isinstance(request.param, Case)
    if request.param.fixture:
        request.getfixturevalue(request.param.fixture)
    return request.param


@pytest.fixture(scope="module")
def runner(case: Case) -> Iterator[Runner]:
    made = case.make()
    yield made
    made.close()


@pytest.fixture
def request_for(library: Library) -> Callable[..., RunRequest]:
    def make(text: str, best_s: float | None = None, timeout_s: float = 30.0) -> RunRequest:
        protocol = replace(kernels.QUICK, timeout_s=timeout_s)
        return RunRequest(library(text), kernels.ARGS, protocol, best_s)

    return make


RequestFor = Callable[..., RunRequest]


def test_a_good_library_gives_positive_samples(
    runner: Runner, case: Case, request_for: RequestFor
) -> None:
    result = runner.submit(request_for(case.good())).result(PATIENCE)
    assert result.error is None
    assert not result.cut
    assert len(result.samples) >= kernels.QUICK.min_samples
    assert all(0 < sample < 1 for sample in result.samples)
    assert result.seconds > 0


def test_a_library_far_slower_than_the_best_is_cut(
    runner: Runner, case: Case, request_for: RequestFor
) -> None:
    slow = request_for(case.slow())
    best = runner.submit(request_for(case.good())).result(PATIENCE).samples[0]
    result = runner.submit(replace(slow, best_s=best)).result(PATIENCE)
    assert result.error is None
    assert result.cut
    assert len(result.samples) < kernels.QUICK.min_samples
    assert result.samples[0] > kernels.QUICK.cut_ratio * best


def test_wrong_arguments_and_missing_files_are_errors_in_a_line(
    runner: Runner, case: Case, request_for: RequestFor
) -> None:
    wrong = replace(request_for(case.good()), args=(TensorSpec((3, 3), "float32"),) * 2)
    missing = replace(wrong, artifact="/nowhere/library.so")
    for request in (wrong, missing):
        result = runner.submit(request).result(PATIENCE)
        assert result.error is ErrorKind.RUN_ERROR
        assert result.samples == ()
        assert 0 < len(result.error_text) <= 500
        assert "\n" not in result.error_text


def test_a_crash_costs_one_measurement(runner: Runner, case: Case, request_for: RequestFor) -> None:
    crash = runner.submit(request_for(case.crashing()))
    after = runner.submit(request_for(case.good()))
    assert crash.result(PATIENCE).error is ErrorKind.RUN_CRASH
    assert case.death in crash.result().error_text
    assert after.result(PATIENCE).error is None


def test_a_hang_costs_one_measurement(runner: Runner, case: Case, request_for: RequestFor) -> None:
    hang = runner.submit(request_for(case.hanging(), timeout_s=1.0))
    after = runner.submit(request_for(case.good()))
    assert hang.result(PATIENCE).error is ErrorKind.RUN_TIMEOUT
    assert after.result(PATIENCE).error is None


def test_confirming_measures_all_in_order_and_cuts_none(
    runner: Runner, case: Case, request_for: RequestFor
) -> None:
    good, slow = request_for(case.good()), request_for(case.slow(), best_s=1e-9)
    results = runner.confirm((good, slow, good)).result(PATIENCE)
    assert [result.error for result in results] == [None] * 3
    assert not any(result.cut for result in results)
    assert results[1].samples[0] > results[0].samples[0]
    assert len(results[0].samples) >= kernels.QUICK.min_samples


def test_a_failing_finalist_costs_only_itself(
    runner: Runner, case: Case, request_for: RequestFor
) -> None:
    good, crash = request_for(case.good()), request_for(case.crashing())
    missing = replace(good, artifact="/nowhere/library.so")
    results = runner.confirm((good, missing)).result(PATIENCE)
    assert [result.error for result in results] == [None, ErrorKind.RUN_ERROR]
    good = request_for(case.good())
    results = runner.confirm((crash, good)).result(PATIENCE)
    assert [result.error for result in results] == [ErrorKind.RUN_CRASH, None]


COMPARISON = Comparison(outputs=(1,), relative=1e-6)


def test_libraries_that_compute_something_else_are_told_from_those_that_agree(
    runner: Runner, case: Case, request_for: RequestFor
) -> None:
    first, same = request_for(case.good()), request_for(case.good())
    wrong, unwritten = request_for(kernels.wrong_at_the_end()), request_for(kernels.short())
    results = runner.check((first, same, wrong, unwritten), COMPARISON).result(PATIENCE)
    kinds = [None, None, ErrorKind.WRONG_RESULT, ErrorKind.WRONG_RESULT]
    assert [result.error for result in results] == kinds
    assert not any(result.samples for result in results)
    assert results[2].error_text.startswith(
        "Its result differs from the untuned kernel's in 1 of 64 values, by up to "
    )


def test_a_library_that_fails_a_comparison_costs_only_itself(
    runner: Runner, case: Case, request_for: RequestFor
) -> None:
    first, crash = request_for(case.good()), request_for(case.crashing())
    missing = replace(first, artifact="/nowhere/library.so")
    wrong = request_for(kernels.wrong_at_the_end())
    results = runner.check((first, missing, crash, wrong), COMPARISON).result(PATIENCE)
    kinds = [None, ErrorKind.RUN_ERROR, ErrorKind.RUN_CRASH, ErrorKind.WRONG_RESULT]
    assert [result.error for result in results] == kinds


@pytest.mark.parametrize("kind", ["crash", "missing"])
def test_nothing_is_known_where_the_first_library_of_a_comparison_fails(
    kind: str, runner: Runner, case: Case, request_for: RequestFor
) -> None:
    good = request_for(case.good())
    first = request_for(case.crashing()) if kind == "crash" else good
    if kind == "missing":
        first = replace(good, artifact="/nowhere/library.so")
    results = runner.check((first, good), COMPARISON).result(PATIENCE)
    assert results[0].error in (ErrorKind.RUN_ERROR, ErrorKind.RUN_CRASH)


def test_a_cancelled_measurement_holds_up_no_other(
    runner: Runner, case: Case, request_for: RequestFor
) -> None:
    requests = [request_for(case.good()) for _ in range(4)]
    futures = [runner.submit(request) for request in requests]
    assert futures[2].cancel()
    assert futures[3].result(PATIENCE).error is None
    assert futures[2].cancelled()


@pytest.mark.parametrize("way", ["submit", "confirm", "check"])
def test_a_measurement_that_is_cancelled_while_it_hangs_frees_the_device(
    way: str, runner: Runner, case: Case, request_for: RequestFor
) -> None:
    hang = request_for(case.hanging(), timeout_s=1000.0)
    hanging: Future[Any] = (
        runner.submit(hang)
        if way == "submit"
        else runner.confirm((hang, hang))
        if way == "confirm"
        else runner.check((hang, hang), COMPARISON)
    )
    assert not wait([hanging], 2.0).done  # it is at it
    assert hanging.cancel()
    assert runner.submit(request_for(case.good())).result(PATIENCE).error is None


def test_any_thread_may_submit(runner: Runner, case: Case, request_for: RequestFor) -> None:
    requests = [request_for(case.good()) for _ in range(4)]
    results: list[RunResult] = []
    threads = [
        threading.Thread(target=lambda r=r: results.append(runner.submit(r).result(PATIENCE)))
        for r in requests
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert [result.error for result in results] == [None] * 4


def test_closing_ends_every_future_and_may_be_repeated(case: Case, request_for: RequestFor) -> None:
    runner = case.make()
    hang, good = request_for(case.hanging()), request_for(case.good())
    futures: list[Future[object]] = [runner.submit(hang), runner.submit(good)]  # type: ignore[list-item]
    futures.append(runner.confirm((good, good)))  # type: ignore[arg-type]
    runner.close()
    runner.close()
    assert not wait(futures, PATIENCE).not_done
    for future in futures:
        with pytest.raises(CancelledError):
            future.result()
    with pytest.raises(RuntimeError, match="closed"):
        runner.submit(good)
