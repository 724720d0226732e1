"""Transfer: the best schedules of other models on the tasks of the same class."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

from engine.jobs.context import RunContext
from engine.jobs.steps.donations import ranked_donors, try_donors
from engine.jobs.steps.spending import Spending
from engine.jobs.steps.steps import TransferOptions
from engine.passes.donor import Donor
from engine.passes.donors import donors_of, without
from engine.passes.library import Library
from engine.passes.ranking import Ranked
from engine.project.repository import Project
from engine.records.errors import TunewrightError
from engine.records.events import Event, Message
from engine.records.sentences import together
from engine.records.task import own_tasks


async def transfer(context: RunContext, spending: Spending, options: TransferOptions) -> None:
    """Try each task's donors, the best ones of all tasks first, until the spending is over."""
    donors = await asyncio.to_thread(_collect, context.emit, options)
    served = _served(context.project, donors)
    if not served:
        context.emit(Message("warning", "No donor has a task of a class that this model has."))
        return
    await try_donors(context, spending, served, options.per_task)


def count_donors(path: str, options: TransferOptions) -> dict[int, int]:
    """How many donors each task of the project at `path` would have, by index; blocks while the
    places are read. Raises ProjectError and StorageError as `Project.open` does."""
    with Project.open(path, read_only=True) as project:
        found = _served(project, _collect(lambda _: None, options))
    return {task: len(donors) for task, donors in found.items()}


def _served(project: Project, found: list[Donor]) -> dict[int, list[Ranked]]:
    own = {(task.fingerprint, project.model_name) for task in project.tasks()}
    others = without(found, project.path)
    donors = [donor for donor in others if (donor.fingerprint, donor.model) not in own]
    return ranked_donors(project, own_tasks(project.tasks()), donors)


def _collect(emit: Callable[[Event], None], options: TransferOptions) -> list[Donor]:
    """All donors; a place that cannot be read is told and left out."""
    found: list[Donor] = []
    reads: list[Callable[[], list[Donor]]] = [partial(donors_of, place) for place in options.places]
    if options.library:
        reads.append(library_donors)
    for read in reads:
        try:
            found += read()
        except TunewrightError as error:
            emit(Message("warning", together(error.what, error.todo)))
    return found


def library_donors() -> list[Donor]:
    """Those of the user's library."""
    with Library.open(read_only=True) as library:
        return library.donors()
