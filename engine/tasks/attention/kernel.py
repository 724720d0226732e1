"""Attention as a PrimFunc: the plain mathematics, and what it is in words for faster kernels."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from engine.kernels.attention import ATTRIBUTE

NAME = "attention"

_SINGLE, _INDEX = "float32", "int64"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a tensor lies in a parameter: the parameter's number, and the strides of batch, head,
    row and column in elements; 0 where all of an axis read the same."""

    arg: int
    offset: int
    strides: tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Attention:
    """softmax(scale * q k^T + mask) v for each head, in halves with sums in float32.

    q is (batch, heads, queries, dim), k and v (batch, key_heads, keys, dim), where a key's head is
    for heads / key_heads heads in a row; the mask is (batch, heads, queries, keys).
    """

    batch: int
    heads: int
    key_heads: int
    queries: int
    keys: int
    dim: int
    scale: float
    causal: bool
    """A query sees no key behind it."""
    empty_rows_are_zero: bool
    """Where a mask hides all keys of a query; NaN otherwise."""
    params: tuple[tuple[int, str], ...]
    """Elements and type of each parameter, the result's last."""
    q: Place
    k: Place
    v: Place
    o: Place
    mask: Place | None = None

    @property
    def half(self) -> str:
        """The type of 16 bits of what is read and written."""
        return self.params[-1][1]

    def text(self) -> str:
        """What kernels go by, as JSON: sizes; for q, k, v and o the parameter's number, the offset,
        and the strides of batch, row and head; for the mask its parameter's number and type, and
        the strides of batch, head, row and key."""
        mask = self.mask
        said = {
            **{key: int(getattr(self, key)) for key in _SIZES},
            "causal": int(self.causal),
            "scale": self.scale,
            **{name: _told(getattr(self, name)) for name in ("q", "k", "v", "o")},
            "mask": mask and [mask.arg, self.params[mask.arg][1], *mask.strides],
            "empty_rows_are_zero": int(self.empty_rows_are_zero),
        }
        return json.dumps(said, separators=(",", ":"))

    def shapes(self) -> tuple[tuple[int, ...], ...]:
        """The parameters' shapes: an axis for each stride, or all elements in a row."""
        return tuple(
            _shape(size, [used for used in self._uses() if used[0].arg == number])
            for number, (size, _) in enumerate(self.params)
        )

    def _uses(self) -> Iterable[tuple[Place, tuple[int, int, int, int]]]:
        """Each tensor with its extents."""
        keys = (self.batch, self.key_heads, self.keys, self.dim)
        yield self.q, (self.batch, self.heads, self.queries, self.dim)
        yield self.k, keys
        yield self.v, keys
        yield self.o, (self.batch, self.heads, self.queries, self.dim)
        if self.mask is not None:
            yield self.mask, (self.batch, self.heads, self.queries, self.keys)


_SIZES = ("batch", "heads", "key_heads", "queries", "keys", "dim")


def _told(place: Place) -> list[int]:
    batch, head, row, _ = place.strides
    return [place.arg, place.offset, batch, row, head]


def _shape(size: int, uses: Sequence[tuple[Place, tuple[int, ...]]]) -> tuple[int, ...]:
    strides = {
        stride
        for place, extents in uses
        for stride, extent in zip(place.strides, extents, strict=True)
        if stride and extent > 1
    }
    edges = [size, *sorted(strides - {size, 1}, reverse=True), 1]
    if any(one % other for one, other in pairwise(edges)):
        return (size,)
    shape = tuple(one // other for one, other in pairwise(edges))
    return shape if all(_fits(place, extents, shape) for place, extents in uses) else (size,)


def _fits(place: Place, extents: Sequence[int], shape: tuple[int, ...]) -> bool:
    """Whether no index leaves its axis."""
    firsts, axes = _split(place.offset, shape), _axes(place.strides, extents, shape)
    used = [axis for axis in axes if axis is not None]
    return len(used) == len(set(used)) and all(
        axis is None or firsts[axis] + extent <= shape[axis]
        for axis, extent in zip(axes, extents, strict=True)
    )


def _split(offset: int, shape: tuple[int, ...]) -> list[int]:
    """An element's indices."""
    indices = []
    for size in reversed(shape):
        indices.append(offset % size)
        offset //= size
    return indices[::-1]


def _axes(
    strides: Sequence[int], extents: Sequence[int], shape: tuple[int, ...]
) -> list[int | None]:
    """For each stride the axis of the shape that has it."""
    of_axis = {math.prod(shape[place + 1 :]): place for place in range(len(shape))}
    pairs = zip(strides, extents, strict=True)
    return [of_axis[stride] if stride and extent > 1 else None for stride, extent in pairs]


def primfunc(what: Attention) -> Any:
    """The PrimFunc of the parameters, in the shapes of `what.shapes()`."""
    from tvm import te, tirx

    shapes = what.shapes()
    given = [
        te.placeholder(shape, dtype, name=f"x{number}")
        for number, (shape, (_, dtype)) in enumerate(
            zip(shapes[:-1], what.params[:-1], strict=True)
        )
    ]
    group = what.heads // what.key_heads

    def read(place: Place, *indices: Any) -> Any:
        return given[place.arg](*_indices(place, indices, shapes[place.arg])).astype(_SINGLE)

    def score(b: Any, h: Any, i: Any, j: Any) -> Any:
        d = te.reduce_axis((0, what.dim), "d")
        products = read(what.q, b, h, i, d) * read(what.k, b, h // group, j, d)
        return te.sum(products, axis=d)

    full = (what.batch, what.heads, what.queries, what.keys)
    rows, lowest = full[:3], tirx.min_value(_SINGLE)
    products = te.compute(full, score, name="scores")

    def hidden(b: Any, h: Any, i: Any, j: Any) -> Any:
        value = products(b, h, i, j) * tirx.const(what.scale, _SINGLE)
        value = value if what.mask is None else value + read(what.mask, b, h, i, j)
        return tirx.Select(j <= i, value, lowest) if what.causal else value

    scores = te.compute(full, hidden, name="masked")
    j = te.reduce_axis((0, what.keys), "j")
    highest = te.compute(rows, lambda *at: te.max(scores(*at, j), axis=j), name="highest")
    powers = te.compute(full, lambda *at: te.exp(scores(*at) - highest(*at[:3])), name="powers")
    n = te.reduce_axis((0, what.keys), "n")
    sums = te.compute(rows, lambda *at: te.sum(powers(*at, n), axis=n), name="sums")

    def share(*at: Any) -> Any:
        value = powers(*at) / sums(*at[:3])
        if what.empty_rows_are_zero:
            value = tirx.Select(sums(*at[:3]) > 0, value, tirx.const(0.0, _SINGLE))
        return value.astype(what.half)

    shares = te.compute(full, share, name="shares")
    m = te.reduce_axis((0, what.keys), "m")
    found = te.compute(
        (*rows, what.dim),
        lambda b, h, i, d: te.sum(
            shares(b, h, i, m).astype(_SINGLE) * read(what.v, b, h // group, m, d), axis=m
        ),
        name="found",
    )
    extents = (*rows, what.dim)
    axes = _axes(what.o.strides, extents, shapes[-1])

    def result(*at: Any) -> Any:
        return found(*(0 if axis is None else at[axis] for axis in axes)).astype(what.half)

    out = te.compute(shapes[-1], result, name=NAME)
    made = te.create_prim_func([*given, out], index_dtype_override=_INDEX)
    made = made.without_attr("global_symbol")  # which is any module's first function
    return made.with_attrs({ATTRIBUTE: what.text(), "op_pattern": 8})  # opaque: fused with nothing


def _indices(place: Place, indices: Sequence[Any], shape: tuple[int, ...]) -> list[Any]:
    strides = place.strides
    if len(shape) == 1:
        return [sum((index * s for index, s in zip(indices, strides, strict=True)), place.offset)]
    firsts: list[Any] = list(_split(place.offset, shape))
    of_axis = {math.prod(shape[axis + 1 :]): axis for axis in range(len(shape))}
    for index, stride in zip(indices, strides, strict=True):
        if stride in of_axis:
            firsts[of_axis[stride]] = firsts[of_axis[stride]] + index
    return firsts
