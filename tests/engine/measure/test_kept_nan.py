"""Kernels keep what is no number through maxima and minima, on a CPU and in CUDA's sources."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.measure.kept_nan import POWERS, source_with_kept_nan, with_kept_nan

NAN, INF = np.nan, np.inf
LEFT = np.array([1, NAN, NAN, 3, -INF, INF, NAN, 2], "float64")
RIGHT = np.array([NAN, 1, NAN, 2, NAN, NAN, INF, 5], "float64")

PAIRS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "a constant first": lambda tir, x, y: tir.max(tir.const(0.5, str(x.ty.dtype)), x),
    "a constant second": lambda tir, x, y: tir.max(x, tir.const(0.5, str(x.ty.dtype))),
    "between constants": lambda tir, x, y: tir.min(
        tir.max(x, tir.const(0.0, str(x.ty.dtype))), tir.const(6.0, str(x.ty.dtype))
    ),
    "two tensors": lambda tir, x, y: tir.max(x, y),
    "three values": lambda tir, x, y: tir.min(tir.min(x, y), x + y),
}
EXPECTED: dict[str, Callable[[Any, Any], Any]] = {
    "a constant first": lambda x, y: np.maximum(x, 0.5),
    "a constant second": lambda x, y: np.maximum(x, 0.5),
    "between constants": lambda x, y: np.minimum(np.maximum(x, 0), 6),
    "two tensors": np.maximum,
    "three values": lambda x, y: np.minimum(np.minimum(x, y), x + y),
}


def _built(module: Any) -> Any:
    import tvm

    return tvm.tirx.build(tvm.ir.load_json(with_kept_nan(tvm.ir.save_json(module))), target="llvm")


def _run(library: Any, *arrays: np.ndarray) -> np.ndarray:
    import tvm

    given = [tvm.runtime.tensor(array) for array in arrays]
    library(*given)
    found: np.ndarray = given[-1].numpy()
    return found


def _computed(rule: Callable[[Any, Any, Any], Any], x: Any, y: Any, name: str) -> Any:
    from tvm import te, tirx

    return te.compute((8,), lambda i: rule(tirx, x[i].asobject(), y[i].asobject()), name)


@pytest.mark.parametrize("vectorised", [False, True])
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_no_number_is_lost_between_two_values(dtype: str, vectorised: bool) -> None:
    import tvm
    from tvm import te

    x, y = (te.placeholder((8,), dtype, name) for name in "xy")
    results = [_computed(rule, x, y, f"r{at}") for at, rule in enumerate(PAIRS.values())]
    schedule = tvm.s_tir.Schedule(te.create_prim_func([x, y, *results]))
    for at in range(len(results) if vectorised else 0):
        (loop,) = schedule.get_loops(schedule.get_sblock(f"r{at}"))
        schedule.vectorize(loop)
    left, right = LEFT.astype(dtype), RIGHT.astype(dtype)
    given = [tvm.runtime.tensor(a) for a in (left, right, *[np.zeros(8, dtype)] * len(results))]
    _built(schedule.mod)(*given)
    with np.errstate(invalid="ignore"):
        for name, found in zip(PAIRS, given[2:], strict=True):
            np.testing.assert_array_equal(found.numpy(), EXPECTED[name](left, right), name)


@pytest.mark.parametrize("way", ["plain", "decomposed", "split"])
def test_along_an_axis_it_is_passed_over_and_infinities_are_found(way: str) -> None:
    import tvm
    from tvm import te, topi

    x = te.placeholder((3, 8), "float32", "x")
    schedule = tvm.s_tir.Schedule(te.create_prim_func([x, topi.max(x, axis=1)]))
    (name,) = [
        str(schedule.get(b).name_hint)
        for b in schedule.get_child_blocks(schedule.get_sblock("root"))
    ]
    loops = schedule.get_loops(schedule.get_sblock(name))
    if way == "decomposed":
        schedule.decompose_reduction(schedule.get_sblock(name), loops[1])
    elif way == "split":
        schedule.rfactor(schedule.split(loops[1], [2, 4])[1], 1)
    values = np.array([[1, NAN, 3, 2, -1, 0, 2, NAN], [-INF] * 8, [NAN, *range(7)]], "float32")
    found = _run(_built(schedule.mod), values, np.zeros(3, "float32"))
    np.testing.assert_array_equal(found, np.array([3, -INF, 6], "float32"))


def test_integers_and_kernels_without_maxima_stay_as_they_are() -> None:
    import tvm
    from tvm import te, tirx

    x = te.placeholder((8,), "int32", "x")
    for made in (te.compute((8,), lambda i: tirx.max(x[i], 3)), te.compute((8,), lambda i: -x[i])):
        function = te.create_prim_func([x, made])
        found = tvm.ir.load_json(with_kept_nan(tvm.ir.save_json(function)))
        tvm.ir.assert_structural_equal(found, function)


def test_a_source_of_cuda_is_told_what_a_maximum_is_behind_its_own_head() -> None:
    head, kernel = (
        "#include <cuda_fp16.h>\nhalf max(half a, half b);\n",
        'extern "C" k() { max(a, b); }',
    )
    found = source_with_kept_nan(head + kernel)
    assert found.startswith(head) and found.endswith(kernel)
    assert "#define max kept_max" in found and "#define min" not in found
    plain = 'extern "C" k() { a + b; }'
    assert source_with_kept_nan(head + plain) == head + plain


FAST = """
#include <math.h>
#include <stdio.h>
#define __device__
#define __forceinline__ static inline
static float fast(float a, float b) { return exp2f(b * log2f(a)); }
#define powf fast
"""
ASKED = """
int main(void) {
  float a, b;
  while (scanf("%f %f", &a, &b) == 2) printf("%.9g\\n", powf(a, b));
  return 0;
}
"""


@pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no gcc here")
def test_powers_in_fast_math_are_those_of_all_numbers(tmp_path: Path) -> None:
    bases = [-3.5, -2.0, -1.0, -0.6, 0.0, 0.25, 1.0, 2.5]
    exponents = [-3.0, -2.0, -0.5, 0.0, 0.5, 1.0, 2.0, 3.0, 4.0, 7.0]
    pairs = [(a, b) for a in bases for b in exponents]
    source = tmp_path / "powers.c"
    source.write_text(FAST + POWERS + ASKED)
    program = str(tmp_path / "powers")
    subprocess.run(["gcc", "-w", str(source), "-o", program, "-lm"], check=True)
    text = "\n".join(f"{a} {b}" for a, b in pairs)
    done = subprocess.run([program], input=text, capture_output=True, text=True, check=True)
    found = np.array([float(line) for line in done.stdout.split()])
    with np.errstate(all="ignore"):
        wanted = np.array([np.float64(a) ** np.float64(b) for a, b in pairs])
    np.testing.assert_allclose(found, wanted, rtol=1e-5)


@pytest.mark.parametrize("call", ["powf(a, b)", "hpow(a, b)"])
def test_a_source_of_cuda_with_powers_has_them_of_all_numbers(call: str) -> None:
    code = f'#include <cuda_fp16.h>\nextern "C" k() {{ {call}; }}'
    assert source_with_kept_nan(code) == POWERS + code
