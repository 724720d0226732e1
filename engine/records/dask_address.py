"""Names of devices that the workers of a Dask cluster have: the scheduler's address."""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.records.errors import TargetError
from engine.records.rpc_address import Server, place

DASK, DASK_TLS = "dask://", "dask+tls://"
_FORM = re.compile(r"dask(\+tls)?://(\[[0-9A-Fa-f:.]+\]|[\w.-]+):(\d{1,5})", re.ASCII)


@dataclass(frozen=True, slots=True)
class DaskAddress:
    """The devices of the cluster whose scheduler is at `host` and `port`."""

    host: str
    port: int
    tls: bool = False

    def __str__(self) -> str:
        return f"{DASK_TLS if self.tls else DASK}{self.key}"

    @property
    def key(self) -> str:
        """What its devices are called."""
        return place((self.host, self.port))

    @property
    def scheduler(self) -> str:
        """The address as Dask writes it."""
        return f"{'tls' if self.tls else 'tcp'}://{self.key}"


def parse_dask(text: str) -> DaskAddress:
    """The address that "dask://HOST:PORT" names; TargetError where it names none."""
    found = _FORM.fullmatch(text)
    if found is None or not 0 < int(found[3]) < 1 << 16:
        raise TargetError(
            f"{text!r} names no scheduler of Dask's.",
            "Write dask://HOST:PORT, or dask+tls://HOST:PORT where certificates are used.",
        )
    return DaskAddress(found[2].strip("[]"), int(found[3]), found[1] is not None)


def server_of(worker: str) -> Server | None:
    """Where a worker listens, by its name ("tcp://HOST:PORT"); None for one without a port."""
    host, _, port = worker.partition("://")[2].rpartition(":")
    return (host.strip("[]"), int(port)) if host and port.isdecimal() else None
