"""Operators on images that TVM lacks: look-ups by constant tables, and products."""

from __future__ import annotations

import math
from itertools import product as combinations
from typing import TYPE_CHECKING

from engine.models.rewriting.emit import Emitter, Refused

if TYPE_CHECKING:
    import numpy as np

_MAX_TABLE = 2**24


def center_crop_pad(emit: Emitter) -> None:
    """The middle of an axis that is too long, zeros around one that is too short."""
    x, shape = emit.input(0), emit.shape(emit.input(0))
    wanted = emit.value(emit.input(1), "its shape")
    axes = [axis % len(shape) for axis in emit.attribute("axes", range(len(shape)))]
    before, after = [0] * len(shape), [0] * len(shape)
    for axis, size in zip(axes, (int(number) for number in wanted), strict=True):
        if size < shape[axis]:
            start = (shape[axis] - size) // 2
            x = emit.slice(x, axis, start, start + size, part="cropped")
        before[axis] = max(size - shape[axis], 0) // 2
        after[axis] = max(size - shape[axis], 0) - before[axis]
    if any((*before, *after)):
        x = emit("Pad", x, emit.ints(*before, *after, part="pads"), part="padded")
    emit.identity(x, emit.output(0))


def col2im(emit: Emitter) -> None:
    """Sums of overlapping blocks: each place looks up what lies on it."""
    x = emit.input(0)
    image, block = (
        [int(size) for size in emit.value(emit.input(place), f"its {what}")]
        for place, what in ((1, "image's shape"), (2, "block's shape"))
    )
    batch, rows, columns = emit.shape(x)
    channels = rows // math.prod(block)
    table, used = _covering(emit, image, block)
    flat = emit.reshape(x, batch, channels, math.prod(block) * columns, part="flat")
    taken = emit("Gather", flat, emit.constant(table, "int64", "places"), axis=2, part="taken")
    if not used.all():
        zero = emit.constant(0, emit.dtype(x), "zero")
        taken = emit("Where", emit.constant(used, "bool", "used"), taken, zero, part="inside")
    sums = emit.reduce("ReduceSum", taken, 3, keep=False)
    emit.reshape(sums, batch, channels, *image, out=emit.output(0), part="image")


def _covering(emit: Emitter, image: list[int], block: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """(places of the image, n) of the flat blocks that lie on it, and which of these count."""
    import numpy as np

    rank = len(image)
    strides, dilations = (emit.attribute(name, [1] * rank) for name in ("strides", "dilations"))
    pads = emit.attribute("pads", [0] * 2 * rank)
    numbers = zip(image, block, strides, dilations, pads[:rank], pads[rank:], strict=True)
    along = [_along(*axis) for axis in numbers]
    columns = math.prod(places.shape[1] for places in along)
    targets = np.full((math.prod(block), columns), -1)
    for at, tap in enumerate(combinations(*(range(size) for size in block))):
        lines = np.meshgrid(
            *(places[k] for places, k in zip(along, tap, strict=True)), indexing="ij"
        )
        inside = np.all([(line >= 0) & (line < n) for line, n in zip(lines, image, strict=True)], 0)
        held = [np.where(inside, line, 0) for line in lines]
        targets[at] = np.where(inside, np.ravel_multi_index(held, image), -1).reshape(-1)
    return _sources(targets.reshape(-1), math.prod(image))


def _along(
    size: int, kernel: int, stride: int, dilation: int, before: int, after: int
) -> np.ndarray:
    """(kernel, blocks): where each part of each block lies along an axis."""
    import numpy as np

    count = (size + before + after - (kernel - 1) * dilation - 1) // stride + 1
    return np.arange(kernel)[:, None] * dilation + np.arange(count)[None, :] * stride - before


def _sources(targets: np.ndarray, size: int) -> tuple[np.ndarray, np.ndarray]:
    """For each of `size` places those that target it, in as many columns as the most need."""
    import numpy as np

    sources = np.flatnonzero(targets >= 0)
    order = sources[np.argsort(targets[sources], kind="stable")]
    counts = np.bincount(targets[order], minlength=size)
    width = max(int(counts.max(initial=0)), 1)
    if size * width > _MAX_TABLE:
        raise Refused(f"it would need a table of {size * width} numbers")
    used = np.arange(width)[None, :] < counts[:, None]
    table = np.zeros((size, width), np.int64)
    table[used] = order
    return table, used


def max_unpool(emit: Emitter) -> None:
    """Values at the places that MaxPool told, counted through the whole result, and zeros."""
    import numpy as np

    x, places, shape = emit.input(0), emit.input(1), emit.shape(emit.input(0))
    kernel = emit.attribute("kernel_shape", [])
    rank = len(kernel)
    strides, pads = emit.attribute("strides", [1] * rank), emit.attribute("pads", [0] * 2 * rank)
    sizes = [
        (shape[at + 2] - 1) * strides[at] + kernel[at] - pads[at] - pads[at + rank]
        for at in range(rank)
    ]
    result = [*shape[:2], *sizes]
    if emit.input(2):
        result = [int(size) for size in emit.value(emit.input(2), "its result's shape")]
    count = math.prod(result)
    flat = [emit.reshape(name, -1, part="flat") for name in (x, places)]
    if emit.facts.opset >= 12:  # nothing is written outside, whatever the places say
        low, high = (emit.constant(end, "int64", "end") for end in (0, count - 1))
        flat[1] = emit("Min", emit("Max", flat[1], low, part="above"), high, part="inside")
    zeros = emit.constant(np.zeros(count), emit.dtype(x), "zeros")
    spread = emit("ScatterElements", zeros, flat[1], flat[0], axis=0, part="spread")
    emit.reshape(spread, *result, out=emit.output(0), part="shaped")


def affine_grid(emit: Emitter) -> None:
    """Places between -1 and 1, times the matrix of each image."""
    import numpy as np

    size = [int(number) for number in emit.value(emit.input(1), "its size")]
    batch, _, *sizes = size
    corners = emit.attribute("align_corners", 0)
    lines = [_between(count, corners) for count in sizes]
    grid = np.stack(np.meshgrid(*lines, indexing="ij")[::-1], axis=-1).reshape(-1, len(sizes))
    grid = np.concatenate([grid, np.ones((len(grid), 1))], axis=1)
    places = emit.constant(grid, emit.dtype(emit.input(0)), "grid")
    matrix = emit("Transpose", emit.input(0), perm=[0, 2, 1], part="matrix")
    moved = emit("MatMul", places, matrix, part="moved")
    emit.reshape(moved, batch, *sizes, len(sizes), out=emit.output(0), part="shaped")


def _between(count: int, corners: int) -> np.ndarray:
    """`count` places from -1 to 1: with the ends, or in the middles of equal parts.

    A single one lies at 1, as in ONNX Runtime.
    """
    import numpy as np

    if corners:
        return np.linspace(1, -1, count)[::-1]
    return (np.arange(count) * 2 + 1) / count - 1
