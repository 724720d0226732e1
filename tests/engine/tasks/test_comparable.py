"""What a workload says of how its kernels can be compared."""

from __future__ import annotations

import functools
from typing import Any

import pytest

from engine.tasks.comparable import comparison_of
from tests.engine.tasks.programs import cpu

_KERNEL = """
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main({params}):
        T.func_attr({{"global_symbol": "main", "tirx.noalias": True}})
        for i{more} in T.grid({extents}):
            with T.sblock("b"):
                {body}
"""


@functools.cache
def kernel(params: str, body: str, extents: str = "8", more: str = "") -> Any:
    """A module of one block; `params` are "A:8,4:float32 B:8:int64", separated by spaces."""
    cpu()
    import tvm

    buffers = []
    for one in params.split():
        name, shape, dtype = one.split(":")
        buffers.append(f'{name}: T.Buffer(({shape},), "{dtype}")')
    text = _KERNEL.format(params=", ".join(buffers), body=body, extents=extents, more=more)
    return tvm.script.from_source(text)


def comparison(*given: str) -> Any:
    found = comparison_of(kernel(*given))
    assert found is not None
    return found


DATA = "D:5,9:float32 I:8:int64 O:8:float32"


@pytest.mark.parametrize(
    ("body", "bounds"),
    [
        ("O[i] = D[I[i], 0]", (0, 4)),
        ("O[i] = D[0, I[i]]", (0, 8)),
        ("O[i] = D[I[i], I[i]]", (0, 4)),
        ("O[i] = D[T.max(T.int64(0), T.min(I[i], T.int64(4))), 0]", (0, 4)),
        ("O[I[i]] = D[0, i]", (0, 7)),
        ("O[i] = D[I[i] * T.int64(2), 0]", (0, 0)),
        ("O[i] = D[I[i] + i, 0]", (0, 0)),
        ("O[i] = D[0, i] * T.Cast('float32', I[i])", None),
        ("O[i] = D[0, i] * T.Cast('float32', T.floordiv(T.int64(9), I[i]))", (1, 7)),
        ("O[i] = D[0, i] * T.Cast('float32', T.truncmod(T.int64(9), I[i]))", (1, 7)),
        ("O[i] = D[0, i] * T.Cast('float32', T.shift_right(T.int64(9), I[i]))", (1, 7)),
        ("O[i] = D[I[i], 0] * T.Cast('float32', T.floordiv(T.int64(9), I[i]))", (1, 4)),
        ("O[i] = D[0, i] * T.Cast('float32', T.floordiv(I[i], T.int64(9)))", None),
    ],
)
def test_integers_are_harmless_as_indices_and_divisors(
    body: str, bounds: tuple[int, int] | None
) -> None:
    found = comparison(DATA, body)
    assert found.integers == bounds
    assert found.outputs == (2,)
    assert not found.unit


def test_floats_that_are_made_indices_are_below_one() -> None:
    found = comparison("D:5:float32 F:8:float32 O:8:float32", "O[i] = D[T.Cast('int64', F[i])]")
    assert found.unit


@pytest.mark.parametrize(
    ("body", "jumps"),
    [
        ("O[i] = T.max(D[0, i], T.float32(0))", False),
        ("O[i] = T.exp(D[0, i])", False),
        ("O[i] = T.round(D[0, i])", True),
        ("O[i] = T.floor(D[0, i])", True),
        ("O[i] = T.Cast('float32', T.Cast('int32', D[0, i]))", True),
        ("O[i] = T.Select(D[0, i] < T.float32(1), T.float32(3), D[1, i])", True),
        ("O[i] = T.Select(I[i] < T.int64(1), T.float32(3), D[1, i])", False),
    ],
)
def test_what_rounds_or_compares_floats_may_flip_a_few_values(body: str, jumps: bool) -> None:
    assert bool(comparison(DATA, body).share) == jumps


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_the_longer_a_sum_the_more_is_rounding(dtype: str) -> None:
    found = []
    for length in (4, 4096):
        params = f"A:8,{length}:{dtype} O:8:{dtype}"
        axes = f"""vi = T.axis.spatial(8, i)
                vk = T.axis.reduce({length}, k)
                with T.init():
                    O[vi] = T.Cast("{dtype}", 0)
                O[vi] = O[vi] + A[vi, vk]"""
        found.append(comparison(params, axes, f"8, {length}", ", k"))
    short, long = found
    assert 8 < long.relative / short.relative < 40
    # A term that is left out of a sum of 4096 is far more, but for one of halves.
    assert long.relative < 1 / 64 or dtype == "float16"


def test_a_kernel_may_be_rounded_to_tf32_where_it_is_marked() -> None:
    plain = kernel(DATA, "O[i] = D[0, i]")
    marked = plain["main"].with_attr("tunewright.tf32", 1)
    import tvm

    found = comparison_of(tvm.IRModule({"main": marked}))
    assert found is not None
    assert found.relative > 1e-3 > comparison(DATA, "O[i] = D[0, i]").relative


def test_all_that_is_written_is_compared_and_nothing_where_nothing_is() -> None:
    two = "A:8:float32 O:8:float32 P:8:int8"
    found = comparison_of(kernel(two, "O[i] = A[i]\n                P[i] = T.int8(3)"))
    assert found is not None
    assert found.outputs == (1, 2)
    assert comparison_of(kernel("A:8:float32", "T.evaluate(A[i])")) is None


def test_integers_are_exact_where_no_float_is() -> None:
    found = comparison("A:8:int8 O:8:int32", "O[i] = T.Cast('int32', A[i])")
    assert not found.whole
    assert found.relative == 0
