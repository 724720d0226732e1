"""Which tasks are matrix products, read from their blocks: the operands, and how they lie."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.kernels.blocks import (
    Block,
    blocks_of,
    copy_of,
    dtype_of,
    elements,
    is_load,
    is_value,
    uncast,
)

_SUMS, _PARALLEL = 2, 0  # kinds of iterators
_TYPES = ("float16", "bfloat16", "float32")
_MOST = 2**31 - 1  # of an extent or a stride


@dataclass(frozen=True, slots=True)
class Axis:
    """Iterators that are one axis: how many there are, and how far one moves A, B and D."""

    extent: int = 1
    a: int = 0
    b: int = 0
    d: int = 0


@dataclass(frozen=True, slots=True)
class Product:
    """D[batch, row, column] = sum over `depth` of A[batch, row, depth] * B[batch, depth, column].

    Columns of D lie side by side, and in A and B either axis of a matrix does.
    """

    left: Any
    right: Any
    output: Any
    batch: Axis
    row: Axis
    column: Axis
    depth: Axis

    @property
    def operands(self) -> str:
        """The number type of A and B."""
        return dtype_of(self.left)

    @property
    def is_compact(self) -> bool:
        """Whether D is one block of memory, row by row."""
        one = self.row.extent * self.column.extent
        rows = self.row.extent == 1 or self.row.d == self.column.extent
        return rows and (self.batch.extent == 1 or self.batch.d == one)


@dataclass(frozen=True, slots=True)
class ProductParts:
    """A PrimFunc as a matrix product, the `behind` blocks that follow it, and those that only copy
    or cast a parameter, with that: a 1 x 1 convolution pads its data by nothing first."""

    product: Product
    behind: tuple[Block, ...]
    copies: tuple[tuple[Block, Any], ...]

    @staticmethod
    def of(function: Any) -> ProductParts | None:
        """None where it begins with another computation, or sums further on."""
        blocks, params = blocks_of(function) or [], list(getattr(function, "params", ()))
        found = [(block, copy_of(block, params)) for block in blocks]
        copies = tuple((block, source) for block, source in found if source is not None)
        first = next((place for place, (_, source) in enumerate(found) if source is None), None)
        if first is None or sum(block.sums for block in blocks) != 1 or not blocks[first].sums:
            return None
        product = product_of(blocks[first], copies)
        if product is None:
            return None
        return ProductParts(product, tuple(blocks[first + 1 :]), copies)

    def copied(self, buffer: Any) -> Any:
        """The parameter that a buffer is a copy of, or the buffer itself."""
        return _copied(buffer, self.copies)

    def is_copy(self, block: Block) -> bool:
        """Whether a block only copies a parameter."""
        return any(block is one for one, _ in self.copies)


def _copied(buffer: Any, copies: Sequence[tuple[Block, Any]]) -> Any:
    return next((source for one, source in copies if one.output.same_as(buffer)), buffer)


def product_of(block: Block, copies: Sequence[tuple[Block, Any]]) -> Product | None:
    """The matrix product that a block is, of what its operands are copies of; None where it is
    another computation."""
    operands = _operands(block)
    if operands is None:
        return None
    left, right = (_copied(load.source, copies) for load in operands)
    if not dtype_of(left) == dtype_of(right) == dtype_of(operands[0]):
        return None
    accesses = [(load.source, load.indices) for load in operands]
    factors = [block.factors(*one) for one in (*accesses, (block.output, block.indices))]
    groups: dict[str, list[Axis]] = {"batch": [], "row": [], "column": [], "depth": []}
    if None in factors:
        return None
    steps = zip(*[one for one in factors if one is not None], strict=True)
    for iterator, (a, b, d) in zip(block.iterators, steps, strict=True):
        extent = int(iterator.dom.extent)
        name = _group(int(iterator.iter_type), a, b, d)
        if extent == 1:
            continue
        if not name:
            return None
        groups[name].append(Axis(extent, a, b, d))
    if not groups["batch"] and _merged(groups["row"]) is None:  # as of rows that strides part
        *groups["row"], outer = sorted(groups["row"], key=lambda axis: axis.d)
        groups["batch"] = [outer]
    merged = {name: _merged(axes) for name, axes in groups.items()}
    axes = {name: axis for name, axis in merged.items() if axis is not None}
    if len(axes) < len(merged):
        return None
    return _by_rows(Product(left, right, block.output, **axes))


def _operands(block: Block) -> tuple[Any, Any] | None:
    """The loads that are multiplied, where the block sums products of one number type."""
    from tvm import tirx

    value, init = block.value, block.block.init
    if init is None or not isinstance(init, tirx.BufferStore) or not is_value(init.value, 0):
        return None
    if not isinstance(value, tirx.Add) or not is_load(value.a, block.output):
        return None
    if not _same_indices(block, value.a.indices) or not isinstance(value.b, tirx.Mul):
        return None
    left, right = uncast(value.b.a), uncast(value.b.b)
    if not is_load(left) or not is_load(right) or dtype_of(left) != dtype_of(right):
        return None
    right_types = dtype_of(left) in _TYPES and dtype_of(value) in ("float32", dtype_of(left))
    return (left, right) if right_types else None


def _same_indices(block: Block, indices: Sequence[Any]) -> bool:
    pairs = zip(block.indices, indices, strict=True)
    return all(block.same(one, other) for one, other in pairs)


def _group(kind: int, a: int, b: int, d: int) -> str:
    """What an iterator of this kind is that moves A, B and D so far; empty where none of it."""
    if min(a, b, d) < 0:
        return ""
    if kind == _SUMS:
        return "depth" if a and b and not d else ""
    if kind != _PARALLEL or not d:
        return ""
    return {(1, 1): "batch", (1, 0): "row", (0, 1): "column"}.get((a > 0, b > 0), "")


def _merged(axes: list[Axis]) -> Axis | None:
    """Iterators as one axis; None where they do not lie one within the other everywhere."""
    if not axes:
        return Axis()
    inner, *outer = sorted(axes, key=lambda axis: (axis.d, axis.a, axis.b))
    for axis in outer:
        within = (inner.a * inner.extent, inner.b * inner.extent, inner.d * inner.extent)
        if (axis.a, axis.b, axis.d) != within:
            return None
        inner = replace(inner, extent=inner.extent * axis.extent)
    return inner


def _by_rows(product: Product) -> Product | None:
    """The product, or its transpose, so that columns of D lie side by side."""
    row, column = product.row, product.column
    if column.extent > 1 and column.d != 1:
        if row.extent > 1 and row.d != 1:
            return None
        product = replace(
            product,
            left=product.right,
            right=product.left,
            **{
                name: replace(axis, a=axis.b, b=axis.a)
                for name, axis in (("batch", product.batch), ("depth", product.depth))
            },
            row=replace(column, a=column.b, b=0),
            column=replace(row, a=0, b=row.a),
        )
    axes = (product.batch, product.row, product.column, product.depth)
    numbers = [number for axis in axes for number in (axis.extent, axis.a, axis.b, axis.d)]
    if max(numbers) > _MOST or math.prod(axis.extent for axis in axes[:3]) != elements(
        product.output
    ):
        return None
    return product


@dataclass(frozen=True, slots=True)
class Layout:
    """A matrix by columns, as BLAS has it: transposed or not, and elements between columns."""

    transposed: bool
    ld: int


def layout(outer: int, inner: int, outer_step: int, inner_step: int) -> Layout | None:
    """How a matrix of `outer` by `inner` elements with these steps between them lies: as its
    transpose by columns, or so as to be `transposed`; None where neither axis is side by side."""
    if inner_step == 1 or inner == 1:
        ld = outer_step if outer > 1 else inner
        return Layout(False, ld) if ld >= inner else None
    if outer_step == 1 or outer == 1:
        ld = inner_step if inner > 1 else outer
        return Layout(True, ld) if ld >= outer else None
    return None
