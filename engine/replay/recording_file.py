"""A recording as one small file: NumPy's .npz with plain columns and JSON, no pickle."""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from msgspec import Meta
from numpy.lib import format as npy
from numpy.typing import NDArray

from engine.allocation.recording import Floats, RecordedTask, Recording
from engine.records.errors import Hint, ProjectError, StorageError
from engine.records.options import Count, Latency, Real, hints
from engine.records.sentences import Sentence
from engine.storage.failures import shown
from engine.storage.fields import Malformed, clean, read
from engine.storage.whole_file import save_whole

SUFFIX = ".npz"
FORMAT = 1

_COLUMNS = ("latency_s", "build_s", "run_s", "search_s")
_LIMIT = 64 << 20  # bytes of one column: four million trials a recording are a mistake or a bomb
_WANTED = Sentence("Choose a recording of a tuned project.")
_DTYPES: dict[str, np.dtype[Any]] = {"meta": np.dtype("u1"), "counts": np.dtype("<i4")}
_BROKEN = (
    zipfile.BadZipFile, zlib.error, EOFError, KeyError, ValueError, OverflowError, Malformed,
    RuntimeError,  # an encrypted member, or one that is packed in an unknown way
)  # fmt: skip


def save_recording(recording: Recording, path: Path) -> None:
    """Write a recording over what is at `path`; StorageError where that cannot be written.

    Columns are stored in single precision.
    """
    counts = np.array([len(task.latency_s) for task in recording.tasks], _DTYPES["counts"])
    meta = np.frombuffer(json.dumps(_meta(recording), sort_keys=True).encode(), np.uint8)
    columns = {name: _joined(recording, name) for name in _COLUMNS}
    packed = io.BytesIO()
    np.savez_compressed(packed, allow_pickle=False, meta=meta, counts=counts, **columns)
    save_whole(path, packed.getvalue())


def load_recording(path: Path) -> Recording:
    """Read a recording; ProjectError where the file is none, StorageError where it is not read."""
    try:
        with path.open("rb") as file:
            return _parse(file)
    except OSError as error:
        is_folder = path.is_dir()
        raise StorageError(
            Sentence(
                "{path} cannot be read: {strerror}.", path=shown(path), strerror=error.strerror
            ),
            _WANTED if is_folder else "Check its name and folder.",
            Hint.RECORD if is_folder else None,
        ) from error
    except _Newer as error:
        raise ProjectError(
            Sentence("{path} was recorded by a newer Tunewright.", path=shown(path)),
            "Update Tunewright to open it.",
        ) from error
    except _BROKEN as error:
        raise ProjectError(
            Sentence("{path} is not a recording, or is damaged.", path=shown(path)),
            _WANTED,
            Hint.RECORD,
        ) from error


class _Newer(Exception):
    """The file's format is one that this program does not know."""


@dataclass(frozen=True, slots=True)
class _Task:
    """What a recording says of a task beside its columns."""

    name: str
    op_class: str
    weight: Count
    flops: Real
    untuned_s: Latency
    exhausted: bool


@dataclass(frozen=True, slots=True)
class _About:
    """What a recording says of itself, as `Recording`."""

    model: str
    target: str
    device: str
    date: str
    engine_version: str
    seed: Annotated[int, Meta(ge=0, le=2**31 - 1)]
    batch: Count
    cores: Count
    peak_flops: Real
    protocol: dict[str, Real]
    tasks: Annotated[tuple[_Task, ...], Meta(min_length=1)]


def _meta(recording: Recording) -> dict[str, Any]:
    about = {name: getattr(recording, name) for name in hints(_About)}
    tasks = [{name: getattr(task, name) for name in hints(_Task)} for task in recording.tasks]
    return {**about, "format": FORMAT, "tasks": tasks}


def _joined(recording: Recording, name: str) -> NDArray[np.float32]:
    parts = [np.asarray(getattr(task, name), np.float32) for task in recording.tasks]
    return np.concatenate(parts) if parts else np.zeros(0, np.float32)


def _parse(file: Any) -> Recording:
    with zipfile.ZipFile(file) as archive:
        try:
            meta = json.loads(_array(archive, "meta").tobytes())
        except RecursionError as error:
            raise Malformed("meta") from error
        if type(meta) is not dict or read(meta.get("format"), Count) > FORMAT:
            raise _Newer if type(meta) is dict else Malformed("meta")
        counts = _array(archive, "counts")
        columns = {name: _column(_array(archive, name)) for name in _COLUMNS}
    about = read(meta, _About)
    if len(about.tasks) != len(counts) or counts.min() < 0:
        raise Malformed("tasks")
    total = int(counts.sum(dtype=np.int64))
    if any(len(column) != total for column in columns.values()):
        raise Malformed("counts")
    ends = np.cumsum(counts, dtype=np.int64)
    made = {
        **_cleaned(about),
        "protocol": {clean(name): value for name, value in about.protocol.items()},
        "tasks": tuple(
            _task(item, {name: column[end - count : end] for name, column in columns.items()})
            for item, count, end in zip(about.tasks, counts, ends, strict=True)
        ),
    }
    return Recording(**made)


def _array(archive: zipfile.ZipFile, name: str) -> NDArray[Any]:
    """A vector of the archive; its header is checked before memory is taken for it."""
    with archive.open(f"{name}.npy") as member:
        data = member.read(_LIMIT + 1)
    buffer = io.BytesIO(data)
    if npy.read_magic(buffer) != (1, 0):
        raise Malformed(name)
    shape, _, dtype = npy.read_array_header_1_0(buffer, max_header_size=1000)
    body = data[buffer.tell() :]
    wanted = _DTYPES.get(name, np.dtype("<f4"))
    if len(data) > _LIMIT or dtype != wanted or shape != (len(body) // wanted.itemsize,):
        raise Malformed(name)
    return np.frombuffer(body, wanted)


def _column(values: NDArray[Any]) -> Floats:
    return values.astype(np.float64)


def _task(task: _Task, columns: dict[str, Floats]) -> RecordedTask:
    latency_s = columns["latency_s"]
    if not (latency_s > 0).all():  # also false where one is not a number
        raise Malformed("latency_s")
    for name in ("build_s", "run_s", "search_s"):
        if not (np.isfinite(columns[name]) & (columns[name] >= 0)).all():
            raise Malformed(name)
    return RecordedTask(**{**_cleaned(task), **columns})


def _cleaned(data: _About | _Task) -> dict[str, Any]:
    """The fields, texts without what undecodable bytes leave."""
    values = {name: getattr(data, name) for name in hints(type(data))}
    return {name: clean(v) if isinstance(v, str) else v for name, v in values.items()}
