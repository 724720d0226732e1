"""Transfer: the best schedules of other models on the tasks of the same class."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass

from engine.jobs.candidates import Provenance
from engine.jobs.context import RunContext
from engine.jobs.steps.spaces import find_spaces
from engine.jobs.steps.spending import Spending
from engine.jobs.steps.steps import TransferOptions
from engine.jobs.steps.tries import Miss, Tries
from engine.passes.donor import Donor
from engine.passes.donors import donors_of, without
from engine.passes.fitting import fits
from engine.passes.library import Library
from engine.passes.ranking import Ranked, rank
from engine.records.errors import TunewrightError
from engine.records.events import Message
from engine.records.space import DesignSpace
from engine.records.task import own_tasks
from engine.records.trial import Source
from engine.records.words import Doing


async def transfer(context: RunContext, spending: Spending, options: TransferOptions) -> None:
    """Try each task's donors, the best ones of all tasks first, until the spending is over."""
    project = context.project
    own = {(task.fingerprint, project.model_name) for task in project.tasks()}
    others = without(await asyncio.to_thread(_collect, context, options), project.path)
    donors = [donor for donor in others if (donor.fingerprint, donor.model) not in own]
    target = project.target, project.tvm_version, project.target_title
    served = {
        task.index: found
        for task in own_tasks(project.tasks())
        if (found := rank(task, donors, *target))
    }
    if not served:
        context.emit(Message("warning", "No donor has a task of a class that this model has."))
        return
    spaces = await find_spaces(
        project, context.model.program, context.resources, context.threads, context.emit
    )
    tries = Tries(context, spending)
    queues = {
        task: _Queue(tries, task, tries.begin(task, _reason(found)), _fitted(found, spaces[task]))
        for task, found in served.items()
    }
    order = sorted(served, key=lambda task: -(context.history.share(task) or 0.0))
    turns = [queues[task].next for _ in range(options.per_task) for task in order]
    try:
        await tries.take_all(turns, Doing.DONORS)
    finally:
        tries.end(served)
    _say_refused(context, tries)


@dataclass(frozen=True, slots=True)
class _Queue:
    """One task's donors, best first."""

    tries: Tries
    task: int
    slot: int
    left: Iterator[tuple[Donor, str]]

    async def next(self) -> None:
        """Try the next candidate; one that does not replay, or is known here, costs no turn."""
        for donor, trace in self.left:
            origin = {
                "model": donor.model,
                "task": donor.task,
                "latency_s": donor.latency_s,
                "target": donor.target_title,
                "place": donor.place,
            }
            provenance = Provenance(Source.TRANSFERRED, origin)
            found = await self.tries.attempt(self.task, self.slot, trace, provenance)
            if found not in (Miss.REFUSED, Miss.KNOWN):
                return


def _collect(context: RunContext, options: TransferOptions) -> list[Donor]:
    """All donors; a place that cannot be read is told and left out."""
    found: list[Donor] = []
    for place in options.places:
        try:
            found += donors_of(place)
        except TunewrightError as error:
            context.emit(Message("warning", f"{error.what} {error.todo}"))
    if options.library:
        try:
            with Library.open(read_only=True) as library:
                found += library.donors()
        except TunewrightError as error:
            context.emit(Message("warning", f"{error.what} {error.todo}"))
    return found


def _fitted(found: list[Ranked], space: DesignSpace) -> Iterator[tuple[Donor, str]]:
    """Donors, best first, with their traces fitted to the task, each once."""
    seen: set[str] = set()
    for ranked in found:
        try:
            traces = fits(ranked.donor.trace, space)
        except ValueError:  # a stranger's trace may be anything
            continue
        for trace in traces:
            if trace not in seen:
                seen.add(trace)
                yield ranked.donor, trace


def _reason(ranked: list[Ranked]) -> str:
    models = sorted({item.donor.model for item in ranked})
    return f"donors of its class from {', '.join(models)}"


def _say_refused(context: RunContext, tries: Tries) -> None:
    count = sum(map(len, tries.refused.values()))
    if count:
        context.emit(Message("info", f"{count} schedules of donors do not replay here."))
