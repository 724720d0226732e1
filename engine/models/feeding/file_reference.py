"""The reference of an ONNX model: what runs the file as it is, unknown to what we make of it."""

from __future__ import annotations

import logging
import signal
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

from engine.models.file_nodes import add_outputs
from engine.models.loading import load_source
from engine.models.proto_walk import walk_nodes
from engine.models.readers import Answer, Arrays, refuse_changed
from engine.models.reference import exact_session, reference_latency, run_session
from engine.models.weights.mapped import has_mapped
from engine.records.errors import ModelError
from engine.records.formats import EVALUATOR, ONNX
from engine.records.sentences import Sentence
from engine.records.source import ModelSource

if TYPE_CHECKING:
    import numpy as np
    from onnx import ModelProto, NodeProto

log = logging.getLogger(__name__)
_TRY_S = 60.0  # that the evaluator, which is plain Python, may take for one answer


@dataclass(frozen=True, slots=True)
class FileReference:
    """Runs the file of `source`, read anew and checked by its SHA-256: by ONNX Runtime, or by
    ONNX's reference evaluator, which has no speed.

    `values` are the inputs that a person gave a value for good: they are fed with the others.
    `watched` are values of the file that are given out as well.
    """

    source: ModelSource
    values: dict[str, np.ndarray] = field(default_factory=dict)
    evaluator: bool = False
    watched: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """As `Reference.name`."""
        return EVALUATOR if self.evaluator else ONNX.reference

    def answers(self, draws: Sequence[Arrays]) -> list[Answer]:
        """As `Reference.answers`."""
        proto, path = self._model()
        if self.evaluator:
            evaluator = _evaluator(proto)
            return [_evaluated(evaluator, self._fed(inputs)) for inputs in draws]
        session = exact_session(proto, path)
        del proto
        return [_ran(session, self._fed(inputs)) for inputs in draws]

    def latency(self, inputs: Arrays, threads: int) -> tuple[float, ...]:
        """As `Reference.latency`."""
        if self.evaluator:
            return ()
        try:
            proto, path = self._model()
            return reference_latency(proto, self._fed(inputs), threads, path=path)
        except ModelError as error:  # it loads, and runs on other inputs at best
            log.info("%s has no latency: %s", self.name, error.what)
            return ()

    def _model(self) -> tuple[ModelProto, Path | None]:
        """The model to run, and where it lies unchanged, if anywhere."""
        _, proto, sha256 = load_source(self.source)
        refuse_changed(self.source, sha256)
        changed = _leave_open(proto) or bool(self.watched) or self.source.kind != "file"
        add_outputs(proto, dict.fromkeys(self.watched))
        return proto, None if changed else Path(self.source.location)

    def _fed(self, inputs: Arrays) -> dict[str, np.ndarray]:
        return {**inputs, **self.values}


def able_reference(reference: FileReference, inputs: Arrays) -> FileReference | ModelError:
    """What can run the file on these inputs: ONNX Runtime, else ONNX's evaluator, else why not.

    To be called in the main thread of a worker: the evaluator is given a minute. A file that ONNX
    Runtime loads and does not run may run on other inputs: then it stays the reference.
    """
    try:
        (answer,) = reference.answers([inputs])
        loads, reason = True, answer if isinstance(answer, ModelError) else None
    except ModelError as error:
        loads, reason = False, error
    if reason is None:
        return reference
    other = replace(reference, evaluator=True)
    try:
        with _alarm(_TRY_S):
            (answer,) = other.answers([inputs])
    except ModelError as error:
        answer = error
    if not isinstance(answer, ModelError):
        return other
    return reference if loads else reason


def _leave_open(proto: ModelProto) -> bool:
    """Exporters write a size of 0 for one that is not known: ONNX Runtime would insist on it.

    In place; whether there was one.
    """
    changed = False
    stored = {tensor.name for tensor in proto.graph.initializer}
    for value in proto.graph.input:
        for dim in value.type.tensor_type.shape.dim if value.name not in stored else ():
            if dim.HasField("dim_value") and dim.dim_value < 1:
                dim.ClearField("dim_value")
                changed = True
    return changed


def _ran(session: Any, inputs: Mapping[str, np.ndarray]) -> Answer:
    names = [output.name for output in session.get_outputs()]
    try:
        return dict(zip(names, run_session(session, names, inputs), strict=True))
    except ModelError as error:
        return error


def _evaluator(proto: ModelProto) -> Any:
    from onnx.reference import ReferenceEvaluator

    if any(map(_evaluated_wrongly, walk_nodes(proto))):
        raise ModelError(
            Sentence("{evaluator} pads pools otherwise than ONNX defines it.", evaluator=EVALUATOR)
        )
    if has_mapped(proto):
        raise ModelError(
            Sentence("{evaluator} does not hold models of more than 1 GB.", evaluator=EVALUATOR)
        )
    try:
        return ReferenceEvaluator(proto)
    except Exception as error:  # each operator's Python raises what it likes
        raise _refusal(Sentence("{evaluator} cannot load the model ({error})."), error) from error


def _evaluated_wrongly(node: NodeProto) -> bool:
    padded = any(one.name == "auto_pad" and one.s.startswith(b"SAME") for one in node.attribute)
    return padded and node.op_type.endswith("Pool")


def _evaluated(evaluator: Any, inputs: Mapping[str, np.ndarray]) -> Answer:
    import numpy as np

    try:
        with np.errstate(all="ignore"):
            found = evaluator.run(None, dict(inputs))
    except Exception as error:  # as above
        return _refusal(Sentence("{evaluator} cannot run the model ({error})."), error)
    return dict(zip(evaluator.output_names, map(np.asarray, found), strict=True))


def _refusal(what: Sentence, error: Exception) -> ModelError:
    log.debug("%s fails on the model", EVALUATOR, exc_info=error)
    return ModelError(
        what.filled(evaluator=EVALUATOR, error=type(error).__name__),
        "Check that the model runs in ONNX Runtime, or export it again.",
    )


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    """ModelError where the block takes longer; in the main thread only."""

    def ring(number: int, frame: FrameType | None) -> None:
        raise ModelError(Sentence("{evaluator} takes too long for the model.", evaluator=EVALUATOR))

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
