"""From a model's source to a static, folded, simplified ONNX model with known shapes."""

from __future__ import annotations

import hashlib
import logging
import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from engine.models import reference
from engine.models.dynamic import dynamic_origins
from engine.models.file_nodes import FoundNode, read_nodes
from engine.models.onnx_file import load_onnx
from engine.models.operators import node_name, refusal, unsupported_nodes
from engine.models.opset.upgrade import settle
from engine.models.proto_walk import walk_nodes
from engine.models.questions import questions_again
from engine.models.readers import Arrays, Specs, refuse_changed
from engine.models.reference import random_inputs, reference_outputs
from engine.models.rewriting.driver import Rewriting, rewrite
from engine.models.samples import load_sample, sample_path
from engine.models.shapes import MAX_ELEMENTS, apply_shapes, tensor_spec
from engine.models.simplify import expand_functions, simplify, tidy
from engine.models.small_types import refuse_small_types
from engine.models.values import apply_values
from engine.records.errors import ModelError, ShapeError, TunewrightError
from engine.records.formats import ONNX
from engine.records.source import ModelSource

if TYPE_CHECKING:
    import numpy as np
    import tvm
    from onnx import ModelProto, ValueInfoProto

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PreparedModel:
    """A model that is ready to be imported.

    `proto` is static, its constants folded. `inputs` and `outputs` are in the model's order.
    `sha256` is that of the source as it is now.
    `origins` has by name of a node that a rewriting put in the name of the file's node; `absorbed`
    by that name those of other nodes of the file that went into it.
    `file_nodes` are the file's own nodes.
    """

    name: str
    proto: ModelProto
    inputs: Specs
    outputs: Specs
    sha256: str
    origins: dict[str, str] = field(default_factory=dict)
    file_nodes: tuple[FoundNode, ...] = ()
    absorbed: dict[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def reference_name(self) -> str:
        """What runs the file as it is."""
        return ONNX.reference

    def to_relax(self) -> tvm.ir.IRModule:
        """As `Prepared.to_relax`."""
        from engine.models.relax.importing import to_relax

        return to_relax(self.name, self.proto, self.origins)

    def reference_outputs(self, inputs: Arrays) -> dict[str, np.ndarray]:
        return reference.reference_outputs(self.proto, inputs)

    def reference_latency(self, inputs: Arrays, threads: int) -> tuple[float, ...]:
        """ONNX Runtime's latencies (s)."""
        return reference.reference_latency(self.proto, inputs, threads)


def prepare(source: ModelSource) -> PreparedModel:
    """Load, check, fix the shapes, simplify. The source file is only read.

    Raises ModelError (ShapeError and UnsupportedOperators among them), or UsageError for an
    unknown sample.
    """
    try:
        return _prepare(source)
    except TunewrightError:
        raise
    except Exception as error:  # a damaged file can break libraries in ways nobody listed
        log.debug("Preparing %s failed", source.location, exc_info=error)
        raise ModelError(
            f"{source.location} cannot be prepared: {type(error).__name__}.",
            "The file may be damaged; copy it or export the model again.",
        ) from error


def _prepare(source: ModelSource) -> PreparedModel:
    name, proto, sha256 = load_source(source)
    refuse_changed(source, sha256)
    asked = questions_again(proto, source.shapes)
    try:
        return _made_static(name, proto, source, sha256)
    except ShapeError as error:
        error.questions, error.sha256 = asked, sha256
        raise


def _made_static(name: str, proto: ModelProto, source: ModelSource, sha256: str) -> PreparedModel:
    found = read_nodes(proto)
    apply_shapes(proto, source.shapes)
    apply_values(proto, source.values)
    done = settle(proto)
    expand_functions(proto)
    rewrite(proto, done, unroll=False)
    proto = simplify(proto)
    _refuse_declined(proto, rewrite(proto, done))
    tidy(proto)
    refuse_small_types(proto)
    _refuse_huge(proto)
    inputs = _specs(proto.graph.input)
    outputs = _specs(proto.graph.output)
    if len(outputs) < len(proto.graph.output):
        raise _why_not_static(proto, inputs, source)
    return PreparedModel(
        name,
        proto,
        inputs,
        outputs,
        sha256,
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
            raise ModelError(
                f"TVM cannot import {node.op_type} ({name}): {done.notes[name]}.",
                "Replace it in the model, or export it again without it.",
            )


def load_source(source: ModelSource) -> tuple[str, ModelProto, str]:
    """Name, model and SHA-256 of a source."""
    if source.kind == "sample":
        digest = hashlib.sha256(sample_path(source.location).read_bytes()).hexdigest()
        return source.location, load_sample(source.location), digest
    path = Path(source.location)
    loaded = load_onnx(path)
    return path.stem, loaded.proto, loaded.sha256


def _specs(values: Iterable[ValueInfoProto]) -> Specs:
    """Names and specs of those values that have a fixed shape."""
    found = [(value.name, tensor_spec(value)) for value in values]
    return tuple((name, spec) for name, spec in found if spec)


def _refuse_huge(proto: ModelProto) -> None:
    for name, spec in _specs([*proto.graph.value_info, *proto.graph.output]):
        if math.prod(spec.shape) > MAX_ELEMENTS:
            raise ModelError(
                f"The model computes {name} of shape {spec}, more than {MAX_ELEMENTS} elements.",
                "Give smaller input shapes.",
            )


def _why_not_static(proto: ModelProto, inputs: Specs, source: ModelSource) -> ModelError:
    """The error for a model with an output whose shape could not be inferred."""
    if error := refusal(proto):
        return error
    if source.shapes:
        try:
            reference_outputs(proto, random_inputs(inputs))
        except ModelError as error:
            return ShapeError(
                f"The model does not accept inputs of these shapes: {error.what}",
                "Give the shapes that the model was made for.",
            )
    name = next(value.name for value in proto.graph.output if tensor_spec(value) is None)
    return ModelError(
        f"The shape of output {name} is not fixed{dynamic_origins(proto)}.",
        "Cut the model before the operators whose result depends on the data.",
    )
