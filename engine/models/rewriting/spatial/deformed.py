"""DeformConv: values between places, moved by data, and one product with the weights."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.models.rewriting.emit import Emitter, Refused

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True, slots=True)
class _Shapes:
    """Sizes of a deformable convolution of images, and where its kernel lies undisturbed.

    `rows` and `columns` are (kernel places * results) each.
    """

    batch: int
    channels: int
    height: int
    width: int
    results: tuple[int, int]
    kernel: int
    groups: int
    offset_groups: int
    rows: np.ndarray
    columns: np.ndarray

    @property
    def places(self) -> int:
        """How many values each channel is read for."""
        return self.kernel * math.prod(self.results)


def deform_conv(emit: Emitter) -> None:
    """The columns of im2col, read where the offsets say, times weights."""
    shapes = _shapes(emit)
    offsets = emit.reshape(
        emit.input(2),
        *(shapes.batch, shapes.offset_groups, shapes.kernel, 2, math.prod(shapes.results)),
        part="offsets",
    )
    lines = [
        _moved(emit, shapes, offsets, place, base)
        for place, base in enumerate((shapes.rows, shapes.columns))
    ]
    columns = _read(emit, shapes, *lines)
    if emit.input(4):
        around = (shapes.batch, shapes.offset_groups, 1, shapes.places)
        columns = emit("Mul", columns, emit.reshape(emit.input(4), *around, part="mask"))
    _multiplied(emit, shapes, columns)


def _shapes(emit: Emitter) -> _Shapes:
    import numpy as np

    shape, weights = emit.shape(emit.input(0)), emit.shape(emit.input(1))
    if len(shape) != 4:
        raise Refused("it is not one of images")
    kernel = weights[2:]
    strides, dilations = (emit.attribute(name, [1, 1]) for name in ("strides", "dilations"))
    pads = emit.attribute("pads", [0] * 4)
    results = emit.shape(emit.input(2))[2:]
    lines = [
        np.arange(kernel[axis])[:, None] * dilations[axis]
        + np.arange(results[axis])[None, :] * strides[axis]
        - pads[axis]
        for axis in range(2)
    ]
    full = (*kernel, *results)
    rows = np.broadcast_to(lines[0][:, None, :, None], full).reshape(-1)
    columns = np.broadcast_to(lines[1][None, :, None, :], full).reshape(-1)
    return _Shapes(
        *shape,
        results=(results[0], results[1]),
        kernel=math.prod(kernel),
        groups=emit.attribute("group", 1),
        offset_groups=emit.attribute("offset_group", 1),
        rows=rows,
        columns=columns,
    )


def _moved(emit: Emitter, shapes: _Shapes, offsets: str, place: int, base: np.ndarray) -> str:
    """(batch, offset groups, 1, places): rows or columns that are read."""
    taken = emit("Gather", offsets, emit.constant(place, "int64", "which"), axis=3, part="offset")
    around = (shapes.batch, shapes.offset_groups, 1, shapes.places)
    flat = emit.reshape(taken, *around, part="flat_offset")
    start = emit.constant(base.reshape(1, 1, 1, -1), emit.dtype(emit.input(0)), "undisturbed")
    return emit("Add", flat, start, part="moved")


def _read(emit: Emitter, shapes: _Shapes, row: str, column: str) -> str:
    """(batch, offset groups, channels of one, places): values between four; zeros lie outside."""
    group = shapes.channels // shapes.offset_groups
    size = shapes.height * shapes.width
    flat = emit.reshape(emit.input(0), shapes.batch, shapes.offset_groups, group, size, part="flat")
    rows = _ends(emit, row, shapes.height)
    columns = _ends(emit, column, shapes.width)
    full = emit.ints(shapes.batch, shapes.offset_groups, group, shapes.places, part="full")
    width = emit.constant(shapes.width, "int64", "width")
    parts = []
    for row_at, row_weight in rows:
        for column_at, column_weight in columns:
            at = emit("Add", emit("Mul", row_at, width, part="line"), column_at, part="at")
            every = emit("Expand", at, full, part="everywhere")
            value = emit("GatherElements", flat, every, axis=3, part="value")
            weight = emit("Mul", row_weight, column_weight, part="weight")
            parts.append(emit("Mul", value, weight, part="weighted"))
    first, *others = parts
    for other in others:
        first = emit("Add", first, other, part="between")
    return first


def _ends(emit: Emitter, line: str, size: int) -> list[tuple[str, str]]:
    """The two places about each and their weights, which are 0 outside the image."""
    dtype = emit.dtype(emit.input(0))
    zero, one, last = (emit.constant(value, dtype, "bound") for value in (0, 1, size - 1))
    low = emit("Floor", line, part="low")
    share = emit("Sub", line, low, part="share")
    ends = [(low, emit("Sub", one, share, part="rest")), (emit("Add", low, one), share)]
    found = []
    for at, weight in ends:
        # What is no number must not become a place, either: no comparison holds for it
        held = emit("Where", emit("Greater", at, zero), at, zero, part="above")
        held = emit("Where", emit("Less", held, last), held, last, part="held")
        inside = emit("Equal", held, at, part="inside")
        used = emit("Where", inside, weight, zero, part="used")
        found.append((emit.cast(held, "int64", part="place"), used))
    return found


def _multiplied(emit: Emitter, shapes: _Shapes, columns: str) -> None:
    outputs = emit.shape(emit.input(1))[0]
    inner = shapes.channels // shapes.groups * shapes.kernel
    count = math.prod(shapes.results)
    grouped = (shapes.batch, shapes.groups, inner, count)
    matrix = emit.reshape(columns, *grouped, part="columns")
    weights = emit.reshape(
        emit.input(1), shapes.groups, outputs // shapes.groups, inner, part="weights"
    )
    sums = emit("MatMul", weights, matrix, part="sums")
    bias = emit.input(3)
    shape = (shapes.batch, outputs, *shapes.results)
    result = emit.reshape(sums, *shape, out="" if bias else emit.output(0), part="results")
    if bias:
        emit("Add", result, emit.reshape(bias, 1, -1, 1, 1, part="bias"), out=emit.output(0))
