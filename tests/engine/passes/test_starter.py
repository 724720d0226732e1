"""The starter library: its file, and that what comes with the program replays."""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.passes import starter
from engine.passes.starter import (
    pack,
    pack_samples,
    starter_donors,
    starter_samples,
    unpack,
    unpack_samples,
)
from engine.records.errors import StorageError
from engine.search.experience import Samples
from tests.engine.passes.donor_data import conv_args, donor

DONORS = (donor(0), donor(1, conv_args(28, 128, 128), untuned_latency_s=None))


SAMPLES = {
    "conv": Samples((np.ones((2, 3), np.float32), np.zeros((1, 3), np.float32)), np.arange(2.0)),
    "dense": Samples((np.full((4, 3), 7, np.float32),), np.array([1e-6])),
}


def damaged(data: Any) -> bytes:
    return lzma.compress(json.dumps(data).encode())


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An installation's folder of starter libraries, empty."""
    monkeypatch.setattr(starter, "FOLDER", tmp_path)
    for read in (starter_donors, starter_samples):
        read.cache_clear()
    yield tmp_path
    for read in (starter_donors, starter_samples):
        read.cache_clear()


def test_what_is_packed_is_unpacked() -> None:
    assert unpack(pack(DONORS)) == DONORS


def test_samples_that_are_packed_are_unpacked() -> None:
    found = unpack_samples(pack_samples(SAMPLES))
    assert list(found) == list(SAMPLES)
    for name, samples in SAMPLES.items():
        np.testing.assert_array_equal(found[name].latencies_s, samples.latencies_s)
        for ours, theirs in zip(found[name].features, samples.features, strict=True):
            np.testing.assert_array_equal(ours, theirs)


def pickled() -> bytes:
    out = BytesIO()
    np.savez(out, workloads=np.array([{}], dtype=object))
    return out.getvalue()


@pytest.mark.parametrize(
    "data",
    [b"", b"none", pack_samples(SAMPLES)[:-40], pack_samples(SAMPLES)[60:], pickled()],
    ids=lambda data: str(len(data)),
)
def test_damaged_samples_are_refused_with_a_sentence(data: bytes) -> None:
    with pytest.raises(StorageError, match="starter library is damaged"):
        unpack_samples(data)


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
    (folder / "cuda.npz").write_bytes(pack_samples(SAMPLES))
    assert list(starter_samples(gpu=True)) == list(SAMPLES)
    assert starter_samples(gpu=False) == {}
