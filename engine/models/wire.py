"""Tells a truncated ONNX file from one of another kind, by the file's outermost fields."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

# Wire types in protobuf's encoding; groups (3, 4) do not occur in ONNX.
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_FIXED_BYTES = {_FIXED64: 8, _FIXED32: 4}
_HIGHEST_FIELD = 200  # ONNX uses up to 26; what is far above belongs to another format

# onnx.proto, message ModelProto: the fields that every writer has used since 2017.
_MODEL_FIELDS = {1: _VARINT, 2: _BYTES, 3: _BYTES, 4: _BYTES, 5: _VARINT, 6: _BYTES}
_MODEL_FIELDS |= {7: _BYTES, 8: _BYTES, 14: _BYTES}
_IR_VERSION, _GRAPH = 1, 7


class Shape(Enum):
    """What the outermost fields look like."""

    MODEL = auto()
    TRUNCATED = auto()
    FOREIGN = auto()


@dataclass(frozen=True, slots=True)
class Examined:
    """The verdict; `missing` is how many bytes a truncated file lacks, at least."""

    shape: Shape
    missing: int = 0


def examine(data: bytes) -> Examined:
    """Walk the top-level fields without reading their contents."""
    position, seen = 0, set[int]()
    while position < len(data):
        tag, position = _varint(data, position)
        field, kind = tag >> 3, tag & 7
        if not _possible(field, kind):
            return Examined(Shape.FOREIGN)
        seen.add(field)
        position = _skip(data, position, kind)
    if position > len(data):
        begun = _IR_VERSION in seen or _GRAPH in seen
        return Examined(Shape.TRUNCATED if begun else Shape.FOREIGN, position - len(data))
    if _GRAPH in seen:
        return Examined(Shape.MODEL)
    return Examined(Shape.TRUNCATED if _IR_VERSION in seen else Shape.FOREIGN, 1)


def _possible(field: int, kind: int) -> bool:
    known = kind in (_VARINT, _FIXED64, _BYTES, _FIXED32)
    return known and 1 <= field <= _HIGHEST_FIELD and _MODEL_FIELDS.get(field, kind) == kind


def _skip(data: bytes, position: int, kind: int) -> int:
    """Where the value of wire type `kind` ends; beyond the data where it is cut off."""
    if kind == _VARINT:
        return _varint(data, position)[1]
    if kind == _BYTES:
        length, position = _varint(data, position)
        return position + length
    return position + _FIXED_BYTES[kind]


def _varint(data: bytes, position: int) -> tuple[int, int]:
    """A base-128 number and where it ends: one byte beyond the data where it is cut off."""
    value = 0
    for shift in range(0, 70, 7):
        if position >= len(data):
            return value, len(data) + 1
        byte = data[position]
        position += 1
        value |= (byte & 127) << shift
        if byte < 128:
            break
    return value, position
