"""Recordings as files: what is kept, how small it is, and what a stranger's file may do."""

from __future__ import annotations

import io
import json
import pickle
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.allocation.recording import Recording
from engine.records.errors import ProjectError, StorageError
from engine.replay.recording_file import load_recording, save_recording
from tests.engine.allocation.curves_data import recording


def same(first: Recording, second: Recording) -> bool:
    """Whether two recordings are equal in single precision."""
    plain = replace(first, tasks=()) == replace(second, tasks=())
    columns = ("latency_s", "build_s", "run_s", "search_s")
    return plain and all(
        (one.name, one.op_class, one.weight, one.flops, one.untuned_s, one.exhausted)
        == (two.name, two.op_class, two.weight, two.flops, two.untuned_s, two.exhausted)
        and all(
            np.array_equal(np.float32(getattr(one, name)), np.float32(getattr(two, name)))
            for name in columns
        )
        for one, two in zip(first.tasks, second.tasks, strict=True)
    )


def test_a_recording_comes_back_as_it_was_saved(tmp_path: Path) -> None:
    made = recording(tasks=3)
    made = replace(made, tasks=(replace(made.tasks[0], exhausted=True), *made.tasks[1:]))
    save_recording(made, tmp_path / "a.npz")
    loaded = load_recording(tmp_path / "a.npz")
    assert same(made, loaded)
    assert loaded.tasks[0].latency_s.dtype == np.float64
    save_recording(loaded, tmp_path / "b.npz")
    assert same(load_recording(tmp_path / "b.npz"), loaded)


def test_a_large_model_takes_less_than_150_kilobytes(tmp_path: Path) -> None:
    save_recording(recording(tasks=29, trials=256, batch=16), tmp_path / "a.npz")
    assert (tmp_path / "a.npz").stat().st_size < 150_000


def test_saving_replaces_a_file_and_leaves_nothing_else(tmp_path: Path) -> None:
    for seed in (0, 1):
        save_recording(recording(seed), tmp_path / "a.npz")
    assert [path.name for path in tmp_path.iterdir()] == ["a.npz"]
    assert load_recording(tmp_path / "a.npz").seed == 1


def test_a_folder_that_does_not_exist_is_told_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match=r"a\.npz cannot be written: No such file"):
        save_recording(recording(), tmp_path / "none" / "a.npz")
    with pytest.raises(StorageError, match=r"b\.npz cannot be read: No such file"):
        load_recording(tmp_path / "b.npz")
    with pytest.raises(StorageError, match="Is a directory"):
        load_recording(tmp_path)


def members(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def write(path: Path, parts: dict[str, bytes]) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in parts.items():
            archive.writestr(name, data)


def packed(array: np.ndarray[Any, Any], **options: Any) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array, **options)
    return buffer.getvalue()


def meta_of(parts: dict[str, bytes]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(np.load(io.BytesIO(parts["meta.npy"])).tobytes())
    return found


def with_meta(change: Callable[[dict[str, Any]], Any]) -> Callable[[dict[str, bytes]], None]:
    def alter(parts: dict[str, bytes]) -> None:
        meta = meta_of(parts)
        change(meta)
        parts["meta.npy"] = packed(np.frombuffer(json.dumps(meta).encode(), np.uint8))

    return alter


def with_column(name: str, index: int, value: float) -> Callable[[dict[str, bytes]], None]:
    def alter(parts: dict[str, bytes]) -> None:
        column = np.load(io.BytesIO(parts[f"{name}.npy"])).copy()
        column[index] = value
        parts[f"{name}.npy"] = packed(column)

    return alter


def with_member(name: str, data: bytes) -> Callable[[dict[str, bytes]], None]:
    return lambda parts: parts.update({name: data})


HUGE = packed(np.zeros(1, np.float32)).replace(b"(1,), }", b"(9999999999999,), }")

BAD: dict[str, Callable[[dict[str, bytes]], Any]] = {
    "no meta": lambda parts: parts.pop("meta.npy"),
    "no column": lambda parts: parts.pop("run_s.npy"),
    "meta is no object": with_member(
        "meta.npy", packed(np.frombuffer(b"[]", np.uint8))
    ),
    "meta is no JSON": with_member("meta.npy", packed(np.frombuffer(b"{", np.uint8))),
    "meta is nested deeply": with_member(
        "meta.npy", packed(np.frombuffer(b"[" * 100_000, np.uint8))
    ),
    "a pickle": with_member("run_s.npy", packed(np.array([{}], object), allow_pickle=True)),
    "a pickle without a header": with_member("run_s.npy", pickle.dumps([1.0])),
    "a length that is not there": with_member("run_s.npy", HUGE),
    "another type": with_member("run_s.npy", packed(np.zeros(147))),
    "two dimensions": with_member("run_s.npy", packed(np.zeros((147, 1), np.float32))),
    "a short column": with_member("run_s.npy", packed(np.zeros(3, np.float32))),
    "negative counts": with_member("counts.npy", packed(np.array([50, 48, 52, -3], np.int32))),
    "too few counts": with_member("counts.npy", packed(np.array([147], np.int32))),
    "a latency that is no number": with_column("latency_s", 2, np.nan),
    "a latency of zero": with_column("latency_s", 2, 0.0),
    "a negative duration": with_column("build_s", 2, -1.0),
    "an endless duration": with_column("search_s", 2, np.inf),
    "no tasks": with_meta(lambda meta: meta.update(tasks=[])),
    "a task that is none": with_meta(lambda meta: meta["tasks"].__setitem__(0, 1)),
    "a weight of zero": with_meta(lambda meta: meta["tasks"][0].update(weight=0)),
    "a huge weight": with_meta(lambda meta: meta["tasks"][0].update(weight=10**400)),
    "an untuned latency of zero": with_meta(lambda meta: meta["tasks"][0].update(untuned_s=0)),
    "flops that overflow": with_meta(lambda meta: meta["tasks"][0].update(flops=10**400)),
    "a text for a flag": with_meta(lambda meta: meta["tasks"][0].update(exhausted="no")),
    "no name": with_meta(lambda meta: meta["tasks"][0].pop("name")),
    "a batch of zero": with_meta(lambda meta: meta.update(batch=0)),
    "a peak that is no number": with_meta(lambda meta: meta.update(peak_flops=float("nan"))),
    "a protocol of texts": with_meta(lambda meta: meta.update(protocol={"a": "b"})),
    "a protocol that is none": with_meta(lambda meta: meta.update(protocol=None)),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_a_file_that_makes_no_sense_is_refused_with_a_sentence(name: str, tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    save_recording(recording(), path)
    parts = members(path)
    BAD[name](parts)
    write(path, parts)
    with pytest.raises(ProjectError, match=r"a\.npz is not a recording, or is damaged\."):
        load_recording(path)


def test_a_file_of_a_later_format_asks_for_an_update(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    save_recording(recording(), path)
    parts = members(path)
    with_meta(lambda meta: meta.update(format=2))(parts)
    write(path, parts)
    with pytest.raises(ProjectError, match="newer Tunewright"):
        load_recording(path)


@pytest.mark.parametrize("data", [b"", b"text", b"PK\x03\x04", b"SQLite format 3\x00" * 9])
def test_a_file_of_another_kind_is_refused_with_a_sentence(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    path.write_bytes(data)
    with pytest.raises(ProjectError, match="not a recording"):
        load_recording(path)


def test_any_truncated_or_altered_file_is_refused_or_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    save_recording(recording(trials=8), path)
    whole = path.read_bytes()
    rng = np.random.default_rng(0)
    for cut in rng.integers(0, len(whole), 40):
        path.write_bytes(whole[:cut])
        with pytest.raises(ProjectError):
            load_recording(path)
    for place in rng.integers(0, len(whole), 200):
        altered = bytearray(whole)
        altered[place] ^= 0xFF
        path.write_bytes(altered)
        try:
            load_recording(path)
        except ProjectError as error:
            assert "a.npz" in error.what
