"""Weights of a few bits, with a scale for each block: they become floats, as they are defined."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.models.rewriting.emit import Declined, Emitter

if TYPE_CHECKING:
    import numpy as np


def matmul(emit: Emitter) -> None:
    """MatMulNBits: a product with a matrix (N, K) that is stored by rows, in blocks of each row.

    With `accuracy_level` 4 ONNX Runtime rounds the data to 8 bits; so do we.
    """
    bits, block = emit.attribute("bits", 4), emit.attribute("block_size", 32)
    rows, width = emit.attribute("N", 0), emit.attribute("K", 0)
    _refuse(emit)
    stored, scales = (emit.value(emit.input(place), "its weights") for place in (1, 2))
    values = _unpacked(stored.reshape(rows, -1), bits).reshape(rows, -1, block).astype("float32")
    blocks = values.shape[1]
    zeros = _zeros(emit, rows, blocks, bits)
    matrix = (values - zeros[..., None]) * scales.reshape(rows, blocks, 1).astype("float32")
    dtype = emit.dtype(emit.input(0)).name
    weights = emit.constant(matrix.reshape(rows, -1)[:, :width].T.copy(), dtype, "weights")
    bias = emit.input(5)
    out = emit.output(0)
    rounded = emit.attribute("accuracy_level", 0) == 4
    x = _rounded(emit, emit.input(0), width, block) if rounded else emit.input(0)
    product = emit("MatMul", x, weights, out="" if bias else out, part="product")
    if bias:
        emit("Add", product, bias, out=out, part="biased")


def _refuse(emit: Emitter) -> None:
    if emit.attribute("weight_prepacked", 0) or emit.input(4):
        raise Declined("its weights are stored for one kind of GPU, or out of order")


def _rounded(emit: Emitter, x: str, width: int, block: int) -> str:
    """x in steps of which the largest value of each block has 127."""
    *lead, _ = emit.shape(x)
    missing = -width % block
    if missing:
        zeros = emit.ints(*[0] * (2 * len(lead) + 1), missing, part="pads")
        x = emit("Pad", x, zeros, part="whole_blocks")
    blocks = emit.reshape(x, *lead, -1, block, part="blocks")
    most = emit.reduce("ReduceMax", emit("Abs", blocks, part="sizes"), -1)
    none = emit("Equal", most, emit.scalar(0, emit.input(0)), part="empty")
    most = emit("Where", none, emit.scalar(1, emit.input(0)), most, part="most")
    step = emit("Div", most, emit.scalar(127, emit.input(0)), part="step")
    steps = emit("Round", emit("Div", blocks, step, part="in_steps"), part="steps")
    rounded = emit.reshape(emit("Mul", steps, step), *lead, -1, part="rounded")
    return emit.slice(rounded, -1, 0, width, part="width") if missing else rounded


def _zeros(emit: Emitter, rows: int, blocks: int, bits: int) -> np.ndarray:
    """The zero point of each block, (rows, blocks)."""
    import numpy as np

    if not emit.input(3):
        return np.full((rows, blocks), 2 ** (bits - 1), "float32")
    zeros = emit.value(emit.input(3), "its zero points")
    if zeros.dtype.kind == "f":
        return zeros.reshape(rows, blocks).astype("float32")
    return _unpacked(zeros.reshape(rows, -1), bits)[:, :blocks].astype("float32")


def _unpacked(stored: np.ndarray, bits: int) -> np.ndarray:
    """Numbers of the last axis, of which each byte holds several, the lowest bits first."""
    import numpy as np

    shifts = np.arange(0, 8, bits, dtype="uint8")
    apart = (stored[..., None].view("uint8") >> shifts) & (2**bits - 1)
    unpacked: np.ndarray = apart.reshape(*stored.shape[:-1], -1)
    return unpacked


def gather(emit: Emitter) -> None:
    """GatherBlockQuantized: rows of a table."""
    data, scales = (emit.value(emit.input(place), "its table") for place in (0, 2))
    if data.dtype.kind not in "iu" and data.dtype.name not in ("int4", "uint4"):
        raise Declined("its table is of floats of 8 bits or fewer")
    bits, plain = emit.attribute("bits", 4), data.dtype.name in ("int4", "uint4")
    values = data.astype("float32") if plain else _unpacked(data, bits).astype("float32")
    axis = emit.attribute("quantize_axis", 1) % values.ndim
    block = emit.attribute("block_size", 128)
    zeros: np.ndarray | float = 0.0 if plain else float(2 ** (bits - 1))
    if emit.input(3):
        stored = emit.value(emit.input(3), "its zero points")
        zeros = (stored if plain else _unpacked(stored, bits)).astype("float32")
        zeros = zeros[tuple(slice(size) for size in scales.shape)]
        zeros = _by_value(zeros, block, axis, values.shape[axis])
    table = (values - zeros) * _by_value(scales.astype("float32"), block, axis, values.shape[axis])
    name = emit.constant(table, emit.dtype(emit.input(2)), "table")
    where = emit.attribute("gather_axis", 0)
    emit("Gather", name, emit.input(1), axis=where, out=emit.output(0))


def _by_value(blocks: np.ndarray, block: int, axis: int, length: int) -> np.ndarray:
    """A number for each value, of one for each block along an axis."""
    import numpy as np

    repeated: np.ndarray = np.repeat(blocks, block, axis)
    return repeated.take(np.arange(length), axis)
