"""A session with one server of a key: found through the tracker, held, released."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

from engine.measure.rpc_address import RpcAddress, Server, place
from engine.measure.rpc_tracker import Grant, TrackerClient, TrackerGone

_LOOK_S = 0.25
_MARGIN_S = 2.0  # so that we see a time limit before the server does


class NoServer(Exception):
    """No server could be had in time; the text is a sentence without its full stop."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A session to work in for `work_s` seconds at least, to be had within `wait_s`.

    `server` is the one to come back to; another one of the key takes its place only when the
    tracker has missed it for `return_s`. With none to come back to, and none known, `return_s` is
    all the waiting. Those `refused` are never taken.
    """

    work_s: float
    wait_s: float
    return_s: float = 3.0
    server: Server | None = None
    refused: frozenset[Server] = frozenset()


class Link:
    """At most one session with a server of `address`; it lasts `lasting_s` and a job's time.

    A server ends a session that grows older: that frees it from a kernel that never ends.
    """

    def __init__(self, address: RpcAddress, lasting_s: float = 60.0) -> None:
        self._address = address
        self._lasting_s = lasting_s
        self._until = 0.0
        self.session: Any = None
        self.server: Server | None = None

    def serves(self, wanted: Wanted) -> bool:
        """Whether the session that there is, is as wanted."""
        lasts = time.monotonic() + wanted.work_s <= self._until
        return self.session is not None and lasts and self.server not in wanted.refused

    def open(self, wanted: Wanted) -> None:
        """Have a session as wanted; there must be none. NoServer where none can be had."""
        from tvm import rpc

        grant = _Search(self._address, wanted).run()
        lasting_s = self._lasting_s + wanted.work_s
        host, port = grant.server
        try:
            self.session = rpc.connect(host, port, grant.match, lasting_s + _MARGIN_S)
        except Exception as error:  # TVM raises whatever its connection does
            raise NoServer(f"The server at {place(grant.server)} takes no session") from error
        self.server = grant.server
        self._until = time.monotonic() + lasting_s

    def release(self) -> None:
        """Give the server back to its tracker."""
        if self.session is not None:
            with suppress(Exception):  # it may be gone
                self.session.get_function("CloseRPCConnection")()
        self.session = None

    def alive(self) -> bool:
        """Whether the server's process answers."""
        try:
            self.workpath("alive")
        except Exception:  # TVM raises whatever its connection does
            return False
        return True

    def is_here(self) -> bool:
        """Whether the server's files are this machine's, however its address looks."""
        name = uuid4().hex
        try:
            self.session.upload(bytearray(name.encode()), name)
            path = Path(self.workpath(name))
            here = path.is_file() and path.read_text() == name
            self.session.remove(name)
        except Exception:  # TVM raises whatever its connection does
            return False
        return here

    def workpath(self, name: str) -> str:
        """Where the server keeps a file."""
        return str(self.session.get_function("tvm.rpc.server.workpath")(name))


class _Search:
    """One search for a server."""

    def __init__(self, address: RpcAddress, wanted: Wanted) -> None:
        self._address, self._wanted = address, wanted
        self._until = time.monotonic() + wanted.wait_s
        self._missed_at: float | None = None
        self._problem = f"No server of {address.key} is known at {place(address.tracker)}"

    def run(self) -> Grant:
        """The grant of a server. NoServer says why there is none."""
        while True:
            try:
                if (grant := self._look()) is not None:
                    return grant
            except TrackerGone as error:
                self._problem = str(error)
                self._miss()
            if time.monotonic() >= self._until or self._is_new_and_missed():
                raise NoServer(self._problem)
            time.sleep(_LOOK_S)

    def _miss(self) -> float:
        """Seconds since no server to take has been known."""
        now = time.monotonic()
        self._missed_at = self._missed_at or now
        return now - self._missed_at

    def _is_new_and_missed(self) -> bool:
        missing = self._wanted.server is None and self._missed_at is not None
        return missing and self._miss() >= self._wanted.return_s

    def _look(self) -> Grant | None:
        left_s = self._until - time.monotonic()
        client = TrackerClient(self._address.tracker, max(0.5, min(5.0, left_s)))
        try:
            server = self._choose(client.servers(self._address.key))
            if server is None:
                return None
            grant = client.request(self._address.key, self._until - time.monotonic())
        finally:
            client.close()
        where = place(self._address.tracker)
        if grant is None:
            self._problem = f"Every server of {self._address.key} is busy at {where}"
        elif grant.server != server:
            _decline(grant)
            return None
        return grant

    def _choose(self, servers: tuple[Server, ...]) -> Server | None:
        """The server to ask for now."""
        wanted = self._wanted.server
        others = [one for one in servers if one not in self._wanted.refused]
        if wanted in servers or (wanted is None and others):
            self._missed_at = None
            return wanted or others[0]
        awaited = self._miss() < self._wanted.return_s
        return None if awaited or not others else others[0]


def _decline(grant: Grant) -> None:
    """Let a server that is not the one wanted register again, by a session that ends at once."""
    from tvm import rpc

    with suppress(Exception):  # it may be gone
        session = rpc.connect(*grant.server, grant.match, 5)
        session.get_function("CloseRPCConnection")()
