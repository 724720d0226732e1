"""One step of a run's plan, by its kind."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from typing import Protocol

from engine.jobs.context import RunContext
from engine.jobs.steps.droplet import polish
from engine.jobs.steps.merge import merge
from engine.jobs.steps.share import share
from engine.jobs.steps.spending import Spending
from engine.jobs.steps.steps import options_of
from engine.jobs.steps.transfer import transfer
from engine.records.settings import Step


class Search(Protocol):
    """Searches all tasks but those in `leave`; `weights` stand for the tasks' own, and `batch` for
    the settings' trials of a slot."""

    def __call__(
        self,
        weights: Mapping[int, float] | None = None,
        leave: frozenset[int] = frozenset(),
        batch: int | None = None,
    ) -> Awaitable[None]:
        """Until the spending is over or nothing is left to try."""
        ...


async def take_step(context: RunContext, spending: Spending, step: Step, search: Search) -> None:
    """Carry out a step. UsageError where its options make no sense."""
    options = options_of(step)
    match step.kind:
        case "share":
            await share(context, spending, options, search)
        case "transfer":
            await transfer(context, spending, options)
        case "droplet":
            await polish(context, spending, options)
        case "merge":
            await merge(context, spending, options, search)
        case _:
            await search()
