"""CUDA programs with a device module for each kernel, whose sources are those of single kernels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from engine.measure.cuda_build import build_cuda

_FUNCTION = """
    @T.prim_func(s_tir=True)
    def {name}(A: T.Buffer(({size},), "float32"), C: T.Buffer(({size},), "float32")):
        T.func_attr({{"global_symbol": "{name}", "tirx.noalias": True}})
"""
_LOOP = """
        for outer in T.thread_binding({blocks}, thread="blockIdx.x"):
            for inner in T.thread_binding(256, thread="threadIdx.x"):
                with T.sblock("C{add}"):
                    i = T.axis.spatial({size}, outer * 256 + inner)
                    C[i] = A[i] + T.float32({add})
"""


def module_of(*kernels: tuple[str, int, int]) -> Any:
    """Functions by name, elements, and how many kernels each launches."""
    import tvm

    text = "@I.ir_module\nclass Module:"
    for name, size, launches in kernels:
        text += _FUNCTION.format(name=name, size=size)
        text += "".join(
            _LOOP.format(blocks=size // 256, size=size, add=add) for add in range(launches)
        )
    return tvm.script.from_source(text)


@pytest.fixture(scope="module", params=["with a host", "without"])
def target(request: pytest.FixtureRequest) -> Any:
    """A GPU's, which nobody has to have."""
    import tvm

    made = tvm.target.Target({"kind": "cuda", "arch": "sm_90"})
    return made if request.param == "without" else made.with_host(tvm.target.Target("llvm"))


def sources(built: Any) -> list[str]:
    """What each device module was compiled of."""
    return [str(part.inspect_source("cuda")) for part in built.mod.imports]


@pytest.fixture(autouse=True)
def _compiled_by_nobody() -> Iterator[None]:
    """Where there is a GPU, TVM asks for cubins."""
    import tvm_ffi

    from engine.measure.cuda_compiler import compile_source, use_lean_compiler

    use_lean_compiler()
    tvm_ffi.register_global_func(
        "tvm_callback_cuda_compile", lambda code: b"\x7fELF", override=True
    )
    yield
    tvm_ffi.register_global_func("tvm_callback_cuda_compile", compile_source, override=True)


def test_each_kernel_of_a_program_has_a_source_of_its_own(target: Any) -> None:
    built = build_cuda(module_of(("one", 1024, 1), ("two", 2048, 3), ("three", 512, 1)), target)
    found = sources(built)
    names = ("one_kernel", "two_kernel", "two_kernel_1", "two_kernel_2", "three_kernel")
    assert [sum(f" {name}(" in text for text in found) for name in names] == [1] * 5
    assert [sum(f" {name}(" in text for name in names) for text in found] == [1] * 5
    for name in ("one", "two", "three"):
        assert built.mod.implements_function(name)


@pytest.mark.parametrize("launches", [1, 2])
def test_a_trial_is_compiled_of_what_its_program_is(launches: int, target: Any) -> None:
    trial = build_cuda(module_of(("main", 1024, launches)), target, "one")
    program = build_cuda(module_of(("two", 2048, 1), ("one", 1024, launches)), target)
    assert trial.mod.implements_function("main")
    assert not trial.mod.implements_function("one")
    assert len(sources(trial)) == launches
    assert set(sources(trial)) < set(sources(program))


def test_a_trial_without_a_program_has_its_own_name(target: Any) -> None:
    (source,) = sources(build_cuda(module_of(("main", 1024, 1)), target))
    assert " main_kernel(" in source


def test_a_program_without_kernels_is_built(target: Any) -> None:
    import tvm

    assert sources(build_cuda(tvm.IRModule({}), target)) == []
