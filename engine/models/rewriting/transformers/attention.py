"""ONNX's own Attention, of three or four axes, by products and Softmax.

A row of a mask that leaves every key out gives zeros, as the operator's documentation says.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.models.rewriting.emit import Declined, Emitter
from engine.models.rewriting.transformers.heads import merge_heads, split_heads

if TYPE_CHECKING:
    import numpy as np

_NEVER = float("-inf")


@dataclass(frozen=True, slots=True)
class Sizes:
    """Sequences, heads of queries and of keys, queries, the keys before these, all keys."""

    batch: int
    heads: int
    key_heads: int
    queries: int
    past: int
    keys: int


def attention(emit: Emitter) -> None:
    """Attention, with halves computed in single precision."""
    q, k, v = (_by_heads(emit, place) for place in range(3))
    size = _width(emit, 0)
    if emit.input(4):
        k = emit.concat([emit.input(4), k], 2, out=emit.output(1), part="keys")
        v = emit.concat([emit.input(5), v], 2, out=emit.output(2), part="values")
    else:
        for place, state in ((1, k), (2, v)):
            if emit.output(place):
                emit.identity(state, emit.output(place))
    sizes, stored = _sizes(emit), emit.dtype(emit.input(0)).name
    dtype = "float32" if stored == "float16" else stored
    q, k = (emit.cast(x, dtype, part="single") if dtype != stored else x for x in (q, k))
    if emit.dtype(emit.input(2)) != dtype:
        v = emit.cast(v, dtype, part="single")
    bias, alive = _bias(emit, sizes, dtype)
    shares = _shares(emit, (q, k), sizes, size, (bias, alive), dtype)
    y = _grouped_product(emit, shares, v, sizes, "attended")
    if alive:
        y = emit("Where", alive, y, emit.constant(0, dtype, "zero"), part="or_nothing")
    _give(emit, y, stored, dtype)


def _by_heads(emit: Emitter, place: int) -> str:
    x = emit.input(place)
    if len(emit.shape(x)) == 4:
        return x
    heads = emit.attribute("kv_num_heads" if place else "q_num_heads", 1)
    return split_heads(emit, x, heads, "qkv"[place])


def _width(emit: Emitter, place: int) -> int:
    """The size of a head."""
    shape = emit.shape(emit.input(place))
    return shape[3] if len(shape) == 4 else shape[2] // int(emit.attribute("q_num_heads", 1))


def _sizes(emit: Emitter) -> Sizes:
    q, k = (emit.shape(emit.input(place)) for place in range(2))
    by_heads = len(q) == 4
    past = emit.shape(emit.input(4))[2] if emit.input(4) else 0
    return Sizes(
        q[0],
        q[1] if by_heads else emit.attribute("q_num_heads", 1),
        k[1] if len(k) == 4 else emit.attribute("kv_num_heads", 1),
        q[-2],
        past,
        past + k[-2],
    )


def _shares(
    emit: Emitter,
    given: tuple[str, str],
    sizes: Sizes,
    size: int,
    masked: tuple[str, str],
    dtype: str,
) -> str:
    """What each query takes of each key; the operator's fourth output on the way."""
    bias, alive = masked
    scale = emit.attribute("scale", None)
    factor = emit.constant(1 / math.sqrt(size) if scale is None else scale, dtype, "scale")
    q = emit("Mul", given[0], factor, part="scaled")
    turned = emit("Transpose", given[1], perm=[0, 1, 3, 2], part="keys_turned")
    stages = [_grouped_product(emit, q, turned, sizes, "scores")]
    cap = emit.attribute("softcap", 0.0)
    if cap:
        limit = emit.constant(cap, dtype, "softcap")
        bent = emit("Tanh", emit("Div", stages[0], limit, part="by_cap"), part="bent")
        stages.append(emit("Mul", bent, limit, part="capped"))
    else:
        stages.append(stages[0])
    stages.append(emit("Add", stages[1], bias, part="masked") if bias else stages[1])
    stages.append(_softmax(emit, stages[2], dtype))
    if emit.output(3):
        mode = emit.attribute("qk_matmul_output_mode", 0)
        shown = stages[mode]
        if alive and mode == 3:
            shown = emit("Where", alive, shown, emit.constant(0, dtype, "zero"), part="shown")
        emit.cast(shown, emit.dtype(emit.input(0)).name, out=emit.output(3), part="shown_typed")
    return stages[3]


def _softmax(emit: Emitter, scores: str, dtype: str) -> str:
    from onnx import TensorProto

    precision = emit.attribute("softmax_precision", 0)
    if precision not in (0, TensorProto.DOUBLE, TensorProto.FLOAT, TensorProto.FLOAT16):
        raise Declined("the type of its Softmax is not known")
    if precision != TensorProto.DOUBLE:  # a narrower one would only be less exact
        return emit("Softmax", scores, axis=-1, part="shares")
    wide = emit("Softmax", emit.cast(scores, "float64", part="double"), axis=-1, part="shares")
    return emit.cast(wide, dtype, part="shares_typed")


def _grouped_product(emit: Emitter, rows: str, columns: str, sizes: Sizes, part: str) -> str:
    """A product for each head of queries; several in a row share one of keys.

    Their rows are put below each other, which moves nothing.
    """
    if sizes.heads == sizes.key_heads:
        return emit("MatMul", rows, columns, part=part)
    below = sizes.heads // sizes.key_heads * sizes.queries
    grouped = emit.reshape(rows, sizes.batch, sizes.key_heads, below, -1, part="grouped")
    product = emit("MatMul", grouped, columns, part=part)
    return emit.reshape(product, sizes.batch, sizes.heads, sizes.queries, -1, part=f"{part}_apart")


def _bias(emit: Emitter, sizes: Sizes, dtype: str) -> tuple[str, str]:
    """What is added to the scores, and which rows have any key left; "" for nothing and for all."""
    import numpy as np

    parts = [_mask(emit, sizes, dtype)] if emit.input(3) else []
    allowed = _order(emit, sizes)
    if allowed is not None and not allowed.all():
        order = np.where(allowed, 0, _NEVER)
        parts.append(emit.constant(order, dtype, "order"))
    if emit.input(6):
        parts.append(_valid(emit, sizes, dtype))
    if not parts:
        return "", ""
    total = parts[0]
    for other in parts[1:]:
        total = emit("Add", total, other, part="bias")
    if len(parts) == 1 and allowed is not None and not emit.input(3) and allowed.any(-1).all():
        return total, ""
    kept = emit("Greater", total, emit.constant(_NEVER, dtype, "never"), part="kept")
    any_kept = emit.reduce("ReduceMax", emit.cast(kept, "float32", part="kept_number"), -1)
    return total, emit.cast(any_kept, "bool", part="alive")


def _order(emit: Emitter, sizes: Sizes) -> np.ndarray | None:
    """Which keys a query may look at by their places; None where data say where it stands."""
    import numpy as np

    if emit.input(6):
        return None
    ahead = np.arange(sizes.keys) - sizes.past - np.arange(sizes.queries)[:, None]
    left, right = _window(emit)
    allowed: np.ndarray = np.ones(ahead.shape, "bool")
    if left is not None:
        allowed &= ahead >= -left
    if right is not None:
        allowed &= ahead <= right
    return allowed


def _window(emit: Emitter) -> tuple[int | None, int | None]:
    """How far before and behind its place a query looks, None for any distance."""
    left, right = (emit.attribute(f"{side}_window_size", -1) for side in ("left", "right"))
    far = right if right >= 0 else None
    if emit.attribute("is_causal", 0):
        far = 0
    return (left if left >= 0 else None), far


def _mask(emit: Emitter, sizes: Sizes, dtype: str) -> str:
    """The mask as something to add; a short one leaves the last keys out."""
    import numpy as np

    mask = emit.input(3)
    shape = emit.shape(mask)
    kind = emit.dtype(mask)
    if kind == "bool":
        parts = (emit.constant(n, dtype, "kept") for n in (0, _NEVER))
        mask = emit("Where", mask, *parts, part="mask")
    elif kind != dtype:
        mask = emit.cast(mask, dtype, part="mask")
    missing = sizes.keys - shape[-1]
    if not missing or shape[-1] == 1:
        return mask
    rest = np.full((*shape[:-1], missing), _NEVER)
    return emit.concat([mask, emit.constant(rest, dtype, "rest")], -1, part="whole_mask")


def _valid(emit: Emitter, sizes: Sizes, dtype: str) -> str:
    """Leaves out what is behind a sequence's last key, and by its end what its window excludes."""
    import numpy as np

    ends = emit.reshape(emit.input(6), sizes.batch, 1, 1, 1, part="ends")
    places = np.arange(sizes.keys).reshape(1, 1, 1, -1)
    kept = emit("Less", emit.constant(places, "int64", "places"), ends, part="valid")
    ahead = places - np.arange(sizes.queries).reshape(1, 1, -1, 1) + sizes.queries
    distance = emit("Sub", emit.constant(ahead, "int64", "ahead"), ends, part="distance")
    left, right = _window(emit)
    if left is not None:
        near = emit("GreaterOrEqual", distance, emit.constant(-left, "int64", "left"), part="near")
        kept = emit("And", kept, near, part="kept")
    if right is not None:
        near = emit("LessOrEqual", distance, emit.constant(right, "int64", "right"), part="near")
        kept = emit("And", kept, near, part="kept")
    parts = (emit.constant(n, dtype, "kept") for n in (0, _NEVER))
    return emit("Where", kept, *parts, part="valid_bias")


def _give(emit: Emitter, y: str, stored: str, dtype: str) -> None:
    by_heads = len(emit.shape(emit.input(0))) == 4
    if dtype == stored:
        if by_heads:
            emit.identity(y, emit.output(0))
        else:
            merge_heads(emit, y, emit.output(0))
        return
    if by_heads:
        emit.cast(y, stored, out=emit.output(0), part="half")
    else:
        merge_heads(emit, emit.cast(y, stored, part="half"), emit.output(0))
