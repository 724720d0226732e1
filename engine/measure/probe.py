"""Small kernels: one that several devices are compared by, one that is as short as can be."""

from __future__ import annotations

from engine.records.task import TensorSpec
from engine.records.trial import Protocol

_ELEMENTS, _GPU_ELEMENTS = 1 << 20, 1 << 24
_DEPTH = 64  # multiply-adds an element: neither memory nor arithmetic alone decides
_THREADS = 256
PROTOCOL = Protocol(max_samples=12, precision=0.003)

_KERNEL = """
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer(({elements},), "float32"), C: T.Buffer(({elements},), "float32")):
        T.func_attr({{"global_symbol": "main", "tirx.noalias": True}})
        for outer in {outer}:
            for inner in {inner}:
                with T.sblock("C"):
                    i = T.axis.spatial({elements}, outer * {threads} + inner)
                    C[i] = {value}
"""


def probe_args(is_gpu: bool) -> tuple[TensorSpec, ...]:
    """The kernel's arguments: what it reads, what it writes."""
    spec = TensorSpec((_GPU_ELEMENTS if is_gpu else _ELEMENTS,), "float32")
    return spec, spec


def probe_module(is_gpu: bool) -> str:
    """The scheduled kernel as TVM's JSON text; it takes a millisecond on a CPU, tens of
    microseconds on a large GPU."""
    import tvm

    (elements,) = probe_args(is_gpu)[0].shape
    blocks = elements // _THREADS
    value = "A[i]"
    for _ in range(_DEPTH):
        value = f"({value} * T.float32(0.999) + T.float32(0.001))"
    block, thread = '"blockIdx.x"', '"threadIdx.x"'
    source = _KERNEL.format(
        elements=elements,
        threads=_THREADS,
        outer=f"T.thread_binding({blocks}, thread={block})" if is_gpu else f"T.parallel({blocks})",
        inner=f"T.thread_binding({_THREADS}, thread={thread})"
        if is_gpu
        else f"T.vectorized({_THREADS})",
        value=value,
    )
    return str(tvm.ir.save_json(tvm.script.from_source(source)))


SHORTEST_ARGS = (TensorSpec((1,), "float32"),)
_SHORTEST = """
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(C: T.Buffer((1,), "float32")):
        T.func_attr({"global_symbol": "main", "tirx.noalias": True})
        for inner in T.thread_binding(1, thread="threadIdx.x"):
            with T.sblock("C"):
                i = T.axis.spatial(1, inner)
                C[i] = T.float32(0)
"""


def shortest_module() -> str:
    """A scheduled kernel for a GPU that writes one number, as TVM's JSON text: what it takes is
    the floor of any launch."""
    import tvm

    return str(tvm.ir.save_json(tvm.script.from_source(_SHORTEST)))
