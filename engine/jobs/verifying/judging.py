"""Whether a project's untuned module answers rightly: found out once, and asked before each run."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from importlib.metadata import PackageNotFoundError, version

from engine.jobs.baseline import INPUT_SEED, judge_untuned
from engine.jobs.context import RunContext
from engine.jobs.opening.open_worker import OpenedModel
from engine.jobs.opening.opening import open_source
from engine.jobs.verifying.first_difference import find_first_difference
from engine.judge.draws import draws_of
from engine.records.errors import Hint, TunewrightError, WrongAnswer
from engine.records.events import Message, ModuleJudged, Progress
from engine.records.network import FirstDifference, Judged, Verdict
from engine.records.sentences import Sentence, ended, together
from engine.records.source import ModelSource
from engine.records.words import Doing, Say
from engine.targets.targets import TargetSpec

log = logging.getLogger(__name__)


async def require_right(context: RunContext) -> None:
    """WrongAnswer where the untuned module answers wrongly and the run was not asked for despite
    that. A module that other versions made is judged anew."""
    judged = context.project.judged()
    if judged is None or judged.module != _versions():
        reference = context.model.prepared.reference
        context.emit(Progress(Doing.CHECKING, about=reference.name if reference else ""))
        found = [await context.run_whole(partial(judge_untuned, one)) for one in context.model.each]
        judged = joined_verdicts(found, context.model)
        judged = await keep_judged(context, judged)
    if all(one.difference is None for one in judged.verdicts) and judged.wrong is None:
        context.emit(Message("warning", "Outputs are compared with nothing: no reference runs."))
    if (wrong := judged.wrong) is None:
        return
    error = wrong_answer(wrong, judged.first)
    if not context.settings.despite:
        raise error
    context.emit(Message("warning", error.what))


def joined_verdicts(found: Sequence[Judged], model: OpenedModel) -> Judged:
    """The judgements of the model in each of its shapes as one, each verdict with its shape."""
    verdicts = tuple(
        replace(verdict, shape=label)
        for judged, label in zip(found, model.source.labels, strict=True)
        for verdict in judged.verdicts
    )
    return replace(found[0], verdicts=verdicts)


async def keep_judged(context: RunContext, judged: Judged) -> Judged:
    """Store and tell a judgement, with the first node that differs where one does."""
    if (wrong := judged.wrong) is not None and wrong.output:
        say: Say = lambda text, about="": context.emit(Progress(text, about=about))  # noqa: E731
        first = await context.run_whole(partial(find_first, context.model, wrong, say))
        judged = replace(judged, first=first)
    judged = replace(judged, module=_versions())
    context.project.set_judged(judged)
    context.emit(ModuleJudged(judged))
    return judged


def verify_source(
    source: ModelSource, target: TargetSpec, say: Say = lambda *said: None
) -> tuple[str, Judged]:
    """A model's name, and what its untuned module answers beside its reference. Blocks for as long
    as the first steps of a run. Raises ModelError and its kinds, TuningError."""
    model = open_source(source, target, say)
    reference = model.prepared.reference
    say(Doing.CHECKING, reference.name if reference else "")
    judged = joined_verdicts([judge_untuned(one) for one in model.each], model)
    if (wrong := judged.wrong) is not None and wrong.output:
        judged = replace(judged, first=find_first(model, wrong, say))
    return model.prepared.name, judged


def find_first(
    model: OpenedModel, wrong: Verdict, say: Say = lambda *said: None
) -> FirstDifference | None:
    """The first node of the file that differs on the draw, None where none could be found."""
    labels = model.source.labels
    model = model.each[labels.index(wrong.shape) if wrong.shape in labels else 0]
    draws = draws_of(model.prepared, INPUT_SEED)
    inputs = next((draw.inputs for draw in draws if draw.name == wrong.draw), None)
    if inputs is None:
        return None
    try:
        return find_first_difference(model.source, model.program.target, inputs, say)
    except TunewrightError as error:
        log.info("No first difference was found: %s", error.what)
        return None


def wrong_answer(wrong: Verdict, first: FirstDifference | None) -> WrongAnswer:
    """The error that says what is wrong, and where it begins."""
    said: list[str] = [Sentence("The untuned module answers wrongly."), ended(wrong.note)]
    if wrong.ours:
        said.append(
            Sentence(
                "It gives {ours}, and {theirs} is right.", ours=wrong.ours, theirs=wrong.theirs
            )
        )
    said.append(Sentence("The inputs were: {draw}.", draw=Sentence.of(wrong.draw)))
    if wrong.shape:
        said.append(Sentence("The shape was {shape}.", shape=wrong.shape))
    if first is not None:
        named = f"{first.operator} ({first.node})" if first.node else first.operator
        said.append(Sentence("The first node of the file that differs is {node}.", node=named))
    error = WrongAnswer(
        together(*said),
        "Report the model with this sentence; tune it despite that only to look at speed.",
        Hint.DESPITE,
    )
    error.draw, error.output, error.ours, error.theirs = (
        wrong.draw,
        wrong.output,
        wrong.ours,
        wrong.theirs,
    )
    if first is not None:
        error.operator, error.node = first.operator, first.node
    return error


def _versions() -> str:
    """What decides which module is made of a file, beside the file and its target."""
    import tvm

    try:
        ours = version("tunewright")
    except PackageNotFoundError:  # run from its folder
        ours = "unknown"
    return f"Tunewright {ours}, TVM {tvm.__version__}"
