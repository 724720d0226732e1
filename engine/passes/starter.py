"""The starter library: records of our own tuning that come with the program.

`resources/starter/cpu.json.xz` and `cuda.json.xz`, where they are there. Traces repeat each other,
and LZMA keeps what is said twice in next to nothing.
"""

from __future__ import annotations

import hashlib
import json
import lzma
from collections.abc import Iterable
from dataclasses import asdict
from functools import lru_cache
from importlib import resources
from typing import Any

from engine.passes.donor import Donor
from engine.project.rows import read_specs, spec_data
from engine.records.errors import StorageError
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
        raise StorageError(
            "The starter library is damaged.", "Install Tunewright again, or tune without it."
        ) from None


def _donor(values: dict[str, Any]) -> Donor:
    key = hashlib.sha256(values["trace"].encode()).hexdigest()
    return read({**values, "args": read_specs(values["args"]), "trace_key": key}, Donor)
