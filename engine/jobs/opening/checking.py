"""Which operators of a model can be tuned: of those that can be told apart, and of the whole."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from engine.jobs.opening.isolation import isolated
from engine.jobs.opening.open_worker import open_here
from engine.models.answers import recall
from engine.models.questions import InputQuestion, questions, with_answers
from engine.records.errors import ModelError, ShapeError, UnsupportedOperators
from engine.records.source import ModelSource
from engine.records.words import Doing, Say
from engine.targets.targets import resolve

if TYPE_CHECKING:
    from onnx import ModelProto

    from engine.models.support import OperatorSupport


@dataclass(frozen=True, slots=True)
class Checked:
    """A model's operators, and its inputs with the shapes that these were checked for.

    `refusal` is the sentence of the error with which the model was refused when it was really
    imported and lowered, and `remedy` what to do. `lowered` is None where shapes are missing for
    that.
    """

    name: str
    sha256: str
    inputs: tuple[InputQuestion, ...]
    operators: tuple[OperatorSupport, ...]
    lowered: bool | None = None
    refusal: str = ""
    remedy: str = ""


def check_source(source: ModelSource) -> Checked:
    """Read, check, import and lower a model in a worker. Blocks as long as opening it.

    Where a shape is not given, the one proposed is taken. Raises ModelError and its kinds.
    """
    found: Checked = isolated(source, _check)
    return found


def _check(say: Say, source: ModelSource) -> Checked:
    from engine.models.choosing import other_reader
    from engine.models.loading import load_source
    from engine.models.support import check_model
    from engine.models.values import apply_values

    say(Doing.READING)
    if reader := other_reader(source):
        look = reader.look(source)
        found = Checked(look.name, look.sha256, look.inputs, look.operators)
    else:
        name, proto, sha256 = load_source(source)
        asked = with_answers(questions(proto, source.shapes), recall(sha256))
        _fix_shapes(proto, source, asked)
        apply_values(proto, source.values)
        say(Doing.LOOKING)
        found = Checked(name, sha256, asked, tuple(check_model(proto)))
    return _tried(say, source, found)


def _tried(say: Say, source: ModelSource, found: Checked) -> Checked:
    """What is known once the model was opened for this machine's CPU."""
    shapes = {**_proposed(found.inputs), **source.shapes}
    try:
        for one in replace(source, shapes=shapes).each:
            open_here(one, resolve("cpu"), say)
    except ShapeError as error:
        if source.shapes:
            raise
        return replace(found, remedy=error.todo)
    except UnsupportedOperators as error:
        return replace(found, lowered=False, refusal=error.what, remedy=error.todo)
    except ModelError as error:
        operators = tuple(_marked(item, error) for item in found.operators)
        return replace(
            found, operators=operators, lowered=False, refusal=error.what, remedy=error.todo
        )
    return replace(found, lowered=True)


def _marked(item: OperatorSupport, error: ModelError) -> OperatorSupport:
    """The operator, which is missing after all where the error is about a node of its."""
    if error.node not in item.nodes or item.state == "missing":
        return item
    return replace(item, state="missing", note=f"at {error.node}")


def _proposed(inputs: tuple[InputQuestion, ...]) -> dict[str, tuple[int, ...]]:
    return {
        item.name: tuple(size for size in item.proposal if size is not None)
        for item in inputs
        if item.is_open and item.proposal and None not in item.proposal
    }


def _fix_shapes(proto: ModelProto, source: ModelSource, asked: tuple[InputQuestion, ...]) -> None:
    """Give `proto` shapes where they are known: rewriting looks at them."""
    from engine.models.shapes import apply_shapes

    try:
        apply_shapes(proto, {**_proposed(asked), **source.shapes})
    except ShapeError:
        if source.shapes:
            raise
