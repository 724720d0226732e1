"""Which reader a model file has, by its format."""

from __future__ import annotations

from engine.models.prepare import prepare
from engine.models.readers import Prepared, Reader
from engine.records.errors import ShapeError
from engine.records.formats import ONNX, PYTORCH, TFLITE, format_of
from engine.records.sentences import Sentence
from engine.records.source import ModelSource


def prepare_any(source: ModelSource) -> Prepared:
    """The model of any format, ready to be imported. Raises ModelError and its kinds."""
    reader = other_reader(source)
    return prepare(source) if reader is None else reader.prepare(source)


def other_reader(source: ModelSource) -> Reader | None:
    """What reads the source; None for ONNX, whose way is `engine.models.prepare`."""
    form = format_of(source)
    if form is not ONNX and source.values:
        raise ShapeError(
            Sentence("A {title} file's inputs cannot be given a value here.", title=form.title),
            "Export the model with that value as a constant.",
        )
    if form is PYTORCH:
        from engine.models.pt2.reader import ProgramReader

        return ProgramReader()
    if form is TFLITE:
        from engine.models.tflite.reader import LiteReader

        return LiteReader()
    return None
