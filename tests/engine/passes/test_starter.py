"""The starter library: its file, and that what comes with the program replays."""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.passes import starter
from engine.passes.starter import pack, starter_donors, unpack
from engine.records.errors import StorageError
from tests.engine.passes.donor_data import conv_args, donor

DONORS = (donor(0), donor(1, conv_args(28, 128, 128), untuned_latency_s=None))


def damaged(data: Any) -> bytes:
    return lzma.compress(json.dumps(data).encode())


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An installation's folder of starter libraries, empty."""
    monkeypatch.setattr(starter, "FOLDER", tmp_path)
    starter_donors.cache_clear()
    yield tmp_path
    starter_donors.cache_clear()


def test_what_is_packed_is_unpacked() -> None:
    assert unpack(pack(DONORS)) == DONORS


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"not packed",
        pack(DONORS)[:-20],
        pack(DONORS)[:40] + b"\\0" * 40,
        damaged({}),
        damaged([1]),
        damaged([{}]),
        damaged([{"args": [[[1], "float32"]]}]),
        lzma.compress(b"[" * 100_000),
        lzma.compress(b"\\xff"),
    ],
    ids=lambda data: str(len(data)),
)
def test_a_damaged_library_is_refused_with_a_sentence(data: bytes) -> None:
    with pytest.raises(StorageError, match="starter library is damaged") as caught:
        unpack(data)
    assert caught.value.todo


def test_each_kind_of_target_has_its_file(folder: Path) -> None:
    (folder / "cpu.json.xz").write_bytes(pack(DONORS))
    assert starter_donors(gpu=False) == DONORS
    assert starter_donors(gpu=True) == ()
