"""Worker processes forked from a clean server that has imported what they need, once."""

from __future__ import annotations

import io
import os
import signal
from collections.abc import Sequence
from contextlib import suppress
from multiprocessing import context, popen_forkserver, resource_tracker, spawn, util
from multiprocessing.forkserver import ForkServer, read_signed
from multiprocessing.process import BaseProcess
from multiprocessing.reduction import dump
from typing import Any


class ForkServerContext(context.ForkServerContext):
    """A multiprocessing context with a fork server of its own.

    The stock one is global: one list of imports for all, chosen before its first use, and never
    stopped. Each worker of it also runs the parent's `__main__` again, be it the window; here
    workers never do. The server starts with the first process, and no thread, lock or library
    of the parent gets into it. With an empty `preload` its children are as good as spawned.
    """

    def __init__(self, preload: Sequence[str] = ()) -> None:
        super().__init__()
        self._server = _Server()
        self._server.set_forkserver_preload(list(preload))

    def Process(self, *args: Any, **kwargs: Any) -> _Process:  # type: ignore[override]
        """A process that this server will fork; the arguments are BaseProcess's."""
        process = _Process(*args, **kwargs)
        process.server = self._server
        return process

    def start(self) -> None:
        """Start the server now; it imports while the caller does something else."""
        self._server.ensure_running()

    def stop(self) -> None:
        """Kill the server, also in the middle of its imports; its workers end by themselves."""
        self._server.kill()


class _Server(ForkServer):
    """A fork server that Ctrl+C in the terminal does not reach."""

    _killed = False

    def ensure_running(self) -> None:
        """Start the server where there is none; its signal mask is inherited by every worker."""
        if self._killed:
            raise OSError("The fork server was stopped.")
        resource_tracker.ensure_running()  # it would unblock SIGINT
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            super().ensure_running()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)

    def kill(self) -> None:
        """Kill the server and collect it; it does not start again."""
        self._killed = True
        pid: int | None = self._forkserver_pid  # type: ignore[attr-defined]
        if pid is not None:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            self._stop()  # type: ignore[attr-defined]


class _Process(BaseProcess):
    """A process whose fork server is its own context's."""

    _start_method = "forkserver"
    server: _Server

    def _Popen(self, _process: BaseProcess) -> _Popen:
        return _Popen(self, self.server)

    def __getstate__(self) -> dict[str, Any]:
        return {key: value for key, value in self.__dict__.items() if key != "server"}


class _Popen(popen_forkserver.Popen):
    """Starts a process through a given fork server, without the parent's `__main__`."""

    _fds: list[int]

    def __init__(self, process: BaseProcess, server: _Server) -> None:
        self._server = server
        super().__init__(process)

    def _launch(self, process: BaseProcess) -> None:
        data = io.BytesIO()
        context.set_spawning_popen(self)
        try:
            dump(_preparation(process.name), data)
            dump(process, data)
        finally:
            context.set_spawning_popen(None)
        self.sentinel, writer = self._server.connect_to_new_process(self._fds)
        parent_writer = os.dup(writer)  # the child sees its parent's death by this pipe's end
        self.finalizer = util.Finalize(self, _close_all, (parent_writer, self.sentinel))
        with open(writer, "wb", closefd=True) as pipe:  # noqa: PTH123
            pipe.write(data.getbuffer())
        self.pid = read_signed(self.sentinel)


def _preparation(name: str) -> dict[str, Any]:
    """What a worker is told about its parent: paths and arguments, but not what to run."""
    data: dict[str, Any] = dict(spawn.get_preparation_data(name))
    return {key: value for key, value in data.items() if not key.startswith("init_main")}


def _close_all(*descriptors: int) -> None:
    for descriptor in descriptors:
        os.close(descriptor)
