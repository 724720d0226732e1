"""Reads an .onnx file that anybody may have written: a model, or one sentence why not."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from engine.models.external_data import load_external_data
from engine.models.light_copy import check, stored_bytes
from engine.models.proto_walk import walk_tensors
from engine.models.wire import Shape, examine
from engine.records.errors import ModelError, UnsupportedOperators

if TYPE_CHECKING:
    from onnx import ModelProto

MAX_FILE_BYTES = 2**31 - 1  # protobuf reads no larger message
MIN_IR_VERSION = 3  # older files know no operator sets

_EXPORT_AGAIN = "Export the model again."
_COPY_AGAIN = "Copy or download it again."


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
    data = _read(path)
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


def _read(path: Path) -> bytes:
    try:
        if not path.exists():
            raise ModelError(f"There is no file {path}.", "Check the path, or open another model.")
        if path.is_dir():
            raise ModelError(f"{path} is a folder.", "Open the .onnx file inside it.")
        if not path.is_file():
            raise ModelError(f"{path} is not a regular file.", "Open an .onnx file.")
        size = path.stat().st_size
        if size > MAX_FILE_BYTES:
            raise ModelError(
                f"{path.name} has {size_text(size)}, and ONNX files above 2 GB cannot be read.",
                "Save the model with its weights as external data.",
            )
        return path.read_bytes()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise ModelError(
            f"{path} cannot be read: {reason}.", "Check the file and its permissions."
        ) from error
    except MemoryError as error:
        raise ModelError(
            f"{path.name} does not fit into this machine's memory.", "Close other programs."
        ) from error


def _parse(name: str, data: bytes) -> ModelProto:
    from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
    from onnx import ModelProto

    _refuse_what_is_no_model(name, data)
    proto = ModelProto()
    try:
        proto.ParseFromString(data)
    except DecodeError as error:
        raise ModelError(
            f"{name} is damaged: its contents cannot be decoded.", _COPY_AGAIN
        ) from error
    if proto.ir_version < MIN_IR_VERSION:
        raise ModelError(
            f"{name} has ONNX IR version {proto.ir_version}, and 3 is the oldest that can be read.",
            "Export the model with a newer version of ONNX.",
        )
    if not proto.graph.node:
        raise ModelError(f"{name} contains no operators.", _EXPORT_AGAIN)
    return proto


def _refuse_what_is_no_model(name: str, data: bytes) -> None:
    if not data:
        raise ModelError(f"{name} is empty.", _COPY_AGAIN)
    if data.startswith(b"version https://git-lfs"):
        raise ModelError(
            f"{name} is a Git LFS pointer, not the model itself.",
            "Fetch the model with `git lfs pull`.",
        )
    found = examine(data)
    if found.shape is Shape.FOREIGN:
        raise ModelError(
            f"{name} is not an ONNX file, or it is damaged.", "Open a model that was saved as ONNX."
        )
    if found.shape is Shape.TRUNCATED:
        raise ModelError(
            f"{name} is truncated: {size_text(len(data))} are there, "
            f"and at least {size_text(found.missing)} are missing.",
            _COPY_AGAIN,
        )


def _check(proto: ModelProto, name: str) -> None:
    """Raise for what onnx.checker finds, in a sentence."""
    _check_weights(proto, name)
    try:
        check(proto)
    except UnicodeDecodeError as error:
        raise ModelError(
            f"{name} is damaged: it holds text that is not UTF-8.", _COPY_AGAIN
        ) from error
    except Exception as error:  # the checker's C++ raises several unrelated types
        _refuse_unknown_operators(proto)
        raise ModelError(
            f"{name} is not a valid ONNX model: {_reason(error)}.", _EXPORT_AGAIN
        ) from error


def _check_weights(proto: ModelProto, name: str) -> None:
    for tensor in walk_tensors(proto):
        size, needed = len(tensor.raw_data), stored_bytes(tensor)
        if any(dim < 0 for dim in tensor.dims) or (tensor.HasField("raw_data") and size != needed):
            raise ModelError(
                f"{name} is damaged: the weight {tensor.name} has {size} bytes, and its shape "
                f"{'x'.join(map(str, tensor.dims))} needs {needed}.",
                _EXPORT_AGAIN,
            )


def _refuse_unknown_operators(proto: ModelProto) -> None:
    from engine.models.operators import refusal, undefined_operators

    if undefined := undefined_operators(proto):
        raise refusal(proto) or UnsupportedOperators(undefined)


def _reason(error: Exception) -> str:
    """The checker's message in one line, with the node that it is about."""
    message, _, context = str(error).partition("==> Context:")
    text = " ".join(message.split()).rstrip(".: ") or type(error).__name__
    where = " ".join(context.split("==>")[0].split()).rstrip(".")
    text = f"{text} ({where})" if where else text
    return text if len(text) <= 300 else f"{text[:297]}..."
