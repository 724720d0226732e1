"""The instances of the kernels in kernels.cu: what each shape is tried with, compiled by NVRTC."""

from __future__ import annotations

import itertools
import multiprocessing
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from engine.measure.cuda_compiler import NotLean, cubin_of

TOKENS = 128  # of products and chains
EPILOGUES = ("bias", "gelu", "residual", "residual+norm")
GELU, RESIDUAL, NORM = 1, 2, 3
SOURCE = Path(__file__).with_name("kernels.cu")
ENTRY = "kern"  # of every instance
_SMEM_MAX = 232_448  # bytes of a block on sm_90
_QUICK = 3  # instances a shape
_OPTIONS = (
    "--gpu-architecture=sm_90",
    "-std=c++17",
    "-default-device",
)


class Product(NamedTuple):
    """C = epilogue(A W^T): a block's tile, the stages of its copies, its warps.

    `split` blocks share a sum, `cluster` blocks side by side a row that is normalised.
    """

    bm: int
    bn: int
    bk: int
    stages: int
    wm: int
    wn: int
    wk: int
    split: int
    cluster: int
    epilogue: int

    @property
    def threads(self) -> int:
        """Of a block."""
        return 32 * self.wm * self.wn * self.wk

    @property
    def smem(self) -> int:
        """Bytes of shared memory of a block."""
        tiles = self.stages * (self.bm + self.bn) * self.bk * 2
        if self.epilogue != NORM and self.split == 1 and self.wk == 1:
            return tiles
        sums = self.wk * self.bm * (self.bn + 8) * 4
        return tiles + sums + self.cluster * self.bm // self.split * 8

    @property
    def text(self) -> str:
        """The instance in CUDA."""
        return f"""extern "C" __global__ void __launch_bounds__({self.threads}) {ENTRY}(
  const h16* A, const h16* W, const h16* bias, const h16* res, const h16* gamma, const h16* beta,
  h16* C, int M, int N, int K, int flags) {{
  gemm<{_listed(self)}>(A, W, bias, res, gamma, beta, C, M, N, K, flags); }}"""


class Attention(NamedTuple):
    """softmax(Q K^T) V: `qw` warps of 16 queries, `kw` warps that share tiles of `kt` keys."""

    dim: int
    qw: int
    kw: int
    kt: int
    stages: int
    causal: int
    mask: int

    @property
    def threads(self) -> int:
        """Of a block."""
        return 32 * self.qw * self.kw

    @property
    def smem(self) -> int:
        """Bytes of shared memory of a block."""
        queries = 16 * self.qw
        tiles = queries * self.dim * 2 + 2 * self.stages * self.kw * self.kt * self.dim * 2
        merged = self.kw * queries * (self.dim + 8) * 4 + self.kw * queries * 8
        return tiles + (merged if self.kw > 1 else 0)

    @property
    def text(self) -> str:
        """The instance in CUDA."""
        return f"""extern "C" __global__ void __launch_bounds__({self.threads}) {ENTRY}(
  const h16* Q, const h16* K, const h16* V, const h16* mask, h16* O, int S, int ld, int ldo,
  int group, float scale, int flags) {{
  attention<{_listed(self)}>(Q, K, V, mask, O, S, ld, ldo, group, scale, flags); }}"""


class LayerNorm(NamedTuple):
    """The norm of rows of `n`, by itself; a warp a row."""

    n: int
    threads: int = 128
    smem: int = 0

    @property
    def text(self) -> str:
        """The instance in CUDA."""
        return f"""extern "C" __global__ void __launch_bounds__({self.threads}) {ENTRY}(
  const h16* X, const h16* g, const h16* b, h16* Y, int M, int flags) {{
  norm<{self.n}, 4>(X, g, b, Y, M, flags); }}"""


class Plain(NamedTuple):
    """A kernel that does nothing, or next to nothing: for the floor of a launch."""

    name: str
    text: str
    threads: int
    smem: int = 0


Kernel = Product | Attention | LayerNorm | Plain

ELEMENTWISE = Plain(
    "elementwise",
    f"""extern "C" __global__ void __launch_bounds__(128) {ENTRY}(
  const h16* X, h16* Y, int n, int flags) {{ elementwise(X, Y, n, flags); }}""",
    128,
)
EMPTY = Plain(
    "empty",
    f"""extern "C" __global__ void {ENTRY}(int flags) {{
  if (flags & 1) gdc_launch();
  if (flags & 3) gdc_wait(); }}""",
    32,
)


def _listed(values: Iterable[int]) -> str:
    return ", ".join(map(str, values))


class ProductShape(NamedTuple):
    """A product of a model's layer, of TOKENS rows."""

    model: str
    name: str
    n: int
    k: int
    epilogue: int


class AttentionShape(NamedTuple):
    """An attention of a model's layer; `key_heads` are fewer than `heads` where they are shared."""

    model: str
    tokens: int
    heads: int
    dim: int
    key_heads: int
    causal: int


def _products(model: str, width: int) -> list[ProductShape]:
    inner = 4 * width
    return [
        ProductShape(model, "qkv", 3 * width, width, 0),
        ProductShape(model, "out_res", width, width, RESIDUAL),
        ProductShape(model, "out_ln", width, width, NORM),
        ProductShape(model, "ffn1_gelu", inner, width, GELU),
        ProductShape(model, "ffn2_res", width, inner, RESIDUAL),
        ProductShape(model, "ffn2_ln", width, inner, NORM),
    ]


_PRODUCTS = [*_products("minilm", 384), *_products("bert", 768)]
_ATTENTIONS = [
    AttentionShape(model, tokens, heads, dim, key_heads, causal)
    for model, heads, dim, key_heads, causal in (
        ("minilm", 12, 32, 12, 0),
        ("bert_vit", 12, 64, 12, 0),
        ("llama", 9, 64, 3, 1),
    )
    for tokens in (128, 197, 512)
]


@dataclass(frozen=True, slots=True)
class Scope:
    """What is measured: all, or for a smoke test a few instances of MiniLM's shapes."""

    quick: bool = False

    def products(self) -> list[ProductShape]:
        """The shapes of products."""
        return [shape for shape in _PRODUCTS if not self.quick or shape.model == "minilm"]

    def attentions(self) -> list[AttentionShape]:
        """The shapes of attentions."""
        if not self.quick:
            return _ATTENTIONS
        return [s for s in _ATTENTIONS if (s.model, s.tokens) == ("minilm", TOKENS)]

    def product_instances(self, n: int, k: int, epilogue: int) -> list[Product]:
        """What a product is tried with."""
        found = list(_normed(n, k) if epilogue == NORM else _plain(n, k, epilogue))
        return found[:_QUICK] if self.quick else found

    def attention_instances(self, tokens: int, dim: int, causal: int) -> list[Attention]:
        """What an attention is tried with."""
        found = list(_attending(tokens, dim, causal))
        return found[:_QUICK] if self.quick else found

    def kernels(self) -> list[Kernel]:
        """Every instance, once."""
        found: list[Kernel] = []
        for shape in self.products():
            found += self.product_instances(shape.n, shape.k, shape.epilogue)
        for heads in self.attentions():
            found += self.attention_instances(heads.tokens, heads.dim, heads.causal)
        found += [LayerNorm(384), LayerNorm(768), ELEMENTWISE, EMPTY]
        return list(dict.fromkeys(found))


_TILES = [  # bm, bn, bk, stages, wm, wn, wk
    (16, 32, 128, 4, 1, 1, 4), (16, 64, 64, 6, 1, 4, 1), (16, 64, 128, 4, 1, 2, 4),
    (16, 96, 64, 6, 1, 2, 2), (16, 128, 64, 6, 1, 4, 1), (32, 32, 64, 6, 1, 1, 4),
    (32, 32, 128, 4, 1, 1, 8), (32, 48, 64, 6, 1, 3, 1), (32, 48, 64, 6, 1, 1, 4),
    (32, 48, 64, 6, 1, 3, 2), (32, 64, 64, 6, 1, 2, 2), (32, 64, 64, 6, 2, 2, 1),
    (32, 64, 128, 4, 2, 2, 2), (32, 96, 64, 5, 2, 2, 1), (32, 96, 64, 5, 1, 2, 2),
    (32, 128, 64, 5, 1, 4, 1), (64, 32, 64, 6, 2, 1, 2), (64, 32, 64, 6, 2, 2, 1),
    (64, 32, 128, 4, 2, 1, 4), (64, 48, 64, 6, 2, 1, 2), (64, 64, 64, 6, 2, 2, 1),
    (64, 64, 64, 6, 2, 2, 2), (64, 64, 128, 4, 2, 2, 2), (64, 96, 64, 5, 2, 2, 1),
    (64, 96, 64, 4, 2, 2, 2), (64, 128, 64, 4, 2, 4, 1), (64, 128, 64, 4, 2, 2, 2),
    (128, 32, 64, 6, 4, 1, 1), (128, 32, 64, 5, 4, 1, 2), (128, 64, 64, 4, 4, 2, 1),
    (128, 64, 64, 4, 2, 2, 2), (128, 64, 128, 3, 4, 2, 2),
]  # fmt: skip


def _plain(n: int, k: int, epilogue: int) -> Iterator[Product]:
    """Instances without a norm, whose blocks need not hold whole rows."""
    for tile, split in itertools.product(_TILES, (1, 2, 4, 8)):
        made = Product(*tile, split, 1, epilogue)
        blocks = TOKENS // made.bm * (n // made.bn) * split
        if n % made.bn or k % (made.bk * split) or not 24 <= blocks <= 300 or k // split < 192:
            continue
        if (split > 1 and (blocks > 200 or made.bm == 16)) or (split == 8 and k < 3072):
            continue
        if made.bm // split >= 4 and made.smem <= _SMEM_MAX:
            yield made


def _normed(n: int, k: int) -> Iterator[Product]:
    """Instances with a norm: a cluster holds whole rows."""
    for cluster, split, bm in itertools.product((1, 2, 4, 6, 8, 16), (1, 2, 4), (16, 32)):
        if n % (cluster * 16) or cluster * split > 16 or (cluster == 16 and n < 768):
            continue
        if bm // split < 4 or k // split < 128:
            continue
        bn = n // cluster
        widest = next(w for w in (8, 6, 4, 3, 2, 1) if bn % (16 * w) == 0 and bn // w <= 96)
        for bk, stages in ((64, 6), (64, 4), (128, 4), (128, 3)):
            for wn, wk in {(widest, 1), (max(1, widest // 2), 2), (1, 4), (2, 4)}:
                made = Product(bm, bn, bk, stages, 1, wn, wk, split, cluster, NORM)
                if _fits(made, k):
                    yield made


def _fits(made: Product, k: int) -> bool:
    """Whether its warps divide its tile, and its blocks are neither too few nor waiting."""
    bn, bk, wn = made.bn, made.bk, made.wn
    if bn % (16 * wn) or bn // wn > 96 or k % (bk * made.split) or made.smem > _SMEM_MAX:
        return False
    if not 4 <= wn * made.wk <= 8 or (bk == 128 and made.wk == 1):
        return False
    if made.stages > max(3, k // made.split // bk + 1) or _could_have_more_stages(made):
        return False
    blocks = TOKENS // made.bm * made.cluster * made.split
    return (blocks >= 32 or made.cluster == 1) and blocks <= 132


def _could_have_more_stages(made: Product) -> bool:
    more = {(64, 4): 6, (128, 3): 4}.get((made.bk, made.stages))
    return more is not None and made._replace(stages=more).smem <= _SMEM_MAX


def _attending(tokens: int, dim: int, causal: int) -> Iterator[Attention]:
    warps = (4, 1), (8, 1), (2, 2), (4, 2), (1, 4), (2, 4), (1, 8), (4, 4), (1, 2)
    for (qw, kw), kt, stages in itertools.product(warps, (16, 32, 64, 128), (1, 2, 3)):
        made, keys = Attention(dim, qw, kw, kt, stages, causal, 1 - causal), kw * kt
        if (stages == 1) != (keys >= tokens) or keys > 512 or keys >= 2 * max(tokens, 64):
            continue
        if (stages == 3 and keys * 2 >= tokens) or keys < 32 or (kt == 16 and kw < 4):
            continue
        if (kt == 128 and (kw > 1 or tokens > TOKENS)) or made.smem > _SMEM_MAX:
            continue
        yield made


def compile_one(kernel: Kernel) -> tuple[Kernel, bytes | None, str]:
    """A kernel, its cubin if it compiles, and else why not."""
    try:
        return kernel, cubin_of(f"{SOURCE.read_text()}\n{kernel.text}", _OPTIONS, {}), ""
    except NotLean as error:
        return kernel, None, str(error)


def compile_all(kernels: Iterable[Kernel], workers: int) -> tuple[dict[Kernel, bytes], list[str]]:
    """The cubins of those that compile, and a sentence on each other one."""
    cubins, failed = {}, []
    with ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("fork")) as pool:
        for future in as_completed([pool.submit(compile_one, kernel) for kernel in kernels]):
            kernel, cubin, why = future.result()
            if cubin is None:
                failed.append(f"{tuple(kernel)} does not compile: {why}")
            else:
                cubins[kernel] = cubin
    return cubins, failed
