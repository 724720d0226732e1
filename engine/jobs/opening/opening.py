"""From a model's source to a program with tasks, step by step."""

from __future__ import annotations

from dataclasses import replace

from engine.jobs.cancelling import Stopped
from engine.jobs.opening.handed_over import Shared
from engine.jobs.opening.isolation import isolated
from engine.jobs.opening.joining import joined_programs
from engine.jobs.opening.open_worker import OpenedModel, open_apart, unpack
from engine.models.answers import recall, recall_values, remember, remember_values
from engine.models.questions import with_answers, with_values
from engine.records.errors import ShapeError
from engine.records.precision import refuse_precision
from engine.records.sentences import Sentence, together
from engine.records.source import ModelSource
from engine.records.words import Doing, Say
from engine.targets.targets import TargetSpec
from engine.workers.artifacts import scratch
from engine.workers.watched import Limits


def open_source(
    source: ModelSource,
    target: TargetSpec,
    say: Say = lambda *said: None,
    *,
    limits: Limits | None = None,
    stopped: Stopped = lambda: False,
) -> OpenedModel:
    """Read, simplify, import, lower, extract, in each shape. Blocks for seconds; `say` is told each
    step.

    All but the last step happens in a worker: a file that crashes, hangs or bloats what reads it
    is refused by a sentence. Raises ModelError and its kinds, TargetError where the target cannot
    compute in the source's precision, Cancelled where it is `stopped`.
    """
    refuse_precision(source.precision, target)
    known = Shared() if source.more else None

    first, *others = (
        _opened(one, label, target, say, known, limits, stopped)
        for one, label in zip(source.each, source.labels, strict=True)
    )
    if source.shapes:
        remember(first.prepared.sha256, source.shapes)
    if source.shapes or source.values:
        remember_values(first.prepared.sha256, source.values)
    whole = replace(source, sha256=first.prepared.sha256)
    if not others:
        return replace(first, source=whole)
    made = (first, *others)
    programs = joined_programs(
        [one.program for one in made], [one.source.frequency for one in made]
    )
    first, *others = (
        replace(one, program=program) for one, program in zip(made, programs, strict=True)
    )
    return replace(first, source=whole, others=tuple(others))


def _opened(
    source: ModelSource,
    label: str,
    target: TargetSpec,
    say: Say,
    known: Shared | None,
    limits: Limits | None,
    stopped: Stopped,
) -> OpenedModel:
    """The model in its one shape, which has this label where it is one of several."""
    from engine.tasks.extract import extract

    if label:
        say(Doing.SHAPE, label)
    with scratch() as folder:
        try:
            sent = isolated(
                source, open_apart, target, folder, say=say, limits=limits, stopped=stopped
            )
        except ShapeError as error:
            raise _with_proposals(error) from error
        prepared, module = unpack(sent, known)
    whole = replace(source, sha256=prepared.sha256)
    return OpenedModel(whole, prepared, extract(module, target), sent.file_nodes)


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
