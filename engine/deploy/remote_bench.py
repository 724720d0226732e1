"""What a compiled folder gives and takes on a remote device, in a process of its own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from engine.deploy.bench import BenchResult, Others, answers, bench
from engine.measure.remote.board_sensors import Sensors
from engine.measure.remote.cluster_link import connect
from engine.measure.remote.cluster_worker import Versions, require_same, versions
from engine.measure.remote.dask_link import Connect, DeviceLink, find_worker
from engine.measure.remote.rpc_link import Link
from engine.measure.remote.server_search import NoServer, Wanted
from engine.measure.worker_process import WorkerDied
from engine.records.addresses import DaskAddress, parse_address, parse_remote
from engine.records.errors import DeviceMissing, Hint, TuningError
from engine.records.machine import prepare_environment
from engine.records.sentences import Sentence
from engine.workers.artifacts import scratch
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
    others: Others = (),
    untuned: bool = False,
) -> BenchResult:
    """As `bench`, on a target's device wherever that is. Blocks.

    Behind a tracker the only sample is the sum of the kernels' latencies: whole executions from
    here would measure the network. Raises TuningError where the device or the module fails, and
    DeviceMissing where it is not there.
    """
    if target.remote:
        address = parse_remote(target.remote)
        if isinstance(address, DaskAddress):
            return bench_on_cluster(
                address, folder, target, inputs, seconds=seconds, profile=profile, others=others
            )
        return run_fresh(_bench, folder, target.remote, target.device, inputs, others)
    how = (folder, target.device, target.cores, inputs)
    return bench(*how, seconds=seconds, profile=profile, others=others, untuned=untuned)


def _bench(
    folder: Path, remote: str, device: str, inputs: dict[str, np.ndarray], others: Others
) -> BenchResult:
    prepare_environment()
    from engine.deploy.remote_executor import RemoteExecutor

    link = Link(parse_address(remote))
    try:
        link.open(Wanted(_WORK_S, _WAIT_S))
    except NoServer as error:
        raise DeviceMissing(
            Sentence("{error}.", error=error), "Start it, then go on.", Hint.SERVER
        ) from error
    executor = RemoteExecutor(link.session, folder, device)
    sensors = Sensors(link.read)
    sensors.state(link.read)  # what its cores may have before
    outputs, steps = executor.run(inputs), executor.latencies()
    total_s, board = sum(latency_s for _, latency_s in steps), sensors.state(link.read)
    found = answers(executor, others)
    return BenchResult(outputs, (total_s,), tuple(steps), found, board=board)


def bench_on_cluster(
    address: DaskAddress,
    folder: Path,
    target: TargetSpec,
    inputs: dict[str, np.ndarray],
    *,
    seconds: float,
    profile: bool,
    others: Others = (),
    connect: Connect = connect,
) -> BenchResult:
    """As `bench`, on a worker: whole executions, in a process of its own there. Blocks.

    Once more where the worker goes away. TuningError where the device or the module fails.
    """
    files = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    link = DeviceLink(address, cores=not target.is_gpu, connect=connect)
    try:
        for _ in range(2):
            name = find_worker(link, Wanted(_WORK_S, _WAIT_S))
            call = (
                files,
                target.device,
                target.cores,
                inputs,
                seconds,
                profile,
                versions(),
                others,
            )
            try:
                result: BenchResult = link.run(name, _bench_there, *call)
            except WorkerDied:
                continue
            return result
    finally:
        link.close()
    raise TuningError(
        "The workers that ran the whole model went away, twice.", "See to them; go on then."
    )


def _bench_there(
    files: dict[str, bytes],
    device: str,
    threads: int,
    inputs: dict[str, np.ndarray],
    seconds: float,
    profile: bool,
    wanted: Versions,
    others: Others,
) -> BenchResult:
    require_same(wanted, versions(), "worker")
    with scratch() as folder:
        for name, data in files.items():
            (folder / Path(name).name).write_bytes(data)
        how = (folder, device, threads, inputs)
        return bench(*how, seconds=seconds, profile=profile, others=others)
