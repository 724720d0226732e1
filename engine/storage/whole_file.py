"""Files that are written whole or not at all, whatever ends the writer meanwhile."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from engine.records.errors import StorageError
from engine.records.sentences import Sentence
from engine.storage.failures import shown
from engine.storage.notes import Note

_NAME = 40  # characters of the file's name in that of its draft, which must not become too long


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """The name of a draft beside `path` that takes its place, on the disk, at the end of the block.

    After an error there is no draft, and what was at `path` stays. The draft of a process that was
    killed goes at the next start.
    """
    draft = path.with_name(f".{path.name[:_NAME]}.{secrets.token_hex(4)}.part")
    note = Note(draft)
    try:
        yield draft
        sync(draft)
        draft.replace(path)
    except BaseException:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        raise
    finally:
        note.remove()
    sync(path.parent)


def write_whole(path: Path, data: bytes | str) -> None:
    """Write a file, over what is there, with that one's permissions or those of any new file.

    OSError, which names `path`.
    """
    place = Path(os.path.realpath(path))  # what a link shows is written, not the link
    content = data.encode("utf-8", "replace") if isinstance(data, str) else data
    try:
        with replacing(place) as draft:
            with draft.open("xb") as file:
                file.write(content)
            with suppress(FileNotFoundError):
                draft.chmod(stat.S_IMODE(place.stat().st_mode))
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error


def save_whole(path: Path, data: bytes | str) -> None:
    """The same for a file that a person named; StorageError."""
    try:
        write_whole(path, data)
    except OSError as error:
        raise StorageError(
            Sentence(
                "{path} cannot be written: {strerror}.", path=shown(path), strerror=error.strerror
            ),
            "Choose another name or folder.",
        ) from error


def sync(path: Path) -> None:
    """Wait until a file, or what a folder lists, is on the disk."""
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
