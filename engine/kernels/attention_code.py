"""Attention in one CUDA kernel: online softmax on tensor cores (Dao et al. 2022, arXiv:2205.14135).

Layouts of fragments are those of the PTX ISA, "Warp Level Matrix Multiply-Accumulate Instructions".
No headers are needed: a number of 16 bits is an `unsigned short`, converted by PTX.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

_HALF = {
    "WIDE": 'float r; asm("cvt.f32.f16 %0, %1;" : "=f"(r) : "h"(v)); return r;',
    "PACK": "cvt.rn.f16x2.f32",
    "MMA": "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
}
_BRAIN = {
    "WIDE": "return __uint_as_float((unsigned)v << 16);",
    "PACK": "cvt.rn.bf16x2.f32",
    "MMA": "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32",
}
_PARTS = {"float16": _HALF, "bfloat16": _BRAIN}


def source(dtype: str, namespace: str) -> str:
    """The template `attention` for operands of a 16-bit type, in a namespace of its own."""
    text = _template().replace("NAMESPACE", namespace)
    for name, code in _PARTS[dtype].items():
        text = text.replace(name, code)
    return text


@cache
def _template() -> str:
    return Path(__file__).with_name("attention.cu").read_text()
