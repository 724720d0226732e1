"""Kernels that are put on a GPU while the one before them ends: which, and that they wait."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from engine.measure import units
from engine.measure.cuda_compiler import source_that_waits
from engine.measure.units import WAITS, let_start_early
from engine.targets.targets import cuda_devices

KERNEL = 'extern "C" __global__ void __launch_bounds__(64) {0}(float* __restrict__ a)'
SOURCE = "".join(f"{KERNEL.format(n)};\n{KERNEL.format(n)} {{\n  a[0] = 1;\n}}\n" for n in "xy")


def test_each_kernel_of_a_source_waits_before_anything_else() -> None:
    made = source_that_waits(SOURCE)
    assert made.count("{\n  TUNEWRIGHT_WAIT\n") == 2
    assert made.count(";\n" + KERNEL.format("x") + " {\n  TUNEWRIGHT_WAIT\n  a[0] = 1;") == 1
    assert WAITS in made


def test_a_source_without_kernels_stays_as_it_is() -> None:
    assert source_that_waits("__device__ int f() { return 1; }") == (
        "__device__ int f() { return 1; }"
    )


@dataclass
class Driver:
    """Graphs as CUDA's driver has them: `kinds` of nodes, edges with whether they are early."""

    kinds: list[str]
    edges: dict[tuple[int, int], bool]
    waiting: set[int]
    refuses: bool = False
    missing: str = ""
    CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC: int = 1
    CUgraphNodeType: Any = field(
        default_factory=lambda: SimpleNamespace(CU_GRAPH_NODE_TYPE_KERNEL="kernel")
    )
    CUgraphDependencyType: Any = field(
        default_factory=lambda: SimpleNamespace(
            CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC=SimpleNamespace(value=1)
        )
    )
    CUgraphEdgeData: Any = SimpleNamespace

    def cuGraphGetEdges(self, graph: Any, count: int = 0) -> Any:
        if self.missing:
            raise AttributeError(self.missing)
        pairs = list(self.edges)
        some = pairs[:count]
        return 0, [a for a, _ in some], [b for _, b in some], [None] * len(some), len(pairs)

    def cuGraphNodeGetType(self, node: int) -> Any:
        return 0, self.kinds[node]

    def cuGraphKernelNodeGetParams(self, node: int) -> Any:
        return 0, SimpleNamespace(func=node)

    def cuFuncGetModule(self, function: int) -> Any:
        return 0, function

    def cuModuleGetGlobal(self, module: int, name: bytes) -> Any:
        assert name == WAITS.encode()
        return (0, 1, 1) if module in self.waiting else (500, None, None)

    def cuGraphRemoveDependencies(
        self, graph: Any, befores: list[int], nodes: list[int], data: Any, count: int
    ) -> Any:
        for edge in zip(befores, nodes, strict=True):
            del self.edges[edge]
        return (0,)

    def cuGraphAddDependencies(
        self, graph: Any, befores: list[int], nodes: list[int], data: Any, count: int
    ) -> Any:
        if data and self.refuses:
            return (1,)
        for at, edge in enumerate(zip(befores, nodes, strict=True)):
            self.edges[edge] = bool(data) and (data[at].type, data[at].from_port) == (1, 1)
        return (0,)


def changed(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> int:
    import cuda.bindings

    monkeypatch.setattr(cuda.bindings, "driver", driver, raising=False)
    return let_start_early("graph")


def chain(kinds: list[str], waiting: set[int], **more: Any) -> Driver:
    return Driver(
        kinds, dict.fromkeys(itertools.pairwise(range(len(kinds))), False), waiting, **more
    )


def test_kernels_that_wait_start_early_after_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    driver = chain(["kernel"] * 4, {1, 3})
    assert changed(driver, monkeypatch) == 2
    assert driver.edges == {(0, 1): True, (1, 2): False, (2, 3): True}


def test_copies_and_what_waits_for_several_keep_whole_dependencies(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    driver = chain(["kernel", "copy", "kernel", "kernel"], {0, 1, 2, 3})
    driver.edges[0, 3] = False
    assert changed(driver, monkeypatch) == 0
    assert not any(driver.edges.values()) and len(driver.edges) == 4


@pytest.mark.parametrize("more", [{"refuses": True}, {"missing": "cuGraphGetEdges"}])
def test_a_driver_without_them_keeps_the_graph(
    more: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    driver = chain(["kernel"] * 3, {0, 1, 2}, **more)
    assert changed(driver, monkeypatch) == 0
    assert driver.edges == {(0, 1): False, (1, 2): False}


@pytest.mark.gpu
@pytest.mark.skipif(not cuda_devices(), reason="there is no CUDA device here")
def test_a_chain_that_starts_early_computes_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each kernel reads all that the one before it wrote: one that did not wait would read on."""
    import tvm
    from tvm.script import tirx as T

    from engine.measure.cuda_compiler import use_lean_compiler
    from engine.targets.targets import resolve, to_tvm

    size, steps = 1 << 16, 200
    text = f"""@T.prim_func(s_tir=True)
def main(a: T.handle, b: T.handle):
    A = T.match_buffer(a, ({size},), "float32")
    B = T.match_buffer(b, ({size},), "float32")
    for i in T.thread_binding({size // 256}, "blockIdx.x"):
        for j in T.thread_binding(256, "threadIdx.x"):
            with T.sblock("turn"):
                v = T.axis.spatial({size}, i * 256 + j)
                B[v] = A[{size - 1} - v] * T.float32(0.5) + T.float32(1)
"""
    use_lean_compiler()
    target = to_tvm(resolve("cuda"))
    with target:
        kernel = tvm.tirx.build(tvm.script.from_source(text, extra_vars={"T": T}), target=target)[
            "main"
        ]
    device = tvm.cuda(0)
    start = np.arange(size, dtype=np.float32)
    early: list[int] = []
    wanted = start
    for _ in range(steps):
        wanted = wanted[::-1] * np.float32(0.5) + np.float32(1)
    real = units.let_start_early
    monkeypatch.setattr(units, "let_start_early", lambda graph: early.append(real(graph)))
    for _ in range(3):
        pair = [tvm.runtime.tensor(start, device=device) for _ in range(2)]
        calls = [(kernel, (pair[at % 2], pair[1 - at % 2])) for at in range(steps)]
        streams = units.Streams(device)
        program = streams.program([[calls]], known=True)
        pair[0].copyfrom(start)
        program()
        found = pair[steps % 2].numpy()
        np.testing.assert_allclose(found, wanted, rtol=1e-6)
        streams.close()
    assert early == [steps - 1] * 3
