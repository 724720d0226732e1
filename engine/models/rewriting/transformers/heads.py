"""Attention by products and Softmax, which every operator of that name comes down to.

Values have the shape (batch, heads, length, size).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.models.rewriting.emit import Emitter


@dataclass(frozen=True, slots=True)
class Scores:
    """What is attended to: sums before the mask, behind it, and as shares that add up to one."""

    raw: str
    masked: str
    shares: str


def split_heads(emit: Emitter, x: str, count: int, part: str) -> str:
    """(batch, length, heads * size) by heads."""
    apart = emit.reshape(x, 0, 0, count, -1, part=f"{part}_apart")
    return emit("Transpose", apart, perm=[0, 2, 1, 3], part=f"{part}_heads")


def merge_heads(emit: Emitter, x: str, out: str) -> None:
    """The way back."""
    turned = emit("Transpose", x, perm=[0, 2, 1, 3], part="turned")
    emit.reshape(turned, 0, 0, -1, out=out, part="merged")


def score(
    emit: Emitter, q: str, k: str, scale: float, dtype: str, biases: Sequence[str] = ()
) -> Scores:
    """How much each query attends to each key. Biases are added, and broadcast."""
    factor = emit.constant(scale, dtype, "scale")
    scaled = emit("Mul", q, factor, part="scaled")
    turned = emit("Transpose", k, perm=[0, 1, 3, 2], part="keys_turned")
    raw = masked = emit("MatMul", scaled, turned, part="scores")
    for bias in biases:
        masked = emit("Add", masked, bias, part="masked")
    return Scores(raw, masked, emit("Softmax", masked, axis=-1, part="shares"))


def causal_bias(emit: Emitter, length: int, past: int, total: int, dtype: str) -> str:
    """The least number where one of `total` keys comes after its query, `past` before the first.

    A mask's own number is less far from zero: of what it leaves out the past alone counts.
    """
    import numpy as np

    later = np.arange(total) > past + np.arange(length)[:, None]
    return emit.constant(np.where(later, np.finfo(dtype).min, 0), dtype, "causal")
