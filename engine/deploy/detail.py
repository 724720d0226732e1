"""A trial's schedule as text: its trace, its TensorIR, the code the compiler made of it."""

from __future__ import annotations

import json
from typing import Any

from engine.measure import vector_math
from engine.records.errors import TuningError
from engine.search.task_search import apply_trace
from engine.targets.targets import TargetSpec, to_tvm
from engine.tasks.lower import first_line

_LINES = 3000


def describe(workload: str, trace: str, target: str) -> dict[str, str]:
    """Texts "trace", "tir" and "source" (CUDA, or assembly on a CPU). Blocks for a second.

    `workload` and `trace` are TVM's JSON texts, as the project keeps them.
    Raises TuningError where the trace does not apply.
    """
    from engine.records.machine import prepare_environment

    prepare_environment()
    import tvm
    from tvm.s_tir.transform import RemoveWeightLayoutRewriteBlock

    try:
        schedule = apply_trace(tvm.ir.load_json(workload), trace)
        is_gpu = json.loads(target)["kind"] != "llvm"
        spec = TargetSpec(target, "", "cuda:0" if is_gpu else "cpu", 0)
        module = RemoveWeightLayoutRewriteBlock(skip_tensor_rewrite=True)(schedule.mod)
        vector_math.register()
        source = _source(tvm.compile(module, target=to_tvm(spec)), is_gpu)
    except (RuntimeError, ValueError, TypeError, LookupError, AttributeError) as error:
        raise TuningError(
            f"This schedule cannot be shown: {first_line(error)}.", "Choose another trial."
        ) from error
    return {
        "trace": "\n".join(schedule.trace.as_python()),
        "tir": str(schedule.mod.script()),
        "source": "\n".join(source.splitlines()[:_LINES]),
    }


def _source(executable: Any, is_gpu: bool) -> str:
    module = executable.mod
    if is_gpu and module.imports:
        return str(module.imports[0].inspect_source())
    return str(module.inspect_source("asm"))
