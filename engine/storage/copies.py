"""A whole, consistent copy of an open project under another name, or nothing."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from engine.storage.whole_file import replacing, sync

if TYPE_CHECKING:
    from sqlite_utils import Database


def uri(path: Path, mode: str) -> str:
    """`path` as SQLite's URI; mode is "ro", "rw" or "rwc"."""
    return f"file:{quote(os.fsencode(path))}?mode={mode}"


def journal(path: Path) -> Path:
    """SQLite's rollback journal of a file."""
    return path.with_name(f"{path.name}-journal")


def copy_to(db: Database, path: Path) -> None:
    """Copy the database to `path`, replacing what is there only when the copy is on the disk."""
    with replacing(path) as draft:
        db.execute("VACUUM INTO ?", [uri(draft, "rwc")])
        sync(draft)
        journal(path).unlink(missing_ok=True)  # of an older file: it would be played into ours
