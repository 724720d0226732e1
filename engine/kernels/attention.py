"""What a task of attention computes, as its PrimFunc says it."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any

ATTRIBUTE = "tunewright.attention"
"""Of a PrimFunc that computes attention: `Attention` as JSON text."""

DTYPES = ("float16", "bfloat16")
_SIDE = 16  # of a tile of tensor cores
_WIDEST = 128  # a head: its sums are in registers
_ALIGNED = 8  # elements of 16 bytes, which copies move
_MASKS = ("float32", *DTYPES)


@dataclass(frozen=True, slots=True)
class View:
    """Heads within an argument: element d of head h of row r of batch b lies at
    `offset + b * batch + r * row + h * head + d`, in elements."""

    argument: int
    offset: int
    batch: int
    row: int
    head: int

    def reach(self, batch: int, rows: int, heads: int, dim: int) -> int:
        """The elements up to the last one that is touched."""
        last = (batch - 1) * self.batch + (rows - 1) * self.row + (heads - 1) * self.head
        return self.offset + last + dim

    @property
    def is_aligned(self) -> bool:
        return all(part % _ALIGNED == 0 for part in (self.offset, self.batch, self.row, self.head))


@dataclass(frozen=True, slots=True)
class Mask:
    """What is added to the scores: strides in elements, 0 where it is alike for all."""

    argument: int
    dtype: str
    batch: int
    head: int
    row: int
    key: int


@dataclass(frozen=True, slots=True)
class Attention:
    """softmax(q k^T * scale + mask) v, for heads of `dim`; `key_heads` are shared by as many heads
    each. `causal`: query i sees keys 0 to i. A row whose keys are all masked out is NaN, or 0."""

    batch: int
    heads: int
    key_heads: int
    queries: int
    keys: int
    dim: int
    causal: int
    scale: float
    q: View
    k: View
    v: View
    o: View
    mask: Mask | None
    empty_rows_are_zero: int

    @staticmethod
    def of(function: Any) -> Attention | None:
        """What a PrimFunc computes; None where it is no attention that a kernel here serves.

        The attribute may be a stranger's: what reaches beyond an argument is none.
        """
        if function.attrs is None or ATTRIBUTE not in function.attrs:
            return None
        try:
            made = _read(json.loads(str(function.attrs[ATTRIBUTE])))
            fits = made._fits([_Argument.of(buffer) for buffer in function.params])
        except (ValueError, TypeError, LookupError, AttributeError):
            return None
        return made if fits else None

    def _fits(self, arguments: list[_Argument]) -> bool:
        sizes = (self.batch, self.heads, self.key_heads, self.queries, self.keys, self.dim)
        if min(sizes) < 1 or self.heads % self.key_heads or self.dim % _SIDE or self.dim > _WIDEST:
            return False
        if max(self.batch, self.heads) > 65_535 or not math.isfinite(self.scale):
            return False
        if self.causal > 1 or self.empty_rows_are_zero > 1:
            return False
        rows = ((self.queries, self.heads), (self.keys, self.key_heads))
        views = ((self.q, rows[0]), (self.k, rows[1]), (self.v, rows[1]), (self.o, rows[0]))
        dtype = arguments[self.q.argument].dtype
        for view, (length, heads) in views:
            argument = arguments[view.argument]
            if argument.dtype != dtype or dtype not in DTYPES or not view.is_aligned:
                return False
            if view.reach(self.batch, length, heads, self.dim) > argument.elements:
                return False
        return self.mask is None or self._reaches(self.mask, arguments[self.mask.argument])

    def _reaches(self, mask: Mask, argument: _Argument) -> bool:
        last = (self.batch - 1) * mask.batch + (self.heads - 1) * mask.head
        last += (self.queries - 1) * mask.row + (self.keys - 1) * mask.key
        return argument.dtype == mask.dtype in _MASKS and last < argument.elements


@dataclass(frozen=True, slots=True)
class _Argument:
    dtype: str
    elements: int

    @staticmethod
    def of(buffer: Any) -> _Argument:
        shape = [int(size) for size in buffer.ty.shape]
        return _Argument(str(buffer.ty.dtype), math.prod(shape))


def _read(data: dict[str, Any]) -> Attention:
    q, k, v, o = (View(*map(_whole, data[name])) for name in "qkvo")
    mask = data["mask"]
    if mask is not None:
        argument, dtype, *strides = mask
        mask = Mask(_whole(argument), str(dtype), *map(_whole, strides))
    return Attention(
        batch=_whole(data["batch"]),
        heads=_whole(data["heads"]),
        key_heads=_whole(data["key_heads"]),
        queries=_whole(data["queries"]),
        keys=_whole(data["keys"]),
        dim=_whole(data["dim"]),
        causal=_whole(data["causal"]),
        scale=float(data["scale"]),
        q=q,
        k=k,
        v=v,
        o=o,
        mask=mask,
        empty_rows_are_zero=_whole(data["empty_rows_are_zero"]),
    )


def _whole(value: Any) -> int:
    if type(value) is not int or not 0 <= value < 2**31:
        raise ValueError
    return value
