"""One step of a run's plan, by its kind."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from typing import Protocol

from engine.jobs.context import RunContext
from engine.jobs.settings import Step
from engine.jobs.spending import Spending
from engine.jobs.step_droplet import polish
from engine.jobs.step_merge import merge
from engine.jobs.step_share import share
from engine.jobs.step_transfer import transfer
from engine.jobs.steps import options_of


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
