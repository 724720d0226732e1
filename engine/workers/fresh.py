"""One call in a process of its own, which has imported nothing and shares nothing."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any, TypeVar

from engine.records.errors import TunewrightError, TuningError
from engine.records.sentences import Sentence, together
from engine.workers.artifacts import ArtifactFolder
from engine.workers.child import PAUSES_S, error_text, exit_text, last_words, settle, was_killed
from engine.workers.fork_server import ForkServerContext

_T = TypeVar("_T")
_JOIN_S = 1.0  # for a server to tell how its child ended


def run_fresh(call: Callable[..., _T], *args: Any, timeout_s: float = 600.0) -> _T:
    """The result of `call(*args)`, which must be picklable, from a fresh process.

    Blocks. Raises the call's own TunewrightError, or TuningError where the process fails,
    crashes or takes over `timeout_s`.
    """
    reply = _reply(call, args, timeout_s)
    for pause_s in PAUSES_S:
        if not isinstance(reply, _Died) or not was_killed(reply.code):
            break
        time.sleep(pause_s)  # and again: it is no fault of the call
        reply = _reply(call, args, timeout_s)
    if isinstance(reply, _Died):
        raise TuningError(
            together(
                Sentence("Its process died ({how}).", how=exit_text(reply.code)),
                Sentence("{words}", words=reply.words) if reply.words else "",
            )
        )
    if isinstance(reply, BaseException):
        raise reply
    result: _T = reply
    return result


@dataclass(frozen=True, slots=True)
class _Died:
    """How a process ended that gave no reply, and what it printed."""

    code: int | None
    words: str


def _reply(call: Callable[..., Any], args: tuple[Any, ...], timeout_s: float) -> Any:
    """What `call` gives or raises in a process of its own, or how that died."""
    context = ForkServerContext()
    logs = ArtifactFolder()
    ours, theirs = context.Pipe()
    process = context.Process(
        target=_serve, args=(theirs, str(logs.path), call, args), daemon=True, name="one-call"
    )
    try:
        try:
            process.start()
        except OSError as error:
            return _Died(None, str(error))
        finally:
            theirs.close()
        try:
            return ours.recv() if ours.poll(timeout_s) else TuningError("It takes too long.")
        except (EOFError, OSError):
            process.join(_JOIN_S)
            return _Died(process.exitcode, last_words(str(logs.path), process.pid))
        finally:
            process.kill()
            process.join(_JOIN_S)
    finally:
        ours.close()
        context.stop()
        logs.close()


def _serve(pipe: Connection, log_dir: str, call: Callable[..., Any], args: tuple[Any, ...]) -> None:
    settle(log_dir)
    try:
        reply = call(*args)
    except TunewrightError as error:
        reply = error
    except Exception as error:
        reply = TuningError(Sentence("{error}.", error=error_text(error)))
    pipe.send(reply)
    pipe.close()
