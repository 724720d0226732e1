"""Runs on two worker processes of Dask, one of which is killed: what builds, and what measures."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from subprocess import Popen
from typing import Any

import pytest

from engine.measure.remote import remote_runner
from engine.measure.remote.cluster_link import builders
from engine.measure.remote.given import give
from engine.project.repository import Project
from engine.records.errors import TuningError
from engine.records.events import RunChanged, TaskChanged, TrialDone
from engine.records.settings import Budget, RunState
from engine.records.source import ModelSource
from engine.records.task import TaskState
from engine.records.trial import ErrorKind
from engine.targets.targets import resolve
from tests.engine.jobs.live_cluster import (
    WORKER,
    address_of,
    client_of,
    dask,
    tasks_of,
    traces,
    until,
)
from tests.engine.jobs.support import QUICK, Console
from tests.engine.models.build import conv_relu_model, save

SETTINGS = replace(QUICK, budget=Budget(trials=4), policy="round-robin")


@dataclass
class Live:
    """A scheduler and its workers, by their addresses."""

    address: str
    client: Any
    workers: dict[str, Popen[bytes]]


def _are(client: Any, count: int) -> bool:
    return len(builders(client)) == count


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    """Two workers."""
    pytest.importorskip("distributed", reason="needs the extra cluster")
    file = tmp_path / "scheduler.json"
    with ExitStack() as stack:
        stack.enter_context(dask(tmp_path, "scheduler", "--port", "0", f"--scheduler-file={file}"))
        address = until(lambda: address_of(file))
        give(address)
        made = Live(address, until(lambda: client_of(address)), {})
        for count in (1, 2):
            words = ("worker", address, *WORKER, "cpu=1 device=1")
            worker = stack.enter_context(dask(tmp_path, *words))
            until(partial(_are, made.client, count))
            (name,) = set(builders(made.client)) - set(made.workers)
            made.workers[name] = worker
        yield made
        made.client.close()


def run_here(console: Console, folder: Path) -> list[str]:
    """The traces of a run without a cluster."""
    here = console.open(folder, name="here")
    console.engine.start_run(SETTINGS).result(60)
    console.engine.wait().result(120)
    found = sorted(traces(here))
    console.drain()
    return found


def require_finished(console: Console, live: Live) -> None:
    last = console.of(RunChanged)[-1]
    assert isinstance(last, RunChanged)
    assert last.state is RunState.FINISHED
    assert len(builders(live.client)) == 1
    assert live.client.run_on_scheduler(tasks_of) == 0


@pytest.mark.slow
def test_a_run_on_two_workers_of_which_one_dies_has_the_traces_of_a_run_without_them(
    console: Console, live: Live, tmp_path: Path
) -> None:
    expected = run_here(console, tmp_path)
    there = console.open(tmp_path, name="there")
    console.engine.start_run(replace(SETTINGS, cluster=live.address)).result(60)
    console.until(
        lambda event: isinstance(event, TaskChanged) and event.state is TaskState.BUILDING
    )
    until(lambda: live.client.run_on_scheduler(tasks_of))
    next(iter(live.workers.values())).kill()
    console.engine.wait().result(120)
    assert sorted(traces(there)) == expected
    require_finished(console, live)


@pytest.mark.slow
def test_a_run_whose_measuring_worker_dies_goes_on_with_the_other(
    console: Console, live: Live, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote_runner, "_AGREE", 1e9)  # they share a processor
    device = live.address.replace("tcp", "dask")
    path = tmp_path / "there.tune"
    model = ModelSource("file", str(save(conv_relu_model(), tmp_path / "tiny.onnx")))
    console.engine.open_model(model, f"{device} {resolve('cpu').text}", path).result(60)
    console.engine.start_run(replace(SETTINGS, cluster=live.address)).result(60)
    console.until(lambda event: isinstance(event, TrialDone))
    live.workers[min(live.workers)].kill()  # the first one by name measures
    console.engine.wait().result(120)
    assert len(traces(path)) == SETTINGS.budget.trials
    assert not [one for one in console.of(TrialDone) if one.trial.error]  # type: ignore[attr-defined]
    require_finished(console, live)


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("measured", ["here", "there"])
def test_a_run_whose_workers_all_die_fails_in_a_sentence_and_goes_on_with_another(
    measured: str, console: Console, live: Live, tmp_path: Path
) -> None:
    settings = replace(SETTINGS, cluster=live.address, budget=Budget(trials=12))
    path = tmp_path / "there.tune"
    model = ModelSource("file", str(save(conv_relu_model(), tmp_path / "tiny.onnx")))
    device = f"{live.address.replace('tcp', 'dask')} " if measured == "there" else ""
    console.engine.open_model(model, f"{device}{resolve('cpu').text}", path).result(60)
    console.engine.start_run(settings).result(60)
    console.until(lambda event: isinstance(event, TrialDone), 180)
    for worker in live.workers.values():
        worker.kill()
        time.sleep(0.5)
    with pytest.raises(TuningError) as told:
        console.engine.wait().result(300)
    assert ("has no worker left" if measured == "here" else "lost") in told.value.what
    assert "resume" in told.value.todo
    last = console.of(RunChanged)[-1]
    assert isinstance(last, RunChanged)
    assert last.state is RunState.FAILED
    kept = len(traces(path))
    assert 0 < kept < 12
    assert failures(path) <= {ErrorKind.DEVICE_LOST}
    with dask(tmp_path, "worker", live.address, *WORKER, "cpu=1 device=1"):
        until(partial(_are, live.client, 1))
        console.engine.resume_run().result(60)
        console.engine.wait().result(300)
    assert len(traces(path)) == 12
    assert failures(path) <= {ErrorKind.DEVICE_LOST}


def failures(path: Path) -> set[ErrorKind]:
    with Project.open(path, read_only=True) as project:
        return {trial.error for trial in project.snapshot().trials if trial.error}
