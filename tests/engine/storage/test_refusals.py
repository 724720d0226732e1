"""Paths that the system refuses become sentences; faults of ours stay what they are."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.records.errors import StorageError, UsageError
from engine.storage.refusals import explained, refusal

LONG = "a" * 300


def raised(call: Callable[[], object]) -> Exception:
    with pytest.raises((OSError, ValueError)) as caught:
        call()
    return caught.value


def test_a_name_that_is_too_long_is_told_in_short(tmp_path: Path) -> None:
    found = refusal(raised((tmp_path / LONG).exists))
    assert isinstance(found, StorageError)
    assert "is too long" in found.what and len(found.what) < 130 and "…" in found.what


def test_a_null_character_is_bad_use() -> None:
    found = refusal(raised(Path("a\0b").stat))
    assert isinstance(found, UsageError) and "null character" in found.what


def test_a_file_in_place_of_a_folder_and_a_link_to_itself_are_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "loop").symlink_to("loop")
    for path in (tmp_path / "file" / "net.onnx", tmp_path / "loop"):
        found = refusal(raised(path.read_bytes))
        assert found is not None and path.name in found.what and found.todo


@pytest.mark.parametrize("code", [errno.EACCES, errno.EPERM, errno.EROFS])
def test_a_protected_place_is_told(code: int) -> None:
    found = refusal(OSError(code, os.strerror(code), "/root/net.onnx"))
    assert found is not None and found.what.startswith("net.onnx") and "protected" in found.what


@pytest.mark.parametrize(
    "error",
    [
        OSError(errno.ENOENT, "No such file or directory", "part-of-ours"),
        OSError(errno.EACCES, "Permission denied"),
        OSError(errno.EACCES, "Permission denied", 7),
        OSError("The fork server was stopped."),
        ValueError("too many values"),
        KeyError("net"),
    ],
)
def test_what_names_no_path_of_a_person_is_no_refusal(error: Exception) -> None:
    assert refusal(error) is None
    assert explained(error).what.startswith("Something unforeseen")


@pytest.mark.parametrize("name", ["net.onnx", "net.tune", "export", "experiment.yaml"])
def test_a_folder_of_which_nothing_is_known_is_not_answered_by_one_kind_of_file(
    tmp_path: Path, name: str
) -> None:
    (tmp_path / name).mkdir()
    found = refusal(raised((tmp_path / name).read_bytes))
    assert found is not None
    assert (found.what, found.todo) == (f"{name} is a folder.", "Name a file.")
