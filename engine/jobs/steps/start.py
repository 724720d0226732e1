"""How a search begins: with the schedules that are known of its tasks, or of others alike."""

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
from engine.passes.ranking import best_known
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
    donors = await asyncio.to_thread(_known, context)
    await _try_best(context, spending, donors)
    new = [task for task in own_tasks(context.project.tasks()) if not history.trials(task.index)]
    if not new or spending.reason:
        return
    trials = None if budget.trials is None else int(_SHARE * budget.trials)
    seconds = None if budget.seconds is None else _SHARE * budget.seconds
    if served := ranked_donors(context.project, new, donors):
        with spending.within(trials=trials, seconds=seconds):
            await try_donors(context, spending, served, _PER_TASK)


async def _try_best(context: RunContext, spending: Spending, donors: list[Donor]) -> None:
    """Try the best known schedule of each task, if the run has an objective that they should meet
    together; the run is over where they do."""
    wanted_s, now_s = context.settings.budget.latency_s, spending.expected_s()
    sum_s = context.history.now_s()
    if wanted_s is None or now_s is None or not sum_s or now_s <= wanted_s:
        return
    best, saved_s = _better(context, donors)
    if not best or now_s * (1 - saved_s / sum_s) > wanted_s:
        return
    tasks = [task for task in context.project.tasks() if task.index in best]
    served = ranked_donors(context.project, tasks, list(best.values()))
    if served:
        try:
            await try_donors(context, spending, served, 1)
        finally:
            spending.end_by_known()


def _better(context: RunContext, donors: list[Donor]) -> tuple[dict[int, Donor], float]:
    """The best known schedule of each task that should be faster with it than now, and by how much
    the kernels' sum would be less, in seconds."""
    project, found, saved_s = context.project, dict[int, Donor](), 0.0
    for task in own_tasks(project.tasks()):
        now_s = context.history.now(task.index)
        best = best_known(task, donors, project.target, project.tvm_version, project.target_title)
        if best is not None and now_s is not None and best.latency_s < now_s:
            found[task.index] = best
            saved_s += task.weight * (now_s - best.latency_s)
    return found, saved_s


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
