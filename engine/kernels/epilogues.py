"""What follows a matrix product in its task and can be done where the product is summed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.kernels.activations import is_gelu_tanh
from engine.kernels.blocks import Block, dtype_of, elements, is_load, is_value, place, uncast
from engine.kernels.products import Product, ProductParts


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


def epilogue_of(parts: ProductParts, params: Sequence[Any]) -> Epilogue:
    """The longest one that the blocks behind a product begin with, maybe none of them."""
    product, blocks = parts.product, parts.behind
    found = now = Epilogue(product.output, _stored(product, product.output, params))
    if not product.is_compact:
        return found
    for number, block in enumerate(blocks, 1):
        if parts.is_copy(block):
            continue
        if elements(block.output) != elements(product.output):
            break
        after = _Reading(parts, block, now).of(block.value)
        if after is None:
            break
        stored = _stored(product, block.output, params)
        now = replace(after, output=block.output, stored=stored, blocks=number)
        if _is_done(product, now, params) and not _is_missed(parts, now):
            found = now
    return _with_gelu(parts, found, params)


def _with_gelu(parts: ProductParts, made: Epilogue, params: Sequence[Any]) -> Epilogue:
    """With GELU by the hyperbolic tangent, where all that is left computes that."""
    left = parts.behind[made.blocks :]
    if made.activation != "none" or not is_gelu_tanh(made.output, left):
        return made
    output = left[-1].output
    stored, blocks = _stored(parts.product, output, params), len(parts.behind)
    after = replace(made, output=output, stored=stored, blocks=blocks, activation="gelu_tanh")
    return after if _is_done(parts.product, after, params) else made


def bias_of(parts: ProductParts) -> Any:
    """The parameter that the block behind a product adds to all its rows; None where it does
    something else."""
    product = parts.product
    block = next((one for one in parts.behind if not parts.is_copy(one)), None)
    if block is None:
        return None
    made = _Reading(parts, block, Epilogue(product.output, product.operands)).of(block.value)
    return None if made is None or made.added is not None else made.bias


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


def _is_missed(parts: ProductParts, made: Epilogue) -> bool:
    """Whether a later block reads what then never is in memory."""
    before = [one for one in parts.behind[: made.blocks - 1] if not parts.is_copy(one)]
    gone = [parts.product.output, *(one.output for one in before)]
    later = [buffer for one in parts.behind[made.blocks :] for buffer in one.reads]
    return any(buffer.same_as(one) for one in gone for buffer in later)


@dataclass(frozen=True, slots=True)
class _Reading:
    """What a block makes of an epilogue so far, whose output it reads."""

    parts: ProductParts
    block: Block
    before: Epilogue

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
        product, buffer = self.parts.product, self.parts.copied(other.source)
        columns = product.column.extent
        if found.bias is None and elements(buffer) == columns and self._is_same(other, columns):
            return found.plus(bias=buffer)
        every = elements(buffer) == elements(product.output)
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
