"""One case, as a worker examines it: opened, compiled untuned, run, compared."""

from __future__ import annotations

import re
import tempfile
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from engine.models.prepare import PreparedModel, prepare
from engine.records.errors import ModelError, TunewrightError
from engine.records.source import ModelSource
from engine.records.words import Say
from engine.targets.targets import TargetSpec
from tests.benchmarks.conformance.cases import LESS_EXACT, NO_NUMBERS, Arrays, Case, Tolerance
from tests.benchmarks.conformance.exact import nearer

if TYPE_CHECKING:
    import numpy as np
    from onnx import ModelProto

    from engine.tasks.extract import Program

_BFLOAT_RELATIVE = 2**-6  # two steps of its eight bits, as ONNX's own runner allows

_NO_SENTENCE = re.compile(
    r"""R\.\w|\bI\.\w|T\.\w+\(|span=|<class|\bExpr\b|0x[0-9a-f]|relax\.|\btvm\.|\bir\.|\btirx?\.
    |Traceback|Check\ failed|InternalError|NoneType|TensorProto|TensorType|ShapeExpr|datatype
    |has\ no\ attribute|not\ subscriptable|has\ no\ len|out\ of\ range|KeyError|Error:|Type\ <
    |Cannot\ cast|Cannot\ find\ a\ block|unhashable|unexpected\ keyword|positional\ argument
    |must\ be\ a\ |object\ is\ not|\[ONNXRuntimeError|assert|lv\d|\{\{|==""",
    re.VERBOSE,
)


class Outcome(StrEnum):
    """What comes of a case in our hands."""

    RIGHT = "right"
    REFUSED = "refused"
    WRONG = "wrong"
    NO_SENTENCE = "no sentence"
    OPENED = "opened"  # it has no numbers to compare


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of a case, with the reason where it is not right, and why it is not counted."""

    outcome: Outcome
    reason: str = ""
    skipped: str = ""


def examine(say: Say, case: Case, target: TargetSpec) -> Verdict:
    """Open a case, compile it untuned, run it, and compare its outputs with the right ones."""
    import onnx

    say("reference")
    skipped = case.skipped
    if case.needs_reference:
        skipped = skipped or _reference_fails(case)
    say(f"skipped:{skipped}")
    proto = with_constants(onnx.load_from_string(case.model), case)
    try:
        found = _tried(say, proto, case, target)
    except TunewrightError as error:
        text = f"{error.what} {error.todo}".strip()
        fine = is_sentence(text)
        return Verdict(Outcome.REFUSED if fine else Outcome.NO_SENTENCE, text, skipped)
    except Exception as error:  # whatever it is, a person would have met it
        line = " ".join(f"{type(error).__name__}: {error}".split())[:300]
        return Verdict(Outcome.NO_SENTENCE, line, skipped)
    if case.skipped == NO_NUMBERS:
        return Verdict(Outcome.OPENED, "", skipped)
    reason = differs(found, case.expected, case.tolerance)
    if not reason:
        return Verdict(Outcome.RIGHT, "", skipped)
    if case.needs_reference and not skipped and nearer(case, found):
        skipped = LESS_EXACT
    return Verdict(Outcome.WRONG, reason, skipped)


def is_sentence(text: str) -> bool:
    """Whether a refusal is in a person's words, not in those of TVM, ONNX or Python."""
    return _NO_SENTENCE.search(text) is None


def with_constants(proto: ModelProto, case: Case) -> ModelProto:
    """The model with those inputs as initializers that are constants; it is changed in place.

    The others are declared with the shapes of what is given for them, which in some tests differ.
    """
    from onnx import helper, numpy_helper

    kept = [value for value in proto.graph.input if value.name not in case.constants]
    for value in kept:
        if value.name in case.inputs:
            kind = value.type.tensor_type.elem_type
            shape = case.inputs[value.name].shape
            value.CopyFrom(helper.make_tensor_value_info(value.name, kind, shape))
    for name in sorted(case.constants & case.inputs.keys()):
        proto.graph.initializer.append(numpy_helper.from_array(case.inputs[name], name))
    del proto.graph.input[:]
    proto.graph.input.extend(kept)
    return proto


def _reference_fails(case: Case) -> str:
    """What is wrong with the case in ONNX Runtime, nothing where it passes."""
    import onnx

    from engine.models.reference import reference_outputs

    try:
        found = reference_outputs(onnx.load_from_string(case.model), case.inputs)
    except ModelError as error:
        return error.what
    reason = differs(found, case.expected, case.tolerance)
    return f"ONNX Runtime: {reason}" if reason else ""


def _tried(say: Say, proto: ModelProto, case: Case, target: TargetSpec) -> Arrays:
    """Its outputs; none where it has no numbers."""
    from engine.deploy.compile import compile_program
    from engine.deploy.executor import PlanExecutor

    with tempfile.TemporaryDirectory(prefix="conformance-") as place:
        folder = Path(place)
        say("open")
        path = folder / f"{case.name}.onnx"
        path.write_bytes(proto.SerializeToString())
        shapes = {
            value.name: case.inputs[value.name].shape
            for value in proto.graph.input
            # A file declares an axis of no places as it does an open one.
            if value.name in case.inputs and 0 in case.inputs[value.name].shape
        }
        prepared, program = _opened(say, ModelSource("file", str(path), shapes), target)
        say("compile")
        names = tuple(name for name, _ in prepared.outputs)
        compile_program(program, {}, names, folder)
        if case.skipped == NO_NUMBERS:
            return {}
        say("run")
        executor = PlanExecutor(folder, "cpu")
        return executor.run({name: case.inputs[name] for name, _ in prepared.inputs})


def _opened(say: Say, source: ModelSource, target: TargetSpec) -> tuple[PreparedModel, Program]:
    from engine.tasks.extract import extract
    from engine.tasks.lower import lower

    prepared = prepare(source)
    say("import")
    module = prepared.to_relax()
    say("lower")
    return prepared, extract(lower(module, target), target)


def differs(found: Arrays, expected: Arrays, tolerance: Tolerance) -> str:
    """How outputs differ from the right ones in type, shape or value; nothing where they do not."""
    for name, right in expected.items():
        if name not in found:
            return f"{name} is missing"
        if reason := _difference(found[name], right, tolerance):
            return f"{name} {reason}"
    return ""


def _difference(found: np.ndarray, right: np.ndarray, tolerance: Tolerance) -> str:
    import numpy as np

    if found.shape != right.shape or found.dtype != right.dtype:
        return f"is {_kind(found)}, not {_kind(right)}"
    relative = tolerance.relative
    if right.dtype.name == "bfloat16":
        relative = max(relative, _BFLOAT_RELATIVE)
    wide = np.complex128 if right.dtype.kind == "c" else np.float64
    ours, theirs = found.astype(wide), right.astype(wide)
    finite = np.abs(theirs[np.isfinite(theirs)])
    scale = max(1e-1, float(finite.max(initial=0))) if tolerance.scaled else 1.0
    if np.allclose(ours, theirs, relative, tolerance.absolute * scale, equal_nan=True):
        return ""
    with np.errstate(invalid="ignore"):
        gaps = np.abs(ours - theirs)
    gaps = np.where((ours == theirs) | (np.isnan(ours) & np.isnan(theirs)), 0, gaps)
    place = tuple(
        int(i) for i in np.unravel_index(int(np.nan_to_num(gaps, nan=np.inf).argmax()), gaps.shape)
    )
    return f"at {place} is {found[place]}, not {right[place]}"


def _kind(array: np.ndarray) -> str:
    return f"{array.dtype}{list(array.shape)}"
