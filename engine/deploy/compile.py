"""Records applied to a program, compiled into one library beside its plan and weights."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from engine.deploy.plan import make_plan, weight_places
from engine.errors import ExportError
from engine.search.task_search import apply_trace
from engine.tasks.dataflow import Dataflow, read_dataflow
from engine.tasks.extract import Program
from engine.tasks.lower import first_line
from engine.tasks.targets import TargetSpec, to_tvm


def compile_program(
    program: Program, records: Mapping[int, str], output_names: tuple[str, ...], folder: Path
) -> None:
    """Write module.so, weights.bin and plan.json into `folder`, which must exist.

    `records` holds the trace (TVM's JSON text) of each tuned task; the others get TVM's default
    for the target. Weights are rewritten here into the layout that their schedule wants.
    Raises ExportError where TVM cannot compile the program.
    """
    try:
        module = _scheduled(program, records)
        flow = read_dataflow(module)
        library = _compile(module, flow, program.target)
        library.export_library(str(folder / "module.so"))
    except (RuntimeError, ValueError, TypeError) as error:
        raise ExportError(f"TVM cannot compile the model: {first_line(error)}.") from error
    _write_weights(flow, folder / "weights.bin")
    (folder / "plan.json").write_text(json.dumps(make_plan(flow, output_names)))


def _scheduled(program: Program, records: Mapping[int, str]) -> Any:
    import tvm
    from tvm import relax
    from tvm.s_tir import dlight

    module = program.module
    functions = {}
    for var, func in module.functions.items():
        task = program.task_of.get(str(var.name_hint))
        if task is not None and task in records:
            functions[var] = _tuned(func, program.workloads[task], records[task])
        else:
            functions[var] = func
    module = tvm.IRModule(functions, attrs=module.attrs)
    passes = []
    if program.target.is_gpu:
        gpu = dlight.gpu
        rules = (gpu.Matmul(), gpu.GEMV(), gpu.Reduction(), gpu.GeneralReduction(), gpu.Fallback())
        passes.append(dlight.ApplyDefaultSchedule(*rules))
    passes += [
        relax.transform.SplitLayoutRewritePreproc(),
        relax.transform.FoldConstant(),
        relax.transform.DeadCodeElimination(),
    ]
    with to_tvm(program.target):
        return tvm.transform.Sequential(passes)(module)


def _tuned(func: Any, workload: Any, trace: str) -> Any:
    """The scheduled kernel, under the attributes of the one that it replaces."""
    tuned = apply_trace(workload, trace).mod["main"]
    for key, value in dict(func.attrs).items():
        tuned = tuned.with_attr(key, value)
    return tuned.with_attr("tirx.is_scheduled", True)


def _compile(module: Any, flow: Dataflow, target: TargetSpec) -> Any:
    import tvm

    used = {step.function for step in flow.steps}
    kernels = {
        var.name_hint: func.with_attr("global_symbol", str(var.name_hint))
        for var, func in module.functions.items()
        if str(var.name_hint) in used
    }
    tvm_target = to_tvm(target)
    with tvm_target:
        return tvm.compile(tvm.IRModule(kernels), target=tvm_target)


def _write_weights(flow: Dataflow, path: Path) -> None:
    with path.open("wb") as file:
        for value, offset in weight_places(flow).items():
            file.write(b"\0" * (offset - file.tell()))
            file.write(flow.values[value].data.numpy().tobytes())
