"""Which operators of a model can be tuned, found out without lowering it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.jobs.opening.isolation import isolated
from engine.models.answers import recall
from engine.models.questions import InputQuestion, questions, with_answers
from engine.records.errors import ShapeError
from engine.records.source import ModelSource
from engine.records.words import Doing, Say

if TYPE_CHECKING:
    from onnx import ModelProto

    from engine.models.support import OperatorSupport


@dataclass(frozen=True, slots=True)
class Checked:
    """A model's operators, and its inputs with the shapes that these were checked for."""

    name: str
    sha256: str
    inputs: tuple[InputQuestion, ...]
    operators: tuple[OperatorSupport, ...]


def check_source(source: ModelSource) -> Checked:
    """Read and check a model in a worker. Blocks for seconds.

    Where a shape is not given, the one proposed is taken. Raises ModelError and its kinds.
    """
    found: Checked = isolated(source, _check)
    return found


def _check(say: Say, source: ModelSource) -> Checked:
    from engine.models.choosing import other_reader
    from engine.models.prepare import load_source
    from engine.models.support import check_model
    from engine.models.values import apply_values

    say(Doing.READING)
    if reader := other_reader(source):
        look = reader.look(source)
        return Checked(look.name, look.sha256, look.inputs, look.operators)
    name, proto, sha256 = load_source(source)
    asked = with_answers(questions(proto, source.shapes), recall(sha256))
    _fix_shapes(proto, source, asked)
    apply_values(proto, source.values)
    say(Doing.LOOKING)
    return Checked(name, sha256, asked, tuple(check_model(proto)))


def _fix_shapes(proto: ModelProto, source: ModelSource, asked: tuple[InputQuestion, ...]) -> None:
    """Give `proto` shapes where they are known: rewriting looks at them."""
    from engine.models.shapes import apply_shapes

    proposed = {
        item.name: tuple(size for size in item.proposal if size is not None)
        for item in asked
        if item.is_open and item.proposal and None not in item.proposal
    }
    try:
        apply_shapes(proto, {**proposed, **source.shapes})
    except ShapeError:
        if source.shapes:
            raise
