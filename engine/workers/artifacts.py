"""A folder for one process's libraries, gone when it closes and swept up when it was killed."""

from __future__ import annotations

import fcntl
import itertools
import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

_MEMORY = Path("/dev/shm")
_ROOM = 256 << 20  # bytes that a folder in memory must have free


class ArtifactFolder:
    """Hands out paths that no file has had before; safe to call from any thread.

    A lock file beside the folder says that its owner lives; the system drops the lock when the
    owner dies, in whatever way, and the next folder to be made removes what it left.
    """

    def __init__(self, base: Path | None = None) -> None:
        self._base = base or _default_base()
        self._base.mkdir(mode=0o700, parents=True, exist_ok=True)
        _sweep(self._base)
        self.path, self._lock = _claim(self._base)
        self._count = itertools.count(1)

    def fresh(self, suffix: str = ".so") -> str:
        """A path that this folder never gave before."""
        return str(self.path / f"{next(self._count)}{suffix}")

    def close(self) -> None:
        """Remove the folder and all in it; idempotent."""
        if self._lock < 0:
            return
        lock, self._lock = self._lock, -1
        shutil.rmtree(self.path, ignore_errors=True)
        _lock_path(self.path).unlink(missing_ok=True)
        os.close(lock)


def _default_base() -> Path:
    root = _MEMORY if _usable(_MEMORY) else Path(tempfile.gettempdir())
    return root / f"tunewright-{os.getuid()}"


def _usable(folder: Path) -> bool:
    """Whether libraries can be written to, and run from, a folder (containers may forbid it)."""
    try:
        system = os.statvfs(folder)
    except OSError:
        return False
    free = system.f_bavail * system.f_frsize
    return os.access(folder, os.W_OK) and not system.f_flag & os.ST_NOEXEC and free >= _ROOM


def _claim(base: Path) -> tuple[Path, int]:
    """A new folder and the descriptor that holds its lock."""
    while True:
        folder = Path(tempfile.mkdtemp(prefix="run-", dir=base))
        lock = os.open(_lock_path(folder), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        fcntl.flock(lock, fcntl.LOCK_EX)
        if folder.exists() and _lock_path(folder).exists():
            return folder, lock
        os.close(lock)  # a sweep came between; take another


def _sweep(base: Path) -> None:
    """Remove the folders whose owners are dead."""
    for lock_path in base.glob("run-*.lock"):
        with suppress(OSError):
            lock = os.open(lock_path, os.O_RDWR | os.O_CLOEXEC)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(lock_path.with_suffix(""), ignore_errors=True)
                lock_path.unlink(missing_ok=True)
            finally:
                os.close(lock)


def _lock_path(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}.lock")
