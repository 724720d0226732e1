"""Kernels that have no record: as they are on a CPU, by TVM's default schedules on a GPU."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from engine.records.precision import HALVES
from engine.targets.targets import TargetSpec, to_tvm
from engine.tasks.extract import Program


def with_default_schedules(module: Any, program: Program) -> Any:
    """The module whose kernels without a schedule have TVM's own, where the target needs one.

    Raises whatever TVM's rules do.
    """
    if not program.target.is_gpu:
        return module
    import tvm
    from tvm.s_tir import dlight

    gpu = dlight.gpu
    # DLight writes its kernels into the module that it is given
    module = tvm.IRModule(dict(module.functions.items()), attrs=module.attrs)
    rules = (gpu.Matmul(), gpu.GEMV(), gpu.Reduction(), gpu.GeneralReduction(), gpu.Fallback())
    with to_tvm(_default_target(program)):
        return dlight.ApplyDefaultSchedule(*rules)(module)


def _default_target(program: Program) -> TargetSpec:
    """The target as DLight is told it: for halves one without tensor cores.

    For those it would parse TVM's intrinsics first, which takes from 11 s to a minute.
    """
    target = program.target
    if any(spec.dtype in HALVES for task in program.tasks for spec in task.args):
        fields = json.loads(target.text) | {"arch": "sm_60"}
        target = replace(target, text=json.dumps(fields))
    return target


def untuned_kernel(program: Program, task: int) -> str:
    """A task's kernel as a program without its record has it, in a module as TVM's JSON text."""
    import tvm

    return str(tvm.ir.save_json(with_default_schedules(program.workloads[task], program)))
