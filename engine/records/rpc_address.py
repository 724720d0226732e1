"""Names of remote devices: a tracker's address and the key of the servers behind it."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass

from engine.records.errors import TargetError

SCHEME = "rpc://"
Server = tuple[str, int]
"""Where a server listens, as its tracker tells it."""

_FORM = re.compile(r"rpc://(\[[0-9A-Fa-f:.]+\]|[\w.-]+):(\d{1,5})/([\w.-]{1,64})", re.ASCII)


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
        """Where the tracker listens."""
        return self.host, self.port


def parse_address(text: str) -> RpcAddress:
    """The address that "rpc://HOST:PORT/KEY" names; TargetError where it names none."""
    found = _FORM.fullmatch(text)
    if found is None or not 0 < int(found[2]) < 1 << 16:
        raise TargetError(
            f"{text!r} names no remote device.", "Write rpc://HOST:PORT/KEY, of its tracker."
        )
    return RpcAddress(found[1].strip("[]"), int(found[2]), found[3])


def parse_place(text: str) -> Server:
    """The host and port that "HOST:PORT" names; TargetError where it names none."""
    address = parse_address(f"{SCHEME}{text}/any")
    return address.host, address.port


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
