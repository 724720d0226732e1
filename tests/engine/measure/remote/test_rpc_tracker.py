"""A tracker that is not there, is something else, or hangs."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import pytest

from engine.measure.remote.rpc_serving import RpcServer, RpcTracker
from engine.measure.remote.rpc_tracker import TrackerClient, TrackerGone
from engine.records.addresses import Server
from engine.records.errors import TuningError, UsageError
from tests.engine.measure.rpc_lab import KEY, Lab, free_port

MAGIC = b"\x71\xf2\x02\x00"  # TVM's, as its tracker answers


@contextmanager
def answering(answer: Callable[[socket.socket], None]) -> Iterator[Server]:
    """Something that listens on loopback and deals with one client."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            with suppress(OSError), listener.accept()[0] as client:
                answer(client)

        thread = threading.Thread(target=serve)
        thread.start()
        yield listener.getsockname()
        thread.join(10)


def hang(client: socket.socket) -> None:
    while client.recv(64):
        pass


@pytest.mark.parametrize(
    ("answer", "what"),
    [
        (lambda client: client.sendall(b"HTTP/1.1 400"), "is no tracker"),
        (lambda client: client.sendall(b"\x71"), "does not answer"),
        (lambda client: None, "does not answer"),
        (hang, "does not answer"),
    ],
    ids=["other", "cut", "closed", "hung"],
)
def test_what_is_no_tracker_is_told(answer: Callable[[socket.socket], None], what: str) -> None:
    with answering(answer) as place, pytest.raises(TrackerGone, match=what):
        TrackerClient(place, timeout_s=0.3)


@pytest.mark.parametrize(
    "reply", [b"", b"\x02\x00\x00\x00{}", b"\x04\x00\x00\x00[-1]", b"\x04\x00\x00\x00oops"]
)
def test_a_tracker_that_talks_nonsense_is_told(reply: bytes) -> None:
    def answer(client: socket.socket) -> None:
        client.sendall(MAGIC)
        client.recv(64)
        client.sendall(reply)

    with answering(answer) as place:
        client = TrackerClient(place, timeout_s=0.5)
        with pytest.raises(TrackerGone):
            client.servers("board")
        client.close()


def test_a_request_waits_no_longer_than_told_and_sees_the_servers(lab: Lab) -> None:
    client = TrackerClient(lab.tracker.address)
    end = time.monotonic() + 30
    while len(client.servers(KEY)) != 1:
        assert time.monotonic() < end
        time.sleep(0.02)
    assert client.servers("nobody") == ()
    assert client.request("nobody", 0.1) is None
    client.close()


def test_a_taken_port_is_told_by_tracker_and_server(lab: Lab) -> None:
    host, port = lab.tracker.address
    with pytest.raises(UsageError, match=f"Port {port} is taken"):
        RpcTracker(port=port)
    with pytest.raises(UsageError, match=f"Port {port} is taken"):
        RpcServer(KEY, (host, port), port=port)


def test_an_address_of_another_machine_cannot_be_listened_at(lab: Lab) -> None:
    with pytest.raises(UsageError, match=r"Nothing can listen at 192\.0\.2\.1"):
        RpcTracker("192.0.2.1")


def test_a_server_needs_its_tracker() -> None:
    with pytest.raises(TuningError, match="No tracker answers"):
        RpcServer(KEY, ("127.0.0.1", free_port()))
