"""What follows a matrix product in its task and can be done where the product is summed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.kernels.blocks import Block, dtype_of, elements, is_load, is_value, place, uncast
from engine.kernels.products import Product


@dataclass(frozen=True, slots=True)
class Epilogue:
    """activation(scale * product + added + bias), which is `output` after so many `blocks`, and is
    written as numbers of the type `stored`."""

    output: Any
    stored: str
    blocks: int = 0
    scale: float = 1.0
    bias: Any = None
    added: Any = None
    activation: str = "none"

    def plus(self, **changes: Any) -> Epilogue | None:
        """What it is after a further operation; None after an activation, which is the last."""
        return None if self.activation != "none" else replace(self, **changes)


def epilogue_of(product: Product, blocks: Sequence[Block], params: Sequence[Any]) -> Epilogue:
    """The longest one that the blocks behind a product begin with, maybe none of them."""
    found = now = Epilogue(product.output, _stored(product, product.output, params))
    if not product.is_compact:
        return found
    casts: list[tuple[Any, Any]] = []
    for number, block in enumerate(blocks, 1):
        if (source := cast_of(block, params)) is not None:
            casts.append((block.output, source))
            continue
        if block.sums or elements(block.output) != elements(product.output):
            break
        after = _Reading(product, block, now, casts).of(block.value)
        if after is None:
            break
        stored = _stored(product, block.output, params)
        now = replace(after, output=block.output, stored=stored, blocks=number)
        if _is_done(product, now, params) and not _is_missed(product, now, blocks, params):
            found = now
    return found


def bias_of(product: Product, block: Block) -> Any:
    """What the block behind a product adds to all its rows; None where it does something else."""
    made = _Reading(product, block, Epilogue(product.output, product.operands), ()).of(block.value)
    return None if made is None or made.added is not None else made.bias


def cast_of(block: Block, params: Sequence[Any]) -> Any:
    """The parameter that a block only casts, element by element; None where it does not."""
    value = uncast(block.value)
    if block.sums or not is_load(value) or value.same_as(block.value):
        return None
    source = value.source
    given = any(source.same_as(one) for one in params)
    if not given or elements(source) != elements(block.output):
        return None
    return source if block.same(block.own_place, place(source, value.indices)) else None


def _stored(product: Product, output: Any, params: Sequence[Any]) -> str:
    """The type that the library writes: what only the blocks behind it read is of 16 bits where
    operands are, as between the kernels of such a program."""
    is_seen = any(output.same_as(one) for one in params)
    return dtype_of(output) if is_seen else product.operands


def _is_done(product: Product, made: Epilogue, params: Sequence[Any]) -> bool:
    """Whether the library takes these types: what is added has the one that is written."""
    added = [buffer for buffer in (made.bias, made.added) if buffer is not None]
    given = all(any(buffer.same_as(one) for one in params) for buffer in added)
    same = all(dtype_of(buffer) == made.stored for buffer in added)
    return given and same and made.stored in ("float32", product.operands)


def _is_missed(
    product: Product, made: Epilogue, blocks: Sequence[Block], params: Sequence[Any]
) -> bool:
    """Whether a later block reads what then never is in memory."""
    before = [one for one in blocks[: made.blocks - 1] if cast_of(one, params) is None]
    gone = [product.output, *(one.output for one in before)]
    later = [buffer for one in blocks[made.blocks :] for buffer in one.reads]
    return any(buffer.same_as(one) for one in gone for buffer in later)


@dataclass(frozen=True, slots=True)
class _Reading:
    """What a block makes of an epilogue so far, whose output it reads."""

    product: Product
    block: Block
    before: Epilogue
    casts: Sequence[tuple[Any, Any]]

    def of(self, value: Any) -> Epilogue | None:
        """The epilogue that an expression is; None where it is something else."""
        from tvm import tirx

        value = uncast(value)
        if is_load(value, self.before.output):
            return self.before if self._is_same(value) else None
        if isinstance(value, tirx.Add):
            return self._added(value.a, value.b) or self._added(value.b, value.a)
        if isinstance(value, tirx.Mul):
            return self._scaled(value.a, value.b) or self._scaled(value.b, value.a)
        if isinstance(value, tirx.Max):
            return self._bounded(value.a, value.b) or self._bounded(value.b, value.a)
        return None

    def _added(self, value: Any, other: Any) -> Epilogue | None:
        found, other = self.of(value), uncast(other)
        if found is None or not is_load(other):
            return None
        columns = self.product.column.extent
        made = (source for cast, source in self.casts if cast.same_as(other.source))
        buffer = next(made, other.source)
        if found.bias is None and elements(buffer) == columns and self._is_same(other, columns):
            return found.plus(bias=buffer)
        every = elements(buffer) == elements(self.product.output)
        if found.added is None and every and self._is_same(other):
            return found.plus(added=buffer)
        return None

    def _scaled(self, value: Any, other: Any) -> Epilogue | None:
        from tvm.tirx import FloatImm

        found, other = self.of(value), uncast(other)
        if found is None or not isinstance(other, FloatImm):
            return None
        alone = found.bias is None and found.added is None
        return found.plus(scale=found.scale * float(other.value)) if alone else None

    def _bounded(self, value: Any, other: Any) -> Epilogue | None:
        found = self.of(value) if is_value(uncast(other), 0) else None
        return None if found is None else found.plus(activation="relu")

    def _is_same(self, load: Any, modulus: int = 0) -> bool:
        """Whether what is loaded lies where the output does, within a row of `modulus` elements."""
        from tvm import tirx

        where = self.block.own_place
        if modulus:
            where = tirx.floormod(where, tirx.const(modulus, "int64"))
        return self.block.same(where, place(load.source, load.indices))
