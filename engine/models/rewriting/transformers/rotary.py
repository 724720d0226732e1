"""Rotary embeddings: pairs of values turned by angles that follow from a place."""

from __future__ import annotations

from dataclasses import dataclass

from engine.models.rewriting.emit import Declined, Emitter


@dataclass(frozen=True, slots=True)
class Turn:
    """Values and the cosines and sines of their places, by name; `size` values of a head turn."""

    x: str
    cos: str
    sin: str
    size: int


def rotary(emit: Emitter) -> None:
    """ONNX's operator, whose tables hold the rows of all places or those of each sequence."""
    x, cos, sin, places = (emit.input(place) for place in range(4))
    shape = emit.shape(x)
    heads = emit.attribute("num_heads", 0)
    width = shape[3] if len(shape) == 4 else shape[2] // (heads or 1)
    cos, sin = (_rows(emit, table, places) for table in (cos, sin))
    size = emit.attribute("rotary_embedding_dim", 0) or width
    _turned(emit, Turn(x, cos, sin, size), width)


def runtime_rotary(emit: Emitter) -> None:
    """ONNX Runtime's operator: places come before the tables, perhaps as the first one alone."""
    import numpy as np

    if emit.attribute("is_packed_batching", 0) or emit.attribute("scale", 1.0) != 1:
        raise Declined("its sequences are packed, or it scales them")
    x, places, cos, sin = (emit.input(place) for place in range(4))
    shape = emit.shape(x)
    size = emit.attribute("rotary_embedding_dim", 0)
    width = shape[3] if len(shape) == 4 else 2 * emit.shape(cos)[1]
    if size and len(shape) == 3:
        width = shape[2] // int(emit.attribute("num_heads", 1))
    if len(emit.shape(places)) == 1:
        steps = np.arange(shape[-2]).reshape(1, -1)
        places = emit("Add", places, emit.constant(steps, "int64", "steps"), part="places")
    cos, sin = (_rows(emit, table, places) for table in (cos, sin))
    _turned(emit, Turn(x, cos, sin, size or width), width)


def _rows(emit: Emitter, table: str, places: str) -> str:
    return emit("Gather", table, places, axis=0, part="rows") if places else table


def _turned(emit: Emitter, turn: Turn, width: int) -> None:
    """Give the values, `width` for each head, after the turn; what is beyond its size stays."""
    shape = emit.shape(emit.input(0))
    dtype = emit.dtype(emit.input(0)).name
    by_heads = len(shape) == 4
    x = turn.x if by_heads else emit.reshape(turn.x, 0, 0, -1, width, part="heads")
    rest = emit.slice(x, 3, turn.size, width, part="rest") if turn.size < width else ""
    first, second = _pairs(emit, emit.slice(x, 3, 0, turn.size, part="first") if rest else x, turn)
    tables = (emit.unsqueeze(table, 1 if by_heads else 2) for table in (turn.cos, turn.sin))
    cos, sin = (emit.slice(table, 3, 0, turn.size // 2, part="table") for table in tables)
    if dtype == "float16":
        first, second, cos, sin = (emit.cast(v, "float32") for v in (first, second, cos, sin))
    real = emit("Sub", emit("Mul", cos, first), emit("Mul", sin, second), part="real")
    imaginary = emit("Add", emit("Mul", sin, first), emit("Mul", cos, second), part="imaginary")
    whole = _joined(emit, real, imaginary, turn)
    if dtype == "float16":
        whole = emit.cast(whole, dtype, part="half")
    if rest:
        whole = emit.concat([whole, rest], 3, part="with_rest")
    emit.reshape(whole, *shape, out=emit.output(0), part="shaped")


def _pairs(emit: Emitter, x: str, turn: Turn) -> tuple[str, str]:
    """The two values of each pair, which lie beside each other or half a head apart."""
    half = turn.size // 2
    if not emit.attribute("interleaved", 0):
        return emit.slice(x, 3, 0, half, part="one"), emit.slice(x, 3, half, 2 * half, part="other")
    apart = emit.reshape(x, 0, 0, 0, half, 2, part="pairs")
    places = (emit.constant(place, "int64", "place") for place in range(2))
    one, other = (emit("Gather", apart, place, axis=4, part="of_pairs") for place in places)
    return one, other


def _joined(emit: Emitter, real: str, imaginary: str, turn: Turn) -> str:
    if not emit.attribute("interleaved", 0):
        return emit.concat([real, imaginary], 3, part="joined")
    pairs = emit.concat([emit.unsqueeze(x, 4) for x in (real, imaginary)], 4, part="pairs")
    return emit.reshape(pairs, 0, 0, 0, turn.size, part="joined")
