"""Names of devices elsewhere: servers behind a tracker of TVM's, the workers of a Dask cluster."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass

from engine.records.errors import TargetError
from engine.records.sentences import Sentence
from engine.records.units import whole_number

SCHEME = "rpc://"
Server = tuple[str, int]
"""Where a server listens, as its tracker tells it."""

_SHOWN = 80  # characters of what is no address
_PLACE = r"(\[[0-9A-Fa-f:.]{2,45}\]|[\w.-]{1,253}):(\d{1,5})"  # as long as names are
_FORM = re.compile(rf"rpc://{_PLACE}/([\w.-]{{1,64}})", re.ASCII)
_WORKER = re.compile(rf"\w+://{_PLACE}", re.ASCII)


@dataclass(frozen=True, slots=True)
class RpcAddress:
    """The devices that serve `key` at the tracker at `host` and `port`."""

    host: str
    port: int
    key: str

    def __str__(self) -> str:
        return f"{SCHEME}{place(self.tracker)}/{self.key}"

    @property
    def tracker(self) -> Server:
        return self.host, self.port


def parse_address(text: str) -> RpcAddress:
    """The address that "rpc://HOST:PORT/KEY" names; TargetError where it names none."""
    found = _FORM.fullmatch(text)
    if found is None or not (port := port_number(found[2])):
        raise TargetError(
            Sentence("{text} names no remote device.", text=_shown(text)),
            "Write rpc://HOST:PORT/KEY, of its tracker.",
        )
    return RpcAddress(found[1].strip("[]"), port, found[3])


def parse_place(text: str) -> Server:
    """The host and port that "HOST:PORT" names; TargetError where it names none."""
    address = parse_address(f"{SCHEME}{text}/any")
    return address.host, address.port


def _shown(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}...")


def port_number(text: str) -> int | None:
    """The port that a text names; nothing or 0 where it names none."""
    return whole_number(text, (1 << 16) - 1)


def place(server: Server) -> str:
    """HOST:PORT."""
    host, port = server
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches what listens there."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


DASK, DASK_TLS = "dask://", "dask+tls://"
_DASK_FORM = re.compile(rf"dask(\+tls)?://{_PLACE}", re.ASCII)
_SCHEDULER = re.compile(r"\A(tcp|tls)://", re.ASCII)
_NAMED = re.compile(rf"\b(rpc|dask|dask\+tls|tcp|tls)://{_PLACE}", re.ASCII)


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
    found = _DASK_FORM.fullmatch(text)
    if found is None or not (port := port_number(found[3])):
        raise TargetError(
            Sentence("{text} names no scheduler of Dask's.", text=_shown(text)),
            "Write dask://HOST:PORT, or dask+tls://HOST:PORT where certificates are used.",
        )
    return DaskAddress(found[2].strip("[]"), port, found[1] is not None)


def parse_scheduler(text: str) -> DaskAddress:
    """The cluster that builds, by its scheduler's address: "tcp://HOST:PORT", "tls://HOST:PORT", or
    as a device's. TargetError where it is none."""
    try:
        return parse_dask(_SCHEDULER.sub(lambda of: DASK if of[1] == "tcp" else DASK_TLS, text, 1))
    except TargetError:
        raise TargetError(
            Sentence("{text} names no scheduler of Dask's.", text=_shown(text)),
            "Write tcp://HOST:PORT, or tls://HOST:PORT where certificates are used.",
        ) from None


def server_of(worker: str) -> Server | None:
    """Where a worker listens, by its name ("tcp://HOST:PORT"); None for one without a port."""
    found = _WORKER.fullmatch(worker)
    port = port_number(found[2]) if found else None
    return (found[1].strip("[]"), port) if found and port else None


@dataclass(frozen=True, slots=True)
class Named:
    """A host and a port that a text names, and what is said to answer there."""

    host: str
    port: int
    is_dask: bool
    tls: bool

    @property
    def place(self) -> str:
        """HOST:PORT, the same for all ways of writing it."""
        return place((self.host, self.port))


def addresses_in(text: str) -> tuple[Named, ...]:
    """All that a text names: an address, a list of them, a target or TVM's JSON with one."""
    found = []
    for scheme, host, number in _NAMED.findall(text):
        if port := port_number(number):
            tls = scheme in ("tls", "dask+tls")
            found.append(Named(host.strip("[]").lower(), port, scheme != "rpc", tls))
    return tuple(found)


SCHEMES = (SCHEME, DASK, DASK_TLS)
RemoteAddress = RpcAddress | DaskAddress


def named_of(address: RemoteAddress) -> Named:
    """What an address names."""
    is_dask = isinstance(address, DaskAddress)
    tls = isinstance(address, DaskAddress) and address.tls
    return Named(address.host.lower(), address.port, is_dask, tls)


def is_remote(text: str) -> bool:
    """Whether a text begins as such a name does."""
    return text.startswith(SCHEMES)


def again_todo(address: str) -> Sentence:
    """What brings a lost device back: one of this machine, where there is no address."""
    if not address:
        return Sentence("See that it works again")
    if address.startswith((DASK, DASK_TLS)):
        return Sentence("Start its worker again")
    return Sentence("Start its server again")


def parse_remote(text: str) -> RemoteAddress:
    """The address that a text names; TargetError where it names none."""
    return parse_dask(text) if text.startswith((DASK, DASK_TLS)) else parse_address(text)
