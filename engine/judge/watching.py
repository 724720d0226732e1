"""A model compiled with values of its file as further outputs, and what its reference gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from engine.deploy.compare import Tolerance, tolerance_of
from engine.deploy.compile import compile_program
from engine.judge.halving import FileGraph, halve
from engine.judge.worst import Worst, worst
from engine.models.feeding.file_reference import FileReference
from engine.models.file_nodes import read_nodes
from engine.models.loading import load_source
from engine.models.prepare import prepare
from engine.models.shapes import apply_shapes, tensor_spec
from engine.models.simplify import infer_shapes
from engine.models.values import filled
from engine.records.errors import ModelError
from engine.records.formats import ONNX, format_of
from engine.records.network import FirstDifference
from engine.records.source import ModelSource
from engine.records.task import TensorSpec, byte_size
from engine.targets.targets import TargetSpec
from engine.workers.artifacts import scratch

if TYPE_CHECKING:
    import numpy as np

Arrays = Mapping[str, "np.ndarray"]


@dataclass(frozen=True, slots=True)
class Watched:
    """The reference's values by name, of those that are tensors of numbers, and what rounding may
    do to the compiled model's."""

    theirs: dict[str, np.ndarray]
    tolerance: Tolerance


def first_difference(
    source: ModelSource, target: TargetSpec, inputs: Arrays
) -> FirstDifference | None:
    """The first node of an ONNX file whose value differs on the target, None where none does.

    All happens in this process: for models that we wrote ourselves. None for other formats, in
    which no node is looked for. Raises ModelError and its kinds, ExportError.
    """
    if format_of(source) is not ONNX:
        return None

    def probe(names: Sequence[str]) -> dict[str, Worst | None]:
        from engine.deploy.executor import PlanExecutor

        with scratch() as folder:
            watched = compile_watched(source, target, inputs, names, folder)
            executor = PlanExecutor(folder, target.device)
            try:
                return compared(executor.run(dict(inputs)), watched)
            finally:
                executor.close()

    return halve(read_graph(source), probe)


def read_graph(source: ModelSource) -> FileGraph:
    """The nodes of an ONNX file, and the sizes of their values."""
    _, proto, _ = load_source(source)
    nodes = read_nodes(proto)
    apply_shapes(proto, source.shapes)
    infer_shapes(proto)
    specs = {value.name: tensor_spec(value) for value in proto.graph.value_info}
    return FileGraph(nodes, {name: byte_size(spec) for name, spec in specs.items() if spec})


def compile_watched(
    source: ModelSource, target: TargetSpec, inputs: Arrays, names: Sequence[str], folder: Path
) -> Watched:
    """Compile the untuned model into `folder` with the values `names` as further outputs.

    Raises ModelError and ExportError where it, or its reference, cannot be run so.
    """
    from engine.tasks.extract import extract
    from engine.tasks.lower import ONE_AT_A_TIME
    from engine.tasks.lower_model import lower_model
    from engine.tasks.tf32 import is_tf32

    theirs = _reference(source, inputs, names)
    shown = {name: theirs[name] for name in names if name in theirs}
    specs = {name: TensorSpec(array.shape, array.dtype.name) for name, array in shown.items()}
    with ONE_AT_A_TIME:
        prepared = prepare(source, specs)
        module = lower_model(prepared, target, source.precision)
        program = extract(module, target)
    compile_program(program, {}, tuple(name for name, _ in prepared.outputs), folder)
    return Watched(theirs, tolerance_of(program.dataflow.values, is_tf32(program.module)))


def compared(ours: Arrays, watched: Watched) -> dict[str, Worst | None]:
    """Where each value differs; those that one side lacks are left out."""
    return {
        name: worst(name, ours[name], theirs, watched.tolerance)
        for name, theirs in watched.theirs.items()
        if name in ours
    }


def _reference(source: ModelSource, inputs: Arrays, names: Sequence[str]) -> dict[str, np.ndarray]:
    """What runs the file as it is gives these values and its outputs: ONNX Runtime, or ONNX's
    evaluator where it cannot."""
    import numpy as np

    _, proto, _ = load_source(source)
    apply_shapes(proto, source.shapes)
    reference = FileReference(source, filled(proto, source.values), watched=tuple(names))
    try:
        (answer,) = reference.answers([inputs])
    except ModelError as error:
        answer = error
    if isinstance(answer, ModelError):
        (answer,) = replace(reference, evaluator=True).answers([inputs])
    if isinstance(answer, ModelError):
        raise answer
    return {
        name: value
        for name, value in answer.items()
        if isinstance(value, np.ndarray) and value.dtype.kind in "biuf"
    }
