"""Models lowered as for tensor cores, and compiled for the CPU, whose answers can be looked at."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from onnx import ModelProto

from engine.deploy.compare import largest_difference, tolerance_of
from engine.deploy.compile import compile_program
from engine.deploy.executor import PlanExecutor
from engine.models.prepare import prepare
from engine.models.reference import random_inputs
from engine.records.source import ModelSource
from engine.targets.targets import TargetSpec
from engine.tasks import lower as lowering
from engine.tasks.extract import Program, extract
from engine.tasks.turned_constants import with_turned_constants
from tests.engine.models.build import save
from tests.engine.tasks.programs import cpu


@dataclass(frozen=True, slots=True)
class Lowered:
    """A model in 16 bits: its kernels' operators in order, and the types of what they store."""

    program: Program
    found: dict[str, np.ndarray] = field(default_factory=dict)
    expected: dict[str, np.ndarray] = field(default_factory=dict)

    @property
    def kernels(self) -> list[str]:
        return [operator.op_class for operator in self.program.operators]

    @property
    def stored(self) -> list[str]:
        return [operator.output.dtype for operator in self.program.operators]

    def assert_agrees(self) -> None:
        """The outputs are those of float32 but for rounding, and have its types."""
        assert list(self.found) == list(self.expected)
        tolerance = tolerance_of(self.program.dataflow.values)
        largest_difference(self.found, self.expected, tolerance)


def lowered_on(proto: ModelProto, dtype: str, target: TargetSpec) -> Program:
    """The program of a model for a target."""
    with tempfile.TemporaryDirectory() as folder:
        prepared = prepare(ModelSource("file", str(save(proto, Path(folder) / "model.onnx"))))
        return extract(lowering.lower(prepared.to_relax(), target, dtype), target)


def lowered(proto: ModelProto, dtype: str, *, run: bool = True, scale: float = 1.0) -> Lowered:
    """A model lowered; with `run` also its answers to normal inputs of this `scale`."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        prepared = prepare(ModelSource("file", str(save(proto, folder / "model.onnx"))))
        turned = lowering.with_full_ranks(with_turned_constants(prepared.to_relax()))
        module = lowering._lowered(lowering._channels_last(turned), cpu(), dtype)
        made = Lowered(extract(module, cpu()))
        if not run:
            return made
        outputs = tuple(name for name, _ in prepared.outputs)
        compile_program(made.program, {}, outputs, folder)
        drawn = random_inputs(prepared.inputs, 1)
        inputs = {
            name: (array * scale).astype(array.dtype) if array.dtype.kind == "f" else array
            for name, array in drawn.items()
        }
        answers = PlanExecutor(folder).run(inputs)
        return replace(made, found=answers, expected=prepared.reference_outputs(inputs))
