"""The design space of a task: MetaSchedule's rules, chosen by target and operator."""

from __future__ import annotations

from typing import Any

from engine.records.task import Task
from engine.search.cpu_rules import parallel_rules, product_rules, tile_options
from engine.search.int8_rules import dot_postprocessors, dot_rules, is_dot_product
from engine.search.split_k import with_split_k
from engine.search.tensor_cores import tensor_cores_of, tensor_rules, vector_lengths
from engine.targets.targets import TargetSpec, to_tvm
from engine.tasks.winograd_kernels import CLASS as WINOGRAD

_REDUCTIONS = ("conv", "dense", "matmul")


def space_generator(task: Task, target: TargetSpec, workload: Any = None) -> Any:
    """The generator of a task's design-space traces.

    On x86 an operator whose last output axis fills whole vectors gets a rule that always
    vectorises that axis over two registers (or one): it reached the machine's peak where the
    default rules reached half to all of it, by luck of the seed. On a GPU long sums may be split
    over blocks. Tasks that tensor cores or a CPU's dot products fit have rules that end in those;
    Winograd's kernels are vectors already.
    """
    from tvm.s_tir import meta_schedule as ms

    kind = "cuda" if target.is_gpu else "llvm"
    postprocessors, mutators = ms.Postproc.create, ms.Mutator.create
    posts, changes = postprocessors(kind), mutators(kind)
    if cores := tensor_cores_of(task, target, workload):
        rules = tensor_rules(cores, _even(_default_rules(kind, task.op_class), task))
        posts, changes = postprocessors("cuda-tensorcore"), mutators("cuda-tensorcore")
    elif is_dot_product(task):
        rules, posts = dot_rules(), dot_postprocessors()
    elif task.op_class.startswith(WINOGRAD):
        rules = parallel_rules()
    elif bits := wide_vector_bits(task, target):
        rules = _wide_rules(bits)
    elif target.is_gpu:
        rules = with_split_k(_even(_default_rules(kind, task.op_class), task))
    else:
        rules = _default_rules(kind, task.op_class)
    return ms.space_generator.PostOrderApply(
        sch_rules=rules, postprocs=list(posts), mutator_probs=dict(changes)
    )


def _even(rules: list[Any], task: Task) -> list[Any]:
    """TVM's rules for a GPU; for a task with bfloat16 without vectors of three."""
    from tvm.s_tir.meta_schedule import schedule_rule

    if all(spec.dtype != "bfloat16" for spec in task.args):
        return rules
    tiling = schedule_rule.MultiLevelTiling(  # as TVM's own, but for the lengths
        structure="SSSRRSRS",
        tile_binds=["blockIdx.x", "vthread.x", "threadIdx.x"],
        max_innermost_factor=64,
        vector_load_lens=vector_lengths("bfloat16"),
        reuse_read=schedule_rule.ReuseType(req="must", levels=[4], scope="shared"),
        reuse_write=schedule_rule.ReuseType(req="must", levels=[3], scope="local"),
    )
    is_own = schedule_rule.MultiLevelTiling
    return [tiling if isinstance(rule, is_own) else rule for rule in rules]


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


def _register_bits(target: TargetSpec) -> int:
    from tvm.target import codegen

    tvm_target = to_tvm(target)
    if codegen.llvm_cpu_has_features("avx512f", tvm_target):
        return 512
    return 256 if codegen.llvm_cpu_has_features("avx2", tvm_target) else 128


def _wide_rules(bits: int) -> list[Any]:
    from tvm.s_tir.meta_schedule import schedule_rule as rules

    return product_rules(
        rules.AddRFactor(max_jobs_per_core=16, max_innermost_factor=64),
        rules.MultiLevelTilingWideVector(vector_length_in_bits=bits, **tile_options()),
    )
