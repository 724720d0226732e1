"""Processes of Dask's on loopback, for the tests of runs on a cluster."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from engine.measure.remote.cluster_link import connect
from engine.project.repository import Project
from engine.records.errors import TuningError

ROOT = Path(__file__).parents[3]
LOOPBACK = "--host", "127.0.0.1", "--dashboard-address", "127.0.0.1:0"
WORKER = "--no-nanny", "--nthreads", "1", "--resources"


@contextmanager
def dask(
    folder: Path, *words: str, loopback: tuple[str, ...] = LOOPBACK
) -> Iterator[subprocess.Popen[bytes]]:
    """A process of Dask's that finds the source tree; it is killed in the end."""
    command = (sys.executable, "-m", "distributed.cli.dask_" + words[0], *words[1:], *loopback)
    log, paths = folder / "dask.log", (str(ROOT), os.environ.get("PYTHONPATH"))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    with log.open("ab") as out:
        process = subprocess.Popen(command, cwd=folder, env=environment, stderr=out)
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
