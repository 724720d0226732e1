"""One call in a process of its own, which has imported nothing and shares nothing."""

from __future__ import annotations

from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any, TypeVar

from engine.records.errors import TunewrightError, TuningError
from engine.workers.artifacts import ArtifactFolder
from engine.workers.child import error_text, exit_text, last_words, settle
from engine.workers.fork_server import ForkServerContext

_T = TypeVar("_T")


def run_fresh(call: Callable[..., _T], *args: Any, timeout_s: float = 600.0) -> _T:
    """The result of `call(*args)`, which must be picklable, from a fresh process.

    Blocks. Raises the call's own TunewrightError, or TuningError where the process fails,
    crashes or takes over `timeout_s`.
    """
    context = ForkServerContext()
    logs = ArtifactFolder()
    try:
        ours, theirs = context.Pipe()
        process = context.Process(target=_serve, args=(theirs, str(logs.path), call, args))
        process.daemon = True
        process.start()
        theirs.close()
        try:
            reply = ours.recv() if ours.poll(timeout_s) else TuningError("It takes too long.")
        except (EOFError, OSError):
            process.join(1.0)
            words = last_words(str(logs.path), process.pid)
            reply = TuningError(f"Its process died ({exit_text(process.exitcode)}). {words}")
        process.kill()
        process.join()
        ours.close()
    finally:
        context.stop()
        logs.close()
    if isinstance(reply, BaseException):
        raise reply
    result: _T = reply
    return result


def _serve(pipe: Connection, log_dir: str, call: Callable[..., Any], args: tuple[Any, ...]) -> None:
    settle(log_dir)
    try:
        reply = call(*args)
    except TunewrightError as error:
        reply = error
    except Exception as error:
        reply = TuningError(f"{error_text(error)}.")
    pipe.send(reply)
    pipe.close()
