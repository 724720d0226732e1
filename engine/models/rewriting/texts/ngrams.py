"""TfIdfVectorizer over numbers: how often each n-gram of a pool occurs in a row."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from engine.models.rewriting.emit import Declined, Emitter

_MAX_COMPARED = 1 << 24  # numbers of windows times grams, as one array


def tfidf(emit: Emitter) -> None:
    """Every window of a row compared with every gram of the pool, and the hits added.

    A window's numbers may lie up to `max_skip_count` apart, all equally far. A gram's weight is by
    its place in the pool, its place in the result what `ngram_indexes` says.
    """
    import numpy as np

    pool = emit.attribute("pool_int64s", None)
    if not pool:
        raise Declined("its words are texts")
    indexes = list(emit.attribute("ngram_indexes", []))
    mode, weights = emit.attribute("mode", "TF"), emit.attribute("weights", None)
    if mode != "TF" and len(set(indexes)) < len(indexes):
        raise Declined("several of its grams share a place")
    x = emit.cast(emit.input(0), "int64", part="numbers")
    length = (emit.shape(emit.input(0)) or (1,))[-1]
    parts, taken = _counts(emit, x, pool, length)
    size = max(indexes) + 1
    if not parts:
        zeros = np.zeros((*emit.shape(emit.input(0))[:-1], size))
        emit.identity(emit.constant(zeros, "float32", "zeros"), emit.output(0))
        return
    counts = emit.concat(parts, axis=-1) if len(parts) > 1 else parts[0]
    if mode == "IDF":
        counts = emit("Sign", counts)
    scale = np.ones(len(taken)) if mode == "TF" or weights is None else np.take(weights, taken)
    spread = np.zeros((len(taken), size))
    spread[np.arange(len(taken)), np.take(indexes, taken)] = scale
    emit("MatMul", counts, emit.constant(spread, "float32", "places"), out=emit.output(0))


def _counts(emit: Emitter, x: str, pool: Sequence[int], length: int) -> tuple[list[str], list[int]]:
    """How often each gram occurs, in parts along the last axis; the grams, in that order."""
    least, most = emit.attribute("min_gram_length", 1), emit.attribute("max_gram_length", 1)
    skips = emit.attribute("max_skip_count", 0)
    starts = [*emit.attribute("ngram_counts", []), len(pool)]
    counts: list[str] = []
    taken: list[int] = []
    gram = 0
    for size, (start, stop) in enumerate(pairwise(starts), 1):
        grams = [list(pool[at : at + size]) for at in range(start, stop, size)]
        if grams and least <= size <= most:
            apart = range(1, 2 if size == 1 else skips + 2)
            windows = [
                [first + step * place for place in range(size)]
                for step in apart
                for first in range(length - step * (size - 1))
            ]
            if len(windows) * len(grams) * size > _MAX_COMPARED:
                raise Declined("its pool and its input are too large")
            counts.append(_hits(emit, x, windows, grams))
            taken += range(gram, gram + len(grams))
        gram += len(grams)
    return counts, taken


def _hits(
    emit: Emitter, x: str, windows: Sequence[Sequence[int]], grams: Sequence[Sequence[int]]
) -> str:
    """For each gram the number of windows that equal it, in float32."""
    import numpy as np

    rank = len(emit.shape(emit.input(0)))
    if not windows:
        lead = emit.shape(emit.input(0))[:-1]
        return emit.constant(np.zeros((*lead, len(grams))), "float32", "none")
    if rank == 0:
        x = emit.reshape(x, 1, part="row")
    places = emit.constant(np.asarray(windows)[:, None, :], "int64", "windows")
    cut = emit("Gather", x, places, axis=max(rank - 1, 0), part="cut")
    same = emit.cast(
        emit("Equal", cut, emit.constant(grams, "int64", "grams")), "float32", part="same"
    )
    axis = max(rank, 1) + 1
    whole = emit.reduce("ReduceMin", same, axis, keep=False)
    return emit.reduce("ReduceSum", whole, axis - 2, keep=False)
