"""The starter library: what our own tuning found, which comes with the program.

Records in `resources/starter/cpu.json.xz` and `cuda.json.xz`, and in `cpu.npz` and `cuda.npz` what
a cost model learns from first; where they are there. Traces repeat each other, and LZMA keeps what
is said twice in next to nothing.
"""

from __future__ import annotations

import hashlib
import json
import lzma
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from functools import lru_cache
from importlib import resources
from io import BytesIO
from typing import Any
from zipfile import BadZipFile

import numpy as np

from engine.passes.donor import Donor
from engine.project.rows import read_specs, spec_data
from engine.records.errors import StorageError
from engine.search.experience import Samples
from engine.storage.fields import Malformed, read

FOLDER = resources.files("resources") / "starter"
_DAMAGED = (
    lzma.LZMAError,
    EOFError,
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
    RecursionError,
)


@lru_cache(maxsize=2)
def starter_donors(gpu: bool) -> tuple[Donor, ...]:
    """The records for GPUs, or for CPUs; none where there is no file of them.

    Raises StorageError where the file is damaged.
    """
    file = FOLDER / f"{'cuda' if gpu else 'cpu'}.json.xz"
    return unpack(file.read_bytes()) if file.is_file() else ()


@lru_cache(maxsize=2)
def starter_samples(gpu: bool) -> Mapping[str, Samples]:
    """The samples for cost models on GPUs, or on CPUs, by workload; none where there is no file.

    Raises StorageError where the file is damaged.
    """
    file = FOLDER / f"{'cuda' if gpu else 'cpu'}.npz"
    return unpack_samples(file.read_bytes()) if file.is_file() else {}


def pack_samples(samples: Mapping[str, Samples]) -> bytes:
    """A file of samples; `unpack_samples` reads it."""
    out = BytesIO()
    features = [each for found in samples.values() for each in found.features]
    np.savez_compressed(
        out,
        workloads=np.array(list(samples)),
        schedules=np.array([len(found.features) for found in samples.values()], np.int32),
        stores=np.array([len(each) for each in features], np.int32),
        features=np.concatenate(features),
        latencies_s=np.concatenate([found.latencies_s for found in samples.values()]),
    )
    return out.getvalue()


def unpack_samples(data: bytes) -> Mapping[str, Samples]:
    """The samples in a file, by workload; StorageError where it is none of ours."""
    try:
        with np.load(BytesIO(data), allow_pickle=False) as file:
            features = np.split(file["features"], np.cumsum(file["stores"])[:-1])
            bounds = np.cumsum(file["schedules"])
            latencies_s = np.split(file["latencies_s"], bounds[:-1])
            return {
                str(name): Samples(tuple(features[end - len(times) : end]), times)
                for name, end, times in zip(file["workloads"], bounds, latencies_s, strict=True)
            }
    except (OSError, BadZipFile, *_DAMAGED):
        raise _damaged() from None


def pack(donors: Iterable[Donor]) -> bytes:
    """A starter library's file; `unpack` reads it."""
    rows = [asdict(donor) | {"args": [spec_data(arg) for arg in donor.args]} for donor in donors]
    for row in rows:
        del row["trace_key"]  # which follows from the trace, and cannot be compressed
    text = json.dumps(rows, separators=(",", ":"), sort_keys=True)
    return lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME)


def unpack(data: bytes) -> tuple[Donor, ...]:
    """The donors in a file; StorageError where it is none of ours."""
    try:
        rows = read(json.loads(lzma.decompress(data)), list[dict[str, Any]])
        return tuple(map(_donor, rows))
    except (*_DAMAGED, Malformed):
        raise _damaged() from None


def _damaged() -> StorageError:
    return StorageError(
        "The starter library is damaged.", "Install Tunewright again, or tune without it."
    )


def _donor(values: dict[str, Any]) -> Donor:
    key = hashlib.sha256(values["trace"].encode()).hexdigest()
    return read({**values, "args": read_specs(values["args"]), "trace_key": key}, Donor)
