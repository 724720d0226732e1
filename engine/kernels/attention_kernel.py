"""Attention in one kernel: which blocks it may be made of, and the PrimFunc of each."""

from __future__ import annotations

import hashlib
import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from engine.kernels.attention import Attention
from engine.kernels.attention_code import source

NAME = "attention"
_SHARED = 227 << 10  # bytes of a block on sm_90; a kernel that a device has too few for fails
_BLOCKS = 120  # about one a multiprocessor: the fastest for nine shapes on an H200 had 72 to 192
_MOST_KEYS = 512  # of a tile


@dataclass(frozen=True, slots=True)
class _Choice:
    """A block: `qw` warps of 16 queries each, by `kw` warps that share the keys of a tile, `kt`
    each, with `stages` tiles in shared memory."""

    qw: int
    kw: int
    kt: int
    stages: int

    @property
    def threads(self) -> int:
        return 32 * self.qw * self.kw

    def shared_bytes(self, dim: int) -> int:
        row = dim * 2 + (0 if dim in (32, 64, 128) else 16)
        queries = 16 * self.qw
        tiles = (queries + 2 * self.stages * self.kw * self.kt) * row
        return tiles + (self.kw * queries * ((dim + 8) * 4 + 8) if self.kw > 1 else 0)

    def blocks(self, task: Attention) -> tuple[int, int, int]:
        return -(-task.queries // (16 * self.qw)), task.heads, task.batch

    def order(self, task: Attention) -> float:
        return abs(math.log(math.prod(self.blocks(task)) / _BLOCKS)) + (self.kw != 4) * 0.5


def _choices(task: Attention) -> Iterator[_Choice]:
    warps = (1, 1), (2, 1), (4, 1), (8, 1), (1, 2), (2, 2), (4, 2), (1, 4), (2, 4), (4, 4), (1, 8)
    for (qw, kw), kt, stages in itertools.product(warps, (16, 32, 64, 128), (1, 2, 3)):
        made, keys = _Choice(qw, kw, kt, stages), kw * kt
        few = keys < task.keys
        if keys > _MOST_KEYS or made.shared_bytes(task.dim) > _SHARED:
            continue
        if (keys > 32 and keys >= 2 * task.keys) or (qw > 1 and 16 * qw >= 2 * task.queries):
            continue  # half of it is empty
        if stages > 1 and keys * (stages - 1) >= task.keys:
            continue  # all keys are there before the last stage is used
        if (few and (keys < 64 or stages == 1)) or (kt == 16 and kw < 4 and task.keys > 32):
            continue  # a step for so little, or one that nothing is read beside
        if kt == 128 and (kw > 1 or task.dim > 64):
            continue  # more than a thread has registers for
        yield made


def texts(task: Attention) -> list[str]:
    """The kernels to try, those first whose blocks are about as many as multiprocessors."""
    found = sorted(_choices(task), key=lambda one: one.order(task))
    return [f"{NAME} {one.qw} {one.kw} {one.kt} {one.stages}" for one in found]


def realised(function: Any, text: str) -> Any:
    """The PrimFunc with the named kernel for its body. ValueError where it does not fit."""
    task = Attention.of(function)
    name, *numbers = text.split()
    choice = _Choice(*map(int, numbers)) if len(numbers) == 4 else None
    if task is None or name != NAME or choice not in set(_choices(task)):
        raise ValueError(f"The kernel {text!r} does not compute this task.")
    dtype = str(function.params[task.q.argument].ty.dtype)
    code, entry = _code(task, choice, dtype)
    return _primfunc(function, task, choice, code, entry)


def _code(task: Attention, choice: _Choice, dtype: str) -> tuple[str, str]:
    """The CUDA source of a kernel's body, and the function to call there."""
    key = hashlib.sha256(repr((task, choice, dtype)).encode()).hexdigest()[:16]
    space, entry = f"tunewright_{key}", f"tunewright_attention_{key}"
    mask = task.mask
    kind = "float" if mask is not None and mask.dtype == "float32" else "unsigned short"
    way = 0 if mask is None else 2 if mask.row else 1
    template = ", ".join(
        map(
            str,
            (task.dim, choice.qw, choice.kw, choice.kt, choice.stages, task.causal, way),
        )
    )
    heads = {"q": "h", "k": "g", "v": "g", "o": "h"}
    places = {
        name: f"{getattr(task, name).offset} + b * {getattr(task, name).batch}"
        f" + {index} * {getattr(task, name).head}"
        for name, index in heads.items()
    }
    masked = "0" if mask is None else f"(const {kind}*)m + b * {mask.batch} + h * {mask.head}"
    strides = (task.q.row, task.k.row, task.v.row, task.o.row)
    mask_strides = (0, 0) if mask is None else (mask.row, mask.key)
    numbers = ", ".join(map(str, (task.queries, task.keys, *strides, *mask_strides)))
    scale = f"{task.scale * math.log2(math.e):.9g}"
    scale += "f" if "." in scale or "e" in scale else ".0f"
    body = f"""
__device__ __forceinline__ void {entry}(const void* q, const void* k, const void* v, const void* m,
                                        void* o, void* shared) {{
  typedef unsigned short u16;
  const size_t b = blockIdx.z, h = blockIdx.y, g = h / {task.heads // task.key_heads};
  {space}::attention<{template}, {task.empty_rows_are_zero}, {kind}>(
      (const u16*)q + {places["q"]}, (const u16*)k + {places["k"]}, (const u16*)v + {places["v"]},
      {masked}, (u16*)o + {places["o"]}, {numbers}, {scale},
      (unsigned)__cvta_generic_to_shared(shared));
}}
"""
    return source(dtype, space) + body, entry


def _primfunc(function: Any, task: Attention, choice: _Choice, code: str, entry: str) -> Any:
    """A PrimFunc of the same parameters and attributes, all of which is the call."""
    import tvm
    from tvm.script import tirx as T

    names = [f"a{place}" for place in range(len(function.params))]
    buffers = [
        f"{name.upper()} = T.match_buffer({name}, ({_listed(parameter.ty.shape)}), "
        f'"{parameter.ty.dtype}")'
        for name, parameter in zip(names, function.params, strict=True)
    ]
    read = [task.q, task.k, task.v, task.q if task.mask is None else task.mask]
    places, out = [one.argument for one in read], task.o.argument
    regions = ", ".join(_whole(function, place) for place in dict.fromkeys(places))
    bx, by, bz = choice.blocks(task)
    pointers = [f'A{place}.access_ptr("r")' for place in places]
    pointers += [f'A{out}.access_ptr("w")', 'S.access_ptr("rw")']
    size = choice.shared_bytes(task.dim)
    joined = "\n    ".join(buffers)
    text = f"""@T.prim_func(s_tir=True)
def main({", ".join(f"{name}: T.handle" for name in names)}) -> None:
    {joined}
    with T.sblock("root"):
        for bz in T.thread_binding(0, {bz}, "blockIdx.z"):
            for by in T.thread_binding(0, {by}, "blockIdx.y"):
                for bx in T.thread_binding(0, {bx}, "blockIdx.x"):
                    for tx in T.thread_binding(0, {choice.threads}, "threadIdx.x"):
                        with T.sblock("{NAME}"):
                            T.reads({regions})
                            T.writes({_whole(function, out)})
                            S = T.alloc_buffer(({size},), "uint8", scope="shared.dyn")
                            T.evaluate(T.cuda.func_call(
                                "{entry}", {", ".join(pointers)}, source_code=SOURCE))
"""
    made = tvm.script.from_source(text, extra_vars={"T": T, "SOURCE": code})
    for key, value in dict(function.attrs).items():
        made = made.with_attr(key, value)
    return made.with_attr("tirx.is_scheduled", True)


def _whole(function: Any, place: int) -> str:
    """All of an argument, as a region."""
    sizes = function.params[place].ty.shape
    return f"A{place}[{', '.join(f'0:{int(size)}' for size in sizes)}]"


def _listed(sizes: Any) -> str:
    return "".join(f"{int(size)}, " for size in sizes)
