"""Attention as a task has it: a PrimFunc of plain mathematics, and what it gives by NumPy."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from typing import Any

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

from engine.kernels.attention import ATTRIBUTE, Attention, Mask, View
from engine.records.machine import TargetSpec

H200 = TargetSpec(
    json.dumps(
        {
            "kind": "cuda",
            "arch": "sm_90",
            "max_num_threads": 1024,
            "max_threads_per_block": 1024,
            "thread_warp_size": 32,
            "max_shared_memory_per_block": 49152,
        }
    ),
    "cuda NVIDIA H200",
    "cuda:0",
    8,
)


@dataclass(frozen=True, slots=True)
class Case:
    """An attention over one merged argument, or over three, with a mask's strides."""

    batch: int = 1
    heads: int = 4
    key_heads: int = 4
    queries: int = 33
    keys: int = 33
    dim: int = 32
    causal: int = 0
    mask: str = ""  # of the axes "bhqk" those along which it differs
    mask_dtype: str = "float32"
    merged: bool = False
    heads_first: bool = False
    dtype: str = "float16"
    empty_rows_are_zero: int = 1

    @property
    def shapes(self) -> list[tuple[int, ...]]:
        """Of the arguments, the output last."""
        shapes: list[tuple[int, ...]]
        if self.merged:
            shapes = [(self.batch, self.queries, (self.heads + 2 * self.key_heads) * self.dim)]
        elif self.heads_first:
            kv = (self.batch, self.key_heads, self.keys, self.dim)
            shapes = [(self.batch, self.heads, self.queries, self.dim), kv, kv]
        else:
            flat = (self.batch, self.keys, self.key_heads * self.dim)
            shapes = [(self.batch, self.queries, self.heads * self.dim), flat, flat]
        if self.mask:
            sizes = {"b": self.batch, "h": self.heads, "q": self.queries, "k": self.keys}
            shapes.append(tuple(sizes[axis] if axis in self.mask else 1 for axis in "bhqk"))
        return [*shapes, (self.batch, self.queries, self.heads * self.dim)]

    @property
    def dtypes(self) -> list[str]:
        """Of the arguments."""
        masks = [self.mask_dtype] if self.mask else []
        return [self.dtype] * (len(self.shapes) - 1 - len(masks)) + masks + [self.dtype]

    def attention(self) -> Attention:
        """Its facts."""
        d, h, kh, s, n = self.dim, self.heads, self.key_heads, self.queries, self.keys
        if self.merged:
            row = (h + 2 * kh) * d
            q = View(0, 0, s * row, row, d)
            k, v = replace(q, offset=h * d), replace(q, offset=(h + kh) * d)
        elif self.heads_first:
            q = View(0, 0, h * s * d, d, s * d)
            k, v = View(1, 0, kh * n * d, d, n * d), View(2, 0, kh * n * d, d, n * d)
        else:
            q = View(0, 0, s * h * d, h * d, d)
            k, v = View(1, 0, n * kh * d, kh * d, d), View(2, 0, n * kh * d, kh * d, d)
        out = len(self.shapes) - 1
        mask = None
        if self.mask:
            shape, strides, step = self.shapes[-2], [0, 0, 0, 0], 1
            for place in (3, 2, 1, 0):
                strides[place] = step if shape[place] > 1 else 0
                step *= shape[place]
            mask = Mask(out - 1, self.mask_dtype, *strides)
        o = View(out, 0, s * h * d, h * d, d)
        sizes = (self.batch, h, kh, s, n, d, self.causal)
        return Attention(*sizes, 1 / d**0.5, q, k, v, o, mask, self.empty_rows_are_zero)

    @property
    def attribute(self) -> str:
        """Its facts as the PrimFunc carries them."""
        data = asdict(self.attention())
        for name in "qkvo":
            data[name] = list(data[name].values())
        if data["mask"] is not None:
            data["mask"] = list(data["mask"].values())
        return json.dumps(data)

    def function(self) -> Any:
        """A PrimFunc with the arguments and the attribute, which only zeroes its output: ready
        kernels do not look at its blocks."""
        import tvm
        from tvm.script import tirx as T

        names = [f"p{place}" for place in range(len(self.shapes))]
        lines = [
            f'{name.upper()} = T.match_buffer({name}, {shape}, "{dtype}")'
            for name, shape, dtype in zip(names, self.shapes, self.dtypes, strict=True)
        ]
        b, s, w = self.shapes[-1]
        joined = "\n    ".join(lines)
        text = f"""@T.prim_func(s_tir=True)
def main({", ".join(f"{name}: T.handle" for name in names)}) -> None:
    {joined}
    for i, j, k in T.grid({b}, {s}, {w}):
        with T.sblock("zero"):
            vi, vj, vk = T.axis.remap("SSS", [i, j, k])
            {names[-1].upper()}[vi, vj, vk] = T.Cast("{self.dtype}", T.float32(0))
"""
        made = tvm.script.from_source(text, extra_vars={"T": T})
        return made.with_attr("global_symbol", "main").with_attr(ATTRIBUTE, self.attribute)

    def arguments(self, seed: int = 0) -> list[NDArray[Any]]:
        """Values for all arguments; a mask hides a third of what it can, and all of one row."""
        dice = np.random.default_rng(seed)
        made = []
        for place, (shape, name) in enumerate(zip(self.shapes, self.dtypes, strict=True)):
            values = dice.standard_normal(shape)
            if self.mask and place == len(self.shapes) - 2:
                values = np.where(dice.random(shape) < 0.3, -np.inf, values)
                if "q" in self.mask:
                    values[:, :, 1] = -np.inf
            made.append(values.astype(getattr(ml_dtypes, name, None) or name))
        return made

    def expected(self, arguments: list[NDArray[Any]]) -> NDArray[np.float64]:
        """The output, in float64."""
        facts, group = self.attention(), self.heads // self.key_heads

        def heads(view: View, rows: int, count: int) -> NDArray[np.float64]:
            b, h, r, d = np.ogrid[: self.batch, :count, :rows, : self.dim]
            at = view.offset + b * view.batch + h * view.head + r * view.row + d
            return np.asarray(arguments[view.argument].reshape(-1)[at], np.float64)

        q = heads(facts.q, self.queries, self.heads)
        k = np.repeat(heads(facts.k, self.keys, self.key_heads), group, 1)
        v = np.repeat(heads(facts.v, self.keys, self.key_heads), group, 1)
        scores = q @ k.swapaxes(2, 3) * facts.scale
        if self.mask:
            scores = scores + np.asarray(arguments[-2], np.float64)
        if self.causal:
            scores = np.where(np.tri(self.queries, self.keys, dtype=bool), scores, -np.inf)
        most = scores.max(-1, keepdims=True)
        weights = np.exp(scores - np.where(np.isfinite(most), most, 0))
        total = weights.sum(-1, keepdims=True)
        zero = 0.0 if self.empty_rows_are_zero else np.nan
        shares = np.where(total > 0, weights / np.where(total > 0, total, 1), zero)
        out = (shares @ v).swapaxes(1, 2)
        return np.ascontiguousarray(out).reshape(self.shapes[-1])


CASES = {
    "plain": Case(),
    "merged": Case(merged=True, queries=128, keys=128),
    "keys masked": Case(mask="bk", batch=2, queries=65, keys=100, dim=64),
    "queries masked": Case(mask="qk", dim=64, queries=40, keys=40),
    "a bias for each head": Case(mask="hqk", mask_dtype="float16", dim=32, queries=49, keys=49),
    "empty rows are NaN": Case(mask="qk", empty_rows_are_zero=0),
    "causal": Case(causal=1, queries=197, keys=197, dim=64),
    "grouped": Case(heads=9, key_heads=3, causal=1, merged=True, queries=128, keys=128, dim=64),
    "heads first": Case(heads_first=True, heads=6, key_heads=2, queries=77, keys=154, dim=64),
    "wide heads": Case(dim=128, queries=70, keys=70),
    "heads of 80": Case(dim=80, queries=50, keys=257),
    "heads of 16": Case(dim=16, queries=64, keys=64),
    "one query": Case(queries=1, keys=300, dim=64, heads=8, key_heads=8),
    "many keys": Case(queries=512, keys=1500, dim=64),
    "bfloat16": Case(dtype="bfloat16", mask="bk", mask_dtype="bfloat16", queries=100, keys=100),
    "windows": Case(batch=16, heads=3, key_heads=3, mask="bhqk", queries=49, keys=49, dim=32),
}
