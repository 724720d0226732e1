"""What stands behind DequantizeLinear: integers, their scale and their zero point."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.models.rewriting.emit import Declined, Emitter

if TYPE_CHECKING:
    import numpy as np
    from onnx import NodeProto

STAY = ""  # no reason for a person: the operator stays what it is, and TVM takes it

_EIGHT_BITS = {("uint8", "uint8"), ("uint8", "int8"), ("int8", "int8")}
"""Types of data and weights that ONNX Runtime multiplies, too."""


@dataclass(frozen=True, slots=True)
class Quantized:
    """An integer tensor and what it stands for; one scale, or one for each place along `axis`."""

    name: str
    scale: str
    zero_point: str
    axis: int


def operands(emit: Emitter, node: NodeProto) -> tuple[Quantized, Quantized]:
    """Data and weights of a product of 8-bit integers; Declined where it is none.

    Data have one scale; weights have one, or one for each output channel.
    """
    x, w = (_dequantized(emit, name) for name in node.input[:2])
    if (emit.dtype(x.name).name, emit.dtype(w.name).name) not in _EIGHT_BITS:
        raise Declined(STAY)
    if size(emit, x.scale) != 1:
        raise Declined(STAY)
    if size(emit, w.scale) > 1 and w.axis != _channels(emit, node, len(emit.shape(w.name))):
        raise Declined(STAY)
    return x, w


def _channels(emit: Emitter, node: NodeProto, rank: int) -> int:
    """The axis of the weights along which each place may have a scale of its own."""
    if node.op_type == "Conv":
        return 0
    if rank != 2:
        raise Declined(STAY)
    return 0 if option(node, "transB", 0) else 1


def _dequantized(emit: Emitter, name: str) -> Quantized:
    node = emit.facts.maker(name)
    if node is None or node.op_type != "DequantizeLinear" or option(node, "block_size", 0):
        raise Declined(STAY)
    axis = int(option(node, "axis", 1)) % max(len(emit.shape(node.input[0])), 1)
    return Quantized(node.input[0], node.input[1], zero_point(emit, node, node.input[0]), axis)


def zero_point(emit: Emitter, node: NodeProto, quantized: str) -> str:
    """A quantizing node's zero point; zeros of the type of the value `quantized` by default."""
    import numpy as np

    if len(node.input) > 2 and node.input[2]:
        return str(node.input[2])
    zeros = np.zeros(emit.shape(node.input[1]))
    return emit.constant(zeros, emit.dtype(quantized), "zero")


def bias(emit: Emitter, name: str, x: Quantized, w: Quantized) -> str:
    """A constant bias in units of both scales, int32."""
    import numpy as np

    unit = value(emit, x.scale).astype("float64") * value(emit, w.scale).astype("float64")
    node = emit.facts.maker(name)
    if node is not None and node.op_type == "DequantizeLinear":
        stored, scale = (value(emit, part).astype("float64") for part in node.input[:2])
        zero = value(emit, node.input[2]) if len(node.input) > 2 and node.input[2] else 0
        floats = (stored - zero) * scale
    else:
        floats = value(emit, name).astype("float64")
    steps = np.round(floats.reshape(-1) / unit.reshape(-1))
    if np.abs(steps).max(initial=0) >= 2**31:
        raise Declined(STAY)
    return emit.constant(steps, "int32", "bias")


def size(emit: Emitter, name: str) -> int:
    """How many numbers a value has."""
    return math.prod(emit.shape(name))


def value(emit: Emitter, name: str) -> np.ndarray:
    found = emit.facts.value(name)
    if found is None:
        raise Declined(STAY)
    return found


def option(node: NodeProto, name: str, default: float) -> float:
    """A numeric attribute of any node."""
    for attribute in node.attribute:
        if attribute.name == name:
            number: float = attribute.f if attribute.HasField("f") else attribute.i
            return number
    return default
