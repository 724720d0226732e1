"""A first look at an ONNX file: its nodes, long before it is read, checked and lowered.

The file is a stranger's, so it is walked in Python, field by field as protobuf writes them, and no
weight is read: 400 MB take no longer than 1 MB. What is damaged has no sketch; that it is damaged
is told by who reads it for good.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from engine.models.file_nodes import follows_from
from engine.models.onnx_file import Bytes, varint
from engine.models.samples import sample_path
from engine.records.errors import TunewrightError
from engine.records.formats import ONNX, format_of
from engine.records.network import Fate, FileNode
from engine.records.source import ModelSource
from engine.records.task import TensorSpec

MOST_NODES = 100_000
MOST_BYTES = 32 << 20  # of nodes and shapes, together; what is passed over costs little of it
_BYTE_COST = 4  # of a byte that is looked at by itself
_NODE_BYTES = 1 << 20  # what is longer holds a weight, which comes after all that is drawn
_DEEPEST = 8  # graphs in nodes of graphs in nodes
_BLOCK = 1 << 16
_LARGEST = 1 << 40

# The numbers of fields in onnx.proto.
_GRAPH = 7
_NODE, _INITIALIZER, _INPUT, _OUTPUT, _VALUE = 1, 5, 11, 12, 13
_READS, _GIVES, _NAME, _OPERATOR, _ATTRIBUTE = 1, 2, 3, 4, 5
_INNER, _INNERS = 6, 11
_DIMS, _TENSOR_NAME = 1, 8
_TYPES = ["", "float32", "uint8", "int8", "uint16", "int16", "int32", "int64", "", "bool"]
_TYPES += ["float16", "float64", "uint32", "uint64", "", "", "bfloat16"]


@dataclass(frozen=True, slots=True)
class Sketch:
    """The nodes of a file, without those that only hold a constant, as the file has them.

    `parameters` are the elements of all its stored weights. No node has operators yet: its fate is
    CONSTANT where it follows from weights alone, and UNKNOWN otherwise.
    """

    name: str
    nodes: tuple[FileNode, ...]
    parameters: int


def sketch_of(source: ModelSource) -> Sketch | None:
    """A first look at a source; None where there is none to be had, as of files of other formats.
    Takes milliseconds, and tens of them for thousands of nodes."""
    if format_of(source) is not ONNX:
        return None
    with suppress(TunewrightError, OSError, ValueError, IndexError):
        sample = source.kind == "sample"
        path = sample_path(source.location) if sample else Path(source.location)
        with path.open("rb", buffering=0) as file:
            data = _File(file.fileno())
            return _sketch(source.location if sample else path.stem, data)
    return None


class _File:
    """The bytes of a file, read where they are looked at; IndexError beyond its end."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._size = os.fstat(descriptor).st_size
        self._start, self._block = 0, b""
        self._left = MOST_BYTES

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, place: int) -> int:
        self._left -= _BYTE_COST
        if self._left < 0:
            raise ValueError("too much to look at")
        offset = place - self._start
        if not 0 <= offset < len(self._block):
            self._start, offset = place, 0
            self._block = os.pread(self._descriptor, _BLOCK, place)
        return self._block[offset]

    def part(self, start: int, stop: int) -> bytes:
        """Some bytes, as many as there are; ValueError where they are too many in all."""
        self._left -= stop - start
        if self._left < 0:
            raise ValueError("too much to look at")
        offset = start - self._start
        if offset >= 0 and stop - self._start <= len(self._block):
            return self._block[offset : stop - self._start]
        return os.pread(self._descriptor, stop - start, start)


def _fields(data: Bytes, start: int, stop: int) -> Iterator[tuple[int, int, int]]:
    """The fields of a message: number, and start and end of the value; a number is its own start,
    and its end is -1. A field that ends beyond `stop` is cut off with the rest."""
    place = start
    while place < stop:
        tag, place = varint(data, place)
        kind = tag & 7
        if kind == 0:
            value, place = varint(data, place)
            yield tag >> 3, value, -1
        elif kind == 2:
            length, place = varint(data, place)
            if place + length > stop:
                return
            yield tag >> 3, place, place + length
            place += length
        elif kind in (1, 5):
            place += 8 if kind == 1 else 4
        else:
            raise ValueError("not protobuf")


def _text(data: bytes, start: int, stop: int) -> str:
    return data[start:stop].decode(errors="replace")


def _sketch(name: str, data: _File) -> Sketch | None:
    graphs = [
        (start, stop) for number, start, stop in _fields(data, 0, len(data)) if number == _GRAPH
    ]
    if len(graphs) != 1:
        return None
    found: list[_Node] = []
    specs: dict[str, TensorSpec] = {}
    weights: set[str] = set()
    parameters = 0
    for number, start, stop in _fields(data, *graphs[0]):
        if number == _NODE:
            part = data.part(start, min(stop, start + _NODE_BYTES))
            found.append(_node(part, len(part)))
            if len(found) > MOST_NODES:
                return None
        elif number == _INITIALIZER:
            weight, count = _weight(data, start, stop)
            weights.add(weight)
            parameters += count
        elif number in (_OUTPUT, _VALUE):
            _take_spec(specs, data.part(start, stop))
    nodes = _file_nodes(found, specs, weights)
    return Sketch(name, nodes, parameters) if nodes else None


@dataclass(frozen=True, slots=True)
class _Node:
    name: str
    operator: str
    reads: tuple[str, ...]
    gives: tuple[str, ...]


def _node(data: bytes, stop: int) -> _Node:
    """A node; what its inner graphs read from outside is read by it."""
    name = operator = ""
    reads, gives = list[str](), list[str]()
    for number, start, end in _fields(data, 0, stop):
        if number == _READS:
            reads.append(_text(data, start, end))
        elif number == _GIVES:
            gives.append(_text(data, start, end))
        elif number == _NAME:
            name = _text(data, start, end)
        elif number == _OPERATOR:
            operator = _text(data, start, end)
        elif number == _ATTRIBUTE:
            reads += _read_within(data, start, end, _DEEPEST)
    return _Node(name, operator, tuple(filter(None, reads)), tuple(filter(None, gives)))


def _read_within(data: bytes, start: int, stop: int, depth: int) -> Iterator[str]:
    """What the graphs of an attribute read that they do not make."""
    for number, a, b in _fields(data, start, stop):
        if number not in (_INNER, _INNERS) or b < 0 or not depth:
            continue
        own: set[str] = set()
        reads: list[str] = []
        for field, c, d in _fields(data, a, b):
            if field == _NODE:
                for inner, e, f in _fields(data, c, d):
                    if inner == _READS:
                        reads.append(_text(data, e, f))
                    elif inner == _GIVES:
                        own.add(_text(data, e, f))
                    elif inner == _ATTRIBUTE:
                        reads += _read_within(data, e, f, depth - 1)
            elif field in (_INPUT, _INITIALIZER):
                wanted = 1 if field == _INPUT else _TENSOR_NAME
                own |= {_text(data, e, f) for n, e, f in _fields(data, c, d) if n == wanted}
            elif field == _OUTPUT:
                reads += [_text(data, e, f) for n, e, f in _fields(data, c, d) if n == 1]
        yield from (name for name in reads if name not in own)


def _weight(data: _File, start: int, stop: int) -> tuple[str, int]:
    """Name and number of elements of a stored weight, whose values are passed over."""
    name, dims = "", list[int]()
    for number, a, b in _fields(data, start, stop):
        if number == _DIMS and b < 0:
            dims.append(a)
        elif number == _DIMS:  # packed
            place = a
            while place < b:
                size, place = varint(data, place)
                dims.append(size)
        elif number == _TENSOR_NAME:
            name = data.part(a, b).decode(errors="replace")
    return name, math.prod(dims) if all(size < _LARGEST for size in dims) else 0


def _take_spec(specs: dict[str, TensorSpec], data: bytes) -> None:
    """Note the shape and the type of a value, where all of it is known."""
    name, spec = "", None
    for number, start, stop in _fields(data, 0, len(data)):
        if number == 1:
            name = _text(data, start, stop)
        elif number == 2:
            for kind, a, b in _fields(data, start, stop):
                spec = _spec(data, a, b) if kind == 1 else None
    if spec is not None:
        specs[name] = spec


def _spec(data: bytes, start: int, stop: int) -> TensorSpec | None:
    dtype, shape, shaped = "", list[int](), False
    for number, a, b in _fields(data, start, stop):
        if number == 1:
            dtype = _TYPES[a] if a < len(_TYPES) else ""
        elif number == 2:
            shaped = True
            for _, c, d in _fields(data, a, b):
                sizes = [
                    value for field, value, end in _fields(data, c, d) if (field, end) == (1, -1)
                ]
                shape.append(sizes[0] if sizes and sizes[0] < _LARGEST else -1)
    return TensorSpec(tuple(shape), dtype) if dtype and shaped and -1 not in shape else None


def _file_nodes(
    found: Sequence[_Node], specs: dict[str, TensorSpec], weights: set[str]
) -> tuple[FileNode, ...]:
    maker: dict[str, int] = {}
    nodes: list[FileNode] = []
    for node in found:
        if node.operator == "Constant":
            weights.update(node.gives)
            continue
        fixed = follows_from(weights, node.operator, node.reads)
        nodes.append(
            FileNode(
                len(nodes),
                node.name or next(iter(node.gives), ""),
                node.operator,
                tuple(dict.fromkeys(maker[name] for name in node.reads if name in maker)),
                specs.get(node.gives[0]) if node.gives else None,
                fate=Fate.CONSTANT if fixed else Fate.UNKNOWN,
            )
        )
        maker.update(dict.fromkeys(node.gives, len(nodes) - 1))
        if fixed:
            weights.update(node.gives)
    return tuple(nodes)
