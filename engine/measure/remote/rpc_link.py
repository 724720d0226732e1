"""A session with one server of a key: found through the tracker, held, released."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

from engine.measure.remote.given import require_given
from engine.measure.remote.rpc_tracker import Grant, TrackerClient
from engine.measure.remote.server_search import NoServer, Search, Wanted
from engine.records.addresses import RpcAddress, Server, place
from engine.records.sentences import Sentence

_MARGIN_S = 2.0  # so that we see a time limit before the server does


class Link:
    """At most one session with a server of `address`; it lasts `lasting_s` and a job's time.

    A server ends a session that grows older: that frees it from a kernel that never ends.
    AddressNotGiven for a tracker that no person gave here; the servers are those that it names.
    """

    def __init__(self, address: RpcAddress, lasting_s: float = 60.0) -> None:
        require_given(address)
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
            raise NoServer(
                Sentence("The server at {place} takes no session", place=place(grant.server))
            ) from error
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

    def read(self, path: str) -> bytes | None:
        """What is in a file of the server's, by its whole path; None where it cannot be read."""
        try:
            return bytes(self.session.download(path))
        except Exception:  # TVM raises whatever its server and its connection do
            return None

    def workpath(self, name: str) -> str:
        """Where the server keeps a file."""
        return str(self.session.get_function("tvm.rpc.server.workpath")(name))


class _Search(Search[Grant]):
    """One search for a server that the tracker knows."""

    def __init__(self, address: RpcAddress, wanted: Wanted) -> None:
        where = place(address.tracker)
        super().__init__(
            wanted, Sentence("No server of {key} is known at {where}", key=address.key, where=where)
        )
        self._address = address

    def look(self) -> Grant | None:
        """The grant of a server, where there is one now."""
        left_s = self.until - time.monotonic()
        client = TrackerClient(self._address.tracker, max(0.5, min(5.0, left_s)))
        try:
            server = self.choose(client.servers(self._address.key))
            if server is None:
                return None
            grant = client.request(self._address.key, self.until - time.monotonic())
        finally:
            client.close()
        where = place(self._address.tracker)
        if grant is None:
            self.problem = Sentence(
                "Every server of {key} is busy at {where}", key=self._address.key, where=where
            )
        elif grant.server != server:
            _decline(grant)
            return None
        return grant


def _decline(grant: Grant) -> None:
    """Let a server that is not the one wanted register again, by a session that ends at once."""
    from tvm import rpc

    with suppress(Exception):  # it may be gone
        session = rpc.connect(*grant.server, grant.match, 5)
        session.get_function("CloseRPCConnection")()
