"""A folder for one process's libraries, gone when it closes and swept up when it was killed."""

from __future__ import annotations

import fcntl
import itertools
import os
import re
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing import process, util
from pathlib import Path

_MEMORY = Path("/dev/shm")
_BASE = re.compile(r"tunewright-[0-9]+(-[0-9]+)?")
_ROOM = 256 << 20  # bytes that a folder in memory must have free
_YOUNG_S = 3600.0  # a folder without a lock may be about to get it

_open: set[ArtifactFolder] = set()


class ArtifactFolder:
    """Hands out paths that no file has had before; safe to call from any thread.

    A lock file beside the folder says that its owner lives; the system drops the lock when the
    owner dies, in whatever way, and the next folder to be made removes what it left.
    """

    def __init__(self, base: Path | None = None) -> None:
        self._base = base or _default_base()
        self._base.mkdir(mode=0o700, parents=True, exist_ok=True)
        for swept in {self._base, *_bases()}:
            _sweep(swept)
        self.path, self._lock = _claim(self._base)
        self._count = itertools.count(1)
        _open.add(self)

    def fresh(self, suffix: str = ".so") -> str:
        """A path that this folder never gave before."""
        return str(self.path / f"{next(self._count)}{suffix}")

    def close(self) -> None:
        """Remove the folder and all in it; idempotent."""
        if self._lock < 0:
            return
        lock, self._lock = self._lock, -1
        _open.discard(self)
        shutil.rmtree(self.path, ignore_errors=True)
        _lock_path(self.path).unlink(missing_ok=True)
        os.close(lock)


def close_all() -> None:
    """Remove the folders that this process has still open, before it ends without finalizers."""
    for folder in tuple(_open):
        folder.close()


@contextmanager
def scratch() -> Iterator[Path]:
    """A folder on the disk for the block, which the next process removes where this one is
    killed."""
    folder = ArtifactFolder(on_disk())
    try:
        yield folder.path
    finally:
        folder.close()


def keep_sockets() -> None:
    """Have multiprocessing keep this process's sockets in a folder that is swept up: the one that
    it makes of its own, "pymp-…", stays after a kill, and nothing says whose it was."""
    config = process.current_process()._config  # type: ignore[attr-defined]
    if config.get("tempdir") is None:
        folder = ArtifactFolder()
        config["tempdir"] = str(folder.path)
        util.Finalize(None, folder.close, exitpriority=-100)  # after those of the sockets


def on_disk() -> Path:
    """Where this user's folders are on the disk."""
    return _of_user(Path(tempfile.gettempdir()))


def _default_base() -> Path:
    return _of_user(_MEMORY) if _usable(_MEMORY) else on_disk()


def _bases() -> tuple[Path, ...]:
    """Where folders of this user may lie."""
    roots = {_MEMORY, Path(tempfile.gettempdir())}
    found = (base for root in roots for base in root.glob(f"{_name(root).name}*"))
    return tuple(base for base in found if _BASE.fullmatch(base.name) and _is_own(base))


def _of_user(root: Path) -> Path:
    """This user's folder there, the next free one where somebody else made it."""
    name = _name(root)
    bases = itertools.chain([name], (root / f"{name.name}-{count}" for count in itertools.count(1)))
    return next(base for base in bases if not os.path.lexists(base) or _is_own(base))


def _name(root: Path) -> Path:
    return root / f"tunewright-{os.getuid()}"


def _is_own(folder: Path) -> bool:
    try:
        found = folder.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid()


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
    for folder in base.glob("run-*"):
        with suppress(OSError):
            old = time.time() - folder.lstat().st_mtime > _YOUNG_S
            if old and folder.suffix != ".lock" and not _lock_path(folder).exists():
                shutil.rmtree(folder, ignore_errors=True)


def _lock_path(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}.lock")
