"""Opens TensorFlow Lite models: what the engine asks of a kind of model file."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from engine.models.answers import recall
from engine.models.feeding.input_uses import InputUses
from engine.models.plain_file import read_file
from engine.models.questions import InputQuestion, with_answers
from engine.models.readers import Answer, Arrays, Look, Specs, only_answer, refuse_changed
from engine.models.shapes import Dims, InputDims, fixed_dims
from engine.models.tflite import interpreter, relax
from engine.records.errors import ModelError, ShapeError
from engine.records.formats import TFLITE, require
from engine.records.sentences import Sentence
from engine.records.source import ModelSource
from engine.records.task import TensorSpec

if TYPE_CHECKING:
    import numpy as np
    import tvm

_MAGIC = b"TFL3"


@dataclass(frozen=True, slots=True)
class PreparedLite:
    """A model in the file's own bytes, with the shapes that its inputs get."""

    name: str
    data: np.ndarray
    inputs: Specs
    outputs: Specs
    sha256: str
    origins: dict[str, str] = field(default_factory=dict)

    @property
    def uses(self) -> InputUses:
        """As `Prepared.uses`: nothing is known of them."""
        return InputUses()

    @property
    def reference(self) -> LiteReference:
        """As `Prepared.reference`: it has the file's own bytes."""
        return LiteReference(self.name, self.data)

    def to_relax(self) -> tvm.ir.IRModule:
        """As `Prepared.to_relax`."""
        shapes = {name: spec.shape for name, spec in self.inputs}
        return relax.to_relax(self.name, self.data.tobytes(), shapes)

    def reference_outputs(self, inputs: Arrays) -> dict[str, np.ndarray]:
        """As `Prepared.reference_outputs`, in a process of its own: LiteRT's code reads a file of
        a stranger."""
        from engine.workers.fresh import run_fresh

        return run_fresh(only_answer, self.reference, inputs)


@dataclass(frozen=True, slots=True)
class LiteReference:
    """Runs a file's bytes by LiteRT on the CPU."""

    model: str
    data: np.ndarray

    @property
    def name(self) -> str:
        """As `Reference.name`."""
        return TFLITE.reference

    def answers(self, draws: Sequence[Arrays]) -> list[Answer]:
        """As `Reference.answers`."""
        require(TFLITE, self.model)
        return [self._answer(inputs) for inputs in draws]

    def latency(self, inputs: Arrays, threads: int) -> tuple[float, ...]:
        """As `Reference.latency`."""
        require(TFLITE, self.model)
        return interpreter.latencies(self.data.tobytes(), inputs, threads)

    def _answer(self, inputs: Arrays) -> Answer:
        try:
            return interpreter.outputs(self.data.tobytes(), inputs)
        except ModelError as error:
            return error


@dataclass(frozen=True, slots=True)
class _Input:
    """One input; None in `dims` where the file leaves the size open."""

    name: str
    dims: Dims
    shape: tuple[int, ...]
    dtype: str


class LiteReader:
    """Reads .tflite files."""

    def prepare(self, source: ModelSource) -> PreparedLite:
        """As `Reader.prepare`."""
        import numpy as np

        name, data, sha256 = _load(source)
        refuse_changed(source, sha256)
        inputs = _inputs(data)
        try:
            fixed = fixed_dims(
                tuple(InputDims(item.name, item.dims) for item in inputs), source.shapes
            )
        except ShapeError as error:
            error.questions, error.sha256 = _questions(inputs), sha256
            raise
        shapes = {
            key: tuple(size for size in dims or () if isinstance(size, int))
            for key, dims in fixed.items()
        }
        specs = tuple((item.name, TensorSpec(shapes[item.name], item.dtype)) for item in inputs)
        outputs = interpreter.output_specs(data, shapes)
        return PreparedLite(name, np.frombuffer(data, np.uint8), specs, outputs, sha256)

    def look(self, source: ModelSource) -> Look:
        """As `Reader.look`."""
        name, data, sha256 = _load(source)
        asked = with_answers(_questions(_inputs(data)), recall(sha256))
        return Look(name, sha256, asked, relax.operators(name, data))


def _load(source: ModelSource) -> tuple[str, bytes, str]:
    path = Path(source.location)
    data = read_file(path)
    if data[4:8] != _MAGIC:
        raise ModelError(
            Sentence("{path} is not a TensorFlow Lite file, or it is damaged.", path=path.name),
            "Open a model that was saved as TensorFlow Lite.",
        )
    require(TFLITE, path.name)
    return path.stem, data, hashlib.sha256(data).hexdigest()


def _inputs(data: bytes) -> list[_Input]:
    return [
        _Input(name, tuple(None if size < 0 else size for size in signature), shape, dtype)
        for name, shape, signature, dtype in interpreter.declared(data)
    ]


def _questions(inputs: list[_Input]) -> tuple[InputQuestion, ...]:
    """An open size is proposed as the file's own, where that is more than a placeholder."""
    return tuple(
        InputQuestion(
            item.name,
            item.dims,
            item.dtype,
            tuple(
                size if dim is not None or size > 1 or axis == 0 else None
                for axis, (dim, size) in enumerate(zip(item.dims, item.shape, strict=True))
            ),
            "" if None not in item.dims else "from the file",
        )
        for item in inputs
    )
