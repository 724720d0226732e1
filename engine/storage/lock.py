"""One writer a project: a lock on a file beside it, which ends with the process that holds it."""

from __future__ import annotations

import fcntl
import os
import time
from contextlib import suppress
from pathlib import Path

from engine.records.errors import ProjectError
from engine.records.sentences import Sentence
from engine.storage.failures import NO_LOCKS, from_os, shown, without_locks
from engine.storage.notes import Note

_PATIENCE_S = 0.3  # a reader that asks `is_held` holds the lock for an instant


def sidecar(path: Path) -> Path:
    """The lock's own file. The project must not be opened for this: closing any descriptor of
    it would drop the locks that SQLite holds there."""
    return path.with_name(f".{path.name}.lock")


class ProjectLock:
    """The right to write one project; taken by the constructor, until `release`.

    The descriptor does not outlive an exec, so spawned workers do not keep it; a plain fork would.
    """

    def __init__(self, path: Path) -> None:
        """Raises ProjectError where another process, or this one, already writes `path`."""
        self._file = sidecar(path)
        try:
            self._fd: int | None = _acquire(self._file)
        except OSError as error:
            refused = error.errno in NO_LOCKS
            raise (without_locks(path) if refused else from_os(error, path)) from error
        if self._fd is None:
            raise ProjectError(
                Sentence(
                    "{path} is already open in {file}.", path=shown(path), file=_holder(self._file)
                ),
                "Close it there, or work on a copy.",
            )
        self._note = Note(self._file)

    def release(self) -> None:
        """Give the right back; idempotent."""
        if self._fd is not None:
            with suppress(OSError):
                self._file.unlink()
            os.close(self._fd)
            self._fd = None
            self._note.remove()


def is_held(path: Path) -> bool:
    """Whether a living process writes the project."""
    try:
        fd = os.open(sidecar(path), os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError as error:  # where no locks are to be had, nobody has one
        return error.errno not in NO_LOCKS
    finally:
        os.close(fd)
    return False


def _acquire(file: Path) -> int | None:
    """A locked descriptor of `file`, None where somebody else has it."""
    deadline = time.monotonic() + _PATIENCE_S
    while True:
        fd = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o666)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _is(fd, file):
                _sign(fd)
                return fd
        except BlockingIOError:
            if time.monotonic() > deadline:
                os.close(fd)
                return None
            time.sleep(0.02)
        except OSError:
            with suppress(OSError):  # it may have been made here, and is of no use without locks
                if not os.fstat(fd).st_size:
                    file.unlink()
            os.close(fd)
            raise
        os.close(fd)


def _is(fd: int, file: Path) -> bool:
    """Whether `file` is still what was opened: its last holder may have removed it since."""
    try:
        return os.path.samestat(os.fstat(fd), file.stat())
    except FileNotFoundError:
        return False


def _sign(fd: int) -> None:
    with suppress(OSError):  # a full disk costs the message its number, not the lock
        os.ftruncate(fd, 0)
        os.write(fd, str(os.getpid()).encode())


def _holder(file: Path) -> str:
    with suppress(OSError, ValueError):
        pid = int(file.read_text())
        return "another window" if pid == os.getpid() else f"another Tunewright (process {pid})"
    return "another Tunewright"
