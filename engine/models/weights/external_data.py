"""Reads weights that lie beside an ONNX file, and never a byte from outside its folder."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING, Protocol

from engine.models.light_copy import stored_bytes
from engine.models.proto_walk import walk_tensors
from engine.models.weights import mapped
from engine.records.errors import ModelError
from engine.records.sentences import Sentence
from engine.records.units import whole_number

if TYPE_CHECKING:
    from onnx import ModelProto, TensorProto

_RESTORE = Sentence("Put the weight files back beside the model, as they were exported.")


class Digest(Protocol):
    """What of a hashlib object is used here."""

    def update(self, data: bytes | memoryview, /) -> None:
        """Take in more bytes."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """Where one tensor's bytes are."""

    tensor: TensorProto
    path: Path
    offset: int
    length: int


def load_external_data(proto: ModelProto, folder: Path, name: str, digest: Digest) -> None:
    """Move all external weights of the model `name` into `proto`, adding them to `digest`.

    Large ones of a large model become mapped. ModelError where a file is missing, too short,
    outside `folder` or too much for the memory.
    """
    from onnx import TensorProto

    external = [t for t in walk_tensors(proto) if t.data_location == TensorProto.EXTERNAL]
    pieces = [_locate(tensor, folder, name) for tensor in external]
    _require_memory(sum(piece.length for piece in pieces), name)
    large = _to_be_mapped(proto, pieces)
    for piece in pieces:
        if id(piece.tensor) in large:
            mapped.map_weight(piece.tensor, piece.path, piece.offset, piece.length)
            digest.update(_mapped(piece))
            continue
        data = _read(piece)
        digest.update(data)
        piece.tensor.raw_data = data
        piece.tensor.data_location = TensorProto.DEFAULT
        del piece.tensor.external_data[:]


def _to_be_mapped(proto: ModelProto, pieces: list[_Piece]) -> set[int]:
    """Which tensors, by their ids, are left in their files."""
    if proto.ByteSize() + sum(piece.length for piece in pieces) <= mapped.MAPPED_ABOVE_BYTES:
        return set()
    outermost = list(proto.graph.initializer)
    return set(map(id, outermost)) & {id(piece.tensor) for piece in pieces if _can_be_mapped(piece)}


def _can_be_mapped(piece: _Piece) -> bool:
    """Whether it is worth it, and an array in memory has the values as the file has them."""
    from onnx import helper

    if piece.length < mapped.LEAST_MAPPED_BYTES:
        return False
    dtype = helper.tensor_dtype_to_np_dtype(piece.tensor.data_type)
    return bool(math.prod(piece.tensor.dims) * dtype.itemsize == piece.length)


def _locate(tensor: TensorProto, folder: Path, name: str) -> _Piece:
    entries = {entry.key: entry.value for entry in tensor.external_data}
    location = entries.get("location", "")
    path = _resolve(folder, location, name)
    size = path.stat().st_size
    offset = whole_number(entries.get("offset") or "0")
    length = whole_number(entries.get("length") or str(max(0, size - (offset or 0))))
    if offset is None or length is None:
        raise ModelError(
            Sentence(
                "{name} gives no valid place in {location} for the weight {tensor}.",
                name=name,
                location=location,
                tensor=tensor.name,
            ),
            "Export the model again.",
        )
    if offset + length > size:
        raise ModelError(
            Sentence(
                "{name} needs bytes {offset} to {end} of {location}, which has {size}.",
                name=name,
                offset=offset,
                end=offset + length,
                location=location,
                size=size,
            ),
            _RESTORE,
        )
    if length != stored_bytes(tensor):
        raise ModelError(
            Sentence(
                "{location} holds {length} bytes for the weight {tensor}, whose shape "
                "needs {needed}.",
                location=location,
                length=length,
                tensor=tensor.name,
                needed=stored_bytes(tensor),
            ),
            _RESTORE,
        )
    return _Piece(tensor, path, offset, length)


def _resolve(folder: Path, location: str, name: str) -> Path:
    """The regular file at `location`, which must lie in `folder` also after symbolic links."""
    inside = Sentence(
        "Keep the weight files in the model's own folder, and export with relative paths."
    )
    outside = Sentence(
        "{name} takes weights from {location}, outside the model's folder.",
        name=name,
        location=location or Sentence("nowhere"),
    )
    if not location or "\0" in location or _leaves_folder(location):
        raise ModelError(outside, inside)
    try:
        path = (folder / location).resolve()
        if not path.is_relative_to(folder.resolve()):
            raise ModelError(outside, inside)
        found = path.is_file()
    except (OSError, RuntimeError) as error:
        raise ModelError(
            Sentence(
                "{name}'s weight file {location} cannot be read.", name=name, location=location
            ),
            _RESTORE,
        ) from error
    if not found:
        raise ModelError(
            Sentence(
                "{name} needs the weight file {location}, which is missing.",
                name=name,
                location=location,
            ),
            _RESTORE,
        )
    return path


def _leaves_folder(location: str) -> bool:
    posix, windows = PurePosixPath(location), PureWindowsPath(location)
    return (
        posix.is_absolute()
        or windows.is_absolute()
        or bool(windows.drive)
        or ".." in (*posix.parts, *windows.parts)
    )


def _require_memory(needed: int, name: str) -> None:
    import psutil

    free = psutil.virtual_memory().available
    if needed > free:
        raise ModelError(
            Sentence(
                "{name}'s weights take {needed:.1f} GB, and {free:.1f} GB are free.",
                name=name,
                needed=needed / 1000000000.0,
                free=free / 1000000000.0,
            ),
            "Close other programs, or use a machine with more memory.",
        )


def _mapped(piece: _Piece) -> memoryview:
    try:
        return mapped.array_of(piece.tensor).reshape(-1).view("uint8").data
    except (OSError, ValueError) as error:
        raise _unreadable(piece, error) from error


def _unreadable(piece: _Piece, error: OSError | ValueError) -> ModelError:
    reason = error.strerror if isinstance(error, OSError) else Sentence("it became shorter")
    return ModelError(
        Sentence("{path} cannot be read: {reason}.", path=piece.path, reason=reason),
        "Check the file and its permissions.",
    )


def _read(piece: _Piece) -> bytes:
    try:
        with piece.path.open("rb") as file:
            file.seek(piece.offset)
            data = file.read(piece.length)
    except OSError as error:
        raise _unreadable(piece, error) from error
    if len(data) != piece.length:
        raise ModelError(
            Sentence("{path} became shorter while it was read.", path=piece.path), _RESTORE
        )
    return data
