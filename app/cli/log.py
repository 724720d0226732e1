"""The command line's log: what a person need not read, but a report of a bug should hold."""

from __future__ import annotations

import faulthandler
import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_BYTES_KEPT = 1_000_000


def log_path() -> Path:
    """Where the log is."""
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
        faulthandler.enable(stream)
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
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    return handler
