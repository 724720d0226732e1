"""Quantized values that TVM does not hold: of fewer than 8 bits, in blocks, in float8."""

from __future__ import annotations

from engine.models.rewriting.emit import Declined, Emitter, Refused
from engine.models.rewriting.operands import STAY

_FOUR_BITS = {"int2": "int8", "int4": "int8", "uint2": "uint8", "uint4": "uint8"}
_WIDE = {"int8", "uint8", "int16", "uint16", "int32"}


def dequantize_linear(emit: Emitter) -> None:
    """Constants of a few bits are stored in 8; blocks become an axis of their own."""
    block = emit.attribute("block_size", 0)
    values, scale, zero = (_widened(emit, emit.input(place)) for place in range(3))
    if block:
        _in_blocks(emit, values, scale, zero, block)
    elif values == emit.input(0):
        raise Declined(STAY)
    else:
        given = [values, scale] + ([zero] if zero else [])
        emit("DequantizeLinear", *given, out=emit.output(0))
        emit.nodes[-1].attribute.extend(emit.node.attribute)


def refuse_result(emit: Emitter) -> None:
    """Name a QuantizeLinear whose result TVM cannot hold, or would round to whole numbers."""
    kind = emit.facts.type(emit.input(2)) or emit.facts.type(emit.output(0))
    if kind and (name := _name(kind)) not in _WIDE:
        raise Refused(f"its result is {name}")
    if emit.attribute("block_size", 0):
        raise Refused("it quantizes in blocks")


def _widened(emit: Emitter, name: str) -> str:
    """A value of a few bits in 8, any other as it is."""
    kind = emit.facts.type(name)
    dtype = _name(kind) if kind else ""
    if dtype in _FOUR_BITS:
        stored = emit.facts.value(name)
        if stored is None:
            raise Refused(f"it takes computed values of {dtype}")
        wide = _FOUR_BITS[dtype]
        return emit.constant(stored.astype(wide), wide, wide)
    if dtype.startswith("float") and name != emit.input(1):
        raise Refused(f"it takes values of {dtype}")
    return name


def _in_blocks(emit: Emitter, values: str, scale: str, zero: str, block: int) -> None:
    """(values - zeros) * scales, where each block along the axis has its own."""
    shape = list(emit.shape(emit.input(0)))
    axis = emit.attribute("axis", 1) % len(shape)
    if shape[axis] % block:
        raise Refused("its last block is not full")
    places = [*shape[:axis], shape[axis] // block, block, *shape[axis + 1 :]]
    single = [*places[: axis + 1], 1, *places[axis + 2 :]]
    dtype = emit.dtype(emit.input(1)).name
    blocks = emit.reshape(emit.cast(values, dtype, part="float"), *places, part="blocks")
    if zero:
        zeros = emit.reshape(emit.cast(zero, dtype, part="zero"), *single, part="zeros")
        blocks = emit("Sub", blocks, zeros, part="centred")
    scales = emit.reshape(scale, *single, part="scales")
    emit.reshape(emit("Mul", blocks, scales, part="scaled"), *shape, out=emit.output(0))


def _name(kind: int) -> str:
    from onnx import helper

    return str(helper.tensor_dtype_to_np_dtype(kind).name)
