"""Reads a whole file that a person named: bytes, or one sentence why not."""

from __future__ import annotations

from pathlib import Path

from engine.records.errors import ModelError


def read_file(path: Path) -> bytes:
    """The file's bytes. ModelError where there are none to be had."""
    try:
        if not path.exists():
            raise ModelError(f"There is no file {path}.", "Check the path, or open another model.")
        if path.is_dir():
            raise ModelError(f"{path} is a folder.", "Name the model's file in it.")
        if not path.is_file():
            raise ModelError(f"{path} is not a regular file.", "Open a model's file.")
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise ModelError(
            f"{path} cannot be read: {reason}.", "Check the file and its permissions."
        ) from error
    except MemoryError as error:
        raise ModelError(
            f"{path.name} does not fit into this machine's memory.", "Close other programs."
        ) from error
    if not data:
        raise ModelError(f"{path.name} is empty.", "Copy or download it again.")
    if data.startswith(b"version https://git-lfs"):
        raise ModelError(
            f"{path.name} is a Git LFS pointer, not the model itself.",
            "Fetch the model with `git lfs pull`.",
        )
    return data
