"""What the engine asks of a kind of model file: the seam between files and Relax.

Whatever a `Reader` does happens in a worker: the file is a stranger's. What comes out of it is
plain data, which travels to the engine's process and is stored nowhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

from engine.models.feeding.input_uses import InputUses
from engine.models.questions import InputQuestion
from engine.models.support import OperatorSupport
from engine.records.errors import ModelError
from engine.records.sentences import Sentence
from engine.records.source import ModelSource
from engine.records.task import TensorSpec

if TYPE_CHECKING:
    import numpy as np
    import tvm

Specs = tuple[tuple[str, TensorSpec], ...]
Arrays = Mapping[str, "np.ndarray"]


Answer: TypeAlias = "dict[str, np.ndarray] | ModelError"


class Reference(Protocol):
    """What runs a model's file as it is. It can be pickled, and is used in a process of its own."""

    @property
    def name(self) -> str:
        """For a person: "ONNX Runtime"."""

    def answers(self, draws: Sequence[Arrays]) -> list[Answer]:
        """The outputs by name for each draw of inputs; the error in the place of those for which
        it cannot run the model. ModelError where it cannot load it."""

    def latency(self, inputs: Arrays, threads: int) -> tuple[float, ...]:
        """Its latencies (s); none where its speed says nothing."""


class Prepared(Protocol):
    """A model of fixed shapes that can be imported. It can be pickled.

    `inputs` and `outputs` are in the model's order. `sha256` is that of the source as it is now,
    `origins` has by name of a node that a rewriting put in the name of the file's node.
    """

    @property
    def name(self) -> str: ...
    @property
    def inputs(self) -> Specs: ...
    @property
    def outputs(self) -> Specs: ...
    @property
    def sha256(self) -> str: ...
    @property
    def origins(self) -> dict[str, str]: ...

    @property
    def reference(self) -> Reference | None:
        """What is compared with; None where a person goes on without."""

    @property
    def uses(self) -> InputUses:
        """What limits what may be fed."""

    def to_relax(self) -> tvm.ir.IRModule:
        """A module with weights as constants, whose `main` takes the inputs in order."""

    def reference_outputs(self, inputs: Arrays) -> dict[str, np.ndarray]:
        """What the reference answers, by output; ModelError where it cannot run."""


def only_answer(reference: Reference | None, inputs: Arrays) -> dict[str, np.ndarray]:
    """The reference's answer to one draw; ModelError where it has none."""
    if reference is None:
        raise ModelError("Nothing runs the model's file here.")
    (answer,) = reference.answers([inputs])
    if isinstance(answer, ModelError):
        raise answer
    return answer


@dataclass(frozen=True, slots=True)
class Look:
    """What can be told of a model before it is prepared."""

    name: str
    sha256: str
    inputs: tuple[InputQuestion, ...]
    operators: tuple[OperatorSupport, ...]


class Reader(Protocol):
    """Reads one kind of file."""

    def prepare(self, source: ModelSource) -> Prepared:
        """Load, check, fix the shapes. ModelError and its kinds; ShapeError has the questions."""

    def look(self, source: ModelSource) -> Look:
        """The inputs, and what the importer makes of each kind of operator."""


def refuse_changed(source: ModelSource, sha256: str) -> None:
    """ModelError where the file is not the one of the project."""
    if source.sha256 and source.sha256 != sha256:
        raise ModelError(
            Sentence(
                "{location} has changed since the project was saved.", location=source.location
            ),
            "Put the original model back, or start a new project from the changed one.",
        )
