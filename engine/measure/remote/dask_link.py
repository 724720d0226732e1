"""A connection to those workers of a Dask cluster that have a device; one task a device."""

from __future__ import annotations

import threading
import time
import uuid
import warnings
from collections.abc import Callable
from concurrent.futures import CancelledError
from contextlib import suppress
from typing import Any

from engine.measure.remote import cluster_link
from engine.measure.remote.cluster_link import (
    CPU,
    DEVICE,
    require_worker,
    start_worker,
    workers_with,
)
from engine.measure.remote.cluster_worker import Facts, facts
from engine.measure.remote.server_search import NoServer, Search, Unreachable, Wanted
from engine.measure.worker_process import WorkerDied
from engine.records.addresses import DaskAddress, Server, server_of
from engine.records.errors import DeviceMissing, TunewrightError, TuningError
from engine.records.sentences import Sentence
from engine.workers.child import error_text

_WAIT_S = 0.1
_LOOK_S = 1.0  # between two looks at whether a worker is there
_URGENT = 10  # before all builds
_KILLED = "KilledWorker"  # Dask's own, which cannot be imported without it

Connect = Callable[[str], Any]


class DeviceLink:
    """The workers with the resource `device` of the cluster at `address`.

    A task has all of that resource of its worker, and with `cores` all of its `cpu`, too: then
    nothing is built there meanwhile. `over` says when nothing is waited for any more.
    """

    def __init__(
        self,
        address: DaskAddress,
        *,
        cores: bool,
        connect: Connect = cluster_link.connect,
        over: Callable[[], bool] = lambda: False,
    ) -> None:
        self.address = address
        self._cores, self._connect, self._over = cores, connect, over
        self._client: Any = None

    def open(self) -> Any:
        """The client; connects where there is none. TuningError."""
        if self._client is None:
            self._client = self._connect(self.address.scheduler)
        return self._client

    def close(self) -> None:
        """Disconnect; idempotent."""
        client, self._client = self._client, None
        if client is not None:
            with suppress(Exception):  # whatever Dask says when its other end is gone
                client.close(timeout=2)

    def workers(self) -> dict[Server, str]:
        """The names of the workers, by where they are. Unreachable."""
        try:
            names = sorted(workers_with(self.open(), DEVICE))
        except TunewrightError as error:
            raise Unreachable(error.what.rstrip(".")) from error
        except Exception as error:  # whatever Dask says when its other end is gone
            self.close()
            raise Unreachable(
                Sentence("The cluster's scheduler at {key} has gone away", key=self.address.key)
            ) from error
        found = {server_of(name): name for name in names}
        return {server: name for server, name in found.items() if server is not None}

    def facts_of(self, name: str) -> Facts:
        """A worker's, which can do what we need; TuningError where it cannot."""
        try:
            answer = self.open().run(facts, workers=[name], on_error="return").get(name)
        except TunewrightError:
            raise
        except Exception as error:
            answer = error
        require_worker(facts(), name, answer)
        assert isinstance(answer, Facts)
        return answer

    def company(self, name: str, machine: str) -> list[str]:
        """The other workers of a machine that build or measure there."""
        with suppress(Exception):  # it is only looked at for a warning
            client = self.open()
            others = {*workers_with(client, CPU), *workers_with(client, DEVICE)} - {name}
            if others:
                found = client.run(facts, workers=sorted(others), on_error="ignore")
                return sorted(one for one, of in found.items() if of.machine == machine)
        return []

    def run(self, name: str, call: Callable[..., Any], *args: Any) -> Any:
        """What a call gives on a worker. WorkerDied where that goes away; TuningError."""
        done = threading.Event()
        try:
            inner = self._submit(name, call, args)
            inner.add_done_callback(lambda _: done.set())
            try:
                self._wait(name, done)
                return inner.result()
            finally:
                if not done.is_set():
                    inner.cancel(force=True)
                inner.release()
        except (WorkerDied, TunewrightError):
            raise
        except (OSError, CancelledError) as error:
            raise WorkerDied(error_text(error)) from error
        except Exception as error:
            kind = WorkerDied if type(error).__name__ == _KILLED else TuningError
            raise kind(f"{error_text(error)}.") from error

    def _submit(self, name: str, call: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        client = self.open()
        has = workers_with(client, DEVICE).get(name)
        if has is None:
            raise WorkerDied(f"The worker {name} is gone")
        taken = (DEVICE, CPU) if self._cores else (DEVICE,)
        with warnings.catch_warnings():  # that a module is large
            warnings.simplefilter("ignore")
            return client.submit(
                call,
                *args,
                key=f"tunewright-device-{uuid.uuid4().hex}",
                workers=[name],
                resources={kind: has[kind] for kind in taken if has.get(kind)},
                priority=_URGENT,
                pure=False,
            )

    def _wait(self, name: str, done: threading.Event) -> None:
        looked = time.monotonic()
        while not done.wait(_WAIT_S):
            if self._over():
                raise WorkerDied("The run is over")
            if time.monotonic() - looked < _LOOK_S:
                continue
            looked = time.monotonic()
            if name not in workers_with(self.open(), DEVICE):
                raise WorkerDied(f"The worker {name} is gone")


class WorkerSearch(Search[str]):
    """One search for a worker: its name. `taken` tells what others have, `claim` is told what is
    to be had, and `refusal` why it is not; each at a time when no other search chooses."""

    _choosing = threading.Lock()

    def __init__(
        self,
        link: DeviceLink,
        wanted: Wanted,
        *,
        taken: Callable[[], frozenset[Server]] = frozenset,
        claim: Callable[[Server | None], None] = lambda server: None,
        refusal: Callable[[Server, str], str] = lambda server, name: "",
        over: Callable[[], bool] = lambda: False,
    ) -> None:
        what = Sentence(
            "No worker of the cluster at {key} has the resource {device}",
            key=link.address.key,
            device=DEVICE,
        )
        super().__init__(wanted, what, over)
        self._link = link
        self._taken, self._claim, self._refusal = taken, claim, refusal
        self._unfit: set[str] = set()

    def look(self) -> str | None:
        """A worker that is there and fit."""
        names = self._link.workers()
        with self._choosing:
            taken = self._taken() - {self.wanted.server}
            free = [
                server
                for server, name in names.items()
                if name not in self._unfit and server not in taken
            ]
            if names and not free and not self._unfit:
                self.problem = Sentence(
                    "Every device of the cluster at {key} is taken", key=self._link.address.key
                )
            server = self.choose(free)
            self._claim(server)
        if server is None:
            return None
        if problem := self._refusal(server, names[server]):
            self.problem = problem
            self._unfit.add(names[server])
            return None
        return names[server]


def find_worker(link: DeviceLink, wanted: Wanted) -> str:
    """The name of a worker for something that is done once. DeviceMissing where there is none."""
    link.open()

    def refusal(server: Server, name: str) -> str:
        try:
            link.facts_of(name)
        except TuningError as error:
            return error.what.rstrip(".")
        return ""

    try:
        return WorkerSearch(link, wanted, refusal=refusal).run()
    except NoServer as error:
        raise DeviceMissing(Sentence("{error}.", error=error), start_hint(link.address)) from error


def start_hint(address: DaskAddress) -> Sentence:
    """What to do where no worker has a device."""
    command = start_worker(address, f"{CPU}=4 {DEVICE}=1")
    return Sentence("Start one with {command}, or choose another device.", command=command)
