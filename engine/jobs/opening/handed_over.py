"""Constants of a large model on their way from the worker that opened it: in a file that both map.

By a pipe each byte would be in memory twice on either side. The file is ours and has no name any
more once it is mapped: nobody can shorten it under a process that reads it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from engine.models.weights import mapped
from engine.records.errors import ModelError
from engine.records.sentences import Sentence

if TYPE_CHECKING:
    import numpy as np

_ALIGNMENT = 64  # what TVM takes without a copy
_LARGE_BYTES = 1 << 16


@dataclass(frozen=True, slots=True)
class HandedOver:
    """Arrays by the names of their types, shapes, and offsets (bytes) in the file at `path`."""

    path: str
    places: tuple[tuple[str, tuple[int, ...], int], ...]


Sent = tuple["np.ndarray", ...] | HandedOver


def hand_over(arrays: Sequence[np.ndarray], folder: Path) -> Sent:
    """The arrays themselves, or a file in `folder` with them where they are many bytes.

    Raises ModelError where there is no room for it.
    """
    needed = sum(array.nbytes for array in arrays)
    if needed <= mapped.MAPPED_ABOVE_BYTES:
        return tuple(arrays)
    import numpy as np

    places, path = [], folder / "constants"
    try:
        with path.open("wb") as file:
            for array in arrays:
                file.write(b"\0" * (-file.tell() % _ALIGNMENT))
                places.append((array.dtype.name, array.shape, file.tell()))
                file.write(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data)
    except OSError as error:
        raise ModelError(
            Sentence(
                "The model's constants, {needed:.1f} GB, do not fit into {parent}: {strerror}.",
                needed=needed / 1000000000.0,
                parent=folder.parent,
                strerror=error.strerror,
            ),
            "Make room there, or set TMPDIR to a folder with more.",
        ) from error
    return HandedOver(str(path), tuple(places))


def take_over(sent: Sent) -> tuple[np.ndarray, ...]:
    """The arrays, those of a file in pages that are shared until they are written to."""
    if not isinstance(sent, HandedOver):
        return sent
    import ml_dtypes  # noqa: F401  has NumPy know bfloat16 by its name
    import numpy as np

    return tuple(
        np.memmap(sent.path, np.dtype(dtype), "c", offset, shape)
        if 0 not in shape
        else np.zeros(shape, np.dtype(dtype))
        for dtype, shape, offset in sent.places
    )


class Shared:
    """Large arrays that several models have, by their contents."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, tuple[int, ...], bytes], np.ndarray] = {}

    def __len__(self) -> int:
        return len(self._known)

    def shared(self, array: np.ndarray) -> np.ndarray:
        """The array, or an equal one that came before it."""
        import numpy as np

        if array.nbytes < _LARGE_BYTES:
            return array
        data = np.ascontiguousarray(array).reshape(-1).view(np.uint8).data
        key = array.dtype.name, array.shape, hashlib.sha256(data).digest()
        return self._known.setdefault(key, array)
