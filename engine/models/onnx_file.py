"""Reads an .onnx file that anybody may have written: a model, or one sentence why not."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from engine.models.light_copy import check, stored_bytes
from engine.models.plain_file import read_file
from engine.models.proto_walk import walk_nodes, walk_tensors
from engine.models.refusals.foreign_words import plain
from engine.models.weights.external_data import load_external_data
from engine.records.errors import ModelError, UnsupportedOperators
from engine.records.sentences import Sentence

if TYPE_CHECKING:
    from onnx import ModelProto


MAX_FILE_BYTES = 2**31 - 1  # protobuf reads no larger message
MIN_IR_VERSION = 3  # older files know no operator sets

_EXPORT_AGAIN = Sentence("Export the model again.")
_COPY_AGAIN = Sentence("Copy or download it again.")


@dataclass(frozen=True, slots=True)
class LoadedModel:
    """A model in memory. `sha256` is over the file's bytes and the external data it uses."""

    proto: ModelProto
    sha256: str


def load_onnx(path: Path) -> LoadedModel:
    """The checked model of an ONNX file, its external weights read in.

    ModelError where the file is none, is damaged or reaches outside its folder;
    UnsupportedOperators where it uses operators that its ONNX version does not define.
    """
    _refuse_large(path)
    data = read_file(path)
    digest = hashlib.sha256(data)
    proto = _parse(path.name, data)
    del data
    load_external_data(proto, path.parent, path.name, digest)
    _check(proto, path.name)
    return LoadedModel(proto, digest.hexdigest())


def size_text(count: int) -> str:
    """A number of bytes for a person: "3.1 GB"."""
    amount, units = float(count), ["bytes", "kB", "MB", "GB", "TB"]
    while amount >= 1000 and len(units) > 1:
        amount, units = amount / 1000, units[1:]
    return f"{amount:.4g} {units[0]}"


def _refuse_large(path: Path) -> None:
    with suppress(OSError, ValueError):  # which `read_file` tells
        size = path.stat().st_size
        if size > MAX_FILE_BYTES:
            raise ModelError(
                Sentence(
                    "{path} has {size}, and ONNX files above 2 GB cannot be read.",
                    path=path.name,
                    size=size_text(size),
                ),
                "Save the model with its weights as external data.",
            )


def _parse(name: str, data: bytes) -> ModelProto:
    from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
    from onnx import ModelProto

    _refuse_what_is_no_model(name, data)
    proto = ModelProto()
    try:
        proto.ParseFromString(data)
    except DecodeError as error:
        raise ModelError(
            Sentence("{name} is damaged: its contents cannot be decoded.", name=name), _COPY_AGAIN
        ) from error
    if proto.ir_version < MIN_IR_VERSION:
        raise ModelError(
            Sentence(
                "{name} has ONNX IR version {ir_version}, and 3 is the oldest that can be read.",
                name=name,
                ir_version=proto.ir_version,
            ),
            "Export the model with a newer version of ONNX.",
        )
    if not proto.graph.node:
        raise ModelError(Sentence("{name} contains no operators.", name=name), _EXPORT_AGAIN)
    return proto


def _refuse_what_is_no_model(name: str, data: bytes) -> None:
    found = examine(data)
    if found.shape is Shape.FOREIGN:
        raise ModelError(
            Sentence("{name} is not an ONNX file, or it is damaged.", name=name),
            "Open a model that was saved as ONNX.",
        )
    if found.shape is Shape.TRUNCATED:
        raise ModelError(
            Sentence(
                "{name} is truncated: {count} are there, and at least {missing} are missing.",
                name=name,
                count=size_text(len(data)),
                missing=size_text(found.missing),
            ),
            _COPY_AGAIN,
        )


def _check(proto: ModelProto, name: str) -> None:
    """Raise for what onnx.checker finds, in a sentence."""
    _check_weights(proto, name)
    try:
        check(proto)
    except UnicodeDecodeError as error:
        raise ModelError(
            Sentence("{name} is damaged: it holds text that is not UTF-8.", name=name), _COPY_AGAIN
        ) from error
    except Exception as error:  # the checker's C++ raises several unrelated types
        _refuse_unknown_operators(proto)
        raise ModelError(
            Sentence("{name} is not a valid ONNX model: {error}.", name=name, error=_reason(error)),
            _EXPORT_AGAIN,
        ) from error


def _check_weights(proto: ModelProto, name: str) -> None:
    for tensor in walk_tensors(proto):
        size, needed = len(tensor.raw_data), stored_bytes(tensor)
        if any(dim < 0 for dim in tensor.dims) or (tensor.HasField("raw_data") and size != needed):
            raise ModelError(
                Sentence(
                    "{name} is damaged: the weight {tensor} has {size} bytes, and its shape "
                    "{shape} needs {needed}.",
                    name=name,
                    tensor=tensor.name,
                    size=size,
                    shape="x".join(map(str, tensor.dims)),
                    needed=needed,
                ),
                _EXPORT_AGAIN,
            )


def _refuse_unknown_operators(proto: ModelProto) -> None:
    from engine.models.operators import node_name, refusal, undefined_operators

    if undefined := undefined_operators(proto):
        first: dict[str, str] = {}
        for node in walk_nodes(proto):
            first.setdefault(node.op_type, node_name(node))
        nodes = tuple(first[operator] for operator in undefined)
        raise refusal(proto) or UnsupportedOperators(undefined, nodes)


def _reason(error: Exception) -> str:
    """The checker's message in one line, with the node that it is about."""
    message, _, context = str(error).partition("==> Context:")
    where = plain(context.split("==>")[0])
    text = plain(message) or type(error).__name__
    return f"{text} ({where})" if where else text


# Wire types in protobuf's encoding; groups (3, 4) do not occur in ONNX.
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_FIXED_BYTES = {_FIXED64: 8, _FIXED32: 4}
_HIGHEST_FIELD = 200  # ONNX uses up to 26; what is far above belongs to another format

# onnx.proto, message ModelProto: the fields that every writer has used since 2017.
_MODEL_FIELDS = {1: _VARINT, 2: _BYTES, 3: _BYTES, 4: _BYTES, 5: _VARINT, 6: _BYTES}
_MODEL_FIELDS |= {7: _BYTES, 8: _BYTES, 14: _BYTES}
_IR_VERSION, _GRAPH = 1, 7


class Bytes(Protocol):
    """Bytes by their places, whether in memory or in a file."""

    def __getitem__(self, place: int, /) -> int: ...
    def __len__(self) -> int: ...


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
        tag, position = varint(data, position)
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
        return varint(data, position)[1]
    if kind == _BYTES:
        length, position = varint(data, position)
        return position + length
    return position + _FIXED_BYTES[kind]


def varint(data: Bytes, position: int) -> tuple[int, int]:
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
