"""Artifact folders give fresh paths and clean up after themselves."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from engine.workers import artifacts
from engine.workers.artifacts import ArtifactFolder


def test_no_path_is_given_twice_from_any_thread(tmp_path: Path) -> None:
    folder = ArtifactFolder(tmp_path)
    paths: list[str] = []
    threads = [
        threading.Thread(target=lambda: paths.extend(folder.fresh() for _ in range(200)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    folder.close()
    assert len(set(paths)) == 800


def test_closing_removes_everything_and_may_be_repeated(tmp_path: Path) -> None:
    folder = ArtifactFolder(tmp_path)
    Path(folder.fresh()).write_bytes(b"library")
    folder.close()
    folder.close()
    assert list(tmp_path.iterdir()) == []


def test_a_new_folder_leaves_a_living_one_alone(tmp_path: Path) -> None:
    first = ArtifactFolder(tmp_path)
    kept = Path(first.fresh())
    kept.write_bytes(b"library")
    ArtifactFolder(tmp_path).close()
    assert kept.exists()
    first.close()


def test_two_folders_never_share_a_path(tmp_path: Path) -> None:
    first, second = ArtifactFolder(tmp_path), ArtifactFolder(tmp_path)
    assert first.fresh() != second.fresh()
    first.close()
    second.close()


def test_memory_is_used_where_libraries_may_run_there(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(artifacts, "_MEMORY", tmp_path)
    folder = ArtifactFolder()
    assert tmp_path in folder.path.parents
    folder.close()


@pytest.mark.parametrize("obstacle", ["no execution", "too small", "absent"])
def test_another_place_is_taken_where_memory_does_not_serve(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, obstacle: str
) -> None:
    memory, elsewhere = tmp_path / "memory", tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.setattr(artifacts, "_MEMORY", memory)
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(elsewhere))
    if obstacle != "absent":
        memory.mkdir()
        flags = os.ST_NOEXEC if obstacle == "no execution" else 0
        blocks = 1 << 10 if obstacle == "too small" else 1 << 40
        system = os.statvfs_result((4096, 4096, blocks, blocks, blocks, 9, 9, 9, flags, 255))
        monkeypatch.setattr("os.statvfs", lambda _path: system)
    folder = ArtifactFolder()
    assert elsewhere in folder.path.parents
    folder.close()
