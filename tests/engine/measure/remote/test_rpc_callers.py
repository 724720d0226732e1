"""A caller that is slow, or says nonsense, holds up no other one."""

from __future__ import annotations

import math
import socket
import struct
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from types import SimpleNamespace

import pytest

from engine.measure.remote import rpc_callers
from engine.measure.remote.rpc_callers import LONGEST_SESSION_S, Callers, session_s
from engine.measure.remote.rpc_runner import RpcRunner
from tests.engine.measure.rpc_lab import Lab, Served

MAGIC = struct.pack("<i", 0xFF271)


def said(key: bytes) -> bytes:
    """A greeting with a key."""
    return MAGIC + struct.pack("<i", len(key)) + key


GOOD = said(b"client:board:0.5 -timeout=62.0")
# What is not all of a greeting, and what is none.
HALVES = [b"", GOOD[:1], GOOD[:4], GOOD[:6], GOOD[:8], GOOD[:-1], MAGIC + struct.pack("<i", 900)]
WRONG = [
    b"GET / HTTP/1.1\r\n\r\n",
    bytes(64),
    MAGIC + struct.pack("<i", -1),
    MAGIC + struct.pack("<i", 0),
    MAGIC + struct.pack("<i", 2**31 - 1) + b"x" * 2000,
    said(b"\xff\xfe\xfd"),
    said(b"   "),
    said(b"client:board:0.5 -timeout=soon"),
]


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as made:
        yield made


@pytest.mark.parametrize("first", [*HALVES, *WRONG])
def test_who_greets_in_full_is_taken_before_all_who_came_earlier(
    listener: socket.socket, first: bytes
) -> None:
    with ExitStack() as stack:
        for words in (first, first, GOOD):
            client = stack.enter_context(socket.create_connection(listener.getsockname()))
            client.sendall(words)
        caller = stack.enter_context(Callers(listener, limit_s=600.0).accept()[0])
        assert caller.recv(len(GOOD), socket.MSG_WAITALL) == GOOD
        assert caller.gettimeout() is None


@pytest.mark.parametrize("words", [*HALVES, *WRONG])
def test_nobody_is_waited_for_beyond_the_limit_and_the_server_goes_on(
    listener: socket.socket, words: bytes
) -> None:
    with socket.create_connection(listener.getsockname()) as client:
        client.sendall(words)
        with Callers(listener, limit_s=0.1).accept()[0] as caller:
            assert caller.recv(8) == bytes(4)  # no greeting: TVM closes it
        client.settimeout(10)
        with suppress(ConnectionResetError):  # which is one, too, where something was unread
            assert client.recv(1) == b""  # it was turned away


def test_each_has_all_of_the_limit_whoever_came_before(
    listener: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    at, now_s = listener.getsockname(), 0.0
    clients = [socket.create_connection(at) for _ in range(2)]

    def clock() -> float:
        """A late one calls after 1 s, and has greeted after 4 s, when the first were let go."""
        nonlocal now_s
        now_s += 0.05
        if now_s > 1 and len(clients) == 2:
            clients.append(socket.create_connection(at))
        if now_s > 4 and len(clients) == 3:
            clients[2].sendall(GOOD)
            clients.append(clients[2])
        return now_s

    monkeypatch.setattr(rpc_callers, "time", SimpleNamespace(monotonic=clock))
    caller, _ = Callers(listener, limit_s=3.5).accept()
    monkeypatch.undo()
    assert caller.recv(len(GOOD), socket.MSG_WAITALL) == GOOD
    for each in (caller, *clients):
        each.close()


def test_one_who_hangs_up_is_not_waited_for(listener: socket.socket) -> None:
    socket.create_connection(listener.getsockname()).close()
    with Callers(listener, limit_s=600.0).accept()[0] as caller:
        assert caller.recv(8) == bytes(4)


@pytest.mark.parametrize("wanted", [None, 0.0, -1.0, math.nan, math.inf, 1e9])
def test_a_session_has_an_end(wanted: float | None) -> None:
    assert session_s(wanted) == LONGEST_SESSION_S


def test_a_session_lasts_as_its_client_wants_within_that() -> None:
    assert session_s(62.0) == 62.0


@pytest.fixture
def served(lab: Lab) -> Iterator[Served]:
    """A server of the lab under the key "called"."""
    made = lab.serve("called")
    yield made
    made.close()


def _require_usable(lab: Lab) -> None:
    runner = RpcRunner(lab.address("called"), wait_s=60.0, context=lab.context)
    assert runner.wait_ready(120)
    runner.close()


@pytest.mark.slow
def test_a_device_is_to_be_had_while_slow_callers_hold_on(lab: Lab, served: Served) -> None:
    tracker = struct.pack("<i", 0x2F271)
    halves = (b"", tracker[:2], tracker, tracker + struct.pack("<i", 1000) + b"[7")
    calls = [(served.server.address, half) for half in HALVES]
    calls += [(lab.tracker.address, half) for half in halves]
    with ExitStack() as stack:
        for address, half in calls:
            stack.enter_context(socket.create_connection(address)).sendall(half)
        _require_usable(lab)


@pytest.mark.slow
def test_nonsense_does_not_end_the_server(lab: Lab, served: Served) -> None:
    before = served.server.pid
    for words in WRONG:
        with socket.create_connection(served.server.address) as client:
            client.sendall(words)
    _require_usable(lab)
    assert served.server.pid == before
