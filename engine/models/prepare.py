"""From a model's source to a static, folded, simplified ONNX model with known shapes."""

from __future__ import annotations

import logging
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from engine.models.feeding.file_reference import FileReference
from engine.models.feeding.input_uses import InputUses, input_uses
from engine.models.file_nodes import FoundNode, add_outputs, read_nodes
from engine.models.loading import load_source
from engine.models.operators import node_name, refusal, unsupported_nodes
from engine.models.opset.upgrade import settle
from engine.models.proto_walk import walk_nodes
from engine.models.questions import questions_again
from engine.models.readers import Arrays, Specs, only_answer, refuse_changed
from engine.models.reference import random_inputs, reference_outputs
from engine.models.refusals.dynamic import dynamic_nodes, dynamic_origins
from engine.models.refusals.flags import refuse_flags
from engine.models.refusals.huge import refuse_huge_constants, refuse_huge_stored
from engine.models.refusals.misfit import misfit
from engine.models.rewriting.driver import Rewriting, rewrite
from engine.models.shapes import MAX_ELEMENTS, apply_shapes, tensor_spec
from engine.models.simplify import expand_functions, simplify, tidy
from engine.models.small_types import refuse_small_types
from engine.models.values import apply_values, filled
from engine.records.errors import ModelError, ShapeError, TunewrightError
from engine.records.sentences import Sentence
from engine.records.source import ModelSource
from engine.records.task import TensorSpec

if TYPE_CHECKING:
    import numpy as np
    import tvm
    from onnx import ModelProto, ValueInfoProto

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PreparedModel:
    """A model that is ready to be imported.

    `proto` is static, its constants folded; `reference` runs the file itself. `inputs` and
    `outputs` are in the model's order. `sha256` is that of the source as it is now.
    `origins` has by name of a node that a rewriting put in the name of the file's node; `absorbed`
    by that name those of other nodes of the file that went into it.
    `file_nodes` are the file's own nodes.
    """

    name: str
    proto: ModelProto
    inputs: Specs
    outputs: Specs
    sha256: str
    reference: FileReference | None
    uses: InputUses = field(default_factory=InputUses)
    origins: dict[str, str] = field(default_factory=dict)
    file_nodes: tuple[FoundNode, ...] = ()
    absorbed: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def to_relax(self) -> tvm.ir.IRModule:
        """As `Prepared.to_relax`."""
        from engine.models.relax.importing import to_relax

        return to_relax(self.name, self.proto, self.origins)

    def reference_outputs(self, inputs: Arrays) -> dict[str, np.ndarray]:
        """As `Prepared.reference_outputs`."""
        return only_answer(self.reference, inputs)


def prepare(source: ModelSource, watched: Mapping[str, TensorSpec] | None = None) -> PreparedModel:
    """Load, check, fix the shapes, simplify. The source file is only read.

    `watched` are values of the file that become further outputs.
    Raises ModelError (ShapeError and UnsupportedOperators among them), or UsageError for an
    unknown sample.
    """
    try:
        return _prepare(source, watched or {})
    except TunewrightError:
        raise
    except Exception as error:  # a damaged file can break libraries in ways nobody listed
        log.debug("Preparing %s failed", source.location, exc_info=error)
        raise ModelError(
            Sentence(
                "{location} cannot be prepared: {name}.",
                location=source.location,
                name=type(error).__name__,
            ),
            "The file may be damaged; copy it or export the model again.",
        ) from error


def _prepare(source: ModelSource, watched: Mapping[str, TensorSpec]) -> PreparedModel:
    name, proto, sha256 = load_source(source)
    refuse_changed(source, sha256)
    add_outputs(proto, watched)
    asked = questions_again(proto, source.shapes)
    try:
        return _made_static(name, proto, source, sha256)
    except ShapeError as error:
        error.questions, error.sha256 = asked, sha256
        raise


def _made_static(name: str, proto: ModelProto, source: ModelSource, sha256: str) -> PreparedModel:
    refuse_flags(proto)
    found = read_nodes(proto)
    apply_shapes(proto, source.shapes)
    fed = filled(proto, source.values)
    apply_values(proto, source.values)
    refuse_huge_stored(proto, found)
    done = settle(proto)
    expand_functions(proto)
    uses = input_uses(proto)
    rewrite(proto, done, unroll=False)
    refuse_huge_constants(proto, done.origins, found)
    proto = simplify(proto)
    _refuse_declined(proto, rewrite(proto, done))
    tidy(proto)
    refuse_small_types(proto, done.origins)
    _refuse_huge(proto)
    inputs = _specs(proto.graph.input)
    outputs = _specs(proto.graph.output)
    if len(outputs) < len(proto.graph.output):
        raise _why_not_static(proto, inputs, source, found)
    return PreparedModel(
        name,
        proto,
        inputs,
        outputs,
        sha256,
        FileReference(replace(source, sha256=sha256), fed),
        uses,
        done.origins,
        found,
        done.absorbed,
    )


def _refuse_declined(proto: ModelProto, done: Rewriting) -> None:
    """Name a node that TVM lacks or gets wrong and that could not be rewritten, with the reason."""
    lacking = unsupported_nodes(proto)
    for node in walk_nodes(proto):
        name = node_name(node)
        missing = (node.domain, node.op_type) in lacking and name in done.notes
        if missing or name in done.refused:
            if node.op_type == "Cast":  # whose values' names and types say more than its rule
                refuse_small_types(proto, done.origins)
            raise ModelError(
                Sentence(
                    "TVM cannot import {op_type} ({name}): {notes}.",
                    op_type=node.op_type,
                    name=name,
                    notes=done.notes[name],
                ),
                "Replace it in the model, or export it again without it.",
            ).at(done.origins.get(name, name))


def _specs(values: Iterable[ValueInfoProto]) -> Specs:
    """Names and specs of those values that have a fixed shape."""
    found = [(value.name, tensor_spec(value)) for value in values]
    return tuple((name, spec) for name, spec in found if spec)


def _refuse_huge(proto: ModelProto) -> None:
    for name, spec in _specs([*proto.graph.value_info, *proto.graph.output]):
        if math.prod(spec.shape) > MAX_ELEMENTS:
            raise ModelError(
                Sentence(
                    "The model computes {name} of shape {spec}, more than {max_elements} elements.",
                    name=name,
                    spec=spec,
                    max_elements=MAX_ELEMENTS,
                ),
                "Give smaller input shapes.",
            )


def _why_not_static(
    proto: ModelProto, inputs: Specs, source: ModelSource, found: tuple[FoundNode, ...]
) -> ModelError:
    """The error for a model with an output whose shape could not be inferred."""
    if error := refusal(proto):
        return error
    if source.shapes:
        try:
            reference_outputs(proto, random_inputs(inputs))
        except ModelError as error:
            return ShapeError(
                Sentence(
                    "The model does not accept inputs of these shapes: {what}", what=error.what
                ),
                "Give the shapes that the model was made for.",
            )
    if unfit := misfit(proto):
        return unfit
    name = next(value.name for value in proto.graph.output if tensor_spec(value) is None)
    return ModelError(
        Sentence(
            "The shape of output {name} is not fixed because of {origins}.",
            name=name,
            origins=origins,
        )
        if (origins := dynamic_origins(proto, found))
        else Sentence("The shape of output {name} is not fixed.", name=name),
        "Cut the model before the operators whose result depends on the data.",
    ).at(next((node for _, node in dynamic_nodes(proto, found)), ""))
