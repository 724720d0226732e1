"""Donors' schedules tried on tasks of their class: what a transfer and a run's start do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from engine.jobs.candidates import Provenance
from engine.jobs.context import RunContext
from engine.jobs.steps.spaces import find_spaces
from engine.jobs.steps.spending import Spending
from engine.jobs.steps.tries import Miss, Tries
from engine.passes.donor import Donor
from engine.passes.fitting import fits
from engine.passes.ranking import Ranked, rank
from engine.project.repository import Project
from engine.records.events import Message
from engine.records.sentences import Sentence
from engine.records.space import DesignSpace
from engine.records.task import Task
from engine.records.trial import Source
from engine.records.words import Doing


def ranked_donors(
    project: Project, tasks: Iterable[Task], donors: Sequence[Donor]
) -> dict[int, list[Ranked]]:
    """The donors of each task that has some, best first, by the task's index."""
    target = project.target, project.tvm_version, project.target_title
    return {task.index: found for task in tasks if (found := rank(task, donors, *target))}


async def try_donors(
    context: RunContext, spending: Spending, served: Mapping[int, list[Ranked]], per_task: int
) -> None:
    """Try each task's donors, the best ones of all tasks first, until the spending is over or each
    task had `per_task` candidates.

    Donors that come with the program, and have no place, are of the source STARTER.
    """
    spaces = await find_spaces(
        context.project, context.model.program, context.resources, context.threads, context.emit
    )
    tries = Tries(context, spending)
    queues = {
        task: _Queue(tries, task, _reason(found), _fitted(found, spaces[task]))
        for task, found in served.items()
    }
    order = sorted(served, key=lambda task: -(context.history.share(task) or 0.0))
    turns = [queues[task].next for _ in range(per_task) for task in order]
    try:
        await tries.take_all(turns, Doing.DONORS)
    finally:
        tries.end(served)
    _say_refused(context, tries)


@dataclass(slots=True)
class _Queue:
    """One task's donors, best first; its slot begins with the first that is tried."""

    tries: Tries
    task: int
    reason: str
    left: Iterator[tuple[Donor, str]]
    _begun: int | None = None

    def slot(self) -> int:
        """The number of the slot, which begins where it has not."""
        if self._begun is None:
            self._begun = self.tries.begin(self.task, self.reason)
        return self._begun

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
            source = Source.TRANSFERRED if donor.place else Source.STARTER
            provenance = Provenance(source, origin)
            found = await self.tries.attempt(self.task, self.slot, trace, provenance)
            if found not in (Miss.REFUSED, Miss.KNOWN):
                return


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


def _reason(ranked: list[Ranked]) -> Sentence:
    models = sorted({item.donor.model for item in ranked})
    return Sentence("donors of its class from {models}", models=", ".join(models))


def _say_refused(context: RunContext, tries: Tries) -> None:
    count = sum(map(len, tries.refused.values()))
    if count:
        context.emit(
            Message(
                "info", Sentence("{count} schedules of donors do not replay here.", count=count)
            )
        )
