"""Measurements on a cluster, without one: their order, their worker, losses, refusals."""

from __future__ import annotations

import random
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from engine.measure.local_runner import LocalRunner, Results
from engine.measure.remote import dask_link, server_search
from engine.measure.remote.cluster_device import Libraries
from engine.measure.remote.cluster_worker import facts
from engine.measure.remote.dask_runner import DaskRunner
from engine.measure.remote.given import give
from engine.measure.run_worker import Job
from engine.measure.runner import Runner, RunRequest, RunResult
from engine.records.addresses import DaskAddress
from engine.records.errors import TuningError
from engine.records.trial import ErrorKind
from tests.engine.measure import kernels
from tests.engine.measure.fake_cluster import FakeDevices

PATIENCE = 10.0
ADDRESS = DaskAddress("127.0.0.1", 8786)
FIRST, SECOND = "tcp://a:1", "tcp://b:2"


def fake(worker: str, job: Job, libraries: Libraries) -> Results:
    """Latencies that the libraries alone decide."""
    return tuple(
        RunResult((), 0.1, False, ErrorKind.RUN_CRASH, "SIGSEGV")
        if not library
        else RunResult((sum(library) * 1e-6, len(library) * 1e-6), 0.1)
        for library in libraries
    )


class FakeLocal(LocalRunner):
    """Measures here by the same rule."""

    def _begin(self) -> None:
        """There is nothing to start."""

    def _measure(self, job: Job) -> Results:
        return fake("", job, tuple(Path(one.artifact).read_bytes() for one in job.requests))


Make = Callable[..., DaskRunner]


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> FakeDevices:
    monkeypatch.setattr(dask_link, "_LOOK_S", 0.01)
    monkeypatch.setattr(dask_link, "_WAIT_S", 0.01)
    monkeypatch.setattr(server_search, "LOOK_S", 0.01)
    return FakeDevices(fake)


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def make(client: FakeDevices, said: list[str]) -> Iterator[Make]:
    with ExitStack() as stack:

        def made(device: str = "cpu", **options: object) -> DaskRunner:
            given: dict[str, object] = {"wait_s": 0.4, "return_s": 0.2, "say": said.append}
            runner = DaskRunner(ADDRESS, device, connect=client.connect, **given | options)  # type: ignore[arg-type]
            stack.callback(runner.close)
            return runner

        yield made


def requests(folder: Path, count: int, seed: int = 0) -> list[RunRequest]:
    """Libraries of random bytes, one of them empty."""
    folder.mkdir(exist_ok=True)
    rng = random.Random(seed)
    made = []
    for index in range(count):
        path = folder / f"{index}.so"
        path.write_bytes(rng.randbytes(rng.randrange(1, 99)) if index != 3 else b"")
        made.append(RunRequest(str(path), kernels.ARGS, kernels.QUICK))
    return made


def results(runner: Runner, folder: Path, seed: int) -> list[RunResult | Results]:
    """Those of a small run: single measurements, then all in turns."""
    single = [runner.submit(request) for request in requests(folder, 6, seed)]
    found: list[RunResult | Results] = [future.result(PATIENCE) for future in single]
    found.append(runner.confirm(tuple(requests(folder, 3, seed))).result(PATIENCE))
    return found


@pytest.mark.parametrize("seed", range(5))
def test_the_same_job_gives_the_same_results_in_the_same_order_as_here(
    make: Make, client: FakeDevices, tmp_path: Path, seed: int
) -> None:
    local, came = FakeLocal(), []

    def measure(worker: str, job: Job, libraries: Libraries) -> Results:
        came.extend([Path(one.artifact).name for one in job.requests])
        return fake(worker, job, libraries)

    client.measure = measure
    assert results(make(), tmp_path / "there", seed) == results(local, tmp_path / "here", seed)
    assert came == [f"{index}.so" for index in (*range(6), *range(3))]
    local.close()


@pytest.mark.parametrize("device", ["cpu", "cuda:0"])
def test_one_worker_measures_with_all_its_device_and_on_a_cpu_with_all_its_cores(
    make: Make, client: FakeDevices, tmp_path: Path, device: str
) -> None:
    client.workers[FIRST]["device"] = 2
    results(make(device), tmp_path, 0)
    taken = {"device": 2, "cpu": 2} if device == "cpu" else {"device": 2}
    assert {name for name, _ in client.taken} == {FIRST}
    assert all(resources == taken for _, resources in client.taken)


def test_a_trial_whose_worker_dies_is_repeated_once_on_another(
    make: Make, client: FakeDevices, said: list[str], tmp_path: Path
) -> None:
    runner = make()
    assert runner.wait_ready(PATIENCE)
    client.dying = [FIRST]
    found = results(runner, tmp_path / "one", 1)
    assert found == results(make(), tmp_path / "two", 1)
    assert client.cancelled == 1
    assert runner.server == ("b", 2)
    assert "the run goes on with the one at b:2" in said[0]
    assert said[1] == "The device at a:1 was lost; its trial was repeated."


def test_a_worker_that_comes_back_is_the_one_that_repeats(
    make: Make, client: FakeDevices, tmp_path: Path
) -> None:
    runner = make()
    assert runner.wait_ready(PATIENCE)
    client.dying, client.back = [FIRST], True
    assert results(runner, tmp_path, 1)
    assert {name for name, _ in client.taken} == {FIRST}


def test_a_trial_that_costs_two_workers_fails_and_the_next_goes_on(
    make: Make, client: FakeDevices, tmp_path: Path
) -> None:
    runner = make()
    assert runner.wait_ready(PATIENCE)
    client.dying, client.back = [FIRST, FIRST], True
    first, second = map(runner.submit, requests(tmp_path, 2))
    assert first.result(PATIENCE).error is ErrorKind.RUN_CRASH
    assert second.result(PATIENCE).error is None


def test_a_worker_that_is_not_as_fast_does_not_take_the_place(
    make: Make, client: FakeDevices, said: list[str], tmp_path: Path
) -> None:
    client.measure = lambda worker, job, libraries: tuple(
        RunResult((1e-3 if worker == FIRST else 2e-3,), 0.1) for _ in libraries
    )
    runner = make()
    first, second = requests(tmp_path, 2)
    assert runner.submit(first).result(PATIENCE).error is None
    client.dying = [FIRST]
    assert runner.submit(second).result(PATIENCE).error is ErrorKind.DEVICE_LOST
    assert "does not take its place" in said[0]


@pytest.mark.parametrize("what", ["workers", "scheduler"])
def test_without_a_worker_or_a_scheduler_the_device_is_lost_until_it_is_back(
    make: Make, client: FakeDevices, said: list[str], tmp_path: Path, what: str
) -> None:
    runner = make()
    assert runner.wait_ready(PATIENCE)
    workers = client.workers
    client.gone, client.workers = what == "scheduler", {}
    one, two, three = requests(tmp_path, 3)
    for request in (one, two):
        result = runner.submit(request).result(PATIENCE)
        assert result.error is ErrorKind.DEVICE_LOST
    assert len(said) == 1
    client.gone, client.workers = False, workers
    assert runner.submit(three).result(PATIENCE).error is None
    assert "measures again" in said[1]


def test_a_worker_that_cannot_do_it_is_passed_over_and_named_where_it_is_the_only_one(
    make: Make, client: FakeDevices
) -> None:
    client.answers[FIRST] = replace(facts(), versions=(("Python", "2.7"),))
    runner = make()
    assert runner.wait_ready(PATIENCE)
    assert runner.server == ("b", 2)
    client.answers[SECOND] = replace(facts(), daemon=True)
    with pytest.raises(TuningError, match=r"worker tcp://.* (has Python 2.7|may not start)"):
        make().wait_ready(PATIENCE)


def test_two_runners_of_a_run_share_no_worker(make: Make, client: FakeDevices) -> None:
    runners: list[DaskRunner] = []
    for own in range(3):

        def taken(own: int = own) -> frozenset[tuple[str, int]]:
            others = runners[:own] + runners[own + 1 :]
            return frozenset(one.server for one in others if one.server)

        runners.append(make(avoid=taken))
    assert all(runner.wait_ready(PATIENCE) for runner in runners[:2])
    assert {runner.server for runner in runners[:2]} == {("a", 1), ("b", 2)}
    with pytest.raises(TuningError, match="is taken"):
        runners[2].wait_ready(PATIENCE)


def test_a_cpu_with_other_workers_beside_it_is_warned_of(
    make: Make, client: FakeDevices, said: list[str]
) -> None:
    client.answers = dict.fromkeys((FIRST, SECOND), replace(facts(), machine="another"))
    for device in ("cuda:0", "cpu"):
        runner = make(device)
        assert runner.wait_ready(PATIENCE)
        runner.close()
    assert len(said) == 1
    assert SECOND in said[0]


def test_without_the_extra_a_sentence_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    local = DaskAddress("127.0.0.1", 8786)
    give(str(local))
    runner = DaskRunner(local)
    with pytest.raises(TuningError, match=r"pip install 'tunewright\[cluster\]'"):
        runner.wait_ready(PATIENCE)
    runner.close()


def test_closing_takes_a_running_measurement_off_the_cluster(
    make: Make, client: FakeDevices, tmp_path: Path
) -> None:
    runner = make()
    assert runner.wait_ready(PATIENCE)
    client.workers = dict(client.workers)
    client.dying = [FIRST]
    has = client.workers[FIRST]
    future = runner.submit(requests(tmp_path, 1)[0])
    while not client.taken:
        time.sleep(0.01)
    client.workers[FIRST] = has  # it hangs, but is there
    closing = threading.Thread(target=runner.close)
    closing.start()
    closing.join(PATIENCE)
    assert not closing.is_alive()
    assert future.cancelled()
    assert client.cancelled >= 1
    assert client.left == [FIRST]
