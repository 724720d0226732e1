"""Cubins are kept by what they were compiled of, whole, and not without bound."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any

import pytest

from engine.measure import cubin_cache, cuda_compiler
from engine.measure.cubin_cache import keep, kept, key_of

SOURCE = "extern C void kernel();"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where they are kept."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    cubin_cache._make_room.cache_clear()
    return tmp_path / "tunewright" / "cubins"


def test_a_cubin_is_found_by_what_it_was_compiled_of(folder: Path) -> None:
    key = key_of((SOURCE, "sm_90"))
    assert kept(key) is None
    keep(key, b"\x7fELF one")
    assert kept(key) == b"\x7fELF one"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert [path.name for path in folder.iterdir()] == [key]


@pytest.mark.parametrize(
    "other",
    [(SOURCE, "sm_80"), (SOURCE + " ", "sm_90"), (SOURCE + "sm_90",), (SOURCE, "sm_90", "")],
)
def test_whatever_else_goes_in_is_another_key(other: tuple[str, ...]) -> None:
    assert key_of(other) != key_of((SOURCE, "sm_90"))


@pytest.mark.parametrize("damage", ["cut", "empty", "changed", "a folder"])
def test_a_damaged_file_is_none(damage: str, folder: Path) -> None:
    keep("key", b"\x7fELF one")
    path = folder / "key"
    data = path.read_bytes()
    if damage == "a folder":
        path.unlink()
        path.mkdir()
    else:
        changed = data[:-1] + b"?"
        path.write_bytes({"cut": data[:-1], "empty": b"", "changed": changed}[damage])
    assert kept("key") is None
    keep("key", b"\x7fELF two")
    assert kept("key") == (None if damage == "a folder" else b"\x7fELF two")


def test_where_nothing_can_be_kept_nothing_fails(folder: Path) -> None:
    folder.parent.parent.mkdir(exist_ok=True)
    folder.parent.write_text("a file")
    keep("key", b"\x7fELF")
    assert kept("key") is None


def test_the_longest_unused_make_room(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cubin_cache, "_MOST_BYTES", 200)
    for age, name in enumerate("abcd"):
        keep(name, bytes(40))
        os.utime(folder / name, (1000 - age, 1000 - age))
    assert kept("d") is not None  # which makes it the youngest
    cubin_cache._make_room.cache_clear()
    keep("e", bytes(40))
    assert sorted(path.name for path in folder.iterdir()) == ["a", "d", "e"]


def test_a_source_is_compiled_once_for_each_architecture(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []

    def compile_it(source: str, options: list[str], headers: Any) -> bytes:
        compiled.append(options[0])
        return f"cubin {len(compiled)}".encode()

    monkeypatch.setattr(cuda_compiler, "cubin_of", compile_it)
    monkeypatch.setattr(cuda_compiler, "_compiler", lambda folders: ("13.0",))
    found = []
    for architecture in ("sm_90", "sm_90", "sm_80", "sm_90"):
        monkeypatch.setattr(cuda_compiler, "_architecture", lambda name=architecture: name)
        found.append(cuda_compiler.lean_cubin(SOURCE))
    assert found == [b"cubin 1", b"cubin 1", b"cubin 2", b"cubin 1"]
    monkeypatch.setattr(cuda_compiler, "_compiler", lambda folders: ("13.1",))
    assert cuda_compiler.lean_cubin(SOURCE) == b"cubin 3"
