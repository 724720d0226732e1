"""What a process makes beside a person's files for a while; the next start removes the dead's."""

from __future__ import annotations

import fcntl
import os
import re
import secrets
import shutil
import socket
import stat
from contextlib import suppress
from pathlib import Path

_DRAFT = re.compile(r"\..{1,40}\.[0-9a-f]{8}\.part", re.DOTALL)
_FOLDER = re.compile(r"\.(export|replaced)-[0-9a-f]{8}")


class Note:
    """That this process makes `path` and takes it away again; nothing where none can be written.

    A file in the user's state folder, locked while the process lives. Made before `path` is, so
    that no kill comes between.
    """

    def __init__(self, path: Path) -> None:
        self._file: Path | None = None
        lines = [socket.gethostname(), str(os.getpid()), os.path.abspath(path)]  # noqa: PTH100
        with suppress(OSError):
            file = _notes() / f"{secrets.token_hex(12)}.lock"
            file.parent.mkdir(parents=True, exist_ok=True)
            self._fd = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            self._file = file
            fcntl.flock(self._fd, fcntl.LOCK_EX)
            os.write(self._fd, os.fsencode("\n".join(lines)))

    def remove(self) -> None:
        """Say that it is away; idempotent."""
        file, self._file = self._file, None
        if file is not None:
            with suppress(OSError):
                file.unlink()
            os.close(self._fd)


def sweep() -> None:
    """Remove what this user's processes that were killed on this machine noted and left.

    A file or folder that is none of ours, or that anybody holds, is left alone. An export that was
    set aside goes back where nothing has taken its place.
    """
    with suppress(OSError):
        for note in sorted(_notes().glob("*.lock")):
            with suppress(OSError):
                _sweep(note)


def _notes() -> Path:
    from platformdirs import user_state_path

    return user_state_path("tunewright") / "locks"


def _sweep(note: Path) -> None:
    """Remove a note and what it tells of where their process is dead."""
    fd = os.open(note, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        try:
            host, pid, name = os.fsdecode(note.read_bytes()).split("\n", 2)
            dead = host == socket.gethostname() and not _lives(int(pid))
        except (ValueError, OverflowError):  # its writer was killed in the middle
            note.unlink()
            return
        if dead:
            with suppress(FileNotFoundError):
                _remove(Path(name), pid)
            note.unlink()
    finally:
        os.close(fd)


def _remove(path: Path, pid: str) -> None:
    found = path.lstat()
    if found.st_uid != os.getuid():
        return
    if stat.S_ISDIR(found.st_mode) and _FOLDER.fullmatch(path.name):
        if path.name.startswith(".replaced-"):
            _put_back(path)
        shutil.rmtree(path, ignore_errors=True)
    elif stat.S_ISREG(found.st_mode) and _DRAFT.fullmatch(path.name):
        path.with_name(f"{path.name}-journal").unlink(missing_ok=True)  # SQLite's, of a copy
        path.unlink()
    elif stat.S_ISREG(found.st_mode) and path.suffix == ".lock":
        _remove_lock(path, pid)


def _put_back(aside: Path) -> None:
    """Give an export its place again, whose successor never came."""
    for old in aside.iterdir():
        place = aside.parent / old.name
        if not os.path.lexists(place):
            old.rename(place)


def _remove_lock(file: Path, pid: str) -> None:
    """Remove a project's lock that a process of that number signed, unless somebody has it."""
    fd = os.open(file, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.read(fd, 32) == pid.encode() and os.path.samestat(os.fstat(fd), file.stat()):
            file.unlink()
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
