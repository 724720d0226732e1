"""Tensor core instructions for MetaSchedule: products of 16x16 tiles in 16 bits and in TF32.

TVM's own are not used: parsing them takes some 11 s, and none knows TF32. A fragment lives in a
thread's registers (scope "local"), in the first elements of its tile's first row. Sums are in
float32, also where a workload's have 16 bits: those are rounded once, when they are stored.
Operands of TF32 are rounded to its 10 bits of mantissa to nearest (`cvt.rna`) on their way into
registers.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from engine.records.precision import HALVES
from engine.search import tensor_code

PREFIX = "tunewright_"
_SIDE = 16
_SHARED = "shared.dyn"


@dataclass(frozen=True, slots=True)
class TensorCores:
    """One kind of product: the operands' type, the sum's in memory, and whether B is [n][k]."""

    dtype: str
    sums: str
    transposed: bool

    @property
    def depth(self) -> int:
        """The k of one tile."""
        return 8 if self.dtype == "float32" else 16

    def name(self, part: str) -> str:
        """The name of one of its intrinsics: "init", "load_a", "load_b", "compute", "store"."""
        short = "tf32" if self.dtype == "float32" else _SHORT[self.dtype]
        sums = _SHORT[self.sums]
        turned = "_trans" if self.transposed else ""
        ends = {
            "load_a": short,
            "load_b": f"{short}{turned}",
            "compute": f"{short}_{sums}{turned}",
        }
        return f"{PREFIX}{part}_{ends.get(part, sums)}"

    @property
    def group(self) -> dict[str, str]:
        """As the rule `MultiLevelTilingTensorCore` takes it."""
        return {part: self.name(part) for part in _PARTS}


_SHORT = {"float32": "f32", "float16": "f16", "bfloat16": "bf16"}
_PARTS = ("init", "load_a", "load_b", "compute", "store")
_BOTH = (False, True)
HALF = {
    dtype: tuple(TensorCores(dtype, sums, b) for sums in ("float32", dtype) for b in _BOTH)
    for dtype in HALVES
}
TF32 = tuple(TensorCores("float32", "float32", b) for b in _BOTH)

_ALL = (*(kind for kinds in HALF.values() for kind in kinds), *TF32)
NAMES = frozenset(name for kind in _ALL for name in kind.group.values())
"""All there are: a trace may name no others."""

TF32_NAMES = frozenset(kind.name("compute") for kind in TF32)


@cache
def register() -> None:
    """Make the intrinsics known to TVM; takes a second, once."""
    from tvm.s_tir import TensorIntrin

    for name, intrinsic in _all().items():
        TensorIntrin.register(name, intrinsic.description(), intrinsic.body(name), override=True)


def _all() -> dict[str, _Intrinsic]:
    made = {}
    for kind in _ALL:
        a = _Tile("A", _SIDE, kind.depth, kind.dtype)
        b = _Tile(
            "B", *((_SIDE, kind.depth) if kind.transposed else (kind.depth, _SIDE)), kind.dtype
        )
        c = _Tile("C", _SIDE, _SIDE, kind.sums)
        load, name = tensor_code.load, kind.name
        made[name("init")] = _Intrinsic((), c, tensor_code.fill(name("init")))
        made[name("load_a")] = _load(a, load(name("load_a"), kind.dtype, False, False))
        code = load(name("load_b"), kind.dtype, True, kind.transposed)
        made[name("load_b")] = _load(b, code)
        made[name("store")] = _store(c, tensor_code.sum_of(name("store"), kind.sums))
        made[name("compute")] = _product(kind, a, b, c)
    return made


def _call(name: str, *arguments: str) -> str:
    return f'T.cuda.func_call("{name}", {", ".join(arguments)}, source_code=SOURCE)'


# The elements of a tile of sums that the thread tx has, in its order.
_SUMS = """for tx in T.thread_binding(0, 32, "threadIdx.x"):
    for e in T.unroll(8):
        S[e % 4 // 2 * 8 + tx // 4, e // 4 * 8 + tx % 4 * 2 + e % 2]"""


@dataclass(frozen=True, slots=True)
class _Tile:
    """A buffer that an intrinsic takes."""

    name: str
    rows: int
    columns: int
    dtype: str
    scope: str = "local"

    @property
    def region(self) -> str:
        return f"{self.name}[0:{self.rows}, 0:{self.columns}]"

    def lines(self, strides: bool) -> list[str]:
        """Its declaration; with `strides`, whatever they are."""
        low = self.name.lower()
        own = f", strides=[{low}1, {low}0]" if strides else ""
        found = f"""{self.name} = T.match_buffer({low}, ({self.rows}, {self.columns}), \
"{self.dtype}", align=64, offset_factor={self.columns}, scope="{self.scope}"{own})"""
        return [*([f"{low}1 = T.int32()", f"{low}0 = T.int32()"] if strides else []), found]


@dataclass(frozen=True, slots=True)
class _Intrinsic:
    """What TVM matches, and the call that takes its place.

    It reads tiles and writes one, adding to it where it reads that one, too. `loops` are its axes
    with their extents and kinds, `value` what element `at` of the tile is set to.
    """

    reads: tuple[_Tile, ...]
    to: _Tile
    code: str
    axes: tuple[tuple[str, int, str], ...] = (("i", _SIDE, "S"), ("j", _SIDE, "S"))
    value: str = ""

    def description(self) -> Any:
        names = ", ".join(axis for axis, _, _ in self.axes)
        kinds = "".join(kind for _, _, kind in self.axes)
        extents = ", ".join(str(extent) for _, extent, _ in self.axes)
        bound = ", ".join(f"v{axis}" for axis, _, _ in self.axes)
        body = f"""for {names} in T.grid({extents}):
    with T.sblock("tile"):
        {bound} = T.axis.remap("{kinds}", [{names}])
        {self.to.name}[vi, vj] = {self.value or f"T.{self.to.dtype}(0)"}"""
        return self._parsed(body, strides=False)

    def body(self, name: str) -> Any:
        if self.to.scope == _SHARED:
            (tile,) = self.reads
            call = _call(name, 'C.access_ptr("r")', "e", f'return_type="{tile.dtype}"')
            return self._parsed(f"{_SUMS} = {call}", strides=True)
        registers = [tile for tile in self.reads if tile not in (self.to,)]
        adds = "rw" if len(registers) < len(self.reads) else "w"
        arguments = [f'{self.to.name}.access_ptr("{adds}")']
        for tile in registers:
            if tile.scope == _SHARED:
                # The element is not used: by it TVM sees a read, which others' writes are to
                # come before. By an `access_ptr`, it takes no memory for two types in turn.
                arguments += ["T.address_of(S[0, 0])", "s1", "S[0, 0]"]
            else:
                arguments.append(f'{tile.name}.access_ptr("r")')
        return self._parsed(f"T.evaluate({_call(name, *arguments)})", strides=True)

    def _parsed(self, body: str, strides: bool) -> Any:
        import tvm
        from tvm.script import tirx as T

        sources = [tile for tile in self.reads if tile != self.to]
        tiles = [*sources, self.to]
        lines = [line for tile in tiles for line in tile.lines(strides)]
        inner = [
            f"T.reads({', '.join(tile.region for tile in self.reads)})",
            f"T.writes({self.to.region})",
            *body.splitlines(),
        ]
        lines += ['with T.sblock("root"):', *(f"    {line}" for line in inner)]
        arguments = ", ".join(f"{tile.name.lower()}: T.handle" for tile in tiles)
        head = f"@T.prim_func(s_tir=True)\ndef main({arguments}) -> None:\n"
        text = head + "\n".join(f"    {line}" for line in lines)
        return tvm.script.from_source(text, extra_vars={"T": T, "SOURCE": self.code})


def _load(tile: _Tile, code: str) -> _Intrinsic:
    """A tile from shared memory into registers."""
    source = replace(tile, name="S", scope=_SHARED)
    axes = (("i", tile.rows, "S"), ("j", tile.columns, "S"))
    return _Intrinsic((source,), tile, code, axes, "S[vi, vj]")


def _store(tile: _Tile, code: str) -> _Intrinsic:
    """A tile of sums from registers into shared memory.

    TVM sees what is written where: it could not tell by a pointer when threads have to wait.
    """
    return _Intrinsic((tile,), replace(tile, name="S", scope=_SHARED), code, value="C[vi, vj]")


def _product(kind: TensorCores, a: _Tile, b: _Tile, c: _Tile) -> _Intrinsic:
    right = "B[vj, vk]" if kind.transposed else "B[vk, vj]"
    left = "A[vi, vk]"
    if kind.dtype != kind.sums:
        left, right = (f'T.Cast("{kind.sums}", {item})' for item in (left, right))
    axes = (("i", _SIDE, "S"), ("j", _SIDE, "S"), ("k", kind.depth, "R"))
    code = tensor_code.product(kind.name("compute"), kind.dtype)
    return _Intrinsic((c, a, b), c, code, axes, f"C[vi, vj] + {left} * {right}")
