"""The design space of a task: MetaSchedule's rules, chosen by target and operator."""

from __future__ import annotations

from typing import Any

from engine.search.int8_rules import dot_postprocessors, dot_rules, is_dot_product
from engine.search.tensor_cores import tensor_cores_of, tensor_rules
from engine.tasks.targets import TargetSpec, to_tvm
from engine.tasks.task import Task
from engine.tasks.winograd_kernels import CLASS as WINOGRAD

_REDUCTIONS = ("conv", "dense", "matmul")


def space_generator(task: Task, target: TargetSpec, workload: Any = None) -> Any:
    """The generator of a task's design-space traces.

    On x86 an operator whose last output axis fills whole vectors gets a rule that always
    vectorises that axis over two registers (or one): it reached the machine's peak where the
    default rules reached half to all of it, by luck of the seed. Rules with
    tensor intrinsics are left out: they serve int8 and half precision.
    """
    from tvm.s_tir import meta_schedule as ms

    kind = "cuda" if target.is_gpu else "llvm"
    if cores := tensor_cores_of(task, target, workload):
        return ms.space_generator.PostOrderApply(
            sch_rules=[*tensor_rules(cores), *_default_rules(kind, task.op_class)],
            postprocs=list(ms.Postproc.create("cuda-tensorcore")),
            mutator_probs=dict(ms.Mutator.create("cuda-tensorcore")),
        )
    if is_dot_product(task):
        return ms.space_generator.PostOrderApply(
            sch_rules=dot_rules(),
            postprocs=dot_postprocessors(),
            mutator_probs=dict(ms.Mutator.create(kind)),
        )
    if task.op_class.startswith(WINOGRAD):
        return ms.space_generator.PostOrderApply(
            sch_rules=_parallel_rules(), postprocs=list(ms.Postproc.create(kind)), mutator_probs={}
        )
    bits = wide_vector_bits(task, target)
    return ms.space_generator.PostOrderApply(
        sch_rules=_wide_rules(bits) if bits else _default_rules(kind, task.op_class),
        postprocs=list(ms.Postproc.create(kind)),
        mutator_probs=dict(ms.Mutator.create(kind)),
    )


def _default_rules(kind: str, op_class: str) -> list[Any]:
    from tvm.s_tir import meta_schedule as ms
    from tvm.s_tir.meta_schedule.schedule_rule import ApplyCustomRule

    rules = list(ms.ScheduleRule.create(kind))
    # TVM has custom rules for these alone, and warns of each other one that an operator names.
    if any(name in op_class for name in ("winograd", "layout_transform")):
        return rules
    return [rule for rule in rules if not isinstance(rule, ApplyCustomRule)]


def wide_vector_bits(task: Task, target: TargetSpec) -> int:
    """Length in bits that the innermost axis is vectorised to; 0 where it does not fit."""
    if target.is_gpu or not task.op_class.startswith(_REDUCTIONS):
        return 0
    output = task.args[-1]
    if output.dtype != "float32" or not output.shape:
        return 0
    register = _register_bits(target)
    for bits in (2 * register, register):
        if output.shape[-1] % (bits // 32) == 0:
            return bits
    return 0


def _parallel_rules() -> list[Any]:
    """For kernels that are made of vectors already."""
    from tvm.s_tir.meta_schedule import schedule_rule as rules

    return [
        rules.ParallelizeVectorizeUnroll(
            max_jobs_per_core=16,
            max_vectorize_extent=-1,
            unroll_max_steps=[],
            unroll_explicit=False,
        )
    ]


def _register_bits(target: TargetSpec) -> int:
    from tvm.target import codegen

    tvm_target = to_tvm(target)
    if codegen.llvm_cpu_has_features("avx512f", tvm_target):
        return 512
    return 256 if codegen.llvm_cpu_has_features("avx2", tvm_target) else 128


def _wide_rules(bits: int) -> list[Any]:
    from tvm.s_tir.meta_schedule import schedule_rule as rules

    return [
        rules.InlineConstantScalars(),
        rules.AutoInline(
            into_producer=False,
            into_consumer=True,
            inline_const_tensor=True,
            disallow_if_then_else=True,
            require_injective=True,
            require_ordered=True,
            disallow_op=["tirx.exp"],
        ),
        rules.AddRFactor(max_jobs_per_core=16, max_innermost_factor=64),
        rules.MultiLevelTilingWideVector(
            structure="SSRSRS",
            vector_length_in_bits=bits,
            max_innermost_factor=64,
            reuse_read=None,
            reuse_write=rules.ReuseType(req="may", levels=[1, 2], scope="global"),
        ),
        rules.ParallelizeVectorizeUnroll(
            max_jobs_per_core=16,
            max_vectorize_extent=64,
            unroll_max_steps=[0, 16, 64, 512],
            unroll_explicit=True,
        ),
        rules.RandomComputeLocation(),
    ]
