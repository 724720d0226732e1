"""A client of TVM's tracker that never waits longer than it is told."""

from __future__ import annotations

import socket
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from engine.measure.remote.given import require_given
from engine.measure.remote.server_search import Unreachable
from engine.records.addresses import RpcAddress, Server, place


class TrackerGone(Unreachable):
    """The tracker does not answer, or is none."""


@dataclass(frozen=True, slots=True)
class Grant:
    """A server that waits for us alone; `match` is the word that it expects."""

    server: Server
    match: str


def has_server(address: RpcAddress) -> bool:
    """Whether the tracker answers and knows a server of the key; blocks for seconds at most.

    As `require_given`.
    """
    require_given(address)
    try:
        client = TrackerClient(address.tracker)
        try:
            return bool(client.servers(address.key))
        finally:
            client.close()
    except TrackerGone:
        return False


class TrackerClient:
    """One connection. Every method raises TrackerGone where the tracker fails."""

    def __init__(self, tracker: Server, timeout_s: float = 5.0) -> None:
        self._tracker = tracker
        try:
            self._socket = socket.create_connection(tracker, timeout_s)
        except OSError as error:
            raise TrackerGone(f"No tracker answers at {place(tracker)}") from error
        try:
            self._greet()
        except BaseException:
            self._socket.close()
            raise

    def close(self) -> None:
        """Leave; a request that still waits is forgotten."""
        self._socket.close()

    def servers(self, key: str) -> tuple[Server, ...]:
        """The servers of a key that are alive, busy ones too, in order of their addresses."""
        from tvm.rpc.base import TrackerCode

        _, summary = self._ask([TrackerCode.SUMMARY])
        found = [info["addr"] for info in summary["server_info"] if info["key"] == f"server:{key}"]
        return tuple(sorted((str(host), int(port)) for host, port in found))

    def request(self, key: str, timeout_s: float) -> Grant | None:
        """The server of a key that is free first, or None. After None only `close` helps."""
        from tvm.rpc.base import TrackerCode

        self._socket.settimeout(max(0.01, timeout_s))
        try:
            _, (host, port, match) = self._ask([TrackerCode.REQUEST, key, "", 1])
        except TimeoutError:
            return None
        return Grant((str(host), int(port)), str(match))

    def _greet(self) -> None:
        from tvm.rpc.base import RPC_TRACKER_MAGIC, recvall

        with self._failing():
            self._socket.sendall(struct.pack("<i", RPC_TRACKER_MAGIC))
            (magic,) = struct.unpack("<i", recvall(self._socket, 4))
        if magic != RPC_TRACKER_MAGIC:
            raise TrackerGone(f"What answers at {place(self._tracker)} is no tracker")

    def _ask(self, question: list[Any]) -> Any:
        from tvm.rpc.base import TrackerCode, recvjson, sendjson

        try:
            with self._failing(TimeoutError):
                sendjson(self._socket, question)
                answer = recvjson(self._socket)
            if answer[0] != TrackerCode.SUCCESS:
                raise ValueError(answer)
        except (ValueError, TypeError, LookupError) as error:
            where = place(self._tracker)
            raise TrackerGone(f"The tracker at {where} makes no sense") from error
        return answer

    @contextmanager
    def _failing(self, *but: type[OSError]) -> Iterator[None]:
        """Whatever breaks the connection inside the block is TrackerGone, `but` these."""
        try:
            yield
        except but:
            raise
        except (OSError, struct.error) as error:
            raise TrackerGone(f"The tracker at {place(self._tracker)} does not answer") from error
