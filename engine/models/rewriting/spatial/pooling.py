"""Pools whose padding TVM counts otherwise, and the places of their maxima."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.models.rewriting.emit import Declined, Emitter, Refused

if TYPE_CHECKING:
    import numpy as np

_STAY = ""
_MAX_TABLE = 2**24


@dataclass(frozen=True, slots=True)
class Axis:
    """How windows lie along an axis of `size` places, `before` and `after` of them padding."""

    size: int
    kernel: int
    stride: int
    dilation: int
    before: int
    after: int
    count: int

    @property
    def reach(self) -> int:
        return (self.kernel - 1) * self.dilation + 1

    @property
    def missing(self) -> int:
        """How far the last window reaches beyond the padding."""
        end = (self.count - 1) * self.stride + self.reach
        return max(end - self.before - self.size - self.after, 0)

    def places(self) -> np.ndarray:
        """(count, kernel) where each window reads; outside the axis too."""
        import numpy as np

        starts = np.arange(self.count)[:, None] * self.stride - self.before
        return starts + np.arange(self.kernel)[None, :] * self.dilation


def max_pool(emit: Emitter) -> None:
    """MaxPool with its padding in numbers, and with what it says of its maxima's places."""
    axes = _axes(emit)
    if emit.output(1):
        _places_of_maxima(emit, axes)
    elif not _is_automatic(emit):
        raise Declined(_STAY)
    _pool(emit, axes, emit.input(0), automatic=_is_automatic(emit))


def average_pool(emit: Emitter) -> None:
    """AveragePool with its padding in numbers."""
    if not _is_automatic(emit):
        raise Declined(_STAY)
    _pool(emit, _axes(emit), emit.input(0), automatic=True)


def lp_pool(emit: Emitter) -> None:
    """LpPool without windows that reach beyond the padding: zeros add nothing to its sums."""
    axes = _axes(emit)
    missing = [axis.missing for axis in axes]
    if not any(missing):
        if not _is_automatic(emit):
            raise Declined(_STAY)
        _pool(emit, axes, emit.input(0), automatic=True)
        return
    x, none = emit.input(0), [0] * (len(axes) + 2)
    if emit.facts.opset < 11:
        x = emit("Pad", x, pads=[*none, 0, 0, *missing], part="padded")
    else:
        x = emit("Pad", x, emit.ints(*none, 0, 0, *missing, part="pads"), part="padded")
    _pool(emit, axes, x, automatic=True)


def _pool(emit: Emitter, axes: list[Axis], x: str, *, automatic: bool) -> None:
    """The same pool with one result; with its padding in numbers where that was `automatic`."""
    dropped, given = {"storage_order"}, dict[str, Any]()
    if automatic:
        dropped |= {"auto_pad", "pads", "ceil_mode"}
        given["pads"] = [*(axis.before for axis in axes), *(axis.after for axis in axes)]
    emit(emit.node.op_type, x, out=emit.output(0), part="values", **given)
    emit.nodes[-1].attribute.extend(a for a in emit.node.attribute if a.name not in dropped)


def _is_automatic(emit: Emitter) -> bool:
    return bool(emit.attribute("auto_pad", "NOTSET") in ("SAME_UPPER", "SAME_LOWER"))


def _axes(emit: Emitter) -> list[Axis]:
    sizes = emit.shape(emit.input(0))[2:]
    rank = len(sizes)
    ones, zeros = [1] * rank, [0] * 2 * rank
    strides, dilations = (emit.attribute(name, ones) for name in ("strides", "dilations"))
    mode, pads = emit.attribute("auto_pad", "NOTSET"), emit.attribute("pads", zeros)
    if mode == "VALID":
        pads = zeros
    axes = []
    numbers = zip(sizes, emit.attribute("kernel_shape", ones), strides, dilations, strict=True)
    for place, (size, kernel, stride, dilation) in enumerate(numbers):
        before, after = pads[place], pads[place + rank]
        reach = (kernel - 1) * dilation + 1
        if mode.startswith("SAME"):
            count = -(-size // stride)
            total = max((count - 1) * stride + reach - size, 0)
            small, large = total // 2, total - total // 2
            before, after = (small, large) if mode == "SAME_UPPER" else (large, small)
        else:
            count = _count(size + before, after - reach, stride, emit.attribute("ceil_mode", 0))
        axes.append(Axis(size, kernel, stride, dilation, before, after, count))
    return axes


def _count(start: int, rest: int, stride: int, ceil: int) -> int:
    """How many windows begin within `start` places; none begins in the padding behind."""
    whole = start + rest
    if not ceil:
        return whole // stride + 1
    count = -(-whole // stride) + 1
    return count - 1 if (count - 1) * stride >= start else count


def _places_of_maxima(emit: Emitter, axes: list[Axis]) -> None:
    """The first place of each window's maximum, counted through the whole tensor.

    Each window is looked up; a place outside is that of the window's first one inside.
    """
    import numpy as np

    x, shape = emit.input(0), emit.shape(emit.input(0))
    sizes = [axis.size for axis in axes]
    inside = _inside(axes)
    if inside.size > _MAX_TABLE:
        raise Refused(f"its maxima's places would need a table of {inside.size} numbers")
    windows, width = inside.shape
    flat = emit.reshape(x, *shape[:2], math.prod(sizes), part="flat")
    taken = emit("Gather", flat, emit.constant(inside, "int64", "window"), axis=2, part="windows")
    first = emit("ArgMax", taken, axis=3, keepdims=0, part="first")
    zero = emit.constant(0, "int64", "zero")
    # TVM finds no maximum among infinities below zero, and says -1
    nowhere = emit("Less", first, zero, part="nowhere")
    first = emit("Where", nowhere, zero, first, part="found")
    starts = emit.constant(np.arange(windows) * width, "int64", "starts")
    table = emit.constant(_numbered(inside, sizes, emit).reshape(-1), "int64", "numbered")
    places = emit("Gather", table, emit("Add", first, starts, part="at"), axis=0, part="places")
    images = np.arange(shape[0] * shape[1]).reshape(*shape[:2], 1) * math.prod(sizes)
    places = emit("Add", places, emit.constant(images, "int64", "images"), part="all_places")
    counts = [axis.count for axis in axes]
    emit.reshape(places, *shape[:2], *counts, out=emit.output(1), part="shaped")


def _inside(axes: list[Axis]) -> np.ndarray:
    """(windows, places of a window): where they read, in a flat image."""
    import numpy as np

    rank = len(axes)
    flat, valid = np.zeros((1,) * 2 * rank, np.int64), np.ones((1,) * 2 * rank, bool)
    for place, axis in enumerate(axes):
        around = [1] * 2 * rank
        around[place], around[rank + place] = axis.count, axis.kernel
        places = axis.places().reshape(around)
        flat = flat * axis.size + places
        valid = valid & (places >= 0) & (places < axis.size)
    windows = math.prod(axis.count for axis in axes)
    flat, valid = flat.reshape(windows, -1), valid.reshape(windows, -1)
    first = np.take_along_axis(flat, valid.argmax(axis=1)[:, None], axis=1)
    return np.where(valid, flat, first)


def _numbered(flat: np.ndarray, sizes: list[int], emit: Emitter) -> np.ndarray:
    """The numbers of places, by rows; or by columns where `storage_order` says so."""
    import numpy as np

    if not emit.attribute("storage_order", 0):
        return flat
    places = np.unravel_index(flat, sizes)
    factors = np.cumprod([1, *sizes])[:-1]
    return np.asarray(sum(at * int(factor) for at, factor in zip(places, factors, strict=True)))
