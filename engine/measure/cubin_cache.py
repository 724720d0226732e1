"""Cubins by what they were compiled of, kept for a user's processes: none is compiled twice."""

from __future__ import annotations

import functools
import hashlib
import os
import secrets
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

_MOST_BYTES = 256 << 20  # that a folder may hold when a process begins to write there
_DIGEST = hashlib.sha256().digest_size


def key_of(parts: Iterable[str]) -> str:
    """The name of what is compiled of these texts: source, options, headers, compiler."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode()
        digest.update(len(data).to_bytes(8, "little") + data)
    return digest.hexdigest()


def kept(key: str) -> bytes | None:
    """The cubin of this key, None where there is none or its file is damaged."""
    path = _folder() / key
    with suppress(OSError):
        data = path.read_bytes()
        digest, cubin = data[:_DIGEST], data[_DIGEST:]
        if hashlib.sha256(cubin).digest() == digest:
            os.utime(path)  # the longest unused go first
            return cubin
    return None


def keep(key: str, cubin: bytes) -> None:
    """Keep a cubin, written whole; where that cannot be, it is compiled again next time."""
    with suppress(OSError):
        folder = _folder()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _make_room(folder)
        draft = folder / f".{secrets.token_hex(8)}"
        try:
            draft.write_bytes(hashlib.sha256(cubin).digest() + cubin)
            draft.replace(folder / key)
        finally:
            draft.unlink(missing_ok=True)


def _folder() -> Path:
    """The user's own; a project or an export cannot name another."""
    from platformdirs import user_cache_path

    return Path(user_cache_path("tunewright")) / "cubins"


@functools.cache
def _make_room(folder: Path) -> None:
    """Remove the files that were unused for longest, drafts of the killed too, once a process."""
    files = []
    for path in folder.iterdir():
        with suppress(OSError):  # another process was faster
            found = path.lstat()
            files.append((found.st_mtime, found.st_size, path))
    left = sum(size for _, size, _ in files)
    for _, size, path in sorted(files):
        if left <= _MOST_BYTES:
            break
        with suppress(OSError):
            path.unlink()
            left -= size
