"""One model of the survey, as a worker examines it: opened, compiled untuned, run, compared."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.jobs.opening.open_worker import OpenedModel, open_here
from engine.models.loading import load_source
from engine.models.questions import questions
from engine.records.errors import ExportError, ModelError, TunewrightError
from engine.records.formats import TFLITE, format_of
from engine.records.source import ModelSource
from engine.records.words import Say
from engine.targets.targets import TargetSpec
from tests.benchmarks.survey.survey_models import Told

if TYPE_CHECKING:
    import numpy as np
    from onnx import ModelProto

_SEED = 1
_VALUES = 8


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of a model. `difference` is the largest one where the outputs agree."""

    reference_runs: bool = False
    opens: bool = False
    agrees: bool = False
    tasks: int = 0
    difference: float = 0.0
    reason: str = ""
    seconds: float = 0.0


def examine(say: Say, source: ModelSource, told: Told, target: TargetSpec) -> Verdict:
    """Open a model with the shapes told or proposed, and run it beside ONNX Runtime.

    The reference is the file as it is, not what was made of it. Inputs are random, but for the
    values that are told.
    """
    began = time.monotonic()
    say("open")
    if format_of(source) is TFLITE:
        return _examine_lite(say, source, target)
    original = load_source(source)[1]
    source = with_shapes(source, original, told)
    opened, reason = None, ""
    try:
        opened = open_here(source, target)
    except TunewrightError as error:
        reason = error.what
    say("reference")
    inputs: dict[str, np.ndarray] = {}
    expected: dict[str, Any] = {}
    try:
        inputs, expected = _reference(original, source, told)
    except ModelError as error:
        reason = reason or error.what
    if opened is None or not expected:
        return Verdict(bool(expected), opened is not None, reason=reason, seconds=_since(began))
    try:
        difference = _compare(opened, inputs, expected, say)
    except ExportError as error:
        reason = error.what
        tasks = len(opened.program.tasks)
        return Verdict(True, True, tasks=tasks, reason=reason, seconds=_since(began))
    tasks = len(opened.program.tasks)
    reason = "" if _is_telling(expected) else "agrees, but its outputs are nearly constant"
    return Verdict(True, True, True, tasks, difference, reason, _since(began))


def _examine_lite(say: Say, source: ModelSource, target: TargetSpec) -> Verdict:
    """The same beside LiteRT, with the shapes that the file proposes and images of noise in [0, 1).

    On noise of both signs LiteRT's kernels and its reference kernels do not agree on all files.
    """
    import numpy as np

    from engine.models.tflite.interpreter import outputs

    began = time.monotonic()
    try:
        opened = open_here(source, target)
    except TunewrightError as error:
        runs = not error.what.startswith("LiteRT cannot")
        return Verdict(runs, reason=error.what, seconds=_since(began))
    tasks = len(opened.program.tasks)
    try:
        random = np.random.default_rng(_SEED)
        inputs = {
            name: random.random(spec.shape).astype(spec.dtype)
            for name, spec in opened.prepared.inputs
        }
        expected = outputs(Path(source.location).read_bytes(), inputs)
        difference = _compare(opened, inputs, expected, say)
    except TunewrightError as error:
        return Verdict(True, True, tasks=tasks, reason=error.what, seconds=_since(began))
    return Verdict(True, True, True, tasks, difference, seconds=_since(began))


def with_shapes(source: ModelSource, proto: ModelProto, told: Told) -> ModelSource:
    """The source with the shapes that are told, and those proposed for the other open inputs."""
    shapes = dict(told.shapes)
    for item in questions(proto, told.shapes):
        if item.is_open and item.proposal:
            sizes = tuple(size for size in item.proposal if size is not None)
            if len(sizes) == len(item.proposal):
                shapes.setdefault(item.name, sizes)
    names = {value.name for value in proto.graph.input}
    fitting = {name: shape for name, shape in shapes.items() if name in names}
    constants = {name: value for name, value in told.constants.items() if name in names}
    return ModelSource(source.kind, source.location, fitting, values=constants)


def _reference(
    proto: ModelProto, source: ModelSource, told: Told
) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """Inputs that ONNX Runtime takes, and its outputs for them.

    Integers are up to 9 where the model can take that: with 0 and 1 alone many answer a constant.
    """
    from engine.models.reference import reference_outputs

    try:
        inputs = inputs_for(proto, source, told, 9)
        return inputs, reference_outputs(proto, inputs)
    except ModelError:
        inputs = inputs_for(proto, source, told, 1)
        return inputs, reference_outputs(proto, inputs)


def inputs_for(
    proto: ModelProto, source: ModelSource, told: Told, largest: int
) -> dict[str, np.ndarray]:
    import numpy as np

    from engine.models.reference import random_inputs
    from engine.models.shapes import apply_shapes, tensor_spec

    static = type(proto)()
    static.CopyFrom(proto)
    apply_shapes(static, source.shapes)
    specs = [(value.name, tensor_spec(value)) for value in static.graph.input]
    inputs = random_inputs([(name, spec) for name, spec in specs if spec], _SEED)
    random = np.random.default_rng(_SEED)
    for name, array in inputs.items():
        if array.dtype.kind in "iu":
            inputs[name] = random.integers(0, largest + 1, array.shape).astype(array.dtype)
        if name in told.smooth:
            inputs[name] = _smooth(array.shape).astype(array.dtype)
        known = {**told.values, **told.constants}
        if name in known:
            inputs[name] = np.full_like(array, known[name])
    return inputs


def _smooth(shape: tuple[int, ...]) -> np.ndarray:
    """Waves along each axis, added."""
    import numpy as np

    waves = [np.sin(np.linspace(0, 3 + axis, size)) for axis, size in enumerate(shape)]
    total = np.zeros(shape)
    for wave in np.ix_(*waves):
        total += wave
    return total


def _compare(
    opened: OpenedModel,
    inputs: Mapping[str, np.ndarray],
    expected: Mapping[str, np.ndarray],
    say: Say,
) -> float:
    from engine.deploy.compare import largest_difference, tolerance_of
    from engine.deploy.compile import compile_program
    from engine.deploy.executor import PlanExecutor

    names = tuple(name for name, _ in opened.prepared.outputs)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        say("compile")
        compile_program(opened.program, {}, names, folder)
        say("run")
        executor = PlanExecutor(folder, "cpu")
        wanted = {name: inputs[name] for name, _ in opened.prepared.inputs}
        found = executor.run(wanted)
    tolerance = tolerance_of(opened.program.dataflow.values)
    return largest_difference(found, expected, tolerance)


def _is_telling(expected: Mapping[str, np.ndarray]) -> bool:
    """Whether some output has values enough for an agreement to mean something."""
    import numpy as np

    return any(len(np.unique(output)) >= min(_VALUES, output.size) for output in expected.values())


def _since(began: float) -> float:
    return round(time.monotonic() - began, 1)
