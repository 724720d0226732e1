"""What runs in the worker that opens a model: untrusted files are parsed and lowered there only."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.jobs.opening.handed_over import Sent, Shared, hand_over, take_over
from engine.records.errors import Hint, ModelError, NoReference, TunewrightError
from engine.records.machine import prepare_environment
from engine.records.network import FileNode
from engine.records.precision import refuse_precision
from engine.records.sentences import Sentence
from engine.records.source import ModelSource
from engine.records.words import Doing, Say
from engine.targets.targets import TargetSpec

if TYPE_CHECKING:
    import numpy as np

    from engine.models.prepare import PreparedModel
    from engine.models.readers import Prepared
    from engine.tasks.extract import Program
    from engine.tasks.module_parts import ModuleParts

log = logging.getLogger(__name__)

PRELOAD = (__name__, "tvm.relax.frontend.onnx", "tvm.s_tir.analysis", "onnxslim", "psutil")
"""What the fork server imports for such workers."""

_SMALL_BYTES = 256


@dataclass(frozen=True, slots=True)
class OpenedModel:
    """A model ready to be tuned; `source` carries the SHA-256 of what was read.

    `file_nodes` are the nodes of its file, with the fused operators that came of them. A model in
    a set of shapes is the first of them, `others` are the further ones; the programs of all have
    the same list of tasks.
    """

    source: ModelSource
    prepared: Prepared
    program: Program
    file_nodes: tuple[FileNode, ...] = ()
    others: tuple[OpenedModel, ...] = ()

    @property
    def each(self) -> tuple[OpenedModel, ...]:
        """The model in each of its shapes."""
        if not self.others:
            return (self,)
        return (replace(self, source=self.source.each[0], others=()), *self.others)

    def kernel_of(self, task: int) -> str:
        """The name of a kernel that is this task; empty where none is, as of a merged operator."""
        names = (
            name for one in self.each for name, at in one.program.task_of.items() if at == task
        )
        return next(names, "")


@dataclass(frozen=True, slots=True)
class SentModel:
    """An opened model on its way.

    The bytes of its large weights travel beside it, by their places among the initializers; those
    of mapped weights do not: the module's `constants` are what is used from now on.
    """

    prepared: Prepared
    weights: dict[int, np.ndarray]
    module: ModuleParts
    constants: Sent
    file_nodes: tuple[FileNode, ...]


def open_apart(say: Say, source: ModelSource, target: TargetSpec, folder: Path) -> SentModel:
    """Open `source` with all that the engine will do to it again, and pack the result.

    What is too large to be sent is put into a file in `folder`, which the engine keeps until then.
    """
    from engine.tasks.module_parts import take_apart

    prepare_environment()
    opened = open_here(source, target, say)
    module = take_apart(opened.program.module)
    weights = _take_weights(opened.prepared)
    constants = hand_over(module.constants, folder)
    module = replace(module, constants=())
    return SentModel(opened.prepared, weights, module, constants, opened.file_nodes)


def open_here(
    source: ModelSource, target: TargetSpec, say: Say = lambda *said: None
) -> OpenedModel:
    """As `open_source`, but in this process: for models that we wrote ourselves."""
    from engine.models.choosing import prepare_any
    from engine.models.prepare import PreparedModel
    from engine.tasks.extract import extract
    from engine.tasks.file_map import map_file
    from engine.tasks.lower import ONE_AT_A_TIME, first_line
    from engine.tasks.lower_model import lower_model

    refuse_precision(source.precision, target)
    with ONE_AT_A_TIME:
        say(Doing.READING)
        prepared = prepare_any(source)
        module = lower_model(prepared, target, source.precision, say)
        try:
            program = extract(module, target)
        except TunewrightError:
            raise
        except Exception as error:  # TVM raises what it likes
            log.warning("The tasks of %s cannot be found: %s", prepared.name, error)
            raise ModelError(
                Sentence(
                    "TVM cannot make kernels of {prepared}: {error}.",
                    prepared=prepared.name,
                    error=first_line(error),
                ),
                "Export it in smaller parts, and report it.",
            ) from error
    if not program.tasks:
        raise ModelError(
            Sentence(
                "{prepared} has nothing to tune: no operator is left after folding constants.",
                prepared=prepared.name,
            ),
            "Check that this is the model you meant.",
        )
    if isinstance(prepared, PreparedModel):
        say(Doing.TRYING)
        prepared = _with_reference(prepared, source)
    whole = replace(source, sha256=prepared.sha256)
    nodes = map_file(prepared, program) if isinstance(prepared, PreparedModel) else ()
    return OpenedModel(whole, prepared, program, nodes)


def _with_reference(prepared: PreparedModel, source: ModelSource) -> PreparedModel:
    """The model with what can run its file; NoReference where nothing can, and nobody said that it
    is done without."""
    from engine.models.feeding.file_reference import able_reference
    from engine.models.reference import random_inputs

    if prepared.reference is None:
        return prepared
    found = able_reference(prepared.reference, random_inputs(prepared.inputs, uses=prepared.uses))
    if not isinstance(found, ModelError):
        return replace(prepared, reference=found)
    if source.without_reference:
        return replace(prepared, reference=None)
    raise NoReference(
        Sentence(
            "Nothing here runs {prepared} to compare with. {what}",
            prepared=prepared.name,
            what=found.what,
        ),
        "Go on without a reference, or export the model again.",
        Hint.WITHOUT_REFERENCE,
    )


def unpack(sent: SentModel, known: Shared | None = None) -> tuple[Prepared, Any]:
    """The prepared model and its lowered module, in the engine's process. Constants that are
    `known` of the model in another shape are in memory once; a further shape's file is left without
    its weights, which nothing here reads."""
    from engine.models.prepare import PreparedModel
    from engine.tasks.module_parts import put_together

    if isinstance(sent.prepared, PreparedModel) and not known:
        tensors = sent.prepared.proto.graph.initializer
        for place, data in sent.weights.items():
            tensors[place].raw_data = data.tobytes()
    constants = take_over(sent.constants)
    if known is not None:
        constants = tuple(known.shared(array) for array in constants)
    module = replace(sent.module, constants=constants)
    return sent.prepared, put_together(module)


def _take_weights(prepared: Prepared) -> dict[int, np.ndarray]:
    """Empty the large weights of an ONNX model: protobuf writes no message above 2 GB."""
    import numpy as np

    from engine.models.prepare import PreparedModel

    taken: dict[int, np.ndarray] = {}
    if not isinstance(prepared, PreparedModel):
        return taken
    for place, tensor in enumerate(prepared.proto.graph.initializer):
        if len(tensor.raw_data) > _SMALL_BYTES:
            taken[place] = np.frombuffer(tensor.raw_data, np.uint8)
            tensor.ClearField("raw_data")
    return taken
