"""Rules for products of bytes: tiles that end in AVX512-VNNI's vpdpbusd.

The tensor intrinsic is one of our own, since TVM's come with those of all processors, which take
11 s to parse. A build needs none: a scheduled kernel holds LLVM's instruction itself.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from engine.records.task import Task
from engine.search.cpu_rules import product_rules, tile_options
from engine.tasks.dot_kernels import BLOCK, LANES, WIDTH

INTRINSIC = "tunewright_vpdpbusd"

_HEAD = """
# from tvm.script import tirx as T
@T.prim_func(s_tir=True)
def dot_products(
    A: T.Buffer((4,), "uint8", offset_factor=1),
    B: T.Buffer((16, 4), "int8", offset_factor=1),
    C: T.Buffer((16,), "int32", offset_factor=1),
) -> None:
    with T.sblock("root"):
        T.reads(C[0:16], A[0:4], B[0:16, 0:4])
        T.writes(C[0:16])
"""
_LOOPS = """
        for i in T.serial(0, 16):
            for k in T.serial(0, 4):
                with T.sblock("update"):
                    vi, vk = T.axis.remap("SR", [i, k])
                    C[vi] = C[vi] + T.cast(A[vk], "int32") * T.cast(B[vi, vk], "int32")
"""
# Since LLVM 22 it takes bytes; TVM's own form of it has integers of 32 bits there, and fails.
_INSTRUCTION = """
        C[T.ramp(T.int32(0), 1, 16)] = T.call_llvm_pure_intrin(
            T.llvm_lookup_intrinsic_id("llvm.x86.avx512.vpdpbusd.512"),
            C.vload([0], dtype="int32x16"),
            T.reinterpret(
                T.broadcast(T.reinterpret(A.vload([0], "uint8x4"), dtype="int32"), 16),
                dtype="int8x64",
            ),
            B.vload([0, 0], dtype="int8x64"),
            dtype="int32x16",
        )
"""


def is_dot_product(task: Task) -> bool:
    """Whether a task's weights are packed for the instruction."""
    return "vnni" in task.op_class.split("_") and any(
        spec.dtype == "int8" and spec.shape[-2:] == (LANES, WIDTH) for spec in task.args
    )


def register_for(trace: str) -> None:
    """Make the intrinsic known if a trace (TVM's JSON text) names it."""
    if INTRINSIC in trace:
        register()


@cache
def register() -> None:
    """Make the intrinsic known to TVM in this process, which takes 0.1 s the first time."""
    from tvm.s_tir import TensorIntrin
    from tvm.script import from_source

    shape, instruction = (from_source(_HEAD + body) for body in (_LOOPS, _INSTRUCTION))
    TensorIntrin.register(INTRINSIC, shape, instruction, override=True)


def dot_rules() -> list[Any]:
    """Those of other products, with tiles that end in the instruction."""
    from tvm.s_tir.meta_schedule.schedule_rule import MultiLevelTilingWithIntrin

    register()
    return product_rules(MultiLevelTilingWithIntrin(INTRINSIC, **tile_options()))


def dot_postprocessors() -> list[Any]:
    """TVM's for this instruction, but for the change of layout: weights are packed already."""
    from tvm.s_tir.meta_schedule import postproc as made

    return [
        made.DisallowDynamicLoop(),
        made.RewriteParallelVectorizeUnroll(),
        made.RewriteReductionBlock(),
        _tensorise(),
    ]


def _tensorise() -> Any:
    from tvm.ir.utils import derived_object
    from tvm.s_tir.meta_schedule.postproc import PyPostproc

    @derived_object
    class Tensorise(PyPostproc):  # type: ignore[misc]
        """Puts the instruction into the tiles that end in its shape."""

        def _initialize_with_tune_context(self, context: Any) -> None:
            pass

        def apply(self, sch: Any) -> bool:
            return _apply(sch)

        def clone(self) -> Any:
            return Tensorise()

    return Tensorise()


def _apply(schedule: Any) -> bool:
    """Whether the instruction fits; it does not where data is read through a condition.

    Loops of a tile are unrolled, so that its sums stay in registers: also those that would be
    vectorised, as the instruction is a vector's already.
    """
    from tvm.s_tir.schedule import ScheduleError

    try:
        first, sums = (schedule.get_sblock(f"{BLOCK}_o_{part}") for part in ("init", "update"))
        for block in (first, sums):
            schedule.unannotate(block, "meta_schedule.auto_tensorize")
            for loop in schedule.get_loops(block)[-4:]:
                schedule.unroll(loop)
        (lanes,) = schedule.get_child_blocks(first)
        schedule.vectorize(schedule.get_loops(lanes)[-1])
        schedule.tensorize(sums, INTRINSIC)
    except ScheduleError:
        return False
    return True
