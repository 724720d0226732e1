"""CUDA sources are compiled without CUDA's C++ standard library, or as TVM does it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.measure import cuda_compiler
from engine.measure.cuda_compiler import NotLean, compile_source, lean_cubin, use_lean_compiler

# The head that TVM writes before every source, shortened.
HEAD = """
#ifdef __CUDACC_RTC__
  #include <cuda/std/cstdint>
  using cuda::std::int64_t;
  #include <cuda/std/type_traits>
  namespace std { using cuda::std::is_same; using cuda::std::is_integral; }
#else
  #include <cstdint>
  #include <cuda.h>
#endif
"""
KERNEL = """
extern "C" __global__ void main_kernel(float* a, int64_t n) {
  if (threadIdx.x < n) a[threadIdx.x] = fminf(a[threadIdx.x], INFINITY);
}
"""
USES_TRAIT = 'extern "C" __global__ void k(int* a) { a[0] = std::is_integral<int>::value; }'


@pytest.fixture(autouse=True)
def _no_wishes(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in cuda_compiler._WISHES:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def target() -> Iterator[Any]:
    """What sources are compiled for, in scope."""
    import tvm

    with tvm.target.Target({"kind": "cuda", "arch": "sm_90"}) as scope:
        yield scope


@pytest.fixture
def tvms_way(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The sources that were given to TVM's own compiler, which answers b"tvm"."""
    from tvm.support import nvcc

    given: list[str] = []

    def compile_it(code: str) -> bytes:
        given.append(code)
        return b"tvm"

    monkeypatch.setattr(nvcc, "tvm_callback_cuda_compile", compile_it)
    return given


def _require_nvrtc() -> None:
    from cuda.bindings import nvrtc

    try:
        nvrtc.nvrtcVersion()
    except RuntimeError as error:
        pytest.skip(f"NVRTC: {error}")


def test_a_source_is_compiled_without_headers_of_cuda(target: Any, tvms_way: list[str]) -> None:
    _require_nvrtc()
    cubin = compile_source(HEAD + KERNEL)
    assert cubin.startswith(b"\x7fELF") and b"main_kernel" in cubin
    assert len(cubin) < 10_000  # the standard library's own variables would be in it
    assert not tvms_way


def test_tvm_asks_for_it_once_it_is_in_use(target: Any, tvms_way: list[str]) -> None:
    import tvm_ffi

    use_lean_compiler()
    use_lean_compiler()
    compiled = tvm_ffi.get_global_func("tvm_callback_cuda_compile")("#include <more.h>")
    assert compiled == b"tvm"
    assert tvms_way == ["#include <more.h>"]


@pytest.mark.parametrize(
    "code",
    [
        pytest.param(HEAD + "#include <cuda/barrier>" + KERNEL, id="another header"),
        pytest.param(HEAD + '  # include "cutlass.h"' + KERNEL, id="a local header"),
        pytest.param(HEAD + USES_TRAIT, id="a trait that only TVM's way defines"),
        pytest.param(HEAD + "no C++", id="an error"),
    ],
)
def test_what_the_lean_way_does_not_compile_is_compiled_as_before(
    code: str, target: Any, tvms_way: list[str]
) -> None:
    assert compile_source(code) == b"tvm"
    assert tvms_way == [code]


@pytest.mark.parametrize("name", cuda_compiler._WISHES)
def test_a_wish_of_tvms_own_options_is_kept(
    name: str, monkeypatch: pytest.MonkeyPatch, tvms_way: list[str]
) -> None:
    monkeypatch.setenv(name, "nvrtc")
    assert compile_source(HEAD + KERNEL) == b"tvm"


def test_an_unknown_header_is_named(target: Any) -> None:
    with pytest.raises(NotLean, match="It includes more/of\\.h"):
        lean_cubin(HEAD + "#include <more/of.h>\n")


def test_its_options_are_those_of_tvm(
    target: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from cuda.bindings import nvrtc
    from tvm.support import nvcc

    given: list[list[str]] = []

    def note(_program: object, _count: int, options: list[bytes]) -> tuple[Any]:
        given.append([option.decode() for option in options])
        return (nvrtc.nvrtcResult.NVRTC_ERROR_COMPILATION,)

    _require_nvrtc()
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "cuda_runtime.h").touch()
    monkeypatch.setattr(nvcc, "find_cuda_path", lambda: str(tmp_path))
    monkeypatch.setattr(nvrtc, "nvrtcCompileProgram", note)
    with pytest.raises(NotLean):
        lean_cubin(KERNEL)
    with pytest.raises(RuntimeError):
        nvcc.compile_cuda(KERNEL, target_format="cubin", compiler="nvrtc")
    ours, theirs = given
    assert ours == [option for option in theirs if not option.startswith("-I")]
