"""The kernel that gives the members of a merged operator their outputs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

_THREADS = 256
_EACH = 4  # elements that a GPU thread moves, so that few threads are needed for large tensors
_SERIAL_BYTES = 1 << 15  # what one core copies faster than it wakes others


def split_kernel(
    shape: tuple[int, ...], axis: int, lengths: Sequence[int], dtype: str, *, gpu: bool
) -> Any:
    """A scheduled TensorIR function: the tensor first, then its parts along `axis`.

    One launch on a GPU; on a CPU rows are shared out between the cores where that pays.
    """
    from tvm.script import from_source
    from tvm.script import tirx as T

    text = gpu_lines(shape, axis, lengths) if gpu else _cpu(shape, axis, lengths, dtype)
    buffers = [f"x: {_buffer(shape, dtype)}"]
    for place, length in enumerate(lengths):
        part = (*shape[:axis], length, *shape[axis + 1 :])
        buffers.append(f"y{place}: {_buffer(part, dtype)}")
    head = [
        "@T.prim_func(private=True, s_tir=True)",
        f"def split({', '.join(buffers)}):",
        '    T.func_attr({"tirx.noalias": True, "tirx.is_scheduled": True})',
        '    with T.sblock("root"):',  # TVM asks functions for it
    ]
    source = "\n".join([*head, *(f"        {line}" for line in text)])
    return from_source(source, extra_vars={"T": T})


def _buffer(shape: Sequence[int], dtype: str) -> str:
    lengths = ", ".join(f"T.int64({length})" for length in shape)
    return f'T.Buffer(({lengths},), "{dtype}")'


def _cpu(shape: tuple[int, ...], axis: int, lengths: Sequence[int], dtype: str) -> list[str]:
    """Row by row, each part of a row in one run."""
    rows, inner = math.prod(shape[:axis]), math.prod(shape[axis + 1 :])
    size = math.prod(shape) * int("".join(sign for sign in dtype if sign.isdigit())) // 8
    loop = "T.parallel" if rows > 1 and size > _SERIAL_BYTES else "T.serial"
    lines = [f"for row in {loop}({_long(rows)}):"]
    outer, start = _places("row", shape[:axis]), 0
    for place, length in enumerate(lengths):
        inside = _places("i", (length, *shape[axis + 1 :]))
        source = [f"{inside[0]} + {start}", *inside[1:]]
        lines += [
            f"    for i in T.serial({_long(length * inner)}):",
            f"        y{place}[{', '.join([*outer, *inside])}] = x[{', '.join([*outer, *source])}]",
        ]
        start += length
    return lines


def gpu_lines(shape: tuple[int, ...], axis: int, lengths: Sequence[int]) -> list[str]:
    """The body of a GPU's kernel: a thread for a few elements, neighbours in turn."""
    total = math.prod(shape)
    each = _EACH if total >= _EACH * _THREADS * 512 else 1
    blocks = -(-total // (_THREADS * each))
    index = _places("i", shape)
    lines = [
        f'for block in T.thread_binding({_long(blocks)}, thread="blockIdx.x"):',
        f'    for thread in T.thread_binding({_long(_THREADS)}, thread="threadIdx.x"):',
        f"        for turn in T.unroll({_long(each)}):",
        f"            i: T.let = (block * {each} + turn) * {_THREADS} + thread",
        f"            if i < {total}:",
    ]
    start = 0
    for place, length in enumerate(lengths):
        inside = [*index[:axis], f"{index[axis]} - {start}", *index[axis + 1 :]]
        move = f"y{place}[{', '.join(inside)}] = x[{', '.join(index)}]"
        if place + 1 == len(lengths):
            test = "else:"
        else:
            test = f"{'if' if place == 0 else 'elif'} {index[axis]} < {start + length}:"
        lines += [f"                {test}", f"                    {move}"]
        start += length
    return lines


def _long(number: int) -> str:
    return f"T.int64({number})"


def _places(index: str, shape: Sequence[int]) -> list[str]:
    """The place in a tensor of this shape of a number that counts its elements."""
    places, inner = [], math.prod(shape)
    for length in shape:
        inner //= length
        number = index if inner == 1 else f"{index} // {inner}"
        places.append("0" if length == 1 else f"({number}) % {length}")
    if shape and shape[0] != 1:
        places[0] = places[0].removesuffix(f" % {shape[0]}")
    return places
