"""What runs in a worker of a Dask cluster: it builds in processes of its own and sends bytes."""

from __future__ import annotations

import sys
from concurrent.futures import CancelledError
from dataclasses import dataclass, replace
from importlib import metadata
from multiprocessing import current_process
from pathlib import Path

from engine.measure.build_pool import BuildPool
from engine.measure.remote.cluster_benches import Benches
from engine.measure.runner import BuildRequest, BuildResult
from engine.records.errors import TuningError
from engine.records.machine import prepare_environment
from engine.records.sentences import Sentence
from engine.workers.artifacts import ArtifactFolder

_BOOT = Path("/proc/sys/kernel/random/boot_id")
_PACKAGES = ("tunewright", "apache-tvm", "distributed")

Versions = tuple[tuple[str, str], ...]
Built = tuple[BuildResult, bytes]


@dataclass(frozen=True, slots=True)
class Facts:
    """Of a process: versions, its machine, and whether it may start processes (no daemon may)."""

    versions: Versions
    machine: str
    daemon: bool


@dataclass(frozen=True, slots=True)
class Building:
    """A run's builds: its name on the cluster, seconds that each may take, its versions."""

    run: str
    timeout_s: float
    versions: Versions


class _BuildBench:
    """The build processes of one run on this worker."""

    def __init__(self, workers: int, timeout_s: float) -> None:
        prepare_environment()
        self.folder = ArtifactFolder()
        self.pool = BuildPool(workers, timeout_s=timeout_s)

    def close(self) -> None:
        self.pool.close()
        self.folder.close()


_benches: Benches[_BuildBench] = Benches()


def facts() -> Facts:
    machine = _BOOT.read_text().strip() if _BOOT.exists() else ""
    return Facts(versions(), machine, bool(current_process().daemon))


def versions() -> Versions:
    """Of all that must be the same on both sides."""
    found = [("Python", ".".join(map(str, sys.version_info[:2])))]
    for name in _PACKAGES:
        try:
            found.append((name, metadata.version(name)))
        except metadata.PackageNotFoundError:
            found.append((name, "not installed"))
    return tuple(found)


def require_same(here: Versions, there: Versions, where: str) -> None:
    """TuningError where a worker has other versions than the run."""
    known = dict(there)
    for name, version in here:
        if known.get(name) != version:
            raise TuningError(
                Sentence(
                    "The cluster's {where} has {name} {own}, this run {version}.",
                    where=where,
                    name=name,
                    own=known.get(name),
                    version=version,
                ),
                "Install the same version on both sides.",
            )


def build(request: BuildRequest, building: Building) -> Built:
    """Build one candidate; its library's bytes come along, and its path is the run's."""
    from distributed import get_worker

    worker = get_worker()
    require_same(building.versions, versions(), f"worker {worker.address}")
    workers = worker.state.nthreads
    with _benches.use(building.run, lambda: _BuildBench(workers, building.timeout_s)) as bench:
        own = replace(request, artifact=bench.folder.fresh())
        try:
            result = bench.pool.submit(own).result()
        except (CancelledError, RuntimeError) as error:
            raise TuningError("The run is over.") from error
    if result.artifact is None:
        return result, b""
    library = Path(own.artifact).read_bytes()
    Path(own.artifact).unlink()
    return replace(result, artifact=request.artifact), library


def leave(run: str) -> None:
    """End a run's processes here, whatever they do."""
    _benches.leave(run)
