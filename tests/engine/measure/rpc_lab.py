"""A real tracker and real servers of TVM's on loopback, for the tests of remote devices."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

import psutil
import pytest

from engine.measure.remote.given import VARIABLE
from engine.measure.remote.rpc_runner import RpcRunner
from engine.measure.remote.rpc_serving import RpcServer, RpcTracker
from engine.records.addresses import RpcAddress, place
from engine.workers.fork_server import ForkServerContext

KEY = "board"
LOOK_S = 0.1


@dataclass
class Served:
    """A server that is watched."""

    server: RpcServer
    watcher: threading.Thread

    def kill(self) -> None:
        """Kill the process that serves, and its sessions; it is started again."""
        process = psutil.Process(self.server.pid)
        for one in (*process.children(recursive=True), process):
            one.kill()

    def close(self) -> None:
        """End it for good, and check that nothing of it is left. Idempotent."""
        if not self.watcher.is_alive():
            return
        processes = family(self.server.pid)
        self.server.close()
        self.watcher.join(10)
        assert not self.watcher.is_alive()
        assert not psutil.wait_procs(processes, 10)[1]


class Shared(ForkServerContext):
    """A fork server that imports TVM once, for all the servers and runners of a lab."""

    def stop(self) -> None:
        """Go on: others use it."""

    def end(self) -> None:
        """Stop."""
        super().stop()


class Lab:
    """A tracker, and servers that come and go; `own` is a test's."""

    def __init__(self, tracker: RpcTracker) -> None:
        self.tracker = tracker
        self.stack = ExitStack()
        self.context = Shared(("tvm.rpc",))
        self.stack.callback(self.context.end)
        self.own: Served

    def address(self, key: str = KEY) -> RpcAddress:
        """The servers of a key."""
        return RpcAddress(*self.tracker.address, key)

    def serve(self, key: str = KEY, port: int | None = None) -> Served:
        """One more server; it ends with the lab, or before."""
        server = RpcServer(
            key,
            self.tracker.address,
            port=port or free_port(),
            look_s=LOOK_S,
            context=self.context,
        )
        watcher = threading.Thread(target=server.watch, daemon=True)
        watcher.start()
        served = Served(server, watcher)
        self.stack.callback(server.close)
        return served


_open: list[Lab] = []


@contextmanager
def open_lab() -> Iterator[Lab]:
    """A tracker with one server. Skips where TVM's tracker lacks its package."""
    pytest.importorskip("tornado", reason="TVM's tracker needs tornado")
    lab = Lab(RpcTracker(port=free_port()))
    _open.append(lab)
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(VARIABLE, place(lab.tracker.address))  # wherever the settings are
            lab.serve()
            yield lab
    finally:
        lab.stack.close()
        lab.tracker.close()
        _open.remove(lab)


def runner() -> RpcRunner:
    """A runner on the first server of the lab that is open."""
    return RpcRunner(_open[0].address(), context=_open[0].context)


def family(pid: int) -> list[psutil.Process]:
    """A process and all that it started."""
    process = psutil.Process(pid)
    return [process, *process.children(recursive=True)]


def free_port() -> int:
    """A port that nothing listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
