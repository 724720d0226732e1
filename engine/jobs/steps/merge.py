"""Merging: operators that stand for several of one input become tasks, and are tuned."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from engine.jobs.candidates import Provenance
from engine.jobs.context import RunContext
from engine.jobs.resources import Need
from engine.jobs.steps.spaces import find_spaces
from engine.jobs.steps.spending import Spending
from engine.jobs.steps.steps import MergeOptions
from engine.jobs.steps.tries import Tries
from engine.passes.fitting import candidates
from engine.records.errors import UsageError
from engine.records.events import Message, Progress, ProjectOpened
from engine.records.outstanding import StageKind
from engine.records.sentences import Sentence
from engine.records.source import ModelSource
from engine.records.task import Task
from engine.records.trial import Source, Trial
from engine.records.words import Doing

if TYPE_CHECKING:
    from engine.ios.merges import Merges
    from engine.jobs.steps.spending import Search

_RECORDS = 2  # of each member, whose schedules are tried on the merged operator
_TRIED = 0.25  # of a merged operator's trials, before it is searched


async def merge(
    context: RunContext, spending: Spending, options: MergeOptions, search: Search
) -> None:
    """Make the merged operators tasks of the project, try their members' best schedules on them,
    and search them, until each has had its trials on average."""
    refuse_set(context.model.source)
    merges = await _add_tasks(context, options.per_input)
    wanted = {task.index: task for task in merges.tasks.values() if task.merged}
    if not wanted:
        context.emit(Message("warning", "No operators of this model may be merged."))
        return
    began = (context.project.run_progress(context.run) or {}).get("since")
    uses = Counter(task.index for task in merges.tasks.values() if task.merged)
    others = frozenset(task.index for task in context.model.program.tasks) - set(wanted)
    with spending.within(trials=options.per_task * len(wanted), since=began):
        await _try_members(context, spending, list(wanted.values()), options.per_task)
        await search({task: float(count) for task, count in uses.items()}, others)


def refuse_set(source: ModelSource) -> None:
    """UsageError where the project has a set of shapes: stages are of one shape's operators."""
    if source.more:
        raise UsageError(
            "Stages belong to one shape, and this project has several.",
            "Make a project of the shape that stages are wanted for.",
        )


async def _add_tasks(context: RunContext, per_input: int) -> Merges:
    """What may be merged; its tasks are in the project and in the context's model then."""
    from engine.ios.merges import adding_merges, find_merges

    program = context.model.program
    context.emit(Progress(Doing.MERGING))
    call = partial(find_merges, program, per_input=per_input)
    try:
        need = Need(cores=1, long=True, kind=StageKind.READING)
        merges = await context.resources.run(need, context.threads, call)
    finally:
        context.emit(Progress(""))
    grown = adding_merges(program, merges)
    new = grown.tasks[len(program.tasks) :]
    if new:
        context.project.add_merged(new)
        context.model = replace(context.model, program=grown)
        snapshot = context.project.snapshot()
        context.history.reset(snapshot)
        context.emit(ProjectOpened(snapshot))
    return merges


async def _try_members(
    context: RunContext, spending: Spending, tasks: list[Task], per_task: int
) -> None:
    """Measure the best schedules of each merged operator's members on it."""
    spaces = await find_spaces(
        context.project, context.model.program, context.resources, context.threads, context.emit
    )
    fitted: dict[int, list[tuple[Trial, str]]] = {}
    for task in tasks:
        records = _records_of(context, task)
        made = candidates((record.trace for record in records), spaces[task.index])
        count = max(1, round(_TRIED * per_task))
        fitted[task.index] = [(records[rank], trace) for rank, trace in islice(made, count)]
    tries = Tries(context, spending)
    served = [task for task, found in fitted.items() if found]
    slots = {
        task: tries.begin(task, Sentence("the best schedules of its members")) for task in served
    }
    queue = [
        partial(_attempt, tries, task, slots[task], record, trace)
        for task in served
        for record, trace in fitted[task]
    ]
    try:
        await tries.take_all(queue, Doing.MEMBERS)
    finally:
        tries.end(served)


def _records_of(context: RunContext, merged: Task) -> list[Trial]:
    """The best few trials of each member's task, the fastest of each first."""
    operators = context.model.program.operators
    members = dict.fromkeys(operators[member].task for member in merged.merged)
    best = []
    for task in members:
        trials = [] if task is None else context.project.trials_of(task)
        valid = [one for one in trials if one.error is None and one.samples and not one.cut]
        best.append(sorted(valid, key=lambda one: one.latency_s)[:_RECORDS])
    return [found[rank] for rank in range(_RECORDS) for found in best if rank < len(found)]


async def _attempt(tries: Tries, task: int, slot: int, record: Trial, trace: str) -> None:
    origin = {"task": record.task, "trial": record.number}
    await tries.attempt(task, slot, trace, Provenance(Source.SHARED, origin))
