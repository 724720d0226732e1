"""Starts TVM's own tracker and server, keeps the server going, and ends both cleanly."""

from __future__ import annotations

import errno
import os
import signal
import socket
import struct
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from multiprocessing.connection import Connection
from typing import Any

from engine.measure.remote.rpc_callers import Callers, session_s
from engine.measure.remote.rpc_tracker import TrackerClient, TrackerGone
from engine.records.addresses import Server, is_loopback
from engine.records.errors import Hint, TuningError, UsageError, install_todo
from engine.records.machine import prepare_environment
from engine.records.sentences import Sentence
from engine.workers.artifacts import ArtifactFolder
from engine.workers.child import TEXT_LIMIT, error_text, exit_text, log_path, settle
from engine.workers.fork_server import ForkServerContext

TRACKER_PORT, SERVER_PORT = 9190, 9090
_PORTS = 100  # that are tried from the default on, where none is given
_START_S, _RESTART_S = 60.0, 20.0
_PR_SET_PDEATHSIG = 1


class RpcTracker:
    """TVM's tracker, in a thread of this process. UsageError where it cannot listen."""

    def __init__(self, host: str = "127.0.0.1", port: int | None = None) -> None:
        prepare_environment()
        try:
            from tvm.rpc.tracker import PopenTrackerServerState
        except ImportError as error:  # TVM's wheel does not declare it
            raise TuningError(
                "TVM's tracker needs the package tornado.", install_todo("tornado")
            ) from error
        free = _free_port(host, port, TRACKER_PORT)
        self._state = PopenTrackerServerState(host, free, free + 1, silent=True)
        self.address: Server = (host, free)

    def close(self) -> None:
        """End it; its clients see their connections end. Idempotent."""
        from tvm.rpc.base import RPC_TRACKER_MAGIC, TrackerCode, recvall, recvjson, sendjson

        if not self._state.thread.is_alive():
            return
        with (
            suppress(OSError),
            socket.create_connection(_near(self.address), timeout=5) as connection,
        ):
            connection.sendall(struct.pack("<i", RPC_TRACKER_MAGIC))
            recvall(connection, 4)
            sendjson(connection, [TrackerCode.STOP, self._state.stop_key])
            recvjson(connection)
        self._state.thread.join(5)


class RpcServer:
    """TVM's server for one key, in a process of its own that is started again when it ends.

    TVM's server ends when a session's process crashes, as a candidate's may. It also waits for a
    session whose client has gone while a kernel runs; `watch`, which looks every `look_s`, ends
    those. TuningError where the tracker does not answer, UsageError where it cannot listen.
    """

    def __init__(
        self,
        key: str,
        tracker: Server,
        host: str = "127.0.0.1",
        port: int | None = None,
        say: Callable[[str], None] = lambda text: None,
        look_s: float = 0.5,
        context: ForkServerContext | None = None,
    ) -> None:
        prepare_environment()
        self._key, self._tracker, self._host, self._say = key, tracker, host, say
        self._look_s = look_s
        self._closed, self._lock = threading.Event(), threading.Lock()
        _require_tracker(tracker)
        self.address: Server = (host, _free_port(host, port, SERVER_PORT))
        self._context = context or ForkServerContext(("tvm.rpc",))
        self._logs = ArtifactFolder()
        self._process: Any = None
        self._abandoned: set[int] = set()
        try:
            self._start()
        except BaseException:
            self.close()
            raise

    @property
    def pid(self) -> int:
        """The process that serves now."""
        return int(self._process.pid)

    def watch(self) -> None:
        """Keep it going until it is closed."""
        while not self._closed.wait(self._look_s):
            if self._process.is_alive():
                self._end_abandoned()
                continue
            with self._lock:
                if not self._closed.is_set():
                    self._restart()

    def close(self) -> None:
        """End it with its sessions. Idempotent, from any thread."""
        self._closed.set()
        with self._lock:
            self._end_process()
            self._context.stop()
            self._logs.close()

    def _restart(self) -> None:
        """Start the process again, whose port may not be free at once."""
        self._say(Sentence("The server starts again, after this: {value}", value=self._death()))
        until = time.monotonic() + _RESTART_S
        while True:
            self._end_process()
            try:
                return self._start()
            except TuningError:
                if time.monotonic() > until:
                    raise
            time.sleep(self._look_s)

    def _start(self) -> None:
        ours, theirs = self._context.Pipe()
        args = (theirs, str(self._logs.path), self.address, self._key, self._tracker)
        self._process = self._context.Process(target=serve, args=args, name="rpc-server")
        self._process.start()
        theirs.close()
        try:
            refusal = ours.recv() if ours.poll(_START_S) else Sentence("It takes too long.")
        except EOFError:
            refusal = self._death()
        ours.close()
        if refusal:
            raise TuningError(Sentence("The server does not start. {refusal}", refusal=refusal))

    def _death(self) -> str:
        self._process.join(1.0)
        try:
            text = log_path(str(self._logs.path), self._process.pid).read_text(errors="replace")
        except OSError:
            text = ""
        lines = [line for line in text.splitlines() if line.strip()]
        return lines[-1][:TEXT_LIMIT] if lines else f"({exit_text(self._process.exitcode)})"

    def _end_process(self) -> None:
        import psutil

        if self._process is None or self._process.pid is None:
            return
        with suppress(psutil.Error):
            for child in psutil.Process(self._process.pid).children(recursive=True):
                with suppress(psutil.Error):
                    child.kill()
        self._process.kill()
        self._process.join()

    def _end_abandoned(self) -> None:
        """Kill sessions that were already without their client at the last look."""
        import psutil

        gone: set[int] = set()
        with suppress(psutil.Error):
            for session in psutil.Process(self._process.pid).children():
                states = {one.status for one in session.net_connections("tcp")}
                if psutil.CONN_CLOSE_WAIT in states:
                    gone.add(session.pid)
                    if session.pid in self._abandoned:
                        session.kill()
        self._abandoned = gone


def serve(pipe: Connection, log_dir: str, address: Server, key: str, tracker: Server) -> None:
    """Be TVM's server until its thread ends. Sends an error, or "" once it listens."""
    settle(log_dir)
    prepare_environment()
    import multiprocessing

    import tvm
    from tvm.rpc.server import PopenRPCServerState

    _keep_callers_apart()
    # A session of a forked process starts at once, but has no working CUDA.
    multiprocessing.set_start_method("spawn" if tvm.cuda(0).exist else "fork", force=True)
    os.register_at_fork(after_in_child=partial(_die_with_server, os.getpid()))
    host, port = address
    # A client that is told of loopback reaches a server there by a tunnel of the same port.
    told = "127.0.0.1" if is_loopback(host) else None
    options = {"tracker_addr": tracker, "key": key, "custom_addr": told, "silent": True}
    try:
        state = PopenRPCServerState(host, port, port + 1, **options)
    except (OSError, ValueError) as error:
        pipe.send(f"{error_text(error)}.")
        return
    pipe.send("")
    pipe.close()
    state.thread.join()


def _keep_callers_apart() -> None:
    """Have none of TVM's server's callers hold up the others: not by its greeting, and not by a
    session without end."""
    from tvm.rpc import server

    listen, options = server._listen_loop, server._parse_server_opt

    def listening(listener: socket.socket, *rest: Any) -> None:
        listen(Callers(listener), *rest)

    def limited(words: Any) -> dict[str, Any]:
        found = dict(options(words))
        return {**found, "timeout": session_s(found.get("timeout"))}

    server._listen_loop, server._parse_server_opt = listening, limited


def _free_port(host: str, port: int | None, usual: int) -> int:
    """The port, or the first free one from the usual one on. UsageError where it is taken.

    TVM would look by itself, and leave its socket open where it fails.
    """
    for candidate in (port,) if port else range(usual, usual + _PORTS):
        try:
            family = socket.getaddrinfo(host, candidate, type=socket.SOCK_STREAM)[0][0]
            with socket.socket(family, socket.SOCK_STREAM) as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind((host, candidate))
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                continue
            raise UsageError(
                Sentence(
                    "Nothing can listen at {host}: {value}.",
                    host=host,
                    value=error.strerror or error,
                ),
                "Give another host or port.",
            ) from error
        return candidate
    taken = (
        Sentence("Port {port} is taken on {host}.", port=port, host=host)
        if port
        else Sentence("All of its usual ports are taken on {host}.", host=host)
    )
    raise UsageError(taken, "Give another port.")


def _near(server: Server) -> Server:
    """How this machine reaches what it listens on itself."""
    host, port = server
    return ("127.0.0.1" if host in ("0.0.0.0", "") else "::1" if host == "::" else host), port


def _require_tracker(tracker: Server) -> None:
    try:
        TrackerClient(tracker).close()
    except TrackerGone as error:
        raise TuningError(
            Sentence("{error}.", error=error), "Start one there.", Hint.TRACKER
        ) from error


def _die_with_server(server: int) -> None:
    """Have a session end when the server's thread that forked it does, whatever ends that."""
    import ctypes

    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != server:  # it went before
        os._exit(1)
