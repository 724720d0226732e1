"""From a model's source to a program with tasks, step by step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from threading import Lock
from typing import TYPE_CHECKING

from engine.errors import ModelError
from engine.models.source import ModelSource
from engine.tasks.targets import TargetSpec

if TYPE_CHECKING:
    from engine.models.prepare import PreparedModel
    from engine.tasks.extract import Program


# TVM tags the operators it lowers in a scope that all threads share. A stopped run's lowering goes
# on in its thread while the next one begins.
_ONE_AT_A_TIME = Lock()


@dataclass(frozen=True, slots=True)
class OpenedModel:
    """A model ready to be tuned; `source` carries the SHA-256 of what was read."""

    source: ModelSource
    prepared: PreparedModel
    program: Program


def open_source(
    source: ModelSource, target: TargetSpec, say: Callable[[str], None] = lambda text: None
) -> OpenedModel:
    """Read, simplify, import, lower, extract. Blocks for seconds; `say` is told each step.

    Raises ModelError and its kinds.
    """
    from engine.models.prepare import prepare
    from engine.models.relax_import import to_relax
    from engine.tasks.extract import extract
    from engine.tasks.lower import lower

    with _ONE_AT_A_TIME:
        say("Reading the model")
        prepared = prepare(source)
        say("Importing the model into TVM")
        module = to_relax(prepared)
        say("Lowering and fusing operators")
        program = extract(lower(module, target), target)
    if not program.tasks:
        raise ModelError(
            f"{prepared.name} has nothing to tune: no operator is left after folding constants.",
            "Check that this is the model you meant.",
        )
    return OpenedModel(replace(source, sha256=prepared.sha256), prepared, program)
