"""The CUDA code of one warp's part in products of 16x16 tiles on tensor cores.

Layouts of fragments are those of the PTX ISA, "Warp Level Matrix Multiply-Accumulate Instructions".
"""

from __future__ import annotations

_LDMATRIX = """
__device__ __forceinline__ void {name}(void* to, const void* from, int stride, {kind}) {{
  unsigned* out = (unsigned*)to;
  int lane = threadIdx.x & 31;
  unsigned at = (unsigned)__cvta_generic_to_shared(
      (const {kind}*)from + ({row}) * stride + ({column}));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4{turned}.shared.b16 {{%0, %1, %2, %3}}, [%4];"
               : "=r"(out[0]), "=r"(out[1]), "=r"(out[2]), "=r"(out[3]) : "r"(at));
{after}}}
"""

_ROUND = """  for (int i = 0; i < 4; ++i)
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(out[i]) : "f"(__uint_as_float(out[i])));
"""

_GATHER = """
__device__ __forceinline__ void {name}(void* to, const void* from, int stride, {kind}) {{
  unsigned* out = (unsigned*)to;
  int lane = threadIdx.x & 31;
  const float* at = (const float*)from + (lane & 3) * stride + (lane >> 2);
  out[0] = __float_as_uint(at[0]);
  out[1] = __float_as_uint(at[4 * stride]);
  out[2] = __float_as_uint(at[8]);
  out[3] = __float_as_uint(at[4 * stride + 8]);
{after}}}
"""

_FILL = """
__device__ __forceinline__ void {name}(void* to) {{
  for (int i = 0; i < 8; ++i) ((float*)to)[i] = 0.0f;
}}
"""

_SUM = """
__device__ __forceinline__ {kind} {name}(const void* from, int at) {{
  return ({kind})((const float*)from)[at];
}}
"""

_MMA_HALF = """
__device__ __forceinline__ void {name}(void* c, const void* a, const void* b) {{
  float* sums = (float*)c;
  const unsigned* left = (const unsigned*)a;
  const unsigned* right = (const unsigned*)b;
  for (int i = 0; i < 2; ++i)
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
        "{{%0, %1, %2, %3}}, {{%4, %5, %6, %7}}, {{%8, %9}}, {{%0, %1, %2, %3}};"
        : "+f"(sums[4 * i]), "+f"(sums[4 * i + 1]), "+f"(sums[4 * i + 2]), "+f"(sums[4 * i + 3])
        : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]),
          "r"(right[2 * i]), "r"(right[2 * i + 1]));
}}
"""

_MMA = {
    "float16": _MMA_HALF,
    "bfloat16": _MMA_HALF.replace("f16.f16", "bf16.bf16"),
    "float32": _MMA_HALF.replace("m16n8k16", "m16n8k8").replace("f16.f16", "tf32.tf32"),
}
_KINDS = {"float16": "half", "bfloat16": "nv_bfloat16", "float32": "float"}

_LOW_ROWS = "(lane & 7) + ((lane >> 3) & 1) * 8"
_HIGH_ROWS = "(lane & 7) + (lane >> 4) * 8"


def fill(name: str) -> str:
    return _FILL.format(name=name)


def sum_of(name: str, dtype: str) -> str:
    """One of a thread's eight sums."""
    return _SUM.format(name=name, kind=_kind(dtype))


def load(name: str, dtype: str, is_b: bool, transposed: bool) -> str:
    """A tile of A, of B as [n][k] (`transposed`), or of B as [k][n], from shared memory.

    `ldmatrix` moves words of 16 bits, so it takes TF32 for pairs of them, and cannot turn it.
    """
    half = dtype != "float32"
    after = "" if half else _ROUND
    if is_b and not transposed and not half:
        return _GATHER.format(name=name, kind=_kind(dtype), after=after)
    step = 8 if half else 4
    low, high = f"((lane >> 3) & 1) * {step}", f"(lane >> 4) * {step}"
    row, column = (_HIGH_ROWS, low) if is_b and transposed else (_LOW_ROWS, high)
    turned = ".trans" if is_b and not transposed else ""
    return _LDMATRIX.format(
        name=name, kind=_kind(dtype), row=row, column=column, turned=turned, after=after
    )


def product(name: str, dtype: str) -> str:
    """Sums plus A times B."""
    return _MMA[dtype].format(name=name)


def _kind(dtype: str) -> str:
    return _KINDS[dtype]
