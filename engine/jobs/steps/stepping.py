"""One step of a run's plan, by its kind."""

from __future__ import annotations

from engine.jobs.context import RunContext
from engine.jobs.steps.droplet import polish
from engine.jobs.steps.merge import merge
from engine.jobs.steps.share import share
from engine.jobs.steps.spending import Search, Spending
from engine.jobs.steps.steps import options_of
from engine.jobs.steps.transfer import transfer
from engine.records.settings import Step


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
