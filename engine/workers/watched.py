"""One call in a worker that a damaged input may crash, hang or bloat without harm."""

from __future__ import annotations

import logging
import pickle
import resource
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from multiprocessing.connection import Connection
from typing import Any

from engine.records.errors import TunewrightError, TuningError
from engine.records.machine import usable_cores
from engine.records.sentences import Sentence
from engine.records.words import Say
from engine.workers.artifacts import ArtifactFolder
from engine.workers.child import PAUSES_S, error_text, exit_text, last_words, settle, was_killed
from engine.workers.fork_server import ForkServerContext

_START_S = 120.0
_LOOK_S = 0.05
_JOIN_S = 1.0  # for a server to tell how its child ended
_THREAD_BYTES = 256 << 20  # a thread's stack and what malloc reserves for it


class Cause(StrEnum):
    """Why a worker gave no answer."""

    CRASH = "crash"
    KILLED = "killed"  # by somebody, or by a system out of memory
    TIME = "time"
    STOPPED = "stopped"
    MEMORY = "memory"


class WorkerLost(Exception):
    """The worker was killed, or died: `words` say how, for a crash."""

    def __init__(self, cause: Cause, words: str = "") -> None:
        super().__init__(cause, words)
        self.cause = cause
        self.words = words


@dataclass(frozen=True, slots=True)
class Limits:
    """What a worker may take: resident memory of its own, and time on the clock."""

    memory_bytes: int
    seconds: float


def run_watched(
    context: ForkServerContext,
    limits: Limits,
    call: Callable[..., Any],
    *args: Any,
    say: Say = lambda *said: None,
    stopped: Callable[[], bool] = lambda: False,
) -> Any:
    """The result of `call(say, *args)` from a worker that `context` forks. Blocks until then, or
    until it is `stopped`, which is asked many times a second.

    The result must be picklable; NumPy arrays in it are not copied into the pickle. What the
    worker logs is logged here. Raises the call's own TunewrightError, TuningError where it
    raises something else, WorkerLost where it gives no answer. A worker that was killed has a
    few successors, but no more: it may be the system that kills them, out of memory.
    """
    for pause_s in PAUSES_S:
        try:
            return _run(context, limits, call, args, say, stopped)
        except WorkerLost as lost:
            if lost.cause is not Cause.KILLED:
                raise
        time.sleep(pause_s)
    return _run(context, limits, call, args, say, stopped)


def _run(
    context: ForkServerContext,
    limits: Limits,
    call: Callable[..., Any],
    args: tuple[Any, ...],
    say: Say,
    stopped: Callable[[], bool],
) -> Any:
    logs = ArtifactFolder()
    ours, theirs = context.Pipe()
    process = context.Process(
        target=_serve,
        args=(theirs, str(logs.path), limits.memory_bytes, call, args),
        daemon=True,
        name="opener",
    )
    try:
        try:
            process.start()
        except OSError as error:
            raise WorkerLost(Cause.KILLED, f"it does not start: {error}") from error
        finally:
            theirs.close()
        try:
            reply = _listen(ours, process.pid or 0, limits, say, stopped)
        except (EOFError, OSError) as error:
            process.join(_JOIN_S)
            code = process.exitcode
            cause = Cause.KILLED if was_killed(code) else Cause.CRASH
            words = f"{exit_text(code)} {last_words(str(logs.path), process.pid)}"
            raise WorkerLost(cause, words.strip()) from error
        finally:
            process.kill()
            process.join(_JOIN_S)
    finally:
        ours.close()
        logs.close()
    if isinstance(reply, BaseException):
        raise reply
    return reply


def _listen(
    pipe: Connection, pid: int, limits: Limits, say: Say, stopped: Callable[[], bool]
) -> Any:
    """The worker's reply; what it says and logs meanwhile is passed on."""
    import psutil

    # A server that imports its libraries yet is no fault of the call.
    for _ in _waiting(pipe, time.monotonic() + _START_S, stopped):
        pass
    pipe.recv()
    end = time.monotonic() + limits.seconds
    while True:
        for _ in _waiting(pipe, end, stopped):
            try:
                memory = psutil.Process(pid).memory_info()
            except psutil.Error:
                continue  # it is gone: the pipe says so next
            # Pages of files are the system's to take back
            if memory.rss - memory.shared > limits.memory_bytes:
                raise WorkerLost(Cause.MEMORY)
        kind, *content = pipe.recv()
        if kind == "say":
            say(*content)
        elif kind == "log":
            name, level, text = content
            logging.getLogger(name).log(level, "%s", text)
        else:
            (count,) = content
            body, *buffers = [pipe.recv_bytes() for _ in range(count)]
            return pickle.loads(body, buffers=buffers)


def _waiting(pipe: Connection, end: float, stopped: Callable[[], bool]) -> Iterator[None]:
    """Steps of the time until the pipe has something to read; WorkerLost where it is over first."""
    while not pipe.poll(_LOOK_S):
        if stopped():
            raise WorkerLost(Cause.STOPPED)
        if time.monotonic() > end:
            raise WorkerLost(Cause.TIME)
        yield


def _serve(
    pipe: Connection, log_dir: str, memory_bytes: int, call: Callable[..., Any], args: Any
) -> None:
    settle(log_dir)
    _raise_wall(memory_bytes)
    pipe.send("begun")
    speaker = _Speaker(pipe)
    logging.getLogger("engine").addHandler(speaker)
    try:
        speaker.reply(call(speaker.say, *args))
    except TunewrightError as error:
        speaker.reply(error)
    except MemoryError:
        speaker.reply(WorkerLost(Cause.MEMORY))
    except Exception as error:
        speaker.reply(TuningError(Sentence("{error}.", error=error_text(error))))
    pipe.close()


def _raise_wall(memory_bytes: int) -> None:
    """Have the system refuse memory far above the limit, lest it goes faster than we look."""
    import psutil

    present = psutil.Process().memory_info().vms
    wall = present + memory_bytes + memory_bytes // 4 + usable_cores() * _THREAD_BYTES
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard == resource.RLIM_INFINITY or wall < hard:
        resource.setrlimit(resource.RLIMIT_AS, (wall, hard))


class _Speaker(logging.Handler):
    """Sends to the parent; log records may come from any thread."""

    def __init__(self, pipe: Connection) -> None:
        super().__init__()
        self._pipe = pipe
        self._turn = threading.Lock()

    def say(self, text: str) -> None:
        """Pass on what a person shall read while it goes on."""
        with self._turn:
            self._pipe.send(("say", text))

    def emit(self, record: logging.LogRecord) -> None:
        with self._turn:
            self._pipe.send(("log", record.name, record.levelno, record.getMessage()))

    def reply(self, result: Any) -> None:
        """Send the result, its arrays beside the pickle."""
        buffers: list[pickle.PickleBuffer] = []
        body = pickle.dumps(result, protocol=5, buffer_callback=buffers.append)
        with self._turn:
            self._pipe.send(("reply", 1 + len(buffers)))
            self._pipe.send_bytes(body)
            for buffer in buffers:
                self._pipe.send_bytes(buffer.raw())
