"""Measures on a device that a worker of a Dask cluster has."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from engine.measure.local_runner import Results
from engine.measure.remote import cluster_device, cluster_link
from engine.measure.remote.cluster_device import Libraries, Measuring
from engine.measure.remote.cluster_worker import facts, versions
from engine.measure.remote.dask_link import Connect, DeviceLink, WorkerSearch, start_hint
from engine.measure.remote.remote_runner import Attached, RemoteRunner
from engine.measure.remote.server_search import Wanted
from engine.measure.run_worker import Job
from engine.measure.worker_process import WorkerDied
from engine.records.addresses import DaskAddress, Server
from engine.records.errors import TuningError
from engine.records.sentences import Sentence


class DaskRunner(RemoteRunner):
    """The device of one worker of the cluster at `address`, which measures it in a child process.

    A kernel that crashes or hangs costs its child alone. On a CPU no task that builds runs on the
    worker while it measures.
    """

    def __init__(
        self,
        address: DaskAddress,
        device: str = "cpu",
        *,
        wait_s: float = 20.0,
        return_s: float = 3.0,
        say: Callable[[str], None] = lambda text: None,
        avoid: Callable[[], frozenset[Server]] = frozenset,
        connect: Connect = cluster_link.connect,
    ) -> None:
        self.address = address
        self.start = start_hint(address)
        self._on_cpu = device.startswith("cpu")
        self._link = DeviceLink(
            address, cores=self._on_cpu, connect=connect, over=lambda: self._unwanted
        )
        name = f"tunewright-{uuid.uuid4().hex}"
        self._measuring = Measuring(name, device, versions())
        self._claimed: Server | None = None
        self._name = ""
        self._here: dict[str, bool] = {}
        super().__init__(device, wait_s=wait_s, return_s=return_s, say=say, avoid=avoid)

    @property
    def server(self) -> Server | None:
        """Where the device is, or will be; None while there is none yet."""
        return self._claimed or self._server

    def close(self) -> None:
        """Cancel what is left, end the processes on the workers and disconnect; idempotent."""
        if self._closed:
            return
        super().close()
        if self._here and self._failure is None:
            self._end(cluster_device.leave, list(self._here))
        self._link.close()

    def _end(self, how: Callable[[str], None], names: list[str]) -> None:
        """End the run's processes on these workers, whatever they do."""
        with suppress(Exception):  # whatever Dask says when its other end is gone
            client, run = self._link.open(), self._measuring.run
            client.run(how, run, workers=names, on_error="ignore")

    def _begin(self) -> None:
        self._link.open()
        super()._begin()
        self._warn_of_company()

    def _find(self, wanted: Wanted) -> Attached:
        search = WorkerSearch(
            self._link,
            wanted,
            taken=self._avoid,
            claim=self._claim,
            refusal=self._refusal,
            over=lambda: self._closed,
        )
        self._name = search.run()
        assert self._claimed is not None
        return Attached(self._claimed, self._here[self._name])

    def _claim(self, server: Server | None) -> None:
        self._claimed = server

    def _refusal(self, _: Server, name: str) -> str:
        """Why a worker that is new to this run does not measure; empty where it does."""
        if name in self._here:
            return ""
        try:
            found = self._link.facts_of(name)
            self._link.run(name, cluster_device.prepare, self._measuring)
        except TuningError as error:
            return error.what.rstrip(".")
        except WorkerDied as error:
            return str(error)
        self._here[name] = found.machine == facts().machine
        return ""

    def _once(self, job: Job) -> Results:
        libraries: Libraries = tuple(_read(request.artifact) for request in job.requests)
        try:
            results: Results = self._link.run(
                self._name, cluster_device.measure, job, libraries, self._measuring
            )
        except WorkerDied:
            if not self._closed:  # which ends what is there
                if self._unwanted:
                    self._end(cluster_device.give_up, [self._name])
                self._here.pop(self._name, None)  # one that comes back there has to be looked at
            raise
        return results

    def _warn_of_company(self) -> None:
        if not self._on_cpu:
            return
        with suppress(TuningError):
            machine = self._link.facts_of(self._name).machine
            others = self._link.company(self._name, machine)
            if others and machine:
                self._say(
                    Sentence(
                        "On the machine where {name} measures, other workers of the cluster may "
                        "disturb it: {names}. Give it one worker with both resources.",
                        name=self._name,
                        names=", ".join(others),
                    )
                )


def _read(path: str) -> bytes | None:
    try:
        return Path(path).read_bytes()
    except OSError:
        return None
