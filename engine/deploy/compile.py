"""Records applied to a program, compiled into one library beside its plan and weights."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from engine.deploy.placing import placed
from engine.deploy.plan import make_plan, weight_places
from engine.deploy.untuned import with_default_schedules
from engine.kernels.cublaslt import find_library
from engine.kernels.library import library_of
from engine.kernels.ready import realised
from engine.measure import vector_math
from engine.measure.build_worker import triple_of
from engine.measure.cuda_build import build_cuda
from engine.measure.cuda_compiler import use_lean_compiler
from engine.measure.kept_nan import with_kept_nan
from engine.measure.linker import export_library
from engine.models.relax.shared import shared_array
from engine.records.errors import ExportError, Hint, TuningError
from engine.records.sentences import Sentence
from engine.search.task_search import apply_trace
from engine.targets.targets import TargetSpec, to_tvm
from engine.tasks.dataflow import Dataflow, functions_of
from engine.tasks.extract import Program
from engine.tasks.in_place import concat_axes
from engine.tasks.lower import first_line
from engine.workers.memory import return_freed

_PREPACKS = "meta_schedule.layout_rewrite_preproc"
_MANY_BYTES = 2**28  # worth the tenth of a second in which other threads get no memory
_STEPS = 65_536  # LLVM takes seconds for so many, and minutes for a million
_INNER = ("body", "block", "init", "then_case", "else_case")  # of TensorIR's statements
_INSTALL = Sentence("Install the extra cublas, or take the runs out of use that found them.")
_AGAIN = Sentence("Take its runs out of use, or tune the model anew.")


def compile_program(
    program: Program, records: Mapping[int, str], output_names: tuple[str, ...], folder: Path
) -> None:
    """Write module.so, weights.bin and plan.json into `folder`, which must exist.

    `records` holds the trace (TVM's JSON text) of each tuned task; the others get TVM's default
    for the target. Weights are rewritten here into the layout that their schedule wants.
    Raises ExportError where TVM cannot compile the program or nothing here links it, OSError where
    a file cannot be written.
    """
    try:
        axes = concat_axes(functions_of(program.module))
        made = placed(_scheduled(program, records, axes), axes, program.target.is_gpu)
        libraries = {name for one in made.kernels.values() if (name := library_of(one))}
        if libraries and program.target.is_gpu and find_library() is None:
            raise ExportError(
                "Kernels of the model call cuBLASLt, which is not installed here.", _INSTALL
            )
        library = _compile(made.kernels, program.target)
        export_library(library, str(folder / "module.so"), triple_of(to_tvm(program.target)))
    except TuningError as error:  # there is no linker for it
        raise ExportError(error.what, error.todo) from error
    except (RuntimeError, ValueError, TypeError, LookupError) as error:
        raise ExportError(
            Sentence("TVM cannot compile the model: {error}.", error=first_line(error)),
            "Look under Troubleshooting in the help; where all is well there, report the model.",
            Hint.CHECK,
        ) from error
    _write_weights(made.flow, folder / "weights.bin")
    plan = make_plan(made.flow, output_names, writers=made.writers)
    if libraries:
        plan["libraries"] = sorted(libraries)
    (folder / "plan.json").write_text(json.dumps(plan))
    if plan["weights_bytes"] > _MANY_BYTES:
        del made, library  # and the prepacked weights with them
        return_freed()


def _scheduled(program: Program, records: Mapping[int, str], axes: Mapping[str, int]) -> Any:
    import tvm
    from tvm import relax

    module = program.module
    functions = {}
    for var, func in module.functions.items():
        name = str(var.name_hint)
        task = program.task_of.get(name)
        if task is not None and task in records:
            name = program.tasks[task].name
            functions[var] = _tuned(name, func, program.workloads[task], records[task])
        elif task is None and name in axes and not program.target.is_gpu:
            functions[var] = _on_all_cores(func)
        else:
            functions[var] = func
    module = _with_prepacking(tvm.IRModule(functions, attrs=module.attrs))
    module = with_default_schedules(module, program)
    passes = [relax.transform.FoldConstant(), relax.transform.DeadCodeElimination()]
    with to_tvm(program.target):
        return tvm.transform.Sequential(passes)(module)


def _tuned(name: str, func: Any, workload: Any, trace: str) -> Any:
    """The scheduled kernel, under the attributes of the one that it replaces.

    Raises ExportError where the trace, maybe a stranger's, does not apply to the task `name`, or
    writes out so many steps that a compiler would not end.
    """
    try:
        tuned = realised(apply_trace(workload, trace).mod["main"])
    except Exception as error:  # TVM raises whatever its primitives do
        raise ExportError(
            Sentence(
                "TVM cannot compile the model: the schedule of {name} does not fit.", name=name
            ),
            _AGAIN,
        ) from error
    if _written_out(tuned.body) > _STEPS:
        raise ExportError(
            Sentence(
                "TVM cannot compile the model: the schedule of {name} writes out too many steps.",
                name=name,
            ),
            _AGAIN,
        )
    for key, value in dict(func.attrs).items():
        tuned = tuned.with_attr(key, value)
    return tuned.with_attr("tirx.is_scheduled", True)


def _written_out(statement: Any) -> int:
    """How many steps unrolled and vectorised loops make of one, where they make most."""
    from tvm import tirx

    inner = [getattr(statement, name, None) for name in _INNER]
    inner += getattr(statement, "seq", ())
    steps = max((_written_out(one) for one in inner if one is not None), default=1)
    written = (tirx.ForKind.UNROLLED, tirx.ForKind.VECTORIZED)
    is_written = isinstance(statement, tirx.For) and statement.kind in written
    return steps * int(statement.extent) if is_written else steps


def _on_all_cores(func: Any) -> Any:
    """A concatenation that is no task and yet has a kernel, as those before it were merged."""
    from tvm.s_tir import Schedule

    schedule = Schedule(func)
    (block,) = schedule.get_child_blocks(schedule.get_sblock("root"))
    loops = schedule.get_loops(block)
    schedule.parallel(schedule.fuse(*loops[:-1]) if len(loops) > 1 else loops[0])
    return schedule.mod["main"].with_attr("tirx.is_scheduled", True)


def _with_prepacking(module: Any) -> Any:
    """Split what schedules do to weights off their kernels, into calls that fold away.

    TVM's pass fails on kernels that are not made of blocks, such as sorts and scans, so it is
    shown only the ones that prepack, and the main function.
    """
    import tvm
    from tvm import relax

    main = module["main"]
    seen = {var: func for var, func in module.functions.items() if _prepacks(func)}
    if not seen:
        return module
    split = relax.transform.SplitLayoutRewritePreproc()(
        tvm.IRModule({**seen, module.get_global_var("main"): main}, attrs=module.attrs)
    )
    rest = {var: func for var, func in module.functions.items() if var not in seen}
    rest.pop(module.get_global_var("main"))
    return tvm.IRModule({**rest, **dict(split.functions.items())}, attrs=module.attrs)


def _prepacks(func: Any) -> bool:
    """Whether a schedule put a block into the kernel that rewrites a weight."""
    import tvm

    attrs = func.attrs
    scheduled = attrs is not None and "tirx.is_scheduled" in attrs
    return scheduled and _PREPACKS in tvm.ir.save_json(func)


def _compile(kernels: Mapping[str, Any], target: TargetSpec) -> Any:
    import tvm

    vector_math.register()
    named = {name: func.with_attr("global_symbol", name) for name, func in kernels.items()}
    use_lean_compiler()
    module = tvm.IRModule(named)
    if target.is_gpu:
        return build_cuda(module, to_tvm(target))
    module = tvm.ir.load_json(with_kept_nan(tvm.ir.save_json(module)))
    return tvm.compile(module, target=to_tvm(target))


def _write_weights(flow: Dataflow, path: Path) -> None:
    with path.open("wb") as file:
        for value, offset in weight_places(flow).items():
            file.write(b"\0" * (offset - file.tell()))
            file.write(_bytes(flow.values[value].data))


def _bytes(tensor: Any) -> memoryview:
    import numpy as np

    return np.ascontiguousarray(shared_array(tensor)).reshape(-1).view(np.uint8).data
