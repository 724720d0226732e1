"""A run whose candidates are built by two worker processes of Dask, one of which is killed."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.errors import TuningError
from engine.events import RunChanged, TaskChanged
from engine.jobs.settings import Budget, RunState
from engine.measure.cluster_link import builders, connect
from engine.project.repository import Project
from engine.tasks.task import TaskState
from tests.engine.jobs.support import QUICK, Console

ROOT = Path(__file__).parents[3]
LOOPBACK = "--host", "127.0.0.1", "--no-dashboard"
WORKER = "--no-nanny", "--nthreads", "1", "--resources", "cpu=1"


@contextmanager
def dask(folder: Path, *words: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process of Dask's that finds the source tree; it is killed in the end."""
    command = (sys.executable, "-m", "distributed.cli.dask_" + words[0], *words[1:], *LOOPBACK)
    log = folder / "dask.log"
    with log.open("ab") as out:
        process = subprocess.Popen(
            command, cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT)}, stderr=out
        )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def until(seen: Callable[[], Any], seconds: float = 60) -> Any:
    """What is there once it is there."""
    end = time.monotonic() + seconds
    while not (found := seen()):
        assert time.monotonic() < end
        time.sleep(0.1)
    return found


def address_of(file: Path) -> str:
    text = file.read_text() if file.exists() else ""
    return text.partition('"address": "')[2].partition('"')[0]


def client_of(address: str) -> Any:
    try:
        return connect(address)
    except TuningError:
        return None


def tasks_of(dask_scheduler: Any) -> int:
    return len(dask_scheduler.tasks)


def traces(path: Path) -> list[str]:
    with Project.open(path, read_only=True) as project:
        return [trial.trace for trial in project.snapshot(texts=True).trials]


@pytest.mark.slow
def test_a_run_on_two_workers_of_which_one_dies_has_the_traces_of_a_run_without_them(
    console: Console, tmp_path: Path
) -> None:
    pytest.importorskip("distributed", reason="needs the extra cluster")
    settings = replace(QUICK, budget=Budget(trials=4), policy="round-robin")
    file = tmp_path / "scheduler.json"
    with ExitStack() as stack:
        stack.enter_context(dask(tmp_path, "scheduler", "--port", "0", f"--scheduler-file={file}"))
        address = until(lambda: address_of(file))
        victim, _ = (
            stack.enter_context(dask(tmp_path, "worker", address, *WORKER)) for _ in range(2)
        )
        here = console.open(tmp_path, name="here")
        console.engine.start_run(settings).result(60)
        console.engine.wait().result(120)
        client = until(lambda: client_of(address))
        until(lambda: len(builders(client)) == 2)
        there = console.open(tmp_path, name="there")
        console.drain()
        console.engine.start_run(replace(settings, cluster=address)).result(60)
        console.until(
            lambda event: isinstance(event, TaskChanged) and event.state is TaskState.BUILDING
        )
        until(lambda: client.run_on_scheduler(tasks_of))
        victim.kill()
        console.engine.wait().result(120)
        last = console.of(RunChanged)[-1]
        assert isinstance(last, RunChanged)
        assert last.state is RunState.FINISHED
        assert sorted(traces(there)) == sorted(traces(here))
        assert len(builders(client)) == 1
        assert client.run_on_scheduler(tasks_of) == 0
        client.close()
