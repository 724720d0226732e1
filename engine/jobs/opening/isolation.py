"""A worker reads a stranger's model or module, within limits of memory and time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import Any

from engine.jobs.cancelling import Cancelled, Stopped
from engine.records.errors import ModelError, TuningError
from engine.records.sentences import Sentence
from engine.records.source import ModelSource
from engine.records.words import Doing, Say
from engine.workers.fork_server import ForkServerContext
from engine.workers.watched import Cause, Limits, WorkerLost, run_watched

_SECONDS = 900.0
_SHOWING_S = 45.0
_WORDS = 120  # a C++ assertion is longer than a person wants
_MEMORY_SHARE = 0.8  # of what is free when it begins

_server: ForkServerContext | None = None
_server_lock = Lock()


def warm_up() -> None:
    """Have the workers' server import its libraries now, in the background."""
    _context().start()


def isolated(
    source: ModelSource,
    call: Callable[..., Any],
    *args: Any,
    say: Say = lambda *said: None,
    limits: Limits | None = None,
    stopped: Stopped = lambda: False,
) -> Any:
    """The result of `call(say, source, *args)` from a worker. Blocks.

    Raises what the call raises, ModelError where its process crashes, hangs or takes more memory
    than there is, Cancelled where it is `stopped`.
    """
    limits = limits or default_limits()
    doing = [_DOING[Doing.READING]]

    def note(text: Doing) -> None:
        known = {doing.value: said for doing, said in _DOING.items()}
        doing.append(known.get(text) or Sentence.of(text[:1].lower() + text[1:]))
        say(text)

    try:
        found = _found_anywhere(source)
        return run_watched(_context(), limits, call, found, *args, say=note, stopped=stopped)
    except WorkerLost as lost:
        if lost.cause is Cause.STOPPED:
            raise Cancelled from lost
        raise _refusal(Path(source.location).name, doing[-1], limits, lost) from lost


_DOING = {
    Doing.READING: Sentence("reading the model"),
    Doing.IMPORTING: Sentence("importing the model into TVM"),
    Doing.LOWERING: Sentence("lowering and fusing operators"),
    Doing.TRYING: Sentence("running the file to compare with"),
    Doing.LOOKING: Sentence("looking at its operators"),
}


def shown_apart(
    subject: str, call: Callable[..., dict[str, str]], *args: Any, limits: Limits | None = None
) -> dict[str, str]:
    """What `call(*args)` makes of texts of a project, to be shown. Blocks.

    Raises what the call raises, TuningError about the `subject` ("Trial 7 of dense") where its
    process crashes, hangs or takes more memory than there is.
    """
    limits = limits or replace(default_limits(), seconds=_SHOWING_S)
    try:
        found: dict[str, str] = run_watched(_context(), limits, _silent, call, *args)
    except WorkerLost as lost:
        how = {
            Cause.MEMORY: Sentence(
                "that needs more than {memory:.1f} GB of memory", memory=limits.memory_bytes / 1e9
            ),
            Cause.TIME: Sentence(
                "that takes more than {seconds:.0f} seconds", seconds=limits.seconds
            ),
        }.get(lost.cause, Sentence("its process crashed ({words})", words=_brief(lost.words)))
        raise TuningError(
            Sentence("{subject} cannot be shown: {how}.", subject=subject, how=how),
            "Choose another trial; what was measured is not touched.",
        ) from lost
    return found


def _silent(say: Say, call: Callable[..., Any], *args: Any) -> Any:
    return call(*args)


def default_limits() -> Limits:
    """Most of the free memory, and a time that no good model needs."""
    import psutil

    return Limits(int(psutil.virtual_memory().available * _MEMORY_SHARE), _SECONDS)


def _found_anywhere(source: ModelSource) -> ModelSource:
    """The source by a path that means the same in the worker, whose folder is another."""
    if source.kind != "file":
        return source
    return replace(source, location=str(Path(source.location).absolute()))


def _context() -> ForkServerContext:
    """The server for all of this process's opening: its imports take seconds."""
    from engine.jobs.opening.open_worker import PRELOAD

    global _server  # noqa: PLW0603
    with _server_lock:
        if _server is None:
            _server = ForkServerContext(PRELOAD)
        return _server


def _refusal(name: str, doing: Sentence, limits: Limits, lost: WorkerLost) -> ModelError:
    if lost.cause is Cause.MEMORY:
        return ModelError(
            Sentence(
                "{name} needs more than {memory:.1f} GB of memory, for {doing}.",
                name=name,
                memory=limits.memory_bytes / 1000000000.0,
                doing=doing,
            ),
            "Give smaller input shapes, close other programs, or use a larger machine.",
        )
    if lost.cause is Cause.TIME:
        return ModelError(
            Sentence(
                "{name} was given up after {seconds:.0f} seconds of {doing}.",
                name=name,
                seconds=limits.seconds,
                doing=doing,
            ),
            "Give smaller input shapes, or export the model in smaller parts.",
        )
    if lost.cause is Cause.KILLED:
        return ModelError(
            Sentence(
                "{name}: the process that was {doing} was killed each time ({words}).",
                name=name,
                doing=doing,
                words=lost.words,
            ),
            "Try again; where memory is short, close other programs first.",
        )
    return ModelError(
        Sentence(
            "{name} crashed the process that was {doing} ({words}).",
            name=name,
            doing=doing,
            words=_brief(lost.words),
        ),
        "The file may be damaged: export it again. Where it runs in ONNX Runtime, report it.",
    )


def _brief(words: str) -> str:
    return words if len(words) <= _WORDS else f"{words[:_WORDS]}..."
