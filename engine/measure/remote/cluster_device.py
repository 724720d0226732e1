"""What runs in a worker of a Dask cluster that has a device: it measures in a child process."""

from __future__ import annotations

from concurrent.futures import CancelledError
from dataclasses import dataclass, replace
from pathlib import Path

from engine.measure.local_runner import LocalRunner, Results
from engine.measure.remote.cluster_benches import Benches
from engine.measure.remote.cluster_worker import Versions, require_same, versions
from engine.measure.run_worker import Job
from engine.records.errors import TuningError
from engine.records.machine import prepare_environment
from engine.workers.artifacts import ArtifactFolder

Libraries = tuple[bytes | None, ...]
"""A job's libraries, in order; None for one that is missing."""


@dataclass(frozen=True, slots=True)
class Measuring:
    """A run's measurements: its name on the cluster, the device ("cpu", "cuda:0"), its versions."""

    run: str
    device: str
    versions: Versions


class _DeviceBench:
    """The measuring process of one run on this worker."""

    def __init__(self, device: str) -> None:
        prepare_environment()
        self.folder = ArtifactFolder()
        self.runner = LocalRunner(device)

    def close(self) -> None:
        self.runner.close()
        self.folder.close()

    def place(self, library: bytes | None) -> str:
        """A path with the library in it."""
        path = self.folder.fresh()
        if library is not None:
            Path(path).write_bytes(library)
        return path


_benches: Benches[_DeviceBench] = Benches()


def prepare(measuring: Measuring) -> None:
    """Start a run's measuring process. TuningError where it does not start."""
    require_same(measuring.versions, versions(), "worker")
    with _benches.use(measuring.run, lambda: _DeviceBench(measuring.device)) as bench:
        bench.runner.wait_ready()


def measure(job: Job, libraries: Libraries, measuring: Measuring) -> Results:
    """A job's results; its paths are the run's, and the libraries come along as bytes."""
    require_same(measuring.versions, versions(), "worker")
    with _benches.use(measuring.run, lambda: _DeviceBench(measuring.device)) as bench:
        own = tuple(
            replace(request, artifact=bench.place(library))
            for request, library in zip(job.requests, libraries, strict=True)
        )
        try:
            if job.comparison is not None:
                return bench.runner.check(own, job.comparison).result()
            if job.in_turns:
                return bench.runner.confirm(own).result()
            return tuple(future.result() for future in map(bench.runner.submit, own))
        except (CancelledError, RuntimeError) as error:
            raise TuningError("The run is over.") from error


def leave(run: str) -> None:
    """End a run's process here, whatever it does."""
    _benches.leave(run)


def give_up(run: str) -> None:
    """End a measurement that nobody waits for; the run goes on with another process."""
    _benches.restart(run)
