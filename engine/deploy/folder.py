"""Where an export goes: never over a person's files, and never half of it."""

from __future__ import annotations

import errno
import json
import logging
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from engine.deploy.executor_template import MANIFEST, file_sha256, manifest_sha256
from engine.records.errors import StorageError
from engine.records.sentences import Sentence, counting
from engine.storage.notes import Note

_LEFT_BY_PYTHON = "__pycache__"

_log = logging.getLogger(__name__)


@contextmanager
def export_folder(directory: Path, room: int = 0) -> Iterator[Path]:
    """An empty folder to fill, which takes the place of `directory` when the block ends well.

    Until then an earlier export stays as it is, and after an error nothing has changed. Raises
    StorageError where `directory` holds something else than an export, cannot be written, or
    has no `room` (bytes).
    """
    target = directory.expanduser()
    try:
        target = target.resolve()
        _refuse_foreign(target)
        base = next(parent for parent in target.parents if parent.exists())
        if shutil.disk_usage(base).free < room:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        scratch, note = _made(base, ".export-")
    except OSError as error:
        raise storage_error(directory, error) from error
    try:
        yield scratch
        scratch.chmod(0o755)
        target.parent.mkdir(parents=True, exist_ok=True)
        _put(scratch, target)
    except OSError as error:
        raise storage_error(directory, error) from error
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
        note.remove()


def hashes(folder: Path) -> dict[str, str]:
    """The SHA-256 of each file of a folder, as an export is checked by it when it is loaded."""
    return {path.name: file_sha256(path) for path in sorted(folder.iterdir())}


def put_manifest(folder: Path, manifest: dict[str, Any]) -> dict[str, Any]:
    """Write the manifest of a filled folder; it, with what it says of all files and of itself."""
    unsealed = manifest | {"files": hashes(folder), "sha256": ""}
    sealed = unsealed | {"sha256": manifest_sha256(_text(unsealed))}
    (folder / MANIFEST).write_text(_text(sealed))
    return sealed


def _text(manifest: dict[str, Any]) -> str:
    return json.dumps(manifest, indent=1, allow_nan=False)


def storage_error(directory: Path, error: OSError) -> StorageError:
    """What an operating system's refusal means to the person who chose the folder."""
    reason = (error.strerror or str(error)).lower()
    return StorageError(
        Sentence("{directory} cannot be written: {reason}.", directory=directory, reason=reason),
        "Choose another folder, or make room.",
    )


def _made(base: Path, prefix: str) -> tuple[Path, Note]:
    """A new folder of no other's, which the next start removes where this process is killed."""
    folder = base / f"{prefix}{secrets.token_hex(4)}"
    note = Note(folder)
    try:
        folder.mkdir(mode=0o700)
    except BaseException:
        note.remove()
        raise
    return folder, note


def _refuse_foreign(target: Path) -> None:
    if target.exists() and not target.is_dir():
        raise StorageError(Sentence("{target} is a file.", target=target), "Choose a folder.")
    foreign = sorted(_entries(target) - _exported(target))
    if foreign:
        raise StorageError(
            counting(
                len(foreign) - 1,
                "{target} holds {foreign} and {n} more, which is no part of an export.",
                "{target} holds {foreign} and {n} more, which are no part of an export.",
                target=target,
                foreign=foreign[0],
            )
            if len(foreign) > 1
            else Sentence(
                "{target} holds {foreign}, which is no part of an export.",
                target=target,
                foreign=foreign[0],
            ),
            "Choose another or an empty folder.",
        )


def _entries(target: Path) -> set[str]:
    return {path.name for path in target.iterdir()} if target.exists() else set()


def _exported(target: Path) -> set[str]:
    """Names of the files that an earlier export made, and of what running it left there."""
    try:
        files = json.loads((target / MANIFEST).read_text())["files"]
        names = {str(name) for name in files} if isinstance(files, dict) else set()
    except (OSError, ValueError, KeyError, TypeError):
        return set()
    return names | {MANIFEST, _LEFT_BY_PYTHON} if "executor.py" in names else set()


def _put(scratch: Path, target: Path) -> None:
    """Rename into place; an earlier export is set aside first, and deleted after that."""
    if not target.exists():
        scratch.rename(target)
        return
    aside, note = _made(target.parent, ".replaced-")
    old = aside / target.name
    try:
        target.rename(old)
        scratch.rename(target)
        shutil.rmtree(aside, ignore_errors=True)
    except BaseException:
        if old.exists():
            _restore(old, target)
        aside.rmdir()
        raise
    finally:
        note.remove()  # after an error that left it, a person was told where it is
    if aside.exists():
        _log.warning("The export that was replaced is left in %s", aside)


def _restore(old: Path, target: Path) -> None:
    try:
        old.rename(target)
    except OSError as error:
        raise StorageError(
            Sentence(
                "{target} cannot be written, and the export that it held is now {old}.",
                target=target,
                old=old,
            ),
            "Move it back by hand.",
        ) from error
