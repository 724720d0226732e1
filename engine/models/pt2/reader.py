"""Opens PyTorch programs: what the engine asks of a kind of model file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from engine.models.answers import recall
from engine.models.feeding.input_uses import InputUses
from engine.models.pt2.archive import Archive, read_archive
from engine.models.pt2.rewrite import StaticProgram, rewritten
from engine.models.pt2.sizes import program_questions, symbol_values, user_inputs
from engine.models.questions import with_answers
from engine.models.readers import Answer, Arrays, Look, Specs, only_answer, refuse_changed
from engine.models.support import OperatorSupport
from engine.records.errors import ModelError, ShapeError
from engine.records.formats import PYTORCH, require
from engine.records.source import ModelSource

if TYPE_CHECKING:
    import numpy as np
    import tvm


@dataclass(frozen=True, slots=True)
class PreparedProgram:
    """A static program, as the archive that was written from the checked parts of the file."""

    name: str
    program: StaticProgram
    sha256: str
    origins: dict[str, str] = field(default_factory=dict)

    @property
    def inputs(self) -> Specs:
        """Names and specs of what goes in."""
        return self.program.inputs

    @property
    def outputs(self) -> Specs:
        """Names and specs of what comes out."""
        return self.program.outputs

    @property
    def uses(self) -> InputUses:
        """As `Prepared.uses`: nothing is known of them."""
        return InputUses()

    @property
    def reference(self) -> ProgramReference:
        """As `Prepared.reference`: the archive is the file's own program."""
        return ProgramReference(self.name, self.program)

    def to_relax(self) -> tvm.ir.IRModule:
        """As `Prepared.to_relax`."""
        from engine.models.pt2.relax import to_relax

        return to_relax(self.name, self.program.archive, tuple(name for name, _ in self.inputs))

    def reference_outputs(self, inputs: Arrays) -> dict[str, np.ndarray]:
        """As `Prepared.reference_outputs`, in a process without TVM: both bring libraries of one
        name."""
        from engine.workers.fresh import run_fresh

        return run_fresh(only_answer, self.reference, inputs)


@dataclass(frozen=True, slots=True)
class ProgramReference:
    """Runs a program by PyTorch, eager, on the CPU."""

    model: str
    program: StaticProgram

    @property
    def name(self) -> str:
        """As `Reference.name`."""
        return PYTORCH.reference

    def answers(self, draws: Sequence[Arrays]) -> list[Answer]:
        """As `Reference.answers`."""
        return [self._answer(inputs) for inputs in draws]

    def latency(self, inputs: Arrays, threads: int) -> tuple[float, ...]:
        """As `Reference.latency`."""
        from engine.models.pt2.program import latencies

        return latencies(self.program.archive, self._given(inputs), threads)

    def _answer(self, inputs: Arrays) -> Answer:
        from engine.models.pt2.program import outputs

        try:
            found = outputs(self.program.archive, self._given(inputs))
        except ModelError as error:
            return error
        names = [name for name, _ in self.program.outputs]
        return dict(zip(names, found, strict=True))

    def _given(self, inputs: Arrays) -> dict[str, np.ndarray]:
        require(PYTORCH, self.model)
        return {name: inputs[name] for name, _ in self.program.inputs}


class ProgramReader:
    """Reads .pt2 files."""

    def prepare(self, source: ModelSource) -> PreparedProgram:
        """As `Reader.prepare`."""
        archive = _archive(source)
        refuse_changed(source, archive.sha256)
        inputs = user_inputs(archive)
        try:
            symbols = symbol_values(archive, inputs, source.shapes)
        except ShapeError as error:
            error.questions, error.sha256 = program_questions(inputs), archive.sha256
            raise
        return PreparedProgram(archive.name, rewritten(archive, symbols), archive.sha256)

    def look(self, source: ModelSource) -> Look:
        """As `Reader.look`; for the shapes given, else those that were answered or exported."""
        archive = _archive(source)
        inputs = user_inputs(archive)
        asked = with_answers(program_questions(inputs), recall(archive.sha256))
        shapes = {
            item.name: tuple(size for size in item.proposal if size is not None)
            for item in asked
            if item.is_open and None not in item.proposal
        }
        symbols = symbol_values(archive, inputs, {**shapes, **source.shapes})
        program = rewritten(archive, symbols)
        return Look(archive.name, archive.sha256, asked, _operators(program.archive))


def _archive(source: ModelSource) -> Archive:
    path = Path(source.location)
    archive = read_archive(path)
    require(PYTORCH, path.name)
    return archive


def _operators(archive: np.ndarray) -> tuple[OperatorSupport, ...]:
    """Each kind of operator: TVM has it, PyTorch breaks it down, or it is missing."""
    from engine.models.pt2.program import load, quietly
    from engine.models.pt2.relax import decomposed, lacking

    with quietly():
        program = load(archive)
        own, left = lacking(program), lacking(decomposed(archive))
    nodes: dict[str, list[str]] = defaultdict(list)
    for node in program.graph.nodes:
        if node.op == "call_function":
            nodes[node.target.__name__].append(node.name)
    for operator, names in left.items():  # what others were broken down into
        nodes.setdefault(operator, names)

    def state(operator: str) -> Literal["supported", "rewritten", "missing"]:
        if operator in left:
            return "missing"
        return "rewritten" if operator in own else "supported"

    return tuple(
        OperatorSupport(operator, "aten", len(names), state(operator), tuple(names))
        for operator, names in sorted(nodes.items())
    )
