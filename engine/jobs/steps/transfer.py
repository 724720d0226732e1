"""Transfer: the best schedules of other models on the tasks of the same class."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

from engine.jobs.context import RunContext
from engine.jobs.steps.donations import try_donors
from engine.jobs.steps.spending import Spending
from engine.jobs.steps.steps import TransferOptions
from engine.passes.donor import Donor
from engine.passes.donors import donors_of, without
from engine.passes.library import Library
from engine.records.errors import TunewrightError
from engine.records.events import Message
from engine.records.task import own_tasks


async def transfer(context: RunContext, spending: Spending, options: TransferOptions) -> None:
    """Try each task's donors, the best ones of all tasks first, until the spending is over."""
    project = context.project
    own = {(task.fingerprint, project.model_name) for task in project.tasks()}
    others = without(await asyncio.to_thread(_collect, context, options), project.path)
    donors = [donor for donor in others if (donor.fingerprint, donor.model) not in own]
    tasks = own_tasks(project.tasks())
    if not await try_donors(context, spending, tasks, donors, options.per_task):
        context.emit(Message("warning", "No donor has a task of a class that this model has."))


def _collect(context: RunContext, options: TransferOptions) -> list[Donor]:
    """All donors; a place that cannot be read is told and left out."""
    found: list[Donor] = []
    reads: list[Callable[[], list[Donor]]] = [partial(donors_of, place) for place in options.places]
    if options.library:
        reads.append(library_donors)
    for read in reads:
        try:
            found += read()
        except TunewrightError as error:
            context.emit(Message("warning", f"{error.what} {error.todo}"))
    return found


def library_donors() -> list[Donor]:
    """Those of the user's library."""
    with Library.open(read_only=True) as library:
        return library.donors()
