"""How a search begins: with the schedules that are known for tasks of the same class."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from functools import partial

from engine.jobs.context import RunContext
from engine.jobs.steps.donations import ranked_donors, try_donors
from engine.jobs.steps.spending import Spending
from engine.jobs.steps.transfer import library_donors
from engine.passes.donor import Donor
from engine.passes.donors import without
from engine.passes.starter import starter_donors, starter_samples
from engine.records.errors import TunewrightError
from engine.records.events import Message
from engine.records.sentences import together
from engine.records.task import own_tasks
from engine.search.experience import Samples

_PER_TASK = 2
_SHARE = 0.25  # of a run's budget, at most


async def begin_with_known(context: RunContext, spending: Spending) -> None:
    """Try schedules of the starter library, and of the user's own, on each task without a trial;
    what the library's own tasks measured is what the cost models begin with."""
    history, budget = context.history, context.settings.budget
    context.experience.prior = await asyncio.to_thread(_samples, context)
    new = [task for task in own_tasks(context.project.tasks()) if not history.trials(task.index)]
    if not new:
        return
    donors = await asyncio.to_thread(_known, context)
    trials = None if budget.trials is None else int(_SHARE * budget.trials)
    seconds = None if budget.seconds is None else _SHARE * budget.seconds
    if served := ranked_donors(context.project, new, donors):
        with spending.within(trials=trials, seconds=seconds):
            await try_donors(context, spending, served, _PER_TASK)


def _samples(context: RunContext) -> Mapping[str, Samples]:
    try:
        return starter_samples(context.model.program.target.is_gpu)
    except TunewrightError:  # which is told of its records
        return {}


def _known(context: RunContext) -> list[Donor]:
    """The starter library's donors, then the user's; what cannot be read is told and left out."""
    found: list[Donor] = []
    gpu = context.model.program.target.is_gpu
    for read in (partial(starter_donors, gpu), library_donors):
        try:
            found += without(read(), context.project.path)
        except TunewrightError as error:
            context.emit(Message("warning", together(error.what, error.todo)))
    return found
