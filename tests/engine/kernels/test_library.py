"""Products as calls of cuBLASLt, by a stand-in that computes what the library's manual says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from engine.kernels.cublaslt import (
    FUNCTION,
    RANKS,
    Matmul,
    find_library,
    register_cublaslt,
)
from engine.kernels.library import LibraryTask, called, realised, texts
from engine.targets.targets import cuda_devices, to_tvm
from tests.engine.kernels.products import numpy_library, product, run, wide
from tests.engine.kernels.tasks import H200

pytest.importorskip("tvm")


def cast(dtype: str = "float16") -> Any:
    return lambda x, _: [_map(lambda *at: x(*at).astype(dtype), x)]


def _map(body: Any, like: Any, name: str = "after") -> Any:
    from tvm import te

    return te.compute(like.shape, body, name)


def _given(more: dict[str, Any], name: str, shape: Any, dtype: str) -> Any:
    from tvm import te

    more[name] = te.placeholder(shape, dtype, name)
    return more[name]


def biased(dtype: str = "float16") -> Any:
    """A cast, and then a bias."""

    def behind(x: Any, more: dict[str, Any]) -> list[Any]:
        y = _map(lambda *at: x(*at).astype(dtype), x)
        bias = _given(more, "bias", [x.shape[-1]], dtype)
        return [y, _map(lambda *at: y(*at) + bias(at[-1]), y)]

    return behind


def flat_bias(x: Any, more: dict[str, Any]) -> list[Any]:
    """A bias of rank 2, in the sum's own type, before the cast."""
    bias = _given(more, "bias", [wide(1), x.shape[-1]], "float16")
    y = _map(lambda *at: x(*at) + bias(wide(0), at[-1]).astype("float32"), x)
    return [y, _map(lambda *at: y(*at).astype("float16"), y)]


def residual(x: Any, more: dict[str, Any]) -> list[Any]:
    """A bias and what another branch gives, then a rectifier."""
    *_, y = biased()(x, more)
    other = _given(more, "other", y.shape, "float16")
    z = _map(lambda *at: other(*at) + y(*at), y)
    return [z, _map(lambda *at: _relu(z(*at)), z)]


def _relu(value: Any) -> Any:
    from tvm import tirx

    return tirx.max(value, tirx.const(0, str(value.ty.dtype)))


def scaled(x: Any, more: dict[str, Any]) -> list[Any]:
    from tvm import tirx

    y = _map(lambda *at: x(*at) * tirx.const(0.125, "float32"), x)
    return [y, _map(lambda *at: y(*at).astype("float16"), y)]


def reshaped(x: Any, more: dict[str, Any]) -> list[Any]:
    """A cast, a further axis, and then the bias."""
    from tvm import te

    rows, columns = x.shape
    y = _map(lambda *at: x(*at).astype("float16"), x)
    z = te.compute([wide(1), rows, columns], lambda _, i, j: y(i, j), "reshape")
    bias = _given(more, "bias", [columns], "float16")
    return [z, _map(lambda *at: z(*at) + bias(at[-1]), z)]


def gelu(x: Any, more: dict[str, Any]) -> list[Any]:
    """A bias, and then what the library has no exact form of."""
    from tvm import tirx

    *_, y = biased()(x, more)
    half, root = tirx.const(0.5, "float32"), tirx.const(0.5**0.5, "float32")
    wide = _map(lambda *at: y(*at).astype("float32"), y)
    erf = _map(lambda *at: tirx.erf(wide(*at) * root), wide)
    made = _map(lambda *at: wide(*at) * (half + erf(*at) * half), wide)
    return [made, _map(lambda *at: made(*at).astype("float16"), made)]


def tanh_gelu(factor: float = 0.044715) -> Any:
    """The form of GELU that the library has, in parts."""

    def behind(x: Any, more: dict[str, Any]) -> list[Any]:
        from tvm import tirx

        def const(value: float) -> Any:
            return tirx.const(value, "float32")

        y = _wide_bias(x, more)
        cube = _map(lambda *at: tirx.power(y(*at), const(3.0)) * const(factor), y)
        inner = _map(lambda *at: const(0.7978845608) * (y(*at) + cube(*at)), y)
        made = _map(lambda *at: y(*at) * const(0.5) * (tirx.tanh(inner(*at)) + const(1.0)), y)
        return [made, _map(lambda *at: made(*at).astype("float16"), made)]

    return behind


def masked(x: Any, more: dict[str, Any]) -> list[Any]:
    """What is added alike to all matrices of a batch."""
    y = _map(lambda *at: x(*at).astype("float16"), x)
    mask = _given(more, "mask", y.shape[-2:], "float16")
    return [y, _map(lambda *at: y(*at) + mask(*at[-2:]), y)]


def late_bias(x: Any, more: dict[str, Any]) -> list[Any]:
    """A bias behind the rectifier, where the library adds it before."""
    y = _map(lambda *at: _relu(x(*at)), x)
    bias = _given(more, "bias", [x.shape[-1]], "float32")
    return [y, _map(lambda *at: y(*at) + bias(at[-1]), y)]


def by_rows(x: Any, more: dict[str, Any]) -> list[Any]:
    """A bias for each row, which is none of the library's."""
    bias = _given(more, "bias", [x.shape[0]], "float32")
    return [_map(lambda *at: x(*at) + bias(at[0]), x)]


def both(x: Any, more: dict[str, Any]) -> list[Any]:
    """The sum read twice, so that it must be in memory."""
    y = _map(lambda *at: _relu(x(*at)), x)
    return [y, _map(lambda *at: y(*at) + x(*at), y)]


def wide_ends(x: Any, more: dict[str, Any]) -> list[Any]:
    """A bias and a residual in float32, each cast by a block of its own, as programs in halves have
    them."""
    y = _wide_bias(x, more)
    other = _given(more, "other", y.shape, "float16")
    wide = _map(lambda *at: other(*at).astype("float32"), y)
    z = _map(lambda *at: y(*at) + wide(*at), y)
    return [z, _map(lambda *at: z(*at).astype("float16"), z)]


def _wide_bias(x: Any, more: dict[str, Any]) -> Any:
    bias = _given(more, "bias", [wide(1), x.shape[-1]], "float16")
    single = _map(lambda *at: bias(*at).astype("float32"), bias)
    return _map(lambda *at: x(*at) + single(wide(0), at[-1]), x)


def wide_gelu(x: Any, more: dict[str, Any]) -> list[Any]:
    """The same bias; behind it, in float32, an activation, a residual and a cast."""
    from tvm import tirx

    y = _wide_bias(x, more)
    erf = _map(lambda *at: tirx.erf(y(*at)), y)
    made = _map(lambda *at: y(*at) * erf(*at), y)
    other = _given(more, "other", y.shape, "float16")
    single = _map(lambda *at: other(*at).astype("float32"), y)
    z = _map(lambda *at: made(*at) + single(*at), y)
    return [z, _map(lambda *at: z(*at).astype("float16"), z)]


def single_bias(x: Any, more: dict[str, Any]) -> list[Any]:
    """A bias in float32 where the output is a half, which the library does not add."""
    bias = _given(more, "bias", [x.shape[-1]], "float32")
    y = _map(lambda *at: x(*at) + bias(at[-1]), x)
    return [y, _map(lambda *at: y(*at).astype("float16"), y)]


FORMS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "plain": ({}, {"operands": "float16", "output": "float32"}),
    "bfloat16": ({"dtype": "bfloat16", "behind": cast("bfloat16")}, {"output": "bfloat16"}),
    "float32": ({"dtype": "float32"}, {"operands": "float32", "tf32": False}),
    "right transposed": ({"right": "nk"}, {"a_transposed": True, "b_transposed": False}),
    "left transposed": ({"left": "km"}, {"a_transposed": False, "b_transposed": True}),
    "both transposed": ({"left": "km", "right": "nk"}, {"a_ld": 4, "b_ld": 6}),
    "output transposed": ({"output": "nm"}, {"rows": 6, "columns": 8}),
    "one row": ({"sizes": {"m": 1}}, {"columns": 1}),
    "one column": ({"sizes": {"n": 1}}, {"rows": 1}),
    "one term": ({"sizes": {"k": 1}}, {"depth": 1}),
    "batch": ({"left": "bmk", "right": "bkn", "output": "bmn"}, {"batch": 3, "a_step": 32}),
    "batch of one matrix": ({"left": "bmk", "output": "bmn"}, {"batch": 1, "columns": 18}),
    "heads": ({"left": "bhmk", "right": "bhkn", "output": "bhmn"}, {"batch": 6}),
    "heads in place": (
        {"left": "pmhk", "right": "pnhk", "output": "phmn"},
        {"batch": 2, "a_ld": 8, "b_ld": 8, "a_step": 4, "d_step": 48},
    ),
    "heads written in place": (
        {"left": "phmk", "right": "pkhn", "output": "pmhn"},
        {"batch": 2, "d_ld": 16, "d_step": 8},
    ),
    "rows apart": (
        {"left": "mkb", "right": "kn", "output": "mnb"},
        {"batch": 6, "rows": 3, "columns": 8},
    ),
    "strides": (
        {"left": "bmk", "right": "nk", "output": "bmn", "stride": 2, "behind": biased()},
        {"batch": 3, "columns": 6, "b_ld": 8, "b_step": 96, "a_step": 0, "bias": True},
    ),
    "sums over two axes": ({"left": "mbk", "right": "bkn"}, {"depth": 12}),
    "a copied operand": (
        {"left": "pmk", "right": "nk", "output": "pmn", "given": "float16", "behind": residual},
        {"bias": True, "added": True, "activation": "relu"},
    ),
    "unit axes": ({"left": "pmk", "right": "kn", "output": "pmn"}, {"batch": 1}),
    "cast": ({"behind": cast()}, {"output": "float16"}),
    "bias": ({"behind": biased()}, {"bias": True, "output": "float16"}),
    "bias in bfloat16": ({"dtype": "bfloat16", "behind": biased("bfloat16")}, {"bias": True}),
    "bias in float32": ({"dtype": "float32", "behind": biased("float32")}, {"bias": True}),
    "bias before the cast": ({"behind": flat_bias}, {"bias": True, "output": "float16"}),
    "bias of a batch": (
        {"left": "bmk", "right": "bkn", "output": "bmn", "behind": biased()},
        {"bias": True, "batch": 3},
    ),
    "bias of all rows": ({"left": "bmk", "output": "bmn", "behind": biased()}, {"bias": True}),
    "residual": ({"behind": residual}, {"bias": True, "added": True, "activation": "relu"}),
    "bias and residual in float32": (
        {"behind": wide_ends},
        {"bias": True, "added": True, "output": "float16"},
    ),
    "gelu by tanh": (
        {"behind": tanh_gelu()},
        {"bias": True, "activation": "gelu_tanh", "output": "float16"},
    ),
    "scale": ({"behind": scaled}, {"scale": 0.125}),
    "reshape": ({"behind": reshaped}, {"bias": True}),
}
# Those whose end is a kernel of its own: what the call has, and how many blocks are behind it.
HALVES: dict[str, tuple[dict[str, Any], dict[str, Any], int]] = {
    "gelu": ({"behind": gelu}, {"bias": True, "output": "float16"}, 3),
    "gelu in float32": ({"behind": wide_gelu}, {"bias": True, "output": "float16"}, 5),
    "another gelu": ({"behind": tanh_gelu(0.05)}, {"bias": True, "activation": "none"}, 4),
    "single bias": ({"behind": single_bias}, {"bias": False, "output": "float16"}, 2),
    "mask": (
        {"left": "bmk", "right": "bkn", "output": "bmn", "behind": masked},
        {"output": "float16", "added": False},
        1,
    ),
    "bias behind a rectifier": ({"behind": late_bias}, {"activation": "relu", "bias": False}, 1),
    "bias by rows": ({"behind": by_rows}, {"bias": False}, 1),
    "sum read twice": ({"behind": both}, {"activation": "none"}, 2),
    "bias of a transpose": ({"output": "nm", "behind": biased()}, {"bias": True}, 0),
}
_ALL = {**{name: (*form, 0) for name, form in FORMS.items()}, **HALVES}


@pytest.mark.parametrize("name", _ALL)
def test_a_product_becomes_a_call_that_computes_the_same(name: str) -> None:
    how, wanted, behind = _ALL[name]
    function = product(**how)
    task = LibraryTask.of(function)
    assert task is not None
    assert len(task.rest) == behind
    assert wanted == {key: getattr(task.matmul, key) for key in wanted}
    with numpy_library() as calls:
        found = run(called(function, "cublaslt 5"))
    assert [one.rank for one in calls] == [5]
    np.testing.assert_allclose(found, run(function), rtol=2e-2, atol=2e-2)


def test_the_mark_of_tf32_reaches_the_library() -> None:
    marked = product(dtype="float32").with_attr("tunewright.tf32", 1)
    task = LibraryTask.of(marked)
    assert task is not None
    assert task.matmul.tf32


def test_a_text_of_a_call_says_all_of_it() -> None:
    for how, _ in FORMS.values():
        task = LibraryTask.of(product(**how))
        assert task is not None
        assert Matmul.of(task.matmul.text) == task.matmul


def square(body: Callable[..., Any], dtype: str = "float32", rows: int = 4) -> Any:
    """A PrimFunc of two square operands; `body` gives what an element is, of both and a sum's
    axis."""
    from tvm import te

    size = wide(4)
    a, b = (te.placeholder([wide(rows), size], dtype, name) for name in "ab")
    k = te.reduce_axis((wide(0), wide(rows - 1)))
    return te.create_prim_func([a, b, te.compute([size, size], lambda i, j: body(a, b, i, j, k))])


def _sum(value: Any, k: Any) -> Any:
    from tvm import te

    return te.sum(value, k)


def _integers() -> Any:
    return square(
        lambda a, b, i, j, k: _sum(a(i, k).astype("int32") * b(k, j).astype("int32"), k), "int8"
    )


def _prologue() -> Any:
    return square(lambda a, b, i, j, k: _sum((a(i, k) + a(i, k)) * b(k, j), k))


def _window() -> Any:
    return square(lambda a, b, i, j, k: _sum(a(i + k, j) * b(k, j), k), rows=8)


def _largest() -> Any:
    from tvm import te

    return square(lambda a, b, i, j, k: te.max(a(i, k) * b(k, j), k))


def _backwards() -> Any:
    return square(lambda a, b, i, j, k: _sum(a(wide(3) - i, k) * b(k, j), k))


def _no_sum() -> Any:
    return square(lambda a, b, i, j, k: a(i, j) * b(j, i))


OTHERS: dict[str, Callable[[], Any]] = {
    "integers": _integers,
    "a prologue": _prologue,
    "a window": _window,
    "a maximum": _largest,
    "rows backwards": _backwards,
    "no sum": _no_sum,
    "an operand that is cast first": lambda: product(given="float32"),
    "no axis side by side": lambda: product(left="mbk", right="bkn", output="mnb"),
    "operands apart": lambda: product(left="mhkb", right="khnb", output="mnhb"),
}


@pytest.mark.parametrize("name", OTHERS)
def test_another_computation_is_no_call(name: str) -> None:
    function = OTHERS[name]()
    assert LibraryTask.of(function) is None
    assert texts(function) == []
    with pytest.raises(ValueError, match="does not compute this task"):
        realised(function, "cublaslt 0")


@pytest.mark.parametrize("text", ["cublaslt", "cublaslt 8", "cublaslt 9999", "cublaslt 1 2", "b 1"])
def test_a_text_of_no_algorithm_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="does not compute this task"):
        realised(product(), text)


def test_the_librarys_first_choices_are_candidates() -> None:
    found = texts(product())
    assert found == [f"cublaslt {rank}" for rank in range(len(found))]
    assert 2 < len(found) <= RANKS


@pytest.mark.parametrize("name", ["bias", "gelu", "mask"])
def test_all_that_is_behind_a_call_is_one_kernel_of_a_gpu(name: str) -> None:
    how, _, behind = _ALL[name]
    made = realised(product(**how), "cublaslt 0")
    text = made.script()
    assert FUNCTION in text
    assert text.count("threadIdx.x") == bool(behind)


@pytest.mark.parametrize("columns", [9, 10, 12])
@pytest.mark.parametrize("name", HALVES)
def test_what_is_behind_a_call_is_moved_in_whole_vectors(name: str, columns: int) -> None:
    import tvm

    function = product(**HALVES[name][0] | {"sizes": {"n": columns, "m": 16}})
    made = realised(function, "cublaslt 0")
    wanted = next(lanes for lanes in (4, 2, 1) if int(made.params[-1].ty.shape[-1]) % lanes == 0)
    if HALVES[name][2]:
        assert (f"T.vectorized(T.int64({wanted}))" in made.script()) or wanted == 1
    target = to_tvm(H200)
    with target:  # it compiles
        tvm.tirx.build(tvm.IRModule({"main": made.with_attr("global_symbol", "main")}), target)


@pytest.mark.gpu
@pytest.mark.skipif(not cuda_devices(), reason="there is no CUDA device here")
@pytest.mark.skipif(find_library() is None, reason="cuBLASLt is not installed here")
@pytest.mark.parametrize("name", _ALL)
def test_the_library_computes_the_same(name: str) -> None:
    how, _, _ = _ALL[name]
    larger = {"m": 48, "n": 64, "k": 32} | dict.fromkeys(how.get("sizes", {}), 1)
    function = product(**how | {"sizes": larger})
    expected = run(function)
    register_cublaslt()
    for text in texts(function):
        found = run(realised(function, text), H200)
        np.testing.assert_allclose(found, expected, rtol=2e-2, atol=5e-2, err_msg=text)
