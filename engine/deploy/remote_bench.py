"""What a compiled folder gives and takes on a remote device, in a process of its own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from engine.deploy.bench import BenchResult, bench
from engine.deploy.cluster_bench import bench_on_cluster
from engine.measure.remote.rpc_link import Link
from engine.measure.remote.server_search import NoServer, Wanted
from engine.records.addresses import DaskAddress, parse_address, parse_remote
from engine.records.errors import TuningError
from engine.records.machine import prepare_environment
from engine.workers.fresh import run_fresh

if TYPE_CHECKING:
    import numpy as np

    from engine.records.machine import TargetSpec

_WORK_S, _WAIT_S = 600.0, 30.0


def bench_target(
    folder: Path,
    target: TargetSpec,
    inputs: dict[str, np.ndarray],
    *,
    seconds: float = 1.0,
    profile: bool = False,
) -> BenchResult:
    """As `bench`, on a target's device wherever that is. Blocks.

    Behind a tracker the only sample is the sum of the kernels' latencies: whole executions from
    here would measure the network. Raises TuningError where the device or the module fails.
    """
    if target.remote:
        address = parse_remote(target.remote)
        if isinstance(address, DaskAddress):
            return bench_on_cluster(
                address, folder, target, inputs, seconds=seconds, profile=profile
            )
        return run_fresh(_bench, folder, target.remote, target.device, inputs)
    return bench(folder, target.device, target.cores, inputs, seconds=seconds, profile=profile)


def _bench(folder: Path, remote: str, device: str, inputs: dict[str, np.ndarray]) -> BenchResult:
    prepare_environment()
    from engine.deploy.remote_executor import RemoteExecutor

    link = Link(parse_address(remote))
    try:
        link.open(Wanted(_WORK_S, _WAIT_S))
    except NoServer as error:
        raise TuningError(
            f"{error}.", "Start it with `tunewright rpc-server`, then go on."
        ) from error
    executor = RemoteExecutor(link.session, folder, device)
    outputs, steps = executor.run(inputs), executor.latencies()
    total_s = sum(latency_s for _, latency_s in steps)
    return BenchResult(outputs, (total_s,), tuple(steps))
