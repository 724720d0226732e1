"""Reads a whole file that a person named: bytes, or one sentence why not."""

from __future__ import annotations

from pathlib import Path

from engine.records.errors import ModelError
from engine.records.sentences import Sentence


def read_file(path: Path) -> bytes:
    """The file's bytes. ModelError where there are none to be had."""
    try:
        if not path.exists():
            raise ModelError(
                Sentence("There is no file {path}.", path=path),
                "Check the path, or open another model.",
            )
        if path.is_dir():
            raise ModelError(
                Sentence("{path} is a folder.", path=path), "Name the model's file in it."
            )
        if not path.is_file():
            raise ModelError(
                Sentence("{path} is not a regular file.", path=path), "Open a model's file."
            )
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise ModelError(
            Sentence("{path} cannot be read: {reason}.", path=path, reason=reason),
            "Check the file and its permissions.",
        ) from error
    except MemoryError as error:
        raise ModelError(
            Sentence("{path} does not fit into this machine's memory.", path=path.name),
            "Close other programs.",
        ) from error
    if not data:
        raise ModelError(Sentence("{path} is empty.", path=path.name), "Copy or download it again.")
    if data.startswith(b"version https://git-lfs"):
        raise ModelError(
            Sentence("{path} is a Git LFS pointer, not the model itself.", path=path.name),
            "Fetch the model with `git lfs pull`.",
        )
    return data
