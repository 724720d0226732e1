"""Files are written whole or not at all, with the permissions of any other file."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from engine.records.errors import StorageError
from engine.storage import whole_file
from engine.storage.whole_file import replacing, save_whole, write_whole
from tests.test_structure import FILES


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("name", ["a.html", "a" * 255, "ü" * 127, ".hidden"])
def test_a_file_takes_the_place_of_an_earlier_one_and_leaves_nothing_else(
    tmp_path: Path, name: str
) -> None:
    for text in ("old", "new"):
        write_whole(tmp_path / name, text)
    assert (tmp_path / name).read_text() == "new"
    assert names(tmp_path) == [name]


def test_texts_that_no_file_can_hold_are_written_with_a_mark(tmp_path: Path) -> None:
    write_whole(tmp_path / "a", "\udcff")
    write_whole(tmp_path / "b", b"\xff")
    assert (tmp_path / "a").read_bytes() == b"?" and (tmp_path / "b").read_bytes() == b"\xff"


@pytest.mark.parametrize("umask", [0o022, 0o077, 0o002])
def test_a_new_file_has_the_permissions_of_any_new_file(tmp_path: Path, umask: int) -> None:
    code = (
        "import os, sys; from pathlib import Path; from engine.storage.whole_file import *;"
        f"os.umask({umask}); write_whole(Path(sys.argv[1]), 'x'); Path(sys.argv[2]).touch()"
    )
    subprocess.run([sys.executable, "-c", code, tmp_path / "a", tmp_path / "b"], check=True)
    assert (tmp_path / "a").stat().st_mode == (tmp_path / "b").stat().st_mode


@pytest.mark.parametrize("mode", [0o600, 0o664, 0o444])
def test_a_file_that_is_replaced_keeps_its_permissions(tmp_path: Path, mode: int) -> None:
    (tmp_path / "a").touch()
    (tmp_path / "a").chmod(mode)
    write_whole(tmp_path / "a", "new")
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == mode


def test_threads_that_make_files_meanwhile_get_their_own_permissions(tmp_path: Path) -> None:
    (tmp_path / "expected").touch()
    over = threading.Event()

    def write() -> None:
        while not over.is_set():
            write_whole(tmp_path / "report.html", "x")

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for number in range(300):
            (tmp_path / f"{number}").touch()
    finally:
        over.set()
        writer.join()
    modes = {path.stat().st_mode for path in tmp_path.iterdir()}
    assert modes == {(tmp_path / "expected").stat().st_mode}


def test_nothing_of_ours_changes_the_umask_of_all_threads() -> None:
    assert [path for path in FILES if "umask(" in path.read_text()] == []


def test_a_link_stays_one_and_what_it_shows_is_written(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    write_whole(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "real").read_text() == "new"


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO, errno.EDQUOT])
@pytest.mark.parametrize("stage", ["fsync", "replace"])
def test_after_a_failure_at_any_stage_the_old_file_is_there_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stage: str, code: int
) -> None:
    def fail(*_: object) -> None:
        raise OSError(code, os.strerror(code))

    (tmp_path / "a").write_text("old")
    monkeypatch.setattr(*((os, "fsync", fail) if stage == "fsync" else (Path, "replace", fail)))
    with pytest.raises(StorageError, match=rf"a cannot be written: {os.strerror(code)}"):
        save_whole(tmp_path / "a", "new")
    assert (tmp_path / "a").read_text() == "old" and names(tmp_path) == ["a"]


def test_a_file_is_on_the_disk_before_it_takes_the_place_of_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a").write_text("old")
    seen = []
    monkeypatch.setattr(
        whole_file, "sync", lambda path: seen.append((path.is_dir(), (tmp_path / "a").read_text()))
    )
    write_whole(tmp_path / "a", "new")
    assert seen == [(False, "old"), (True, "new")]


def test_an_error_names_the_file_and_not_its_draft(tmp_path: Path) -> None:
    for path in (tmp_path / "none" / "a", tmp_path):
        with pytest.raises(OSError) as caught:
            write_whole(path, "x")
        assert caught.value.filename == str(path)
    assert names(tmp_path) == []


def test_a_block_that_ends_early_leaves_no_draft(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), replacing(tmp_path / "a") as draft:
        draft.write_text("half")
        raise KeyboardInterrupt
    assert names(tmp_path) == []
