"""Servers that are not there, die in mid-measurement, come back, or are another device."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future

import psutil
import pytest

from engine.measure.remote import remote_runner
from engine.measure.remote.given import give
from engine.measure.remote.rpc_runner import RpcRunner
from engine.measure.runner import RunRequest, RunResult
from engine.records.addresses import RpcAddress
from engine.records.errors import TuningError
from engine.records.trial import ErrorKind
from tests.engine.measure import kernels
from tests.engine.measure.conftest import Library
from tests.engine.measure.rpc_lab import Lab, Served, free_port

PATIENCE = 90.0
SLOW = 100_000_000  # multiply-adds: so many calls of it that its end is not missed


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def runner(lab: Lab, said: list[str], request: pytest.FixtureRequest) -> Iterator[RpcRunner]:
    """A runner for servers of a key of the test's own, with one to begin with."""
    key = request.node.name.replace("[", "").replace("]", "")[:60]
    lab.own = lab.serve(key)
    made = RpcRunner(
        lab.address(key), wait_s=2.0, return_s=0.5, say=said.append, context=lab.context
    )
    yield made
    made.close()
    lab.own.close()


def good(library: Library) -> RunRequest:
    return RunRequest(library(kernels.add()), kernels.ARGS, kernels.QUICK)


def in_the_middle(runner: RpcRunner, library: Library, served: Served) -> Future[RunResult]:
    """A measurement whose kernel runs on the server now."""
    slow = RunRequest(library(kernels.spin(SLOW)), kernels.ARGS, kernels.QUICK)
    assert runner.submit(good(library)).result(PATIENCE).error is None
    future = runner.submit(slow)
    (session,) = psutil.Process(served.server.pid).children()
    before = session.cpu_times().user
    until(lambda: session.cpu_times().user > before + 0.1)
    return future


def until(seen: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not seen():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_a_trial_whose_server_dies_is_repeated_when_it_is_back(
    runner: RpcRunner, lab: Lab, library: Library, said: list[str]
) -> None:
    future = in_the_middle(runner, library, lab.own)
    lab.own.kill()
    result = future.result(PATIENCE)
    assert result.error is None
    assert result.samples
    assert len(said) == 1
    assert "was repeated" in said[0]


@pytest.mark.parametrize("as_fast", [True, False])
def test_another_server_takes_over_only_where_it_is_as_fast(
    runner: RpcRunner,
    lab: Lab,
    library: Library,
    said: list[str],
    monkeypatch: pytest.MonkeyPatch,
    as_fast: bool,
) -> None:
    monkeypatch.setattr(remote_runner, "_AGREE", 1e9 if as_fast else 0.5)
    assert runner.wait_ready(PATIENCE)
    other = lab.serve(runner.address.key)
    future = in_the_middle(runner, library, lab.own)
    lab.own.close()
    result = future.result(PATIENCE)
    if as_fast:
        assert result.error is None
        assert runner.server == other.server.address
        assert "is lost; the run goes on" in said[0]
    else:
        assert result.error is ErrorKind.DEVICE_LOST
        assert "does not take its place" in said[0]
        assert "is lost." in said[1]
    other.close()


def test_a_device_that_is_lost_is_told_once_and_again_when_it_is_back(
    runner: RpcRunner, lab: Lab, library: Library, said: list[str]
) -> None:
    assert runner.wait_ready(PATIENCE)
    lab.own.close()
    for _ in range(2):
        result = runner.submit(good(library)).result(PATIENCE)
        assert result.error is ErrorKind.DEVICE_LOST
        assert "No server" in result.error_text
    confirmed = runner.confirm((good(library), good(library))).result(PATIENCE)
    assert [one.error for one in confirmed] == [ErrorKind.DEVICE_LOST] * 2
    assert len(said) == 1
    assert runner.server is not None
    lab.own = lab.serve(runner.address.key, port=runner.server[1])
    until(lambda: runner.submit(good(library)).result(PATIENCE).error is None)
    assert "measures again" in said[1]


def test_an_idle_runner_gives_its_server_back(runner: RpcRunner, lab: Lab) -> None:
    assert runner.wait_ready(PATIENCE)
    assert runner.is_here
    other = RpcRunner(runner.address, wait_s=30.0, context=lab.context)
    assert other.wait_ready(PATIENCE)
    other.close()


def test_a_runner_without_a_server_or_a_tracker_says_so(lab: Lab) -> None:
    nobody = lab.address("nobody")
    nowhere = RpcAddress("127.0.0.1", free_port(), "board")
    give(str(nowhere))
    for address, what in ((nobody, "No server of nobody"), (nowhere, "No tracker answers")):
        runner = RpcRunner(address, wait_s=0.2, context=lab.context)
        with pytest.raises(TuningError, match=what):
            runner.wait_ready(PATIENCE)
        runner.close()


def test_a_device_that_the_server_lacks_is_named(lab: Lab) -> None:
    runner = RpcRunner(lab.address(), "cuda:99", wait_s=10.0, context=lab.context)
    with pytest.raises(TuningError, match="no device cuda:99"):
        runner.wait_ready(PATIENCE)
    runner.close()


def test_closing_while_a_server_is_waited_for_returns_at_once(lab: Lab) -> None:
    runner = RpcRunner(lab.address("nobody"), wait_s=600.0, context=lab.context)
    closing = threading.Thread(target=runner.close)
    closing.start()
    closing.join(PATIENCE)
    assert not closing.is_alive()
