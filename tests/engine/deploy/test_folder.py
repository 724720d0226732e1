"""Where an export goes: a person's files and an earlier export survive every failure."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
from collections import namedtuple
from pathlib import Path

import pytest

from engine.deploy.folder import export_folder, hashes
from engine.records.errors import StorageError


def write(folder: Path, mark: str) -> None:
    """Something that looks like an export."""
    (folder / "executor.py").write_text(mark)
    (folder / "module.so").write_text(mark)
    (folder / "manifest.json").write_text(json.dumps({"files": hashes(folder), "mark": mark}))


def export(directory: Path, mark: str) -> None:
    """Export."""
    with export_folder(directory) as folder:
        write(folder, mark)


def mark(directory: Path) -> str:
    """Which export a folder holds."""
    assert {path.name for path in directory.iterdir()} >= {"executor.py", "module.so"}
    return (directory / "module.so").read_text()


def refused(directory: Path) -> StorageError:
    """The error for a folder."""
    with pytest.raises(StorageError) as caught:
        export(directory, "new")
    assert caught.value.what.endswith(".")
    assert caught.value.todo
    return caught.value


def names(folder: Path) -> list[str]:
    """All that is in a folder, hidden files too."""
    return sorted(path.name for path in folder.iterdir())


def test_a_new_folder_is_made_with_its_parents_and_may_be_read_by_all(tmp_path: Path) -> None:
    export(tmp_path / "a" / "b" / "out", "new")
    assert mark(tmp_path / "a" / "b" / "out") == "new"
    assert (tmp_path / "a" / "b" / "out").stat().st_mode & 0o777 == 0o755
    assert names(tmp_path) == ["a"]
    assert names(tmp_path / "a" / "b") == ["out"]


def test_an_empty_folder_is_filled(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    export(tmp_path / "out", "new")
    assert mark(tmp_path / "out") == "new"


@pytest.mark.parametrize("way", ["relative", "trailing", "here", "link"])
def test_the_folder_may_be_named_in_any_way(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = tmp_path / "out"
    export(real, "old")
    (tmp_path / "link").symlink_to(real)
    monkeypatch.chdir(real if way == "here" else tmp_path)
    named = {"relative": "out", "trailing": f"{real}/", "here": ".", "link": str(tmp_path / "link")}
    export(Path(named[way]), "new")
    assert mark(real) == "new"
    assert names(tmp_path) == ["link", "out"]


def test_an_earlier_export_is_replaced_with_what_running_it_left(tmp_path: Path) -> None:
    export(tmp_path / "out", "old")
    (tmp_path / "out" / "__pycache__").mkdir()
    (tmp_path / "out" / "__pycache__" / "executor.pyc").touch()
    export(tmp_path / "out", "new")
    assert mark(tmp_path / "out") == "new"
    assert names(tmp_path / "out") == ["executor.py", "manifest.json", "module.so"]
    assert names(tmp_path) == ["out"]


@pytest.mark.parametrize(
    "files",
    [
        {"photo.jpg": "", "notes.txt": ""},
        {"manifest.json": "{}"},
        {"manifest.json": "not json"},
        {"manifest.json": '{"files": []}'},
        {"manifest.json": '{"files": {"index.js": ""}}', "index.js": ""},
        {"manifest.json": "[1]", "icon.png": ""},
        {".hidden": ""},
        {"__pycache__": ""},
    ],
)
def test_a_folder_with_other_files_is_refused_and_left_alone(
    files: dict[str, str], tmp_path: Path
) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    error = refused(tmp_path)
    assert "no part of an export" in error.what
    assert min(files) in error.what
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == files


def test_a_persons_file_inside_an_earlier_export_is_not_lost(tmp_path: Path) -> None:
    export(tmp_path / "out", "old")
    (tmp_path / "out" / "results.npz").write_text("precious")
    assert "results.npz" in refused(tmp_path / "out").what
    assert (tmp_path / "out" / "results.npz").read_text() == "precious"
    assert mark(tmp_path / "out") == "old"


def test_a_file_is_not_taken_for_a_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    assert "is a file" in refused(tmp_path / "file").what
    assert "not a directory" in refused(tmp_path / "file" / "out").what
    assert (tmp_path / "file").read_text() == "mine"


def test_where_nobody_may_write_is_refused_with_the_reason() -> None:
    assert (
        "/proc/tunewright-export cannot be written" in refused(Path("/proc/tunewright-export")).what
    )


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_parent_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o555)
    assert "permission denied" in refused(tmp_path / "out").what
    tmp_path.chmod(0o755)


def test_a_disk_without_room_is_refused_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(100, 90, 10))
    with pytest.raises(StorageError, match="no space left"), export_folder(tmp_path / "o", room=11):
        pass
    assert names(tmp_path) == []


@pytest.mark.parametrize("old", [True, False])
@pytest.mark.parametrize(
    "failure",
    [OSError(errno.ENOSPC, "No space left on device"), ValueError("x"), KeyboardInterrupt],
)
def test_a_failure_while_filling_changes_nothing(
    failure: BaseException | type[BaseException], old: bool, tmp_path: Path
) -> None:
    target = tmp_path / "parent" / "out"
    if old:
        export(target, "old")
    raised = failure if isinstance(failure, type) else type(failure)
    kind = StorageError if issubclass(raised, OSError) else raised
    with pytest.raises(kind), export_folder(target) as folder:
        write(folder, "new")
        raise failure
    assert names(tmp_path) == (["parent"] if old else [])
    assert not old or mark(target) == "old"


class Renames:
    """Lets the renames with these numbers fail, counted from 1."""

    def __init__(self, patch: pytest.MonkeyPatch, *failing: int) -> None:
        self._failing = failing
        self._count = 0
        real = Path.rename

        def rename(path: Path, target: Path) -> Path:
            self._count += 1
            if self._count in self._failing:
                raise OSError(errno.EBUSY, "Device or resource busy")
            return real(path, target)

        patch.setattr(Path, "rename", rename)


@pytest.mark.parametrize("failing", [1, 2])
def test_a_rename_that_fails_loses_no_earlier_export(
    failing: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    export(tmp_path / "out", "old")
    with monkeypatch.context() as patch:
        Renames(patch, failing)
        assert "busy" in refused(tmp_path / "out").what
    assert mark(tmp_path / "out") == "old"
    assert names(tmp_path) == ["out"]


def test_an_export_that_cannot_be_moved_back_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    export(tmp_path / "out", "old")
    with monkeypatch.context() as patch:
        Renames(patch, 2, 3)
        error = refused(tmp_path / "out")
    (aside,) = tmp_path.iterdir()
    assert f"is now {aside / 'out'}" in error.what
    assert mark(aside / "out") == "old"


def test_a_delete_that_fails_leaves_both_exports(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    export(tmp_path / "out", "old")
    with monkeypatch.context() as patch:
        patch.setattr(shutil, "rmtree", lambda path, ignore_errors: None)
        export(tmp_path / "out", "new")
    assert mark(tmp_path / "out") == "new"
    (aside,) = tmp_path.glob(".replaced-*")
    assert mark(aside / "out") == "old"
    assert str(aside) in caplog.text


def test_hashes_are_those_of_the_files(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"")
    (tmp_path / "b").write_bytes(bytes(range(256)) * 9000)
    assert hashes(tmp_path) == {
        name: hashlib.sha256((tmp_path / name).read_bytes()).hexdigest() for name in "ab"
    }
