"""Where the command line's words go: answers to stdout, all else to stderr, faults to the log."""

from __future__ import annotations

import faulthandler
import json
import logging
import math
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, redirect_stdout, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TextIO

from app.process.log_lines import LogLines
from engine.records.words import one_line
from engine.workers.faults import write_faults

_CELL, _WIDEST = 500, 8000  # characters


@dataclass(frozen=True, slots=True)
class Reply:
    """What a command answers: `data` with --json, else `text`. `code` is the exit code."""

    data: dict[str, Any]
    text: str
    code: int = 0


class Output:
    """Prints a command's only answer.

    With `as_json`, stdout is ours alone between enter and exit: whatever a library or a child
    process prints there goes to stderr, so that exactly one JSON object is on stdout.
    """

    def __init__(self, as_json: bool) -> None:
        self._as_json = as_json
        self._saved: int | None = None
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="replace")
        if self._as_json:
            sys.stdout.flush()
            self._saved = os.dup(1)
            os.dup2(2, 1)
            self._stack.enter_context(redirect_stdout(sys.stderr))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stack.close()
        if self._saved is not None:
            os.dup2(self._saved, 1)
            os.close(self._saved)
            self._saved = None

    def answer(self, reply: Reply) -> int:
        """Print a reply; its exit code."""
        written = True
        if self._as_json:
            written = self._print_json(reply.data)
        elif reply.text:
            lines = (one_line(line, _WIDEST) for line in reply.text.split("\n"))
            written = _print(sys.stdout, "\n".join(lines))
        return reply.code if written else 1

    def refuse(self, what: str, todo: str, code: int, more: Mapping[str, Any] | None = None) -> int:
        """Print an error, with --json also `more` about it; `code`."""
        if self._as_json:
            self._print_json({"error": what, "todo": todo, **(more or {})})
        else:
            say(f"tunewright: {what} {todo}".rstrip())
        return code

    def _print_json(self, data: dict[str, Any]) -> bool:
        assert self._saved is not None
        stream = open(os.dup(self._saved), "w", encoding="utf-8")  # noqa: PTH123, SIM115
        written = _print(stream, json.dumps(_finite(data), allow_nan=False))
        with suppress(OSError):
            stream.close()
        return written


def _print(stream: TextIO, text: str) -> bool:
    """Whether the text could be written; a reader that went away is not worth a word."""
    try:
        print(text, file=stream, flush=True)
    except OSError as error:
        if not isinstance(error, BrokenPipeError):
            say(f"tunewright: The answer cannot be written: {error.strerror}.")
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())  # what is left in its buffer
        return False
    return True


def require_streams() -> None:
    """Open what the parent closed, lest a project file becomes stdout."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number, this one
            setattr(sys, name, open(number, "w" if number else "r"))  # noqa: PTH123, SIM115


def say(line: str) -> None:
    """A line to stderr. A closed terminal must not end a run."""
    with suppress(OSError, ValueError):
        print(one_line(line), file=sys.stderr, flush=True)


def table(rows: Sequence[tuple[str, ...]], right: frozenset[int] = frozenset()) -> str:
    """Rows as aligned text; columns in `right` are flush right."""
    rows = [tuple(one_line(cell, _CELL) for cell in row) for row in rows]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = (
            cell.rjust(width) if column in right else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def _finite(value: Any) -> Any:
    """JSON has neither infinity nor NaN: null stands for both."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value


_BYTES_KEPT = 1_000_000


def log_path() -> Path:
    from platformdirs import user_state_path

    return user_state_path("tunewright") / "command-line.log"


@contextmanager
def logging_to_file() -> Iterator[None]:
    """Send warnings, errors and crashes of this process to the log, and none to the terminal."""
    root = logging.getLogger()
    handler = _handler()
    root.addHandler(handler)
    stream = handler.stream if isinstance(handler, logging.FileHandler) else None
    crashes = stream is not None and not faulthandler.is_enabled()
    if stream is not None and crashes:
        write_faults(stream)
    try:
        yield
    finally:
        root.removeHandler(handler)
        if crashes:
            faulthandler.disable()
        handler.close()


def _handler() -> logging.Handler:
    path = log_path()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileNotFoundError):
            if path.stat().st_size > _BYTES_KEPT:
                path.replace(path.with_suffix(".old.log"))
        handler = logging.FileHandler(path, encoding="utf-8")
    except OSError:  # a full disk or a read-only home must not keep a command from working
        return logging.NullHandler()
    handler.setLevel(logging.WARNING)
    handler.setFormatter(LogLines())
    return handler
