"""Where in a tensor the elements of one lie that was reshaped, turned round, sliced or repeated."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

Digit = tuple[int, int]
"""(extent, stride): an axis whose elements lie a stride apart."""

Axis = tuple[Digit, ...]
"""An axis of a tensor as digits, the most significant first; of extent 1, it has none."""


@dataclass(frozen=True, slots=True)
class View:
    """Where the elements of a tensor lie in another: axes and the first element's place there.

    Strides and the offset count elements.
    """

    axes: tuple[Axis, ...]
    offset: int = 0

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(_extent(axis) for axis in self.axes)

    def turned(self, order: Sequence[int]) -> View:
        """With the axes in this order."""
        return replace(self, axes=tuple(self.axes[place] for place in order))

    def reshaped(self, shape: Sequence[int]) -> View | None:
        """In another shape of as many elements; None where an axis would have no strides."""
        digits = list(merged(digit for axis in self.axes for digit in axis))
        axes = []
        for size in shape:
            taken = _take(digits, size)
            if taken is None:
                return None
            axes.append(taken)
        return replace(self, axes=tuple(axes))

    def sliced(self, place: int, begin: int, count: int, step: int) -> View | None:
        """With `count` elements of an axis, from `begin` on, `step` apart."""
        axis = self.axes[place]
        if (begin, count, step) == (0, _extent(axis), 1):
            return self
        if count < 1 or (count > 1 and len(axis) != 1):
            return None
        offset, rest = self.offset, begin
        for extent, stride in reversed(axis):
            offset += (rest if len(axis) == 1 else rest % extent) * stride
            rest //= extent
        made: Axis = ((count, axis[0][1] * step),) if count > 1 else ()
        return View((*self.axes[:place], made, *self.axes[place + 1 :]), offset)

    def repeated(self, shape: Sequence[int]) -> View | None:
        """Broadcast to a shape, as NumPy does it."""
        missing = len(shape) - len(self.axes)
        if missing < 0:
            return None
        axes = []
        for axis, size in zip(((),) * missing + self.axes, shape, strict=True):
            if _extent(axis) not in (1, size):
                return None
            axes.append(axis if _extent(axis) == size else ((size, 0),))
        return replace(self, axes=tuple(axes))


def contiguous(shape: Iterable[int]) -> View:
    """A tensor as it lies in memory by itself."""
    sizes = tuple(shape)
    strides = [math.prod(sizes[place + 1 :]) for place in range(len(sizes))]
    pairs = zip(sizes, strides, strict=True)
    return View(tuple(((size, stride),) if size != 1 else () for size, stride in pairs))


def merged(axis: Iterable[Digit]) -> Axis:
    """An axis with as few digits as can be."""
    made: list[Digit] = []
    for extent, stride in axis:
        if extent == 1:
            continue
        if made and made[-1][1] == extent * stride:
            made[-1] = (made[-1][0] * extent, stride)
        else:
            made.append((extent, stride))
    return tuple(made)


def _extent(axis: Axis) -> int:
    return math.prod(extent for extent, _ in axis)


def _take(digits: list[Digit], size: int) -> Axis | None:
    """The axis of a size off the first digits, which are taken out."""
    taken: list[Digit] = []
    while size > 1:
        if not digits:
            return None
        extent, stride = digits.pop(0)
        if size % extent == 0:
            taken.append((extent, stride))
            size //= extent
        elif extent % size == 0:
            rest = extent // size
            taken.append((size, stride * rest))
            digits.insert(0, (rest, stride))
            size = 1
        else:
            return None
    return merged(taken)
