"""The blocks of a task's PrimFunc, as far as a library needs to know them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Block:
    """One computation `output[indices] = value` over all `iterators`; `nest` are its loops."""

    nest: Any
    block: Any
    iterators: tuple[Any, ...]
    output: Any
    indices: tuple[Any, ...]
    value: Any

    @property
    def sums(self) -> bool:
        return self.block.init is not None

    @property
    def reads(self) -> list[Any]:
        """The buffers that it reads, and those that its sums are in."""
        return [region.source for region in self.block.reads]

    @property
    def own_place(self) -> Any:
        """Where its output is written, as `place` says it."""
        return place(self.output, self.indices)

    def factors(self, buffer: Any, indices: Sequence[Any]) -> list[int] | None:
        """How far each iterator moves an access, in elements; None where that is not linear."""
        from tvm.sym import detect_linear_equation

        where = self.analyzer().simplify(place(buffer, indices))
        found = detect_linear_equation(where, [one.var for one in self.iterators])
        if not found or any(not hasattr(factor, "value") for factor in found):
            return None
        *factors, offset = map(int, found)
        return None if offset else factors

    def analyzer(self) -> Any:
        """One that knows the bounds of the iterators."""
        from tvm.sym import Analyzer

        made = Analyzer()
        for one in self.iterators:
            made.bind(one.var, one.dom)
        return made

    def same(self, one: Any, other: Any) -> bool:
        """Whether two expressions of the iterators are equal everywhere."""
        return is_value(self.analyzer().simplify(one - other), 0)


def place(buffer: Any, indices: Sequence[Any]) -> Any:
    """Where in its buffer an access is, in elements from the start."""
    from tvm import tirx

    where, step = tirx.const(0, "int64"), 1
    for index, size in zip(reversed(indices), reversed(buffer.ty.shape), strict=True):
        where += index.astype("int64") * tirx.const(step, "int64")
        step *= int(size)
    return where


def elements(buffer: Any) -> int:
    """How many elements a buffer has."""
    return math.prod(map(int, buffer.ty.shape))


def blocks_of(function: Any) -> list[Block] | None:
    """The blocks of a PrimFunc in order; None where it is made of anything else."""
    root = getattr(function.body, "block", None)
    if root is None or root.iter_vars or root.init is not None or root.match_buffers:
        return None
    body = root.body
    nests = list(body.seq) if hasattr(body, "seq") else [body]
    found = [_block(nest) for nest in nests]
    return None if None in found else [one for one in found if one is not None]


def _block(nest: Any) -> Block | None:
    from tvm import s_tir, tirx

    statement, loops = nest, []
    while isinstance(statement, tirx.For):
        if statement.kind != tirx.ForKind.SERIAL or not is_value(statement.min, 0):
            return None
        loops.append(statement)
        statement = statement.body
    if not isinstance(statement, s_tir.SBlockRealize) or not is_value(statement.predicate, 1):
        return None
    block = statement.block
    if not isinstance(block.body, tirx.BufferStore) or block.alloc_buffers or block.match_buffers:
        return None
    values = list(statement.iter_values)
    if len(values) != len(loops) or not _each_once(values, loops, block.iter_vars):
        return None
    store = block.body
    touched = [store.buffer, *(region.source for region in block.reads)]
    if any(buffer.ty.strides or not _is_static(buffer.ty.shape) for buffer in touched):
        return None
    return Block(
        nest, block, tuple(block.iter_vars), store.buffer, tuple(store.indices), store.value
    )


def _is_static(shape: Any) -> bool:
    return all(hasattr(size, "value") for size in shape)


def _each_once(values: Sequence[Any], loops: Sequence[Any], iterators: Sequence[Any]) -> bool:
    """Whether each iterator is a loop of its own, of the same extent."""
    extents = {loop.loop_var: loop.extent for loop in loops}
    for value, iterator in zip(values, iterators, strict=True):
        extent = extents.pop(value, None)
        known = hasattr(extent, "value") and hasattr(iterator.dom.extent, "value")
        if not known or int(extent) != int(iterator.dom.extent):
            return False
    return not extents


def copy_of(block: Block, params: Sequence[Any]) -> Any:
    """The parameter that a block only copies, or casts, element by element; None where it does
    not."""
    value = uncast(block.value)
    if block.sums or not is_load(value):
        return None
    source = value.source
    given = any(source.same_as(one) for one in params)
    if not given or elements(source) != elements(block.output):
        return None
    return source if block.same(block.own_place, place(source, value.indices)) else None


def uncast(value: Any) -> Any:
    """An expression without the casts between floats around it."""
    from tvm import tirx

    while isinstance(value, tirx.Cast) and all(map(is_float, (value, value.value))):
        value = value.value
    return value


def is_float(value: Any) -> bool:
    return dtype_of(value) in ("float32", "float16", "bfloat16")


def dtype_of(value: Any) -> str:
    """The number type of an expression or a buffer."""
    return str(value.ty.dtype)


def is_load(value: Any, buffer: Any = None) -> bool:
    """Whether an expression loads an element, from this very buffer where one is given."""
    import tvm

    loads = isinstance(value, tvm.ir.TensorLoad)
    return loads and (buffer is None or bool(value.source.same_as(buffer)))


def is_value(value: Any, number: float) -> bool:
    """Whether an expression is this constant."""
    from tvm.tirx import FloatImm, IntImm

    return isinstance(value, FloatImm | IntImm) and value.value == number


def cast_nest(source: Any, target: Any) -> Any:
    """The loops that cast one buffer into another of the same shape."""
    import tvm
    from tvm import s_tir, tirx

    def one(place: Any) -> Any:
        return tvm.ir.Range.from_min_extent(place, tirx.const(1, "int64"))

    shape = list(source.ty.shape)
    loops, places = (
        [tirx.Var(f"{kind}{axis}", "int64") for axis in range(len(shape))] for kind in "iv"
    )
    zero = tirx.const(0, "int64")
    iterators = [
        tirx.IterVar(tvm.ir.Range.from_min_extent(zero, size), place, tirx.IterVar.DataPar)
        for size, place in zip(shape, places, strict=True)
    ]
    value = tirx.Cast(dtype_of(target), tirx.BufferLoad(source, places))
    regions = [
        tirx.BufferRegion(each, [one(place) for place in places]) for each in (source, target)
    ]
    store = tirx.BufferStore(target, value, places)
    block = s_tir.SBlock(iterators, regions[:1], regions[1:], "stored", store)
    nest = s_tir.SBlockRealize(loops, True, block)
    for loop, size in zip(reversed(loops), reversed(shape), strict=True):
        nest = tirx.For(loop, zero, size, tirx.ForKind.SERIAL, nest)
    return nest
