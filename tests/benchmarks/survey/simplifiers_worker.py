"""One file and one simplifier, as a worker examines them."""

from __future__ import annotations

import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from engine.models.loading import load_source
from engine.models.prepare import prepare
from engine.models.reference import reference_outputs
from engine.models.simplify import infer_shapes
from engine.records.errors import TunewrightError
from engine.records.machine import prepare_environment
from engine.records.source import ModelSource
from engine.records.words import Say
from tests.benchmarks.survey.survey_models import Told
from tests.benchmarks.survey.survey_worker import inputs_for, with_shapes

if TYPE_CHECKING:
    from onnx import ModelProto

Simplifier = Callable[["ModelProto"], "ModelProto"]

NONE, SLIM, SIM, BASIC, EXTENDED = "none", "onnxslim", "onnxsim", "ort basic", "ort extended"

_ONNXSIM = """
import sys, onnx, onnxsim
made, _ = onnxsim.simplify(onnx.load(sys.argv[1]), check_n=0)
onnx.save(made, sys.argv[2])
"""


@dataclass(frozen=True, slots=True)
class Row:
    """One file after one simplifier; `difference` is relative to each output's largest value."""

    package: str
    file: str
    simplifier: str
    nodes: int = 0
    seconds: float = 0.0
    runs: bool = False
    difference: float = 0.0
    opens: bool = False
    reason: str = ""


def examine(say: Say, source: ModelSource, told: Told, name: str, peers: str) -> Row:
    """Prepare one file in this process with that simplifier, import it, run what it made."""
    prepare_environment()
    original = load_source(source)[1]
    source = with_shapes(source, original, told)
    inputs = inputs_for(original, source, told, 1)
    made, seconds, opens, reason = _prepared(source, _simplifier(name, peers))
    if made is None:
        return Row("", "", name, reason=reason)
    nodes = sum(node.op_type != "Constant" for node in made.graph.node)
    try:
        taken = {value.name: inputs[value.name] for value in made.graph.input}
        difference = _difference(
            reference_outputs(original, inputs), reference_outputs(made, taken)
        )
    except TunewrightError as error:
        return Row("", "", name, nodes, seconds, opens=opens, reason=error.what)
    return Row("", "", name, nodes, seconds, True, difference, opens, reason)


def _prepared(
    source: ModelSource, simplifier: Simplifier
) -> tuple[ModelProto | None, float, bool, str]:
    """What the simplifier made, its seconds, whether TVM imports what comes of that, or why not."""
    made: list[ModelProto] = []
    seconds = 0.0

    def simplify(proto: ModelProto) -> ModelProto:
        nonlocal seconds
        began = time.perf_counter()
        found = simplifier(proto)
        seconds = time.perf_counter() - began
        infer_shapes(found)
        made.append(type(found).FromString(found.SerializeToString()))
        return found

    with patch("engine.models.prepare.simplify", simplify):
        try:
            prepare(source).to_relax()
        except TunewrightError as error:
            return (made[0] if made else None), seconds, False, error.what
    return made[0], seconds, True, ""


def _simplifier(name: str, peers: str) -> Simplifier:
    if name == NONE:
        return lambda proto: proto
    if name == SLIM:
        from engine.models.simplify import simplify

        return simplify
    with_files: dict[str, Callable[[Path, Path], None]] = {
        SIM: lambda old, new: _onnxsim(peers, old, new),
        BASIC: lambda old, new: _runtime("ORT_ENABLE_BASIC", old, new),
        EXTENDED: lambda old, new: _runtime("ORT_ENABLE_EXTENDED", old, new),
    }
    return _by_files(with_files[name])


def _by_files(write: Callable[[Path, Path], None]) -> Simplifier:
    def simplify(proto: ModelProto) -> ModelProto:
        import onnx

        with tempfile.TemporaryDirectory() as folder:
            old, new = Path(folder, "old.onnx"), Path(folder, "new.onnx")
            onnx.save(proto, str(old))
            write(old, new)
            return onnx.load(str(new))

    return simplify


def _onnxsim(peers: str, old: Path, new: Path) -> None:
    command = [peers, "-c", _ONNXSIM, str(old), str(new)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr.strip() or f"exit code {done.returncode}")


def _runtime(level: str, old: Path, new: Path) -> None:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = getattr(onnxruntime.GraphOptimizationLevel, level)
    options.optimized_model_filepath = str(new)
    options.log_severity_level = 4
    onnxruntime.InferenceSession(str(old), options, providers=["CPUExecutionProvider"])


def _difference(expected: Mapping[str, Any], found: Mapping[str, Any]) -> float:
    import numpy as np

    largest = 0.0
    for name, theirs in expected.items():
        if theirs.dtype.kind == "f" and theirs.size:
            scale = max(float(np.nanmax(np.abs(theirs))), 1e-6)
            gap = float(np.nanmax(np.abs(found[name].astype(np.float64) - theirs)))
            largest = max(largest, gap / scale)
    return largest
