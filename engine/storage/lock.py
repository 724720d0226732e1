"""One writer a project: a lock on a file beside it, which ends with the process that holds it."""

from __future__ import annotations

import fcntl
import hashlib
import os
import socket
import time
from contextlib import suppress
from pathlib import Path

from engine.records.errors import ProjectError
from engine.storage.failures import NO_LOCKS, from_os, shown, without_locks

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
        self._note: Path | None = None
        try:
            self._fd: int | None = _acquire(self._file)
        except OSError as error:
            refused = error.errno in NO_LOCKS
            raise (without_locks(path) if refused else from_os(error, path)) from error
        if self._fd is None:
            raise ProjectError(
                f"{shown(path)} is already open in {_holder(self._file)}.",
                "Close it there, or work on a copy.",
            )
        self._note = _noted(self._file)

    def release(self) -> None:
        """Give the right back; idempotent."""
        if self._fd is not None:
            with suppress(OSError):
                self._file.unlink()
            os.close(self._fd)
            self._fd = None
            if self._note is not None:
                with suppress(OSError):
                    self._note.unlink()


def sweep() -> None:
    """Remove the lock files of this user's processes that were killed on this machine.

    Each process notes its locks in the user's state folder. A file that is no lock of ours, or that
    anybody holds, is left alone.
    """
    with suppress(OSError):
        for note in sorted(_notes().glob("*.lock")):
            with suppress(OSError, ValueError):
                _sweep(note)


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


def _notes() -> Path:
    from platformdirs import user_state_path

    return user_state_path("tunewright") / "locks"


def _noted(file: Path) -> Path | None:
    """The note of a lock that this process has; None where none can be written."""
    lines = [socket.gethostname(), str(os.getpid()), str(file)]
    name = hashlib.sha256("\n".join(lines).encode("utf-8", "surrogateescape")).hexdigest()
    with suppress(OSError):
        note = _notes() / f"{name[:24]}.lock"
        note.parent.mkdir(parents=True, exist_ok=True)
        note.write_bytes(os.fsencode("\n".join(lines)))
        return note
    return None


def _sweep(note: Path) -> None:
    """Remove a note and its lock file where their process is dead."""
    host, pid, name = os.fsdecode(note.read_bytes()).split("\n", 2)
    if host != socket.gethostname() or _lives(int(pid)):
        return
    file = Path(name)
    try:
        fd = os.open(file, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
    except FileNotFoundError:
        note.unlink()
        return
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        ours = os.fstat(fd).st_uid == os.getuid() and os.read(fd, 32) == pid.encode()
        if ours and _is(fd, file):
            file.unlink()
        note.unlink()
    finally:
        os.close(fd)


def _lives(pid: int) -> bool:
    """Whether a process of this number lives that is not this one."""
    if pid == os.getpid():
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:  # it is somebody else's
        return True
    return True
