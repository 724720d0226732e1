"""ONNX Runtime's attention: the projection in it or before it, masks of all forms, a past."""

from __future__ import annotations

import math
from dataclasses import dataclass

from engine.models.rewriting.emit import Declined, Emitter
from engine.models.rewriting.transformers.heads import causal_bias, merge_heads, score, split_heads


@dataclass(frozen=True, slots=True)
class Lengths:
    """Sequences, the queries of each, and the keys, those of the past among them."""

    batch: int
    queries: int
    keys: int


def attention(emit: Emitter) -> None:
    """Attention: one projection gives queries, keys and values."""
    projected = emit("MatMul", emit.input(0), emit.input(1), part="projected")
    if emit.input(2):
        projected = emit("Add", projected, emit.input(2), part="with_bias")
    _attend_to_projected(emit, projected, emit.input(1), (3, 4, 5))


def quantized_attention(emit: Emitter) -> None:
    """QAttention: the projection is one of integers."""
    from engine.models.rewriting.products import scaled, trimmed

    x, w, bias, x_scale, w_scale, _, x_zero, w_zero = (emit.input(n) for n in range(8))
    sums = emit("MatMulInteger", *trimmed(x, w, x_zero, w_zero), part="sums")
    product = scaled(emit, sums, (x_scale, w_scale), "scaled")
    projected = emit("Add", product, bias, part="with_bias")
    _attend_to_projected(emit, projected, w, (5, 8, 9))


def _attend_to_projected(
    emit: Emitter, projected: str, weights: str, places: tuple[int, int, int]
) -> None:
    """`places` are those of the inputs for mask, past and bias."""
    _refuse(emit, "do_rotary", "it turns queries and keys")
    _refuse(emit, "past_present_share_buffer", "its past and present share their memory")
    mask, past, bias = (emit.input(place) for place in places)
    width = emit.shape(weights)[1]
    sizes = list(emit.attribute("qkv_hidden_sizes", None) or [width // 3] * 3)
    heads = emit.attribute("num_heads", 1)
    ends = [sum(sizes[:place]) for place in range(4)]
    q, k, v = (
        split_heads(emit, emit.slice(projected, 2, start, stop, part=part), heads, part)
        for part, start, stop in zip(("q", "k", "v"), ends, ends[1:], strict=False)
    )
    before = 0
    if past:
        before = emit.shape(past)[3]
        k, v = (_joined(emit, past, n, x) for n, x in enumerate((k, v)))
    if emit.output(1):
        both = [emit.unsqueeze(x, 0, part="state") for x in (k, v)]
        emit.concat(both, 0, out=emit.output(1), part="present")
    scale = emit.attribute("scale", 0) or 1 / math.sqrt(sizes[0] // heads)
    _attend(emit, (q, k, v), scale, _biases(emit, mask, bias, before, emit.input(0)))


def _joined(emit: Emitter, past: str, place: int, now: str) -> str:
    index = emit.constant(place, "int64", "place")
    before = emit("Gather", past, index, axis=0, part="past")
    return emit.concat([before, now], 2, part="joined")


def multi_head(emit: Emitter) -> None:
    """MultiHeadAttention: queries, keys and values are given, perhaps packed, or cached already."""
    for place, what in ((8, "its past and present share their memory"), (9, "it searches beams")):
        if emit.input(place):
            raise Declined(what)
    heads = emit.attribute("num_heads", 1)
    q, k, v = _given(emit, heads)
    before = 0
    if emit.input(6):
        before = emit.shape(emit.input(6))[2]
        k = emit.concat([emit.input(6), k], 2, part="keys")
        v = emit.concat([emit.input(7), v], 2, part="values")
    for place, state in ((1, k), (2, v)):
        if emit.output(place):
            emit.identity(state, emit.output(place))
    shape = emit.shape(emit.input(0))
    size = shape[4] if len(shape) == 5 else shape[2] // heads
    scale = emit.attribute("scale", 0) or 1 / math.sqrt(size)
    keys = emit.input(1) or emit.input(0)
    biases = _biases(emit, emit.input(4), emit.input(5), before, keys)
    _attend(emit, (q, k, v), scale, biases)


def _given(emit: Emitter, heads: int) -> tuple[str, str, str]:
    """Queries, keys and values by heads, with the bias of their projection."""
    inputs = [emit.input(place) for place in range(3)]
    ranks = [len(emit.shape(name)) if name else 0 for name in inputs]
    if 5 in ranks:
        return _unpacked(emit, inputs, ranks, heads)
    widths = [emit.shape(x)[2] if r == 3 else 0 for x, r in zip(inputs, ranks, strict=True)]
    if emit.input(3):
        whole = emit.shape(emit.input(3))[0]
        widths = [w or (whole - sum(widths)) // widths.count(0) for w in widths]
    by_heads = []
    for place, part in enumerate(("q", "k", "v")):
        x = inputs[place]
        if ranks[place] == 3:
            if emit.input(3):
                start = sum(widths[:place])
                bias = emit.slice(emit.input(3), 0, start, start + widths[place], part="bias")
                x = emit("Add", x, bias, part=f"{part}_biased")
            x = split_heads(emit, x, heads, part)
        by_heads.append(x)
    return by_heads[0], by_heads[1], by_heads[2]


def _unpacked(
    emit: Emitter, inputs: list[str], ranks: list[int], heads: int
) -> tuple[str, str, str]:
    """Of (batch, length, heads, 3 or 2, size)."""
    if emit.input(3):
        raise Declined("its packed inputs have a bias")
    packed = inputs[ranks.index(5)]
    parts = []
    for place in range(emit.shape(packed)[3]):
        index = emit.constant(place, "int64", "place")
        part = emit("Gather", packed, index, axis=3, part="unpacked")
        parts.append(emit("Transpose", part, perm=[0, 2, 1, 3], part="heads"))
    if len(parts) == 2:
        parts.insert(0, split_heads(emit, inputs[0], heads, "q"))
    return parts[0], parts[1], parts[2]


def _attend(emit: Emitter, given: tuple[str, str, str], scale: float, biases: list[str]) -> None:
    q, k, v = given
    scores = score(emit, q, k, scale, _dtype(emit), biases)
    merge_heads(emit, emit("MatMul", scores.shares, v, part="attended"), emit.output(0))
    if emit.output(3):
        raise Declined("its scores are read")


def _dtype(emit: Emitter) -> str:
    """The type of the scores: that of data or weights, whichever is known."""
    places = (3,) if emit.node.op_type == "QAttention" else (1, 0, 2)
    names = [emit.input(place) for place in places]
    known = [name for name in names if emit.facts.type(name)]
    return emit.dtype((known or names)[0]).name


def _biases(emit: Emitter, mask: str, bias: str, past: int, keys: str) -> list[str]:
    """What is added to the scores: the mask, the order of time, a given bias.

    Lengths are asked for only where they are needed: they may be known a round later.
    """
    found = [_mask_bias(emit, mask, past, keys)] if mask else []
    if emit.attribute("unidirectional", 0):
        at = _lengths(emit, past, keys)
        found.append(causal_bias(emit, at.queries, past, at.keys, _dtype(emit)))
    return [*found, bias] if bias else found


def _lengths(emit: Emitter, past: int, keys: str) -> Lengths:
    shape = emit.shape(keys)
    batch, queries = emit.shape(emit.input(0))[:2]
    return Lengths(batch, queries, past + (shape[2] if len(shape) == 4 else shape[1]))


def _mask_bias(emit: Emitter, mask: str, past: int, keys: str) -> str:
    """A low number where a mask of any form leaves a key out, of a shape that fits the scores."""
    shape = emit.shape(mask)
    if len(shape) == 1:
        kept = _between_ends(emit, mask, shape[0], _lengths(emit, past, keys))
    elif len(shape) < 4:
        kept = emit("Greater", mask, emit.scalar(0, mask), part="kept")
    else:
        raise Declined("its mask has four axes")
    least = emit.attribute("mask_filter_value", -10000.0)
    dtype = _dtype(emit)
    bias = emit("Where", kept, *(emit.constant(n, dtype) for n in (0, least)), part="mask")
    return emit.unsqueeze(bias, *([1] if len(shape) == 3 else [1, 2]), part="mask_bias")


def _between_ends(emit: Emitter, mask: str, count: int, lengths: Lengths) -> str:
    """Which keys are before a sequence's end and, where the mask has those, behind its start."""
    import numpy as np

    if count not in (lengths.batch, 2 * lengths.batch):
        raise Declined("its mask is one of packed sequences")
    places = emit.constant(np.arange(lengths.keys).reshape(1, -1), emit.dtype(mask), "places")
    ends = emit.slice(mask, 0, 0, lengths.batch, part="ends")
    ends = emit.reshape(ends, lengths.batch, 1, part="end")
    kept = emit("Less", places, ends, part="inside")
    if count == lengths.batch:
        return kept
    starts = emit.slice(mask, 0, lengths.batch, count, part="starts")
    starts = emit.reshape(starts, lengths.batch, 1, part="start")
    begun = emit("Not", emit("Less", places, starts, part="before"), part="begun")
    return emit("And", kept, begun, part="kept")


def _refuse(emit: Emitter, name: str, why: str) -> None:
    if emit.attribute(name, 0):
        raise Declined(why)
