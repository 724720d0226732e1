"""Builds on a cluster, without one: order, losses, refusals."""

from __future__ import annotations

import random
from collections.abc import Iterator
from concurrent.futures import CancelledError, Future
from dataclasses import replace
from pathlib import Path

import pytest

from engine.measure.remote import cluster_builder
from engine.measure.remote.cluster_builder import ClusterBuilder
from engine.measure.remote.cluster_worker import facts
from engine.measure.runner import BuildRequest, BuildResult
from engine.records.errors import TuningError
from engine.records.machine import prepare_environment
from engine.records.trial import ErrorKind
from tests.benchmarks.build_pool import CLUSTERS, candidates, with_cluster
from tests.engine.measure.fake_cluster import FakeClient

PATIENCE = 10.0


@pytest.fixture
def client() -> FakeClient:
    return FakeClient()


@pytest.fixture
def builder(client: FakeClient, monkeypatch: pytest.MonkeyPatch) -> Iterator[ClusterBuilder]:
    monkeypatch.setattr(cluster_builder, "_LOOK_S", 0.01)
    made = ClusterBuilder("tcp://s:1", lost_s=0.05, connect=lambda address: client)
    made.wait_ready()
    yield made
    made.close()


def submit(builder: ClusterBuilder, folder: Path, count: int) -> list[Future[BuildResult]]:
    return [
        builder.submit(BuildRequest("module", "target", str(folder / f"{index}.so")))
        for index in range(count)
    ]


def test_a_library_that_comes_as_bytes_lies_where_it_was_asked_for(
    builder: ClusterBuilder, client: FakeClient, tmp_path: Path
) -> None:
    (future,) = submit(builder, tmp_path, 1)
    client.tasks[0].built()
    assert future.result(PATIENCE).artifact == str(tmp_path / "0.so")
    assert (tmp_path / "0.so").read_bytes() == b"library"
    assert client.tasks[0].released


@pytest.mark.parametrize("seed", range(5))
def test_results_come_in_the_order_of_their_candidates_whoever_ends_first(
    builder: ClusterBuilder, client: FakeClient, tmp_path: Path, seed: int
) -> None:
    came: list[int] = []
    for index, future in enumerate(submit(builder, tmp_path, 8)):
        future.add_done_callback(lambda _, index=index: came.append(index))  # type: ignore[misc]
    order = random.Random(seed)
    for task in order.sample(client.tasks, 8):
        order.choice((task.built, task.refused))()
    assert came == list(range(8))


def test_a_cancelled_candidate_leaves_the_cluster_and_holds_nobody_back(
    builder: ClusterBuilder, client: FakeClient, tmp_path: Path
) -> None:
    first, second = submit(builder, tmp_path, 2)
    client.tasks[1].built()
    assert not second.done()
    first.cancel()
    assert client.tasks[0].cancelled
    assert second.result(PATIENCE).error is None


def test_what_dask_gives_up_costs_its_candidate_only(
    builder: ClusterBuilder, client: FakeClient, tmp_path: Path
) -> None:
    first, second = submit(builder, tmp_path, 2)
    client.tasks[0].end(ValueError("killed four workers"))
    client.tasks[1].built()
    assert first.result(PATIENCE).error is ErrorKind.BUILD_CRASH
    assert second.result(PATIENCE).error is None


def test_a_scheduler_that_goes_away_ends_every_candidate_with_a_sentence(
    builder: ClusterBuilder, client: FakeClient, tmp_path: Path
) -> None:
    futures = submit(builder, tmp_path, 3)
    client.gone = True
    for future in (*futures, *submit(builder, tmp_path, 1)):
        with pytest.raises(TuningError, match=r"gone away.*resume"):
            future.result(PATIENCE)


def test_tasks_that_a_lost_connection_cancels_end_with_a_sentence(
    builder: ClusterBuilder, client: FakeClient, tmp_path: Path
) -> None:
    futures = submit(builder, tmp_path, 2)
    client.tasks[1].end(CancelledError())
    for future in futures:
        with pytest.raises(TuningError, match="gone away"):
            future.result(PATIENCE)


def test_a_cluster_without_workers_is_waited_for_and_then_given_up(
    builder: ClusterBuilder, client: FakeClient, tmp_path: Path
) -> None:
    (future,) = submit(builder, tmp_path, 1)
    client.workers = {}
    with pytest.raises(TuningError, match="no worker left"):
        future.result(PATIENCE)


def test_closing_leaves_no_task_and_tells_the_workers(
    builder: ClusterBuilder, client: FakeClient, tmp_path: Path
) -> None:
    futures = submit(builder, tmp_path, 3)
    builder.close()
    builder.close()
    assert all(future.cancelled() for future in futures)
    assert all(task.cancelled for task in client.tasks)
    assert len(client.left) == 1
    assert client.closed
    with pytest.raises(RuntimeError, match="closed"):
        submit(builder, tmp_path, 1)


def test_workers_elsewhere_take_no_core_here(builder: ClusterBuilder) -> None:
    assert not builder.is_here
    assert builder.width == 4


def refusal(client: FakeClient) -> str:
    builder = ClusterBuilder("tcp://s:1", connect=lambda address: client)
    with pytest.raises(TuningError) as caught:
        builder.wait_ready()
    builder.close()
    assert client.closed
    return str(caught.value)


def test_workers_of_another_version_are_refused(client: FakeClient) -> None:
    other = tuple((name, "0") for name, _ in facts().versions)
    client.answer = replace(facts(), versions=other)
    assert "worker tcp://a has Python 0, this run" in refusal(client)


def test_a_worker_without_tunewright_is_refused(client: FakeClient) -> None:
    client.answer = ModuleNotFoundError("No module named 'engine'")
    assert "cannot load Tunewright" in refusal(client)


def test_a_worker_that_may_not_start_processes_is_refused(client: FakeClient) -> None:
    client.answer = replace(facts(), daemon=True)
    assert "--no-nanny" in refusal(client)


def test_a_cluster_without_the_resource_is_refused(client: FakeClient) -> None:
    client.workers = {"tcp://b": {}}
    assert "has the resource cpu" in refusal(client)


@pytest.mark.long
@pytest.mark.parametrize("workers", CLUSTERS)
def test_workers_of_this_machine_build_all_that_they_are_given(workers: int) -> None:
    pytest.importorskip("distributed", reason="Dask Distributed is not installed")
    import tvm

    prepare_environment()
    target = tvm.target.Target({"kind": "llvm", "num-cores": 1})
    seconds, lost = with_cluster(candidates(target, 2 * workers), target, workers)
    assert lost == 0 and seconds > 0
