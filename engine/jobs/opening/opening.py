"""From a model's source to a program with tasks, step by step."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from engine.jobs.cancelling import Stopped
from engine.jobs.opening.isolation import isolated
from engine.jobs.opening.open_worker import OpenedModel, open_apart, unpack
from engine.models.answers import recall, recall_values, remember, remember_values
from engine.models.questions import with_answers, with_values
from engine.records.errors import ShapeError
from engine.records.precision import refuse_precision
from engine.records.sentences import Sentence, together
from engine.records.source import ModelSource
from engine.records.words import Say
from engine.targets.targets import TargetSpec
from engine.workers.artifacts import scratch
from engine.workers.watched import Limits

if TYPE_CHECKING:
    pass


def open_source(
    source: ModelSource,
    target: TargetSpec,
    say: Say = lambda *said: None,
    *,
    limits: Limits | None = None,
    stopped: Stopped = lambda: False,
) -> OpenedModel:
    """Read, simplify, import, lower, extract. Blocks for seconds; `say` is told each step.

    All but the last step happens in a worker: a file that crashes, hangs or bloats what reads it
    is refused by a sentence. Raises ModelError and its kinds, TargetError where the target cannot
    compute in the source's precision, Cancelled where it is `stopped`.
    """
    from engine.tasks.extract import extract

    refuse_precision(source.precision, target)
    with scratch() as folder:
        try:
            sent = isolated(
                source, open_apart, target, folder, say=say, limits=limits, stopped=stopped
            )
        except ShapeError as error:
            raise _with_proposals(error) from error
        prepared, module = unpack(sent)
    if source.shapes:
        remember(prepared.sha256, source.shapes)
    if source.shapes or source.values:
        remember_values(prepared.sha256, source.values)
    program = extract(module, target)
    whole = replace(source, sha256=prepared.sha256)
    return OpenedModel(whole, prepared, program, sent.file_nodes)


def _with_proposals(error: ShapeError) -> ShapeError:
    """The error with the answers of an earlier time, and its proposals in words."""
    asked = with_answers(error.questions, recall(error.sha256))
    asked = with_values(asked, recall_values(error.sha256))
    wanted = [item for item in asked if item.is_open]
    todo = error.todo
    if wanted and all("?" not in item.form for item in wanted):
        forms = (f"{item.name}={item.form}" for item in wanted)
        reasons = together(*dict.fromkeys(item.why for item in wanted), by=", ")
        given = " ".join(forms)
        todo = (
            Sentence("Give sizes, such as these ({why}): {sizes}.", why=reasons, sizes=given)
            if reasons
            else Sentence("Give sizes, such as these: {sizes}.", sizes=given)
        )
    made = ShapeError(error.what, Sentence.of(todo))
    made.questions, made.sha256 = asked, error.sha256
    return made
