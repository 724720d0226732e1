"""Worker processes forked from a clean server that has imported what they need, once."""

from __future__ import annotations

import io
import os
import signal
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing import context, popen_forkserver, resource_tracker, spawn, util
from multiprocessing.connection import Connection
from multiprocessing.forkserver import ForkServer, read_signed
from multiprocessing.process import BaseProcess
from multiprocessing.reduction import dump
from typing import Any

from engine.workers.artifacts import keep_sockets

_PAUSES_S = (0.1, 0.3, 1.0)  # before a process whose server died is asked for again


class ForkServerContext(context.ForkServerContext):
    """A multiprocessing context with a fork server of its own.

    The stock one is global: one list of imports for all, chosen before its first use, and never
    stopped. Each worker of it also runs the parent's `__main__` again, be it the window; here
    workers never do. The server starts with the first process, and no thread, lock or library
    of the parent gets into it. With an empty `preload` its children are as good as spawned.

    A server that was killed is started again with the next process; those that it forked live on.
    No resource tracker watches over them, as the stock one would: they share no semaphores and no
    memory, so that nothing of theirs outlives them, and it has much to say when it is killed.
    """

    def __init__(self, preload: Sequence[str] = ()) -> None:
        super().__init__()
        self._server = _Server()
        self._server.set_forkserver_preload(["engine.workers.silent_server", *preload])

    def Process(self, *args: Any, **kwargs: Any) -> _Process:  # type: ignore[override]
        """A process that this server will fork; the arguments are BaseProcess's."""
        process = _Process(*args, **kwargs)
        process.server = self._server
        return process

    def piped(
        self, target: Callable[..., None], *args: Any, name: str
    ) -> tuple[_Process, Connection]:
        """A worker that was started, named as the system's list of processes shows it, and our end
        of its pipe; the target is given the other one first. OSError where none starts."""
        ours, theirs = self.Pipe()
        process = self.Process(target=target, args=(theirs, *args), daemon=True, name=name)
        try:
            process.start()
        except OSError:
            ours.close()
            raise
        finally:
            theirs.close()
        return process, ours

    def start(self) -> None:
        """Start the server now; it imports while the caller does something else."""
        self._server.ensure_running()

    def stop(self) -> None:
        """Kill the server, also in the middle of its imports; its workers end by themselves."""
        self._server.kill()


class _Server(ForkServer):
    """A fork server that Ctrl+C in the terminal does not reach."""

    killed = False

    def ensure_running(self) -> None:
        """Start the server where there is none; its signal mask is inherited by every worker."""
        if self.killed:
            raise OSError("The fork server was stopped.")
        keep_sockets()
        _leave_untracked()
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            super().ensure_running()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)

    def kill(self) -> None:
        """Kill the server and collect it; it does not start again."""
        self.killed = True
        pid: int | None = self._forkserver_pid  # type: ignore[attr-defined]
        if pid is not None:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            self._stop()  # type: ignore[attr-defined]


class _Process(BaseProcess):
    """A process whose fork server is its own context's."""

    _start_method = "forkserver"
    _popen: _Popen
    server: _Server

    def kill(self) -> None:
        """End it at once, also where its server is dead and nobody can say whether it lives."""
        super().kill()
        self._popen.hang_up()

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
        """OSError where no server lives long enough to fork it."""
        data = io.BytesIO()
        context.set_spawning_popen(self)
        try:
            dump(_preparation(process.name), data)
            dump(process, data)
        finally:
            context.set_spawning_popen(None)
        for pause_s in (*_PAUSES_S, None):
            try:
                self._fork(data)
                break
            except (OSError, EOFError) as error:
                if pause_s is None or self._server.killed:
                    raise OSError(str(error) or "the server of the workers died") from error
            time.sleep(pause_s)

    def _fork(self, data: io.BytesIO) -> None:
        """Have the server fork, and tell the child what it is."""
        self.sentinel, writer = self._server.connect_to_new_process(self._fds)
        # The child sees its parent's death by this pipe's end.
        self._hold = util.Finalize(self, os.close, (os.dup(writer),))
        self.finalizer = util.Finalize(self, os.close, (self.sentinel,))
        try:
            with open(writer, "wb", closefd=True) as pipe:  # noqa: PTH123
                pipe.write(data.getbuffer())
            self.pid = read_signed(self.sentinel)
        except (OSError, EOFError):
            self.close()
            raise

    def hang_up(self) -> None:
        """Have the child believe that its parent is dead, which it does not survive."""
        self._hold()

    def close(self) -> None:
        super().close()
        self.hang_up()


def _leave_untracked() -> None:
    """Have this process and its workers report what they share to nobody."""
    tracker = resource_tracker._resource_tracker
    if tracker._fd is None:  # type: ignore[attr-defined]
        tracker._fd = os.open(os.devnull, os.O_WRONLY)  # type: ignore[attr-defined]


def _preparation(name: str) -> dict[str, Any]:
    """What a worker is told about its parent: paths and arguments, but not what to run."""
    data: dict[str, Any] = dict(spawn.get_preparation_data(name))
    return {key: value for key, value in data.items() if not key.startswith("init_main")}
