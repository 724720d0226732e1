"""A trial's schedule as text: its trace, its TensorIR, the code the compiler made of it."""

from __future__ import annotations

import json
import logging
from typing import Any

from engine.measure import vector_math
from engine.measure.cuda_compiler import use_lean_compiler
from engine.records.errors import TuningError
from engine.records.sentences import Sentence
from engine.search.task_search import apply_trace
from engine.search.trace_text import check
from engine.storage.module_text import checked_module
from engine.targets.targets import TargetSpec, to_tvm

_log = logging.getLogger(__name__)

_LINES = 3000
_OTHER = Sentence("Choose another trial; what was measured is kept.")


def describe(subject: str, workload: str, trace: str, target: str) -> dict[str, str]:
    """Texts "trace", "tir" and "source" (CUDA, or assembly on a CPU). Blocks for a second.

    `workload` and `trace` are TVM's JSON texts, as the project keeps them: maybe a stranger's. Run
    it in a worker, for TVM may still crash on what it is asked to compile. Raises TuningError
    about the `subject` where one of the texts is damaged, or the trace does not apply.
    """
    from engine.records.machine import prepare_environment

    prepare_environment()
    import tvm
    from tvm.s_tir.transform import RemoveWeightLayoutRewriteBlock

    def refusal(why: str, error: Exception) -> TuningError:
        _log.warning("%s cannot be shown: %s: %s", subject, why, error)
        return TuningError(
            Sentence("{subject} cannot be shown: {why}.", subject=subject, why=why), _OTHER
        )

    try:
        checked = checked_module(workload)
    except ValueError as error:
        raise refusal("the task's workload is damaged", error) from error
    try:
        check(trace)
    except ValueError as error:
        raise refusal(f"t{str(error)[1:].rstrip('.')}", error) from error
    try:
        schedule = apply_trace(tvm.ir.load_json(checked), trace)
    except Exception as error:  # TVM raises whatever its primitives do
        raise refusal("its trace does not fit the task's workload", error) from error
    try:
        is_gpu = json.loads(target)["kind"] != "llvm"
        spec = TargetSpec(target, "", "cuda:0" if is_gpu else "cpu", 0)
        module = RemoveWeightLayoutRewriteBlock(skip_tensor_rewrite=True)(schedule.mod)
        vector_math.register()
        use_lean_compiler()
        with to_tvm(spec) as place:  # NVRTC asks the target in scope, as a fork has no GPU to ask
            source = _source(tvm.compile(module, target=place), is_gpu)
    except Exception as error:
        raise refusal("it cannot be compiled", error) from error
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
